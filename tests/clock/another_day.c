/* Preloaded into the tests: the machine's clock is ANOTHER_DAY seconds ahead, for them and for
 * every program they start, the server's included. How long something takes is not changed:
 * the monotonic clock, and whatever waits by it, stays as it is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))

static time_t ahead(void) {
    const char *seconds = getenv("ANOTHER_DAY");
    return seconds ? (time_t)atoll(seconds) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = REAL("clock_gettime", int (*)(clockid_t, struct timespec *));
    int failed = real(clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += ahead();
    return failed;
}

int gettimeofday(struct timeval *now, void *zone) {
    static int (*real)(struct timeval *, void *);
    if (!real) real = REAL("gettimeofday", int (*)(struct timeval *, void *));
    int failed = real(now, zone);
    if (!failed) now->tv_sec += ahead();
    return failed;
}

time_t time(time_t *now) {
    struct timespec moment;
    clock_gettime(CLOCK_REALTIME, &moment);
    if (now) *now = moment.tv_sec;
    return moment.tv_sec;
}

/* A server is started with surroundings of its own, which name no library. */
int execve(const char *program, char *const arguments[], char *const surroundings[]) {
    static int (*real)(const char *, char *const[], char *const[]);
    if (!real) real = REAL("execve", int (*)(const char *, char *const[], char *const[]));
    const char *library = getenv("LD_PRELOAD"), *seconds = getenv("ANOTHER_DAY");
    size_t n = 0;
    while (surroundings && surroundings[n]) {
        if (!strncmp(surroundings[n], "LD_PRELOAD=", 11)) library = NULL;
        n++;
    }
    if (!library || !seconds) return real(program, arguments, surroundings);
    static char preload[4096], by[64];
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", library);
    snprintf(by, sizeof by, "ANOTHER_DAY=%s", seconds);
    char *with[n + 3];
    for (size_t i = 0; i < n; i++) with[i] = surroundings[i];
    with[n] = preload;
    with[n + 1] = by;
    with[n + 2] = NULL;
    return real(program, arguments, with);
}
