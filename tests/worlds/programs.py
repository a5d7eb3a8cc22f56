"""`sabot` in a process of its own, forked from one that has imported everything already.

To import it takes two seconds of a processor, as often as a program begins. Here one process
of a worker does it once; each program then has an environment, files and signals of its own, and
is ended, killed and waited for as any other. What a program does while it begins, and what it does
without its imports, is asked of a real one: `python -m ops.cli`.
"""

import atexit
import fcntl
import inspect
import multiprocessing
import os
import secrets
import signal
import subprocess
import sys
import termios
import threading
from collections.abc import Sequence
from multiprocessing import connection, forkserver, util
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.worlds.quick_pins import QUICK

_PRELOADED = [
    *("ops.cli.warm", "ops.cli.serve", "ops.cli.feed", "ops.cli.play", "tests.worlds.programs"),
    *(
        "tests.worlds.templates_read",
        "uvloop",
        "uvicorn.loops.auto",
        "uvicorn.lifespan.on",
        "httptools",
    ),
    *("tests.faults.writer", "tests.faults.hand"),
]
_PIPES = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
_SERVES = ("serve", "play")  # and forks processes of its own
# A process has one such server, and its first user decides what was imported: all share this list.
FORKED = multiprocessing.get_context("forkserver")
FORKED.set_forkserver_preload(_PRELOADED)


class Program(subprocess.Popen[Any]):
    """A `sabot` that runs, as `subprocess.Popen` has it.

    `at_terminal`: it leads a session whose terminal is `stdin`.
    """

    def __init__(self, words: Sequence[str], *, at_terminal: bool = False, **more: Any) -> None:
        self._lock = threading.Lock()
        self._at_terminal = at_terminal
        super().__init__(["sabot", *words], **more)

    def _execute_child(self, *given: Any) -> None:
        """Starts it, with the ends of pipes that are its own."""
        asked = inspect.signature(super()._execute_child).bind(*given).arguments
        numbers = [asked[name] for name in ("p2cread", "c2pwrite", "errwrite")]
        files = [_File(n if each == -1 else each) for n, each in enumerate(numbers)]
        env = dict(os.environ if asked["env"] is None else asked["env"])
        place = str(asked["cwd"] or Path.cwd())
        leads = asked["start_new_session"] or self._at_terminal
        self._process = FORKED.Process(
            target=_be_sabot, args=(asked["args"], place, env, files, leads, self._at_terminal)
        )
        self._process.start()
        self.pid, self._child_created = self._process.pid, True
        self._close_pipe_fds(*(asked[name] for name in _PIPES))

    def _internal_poll(self, *_: Any, **__: Any) -> int | None:
        with self._lock:
            self.returncode = self._process.exitcode
        return self.returncode

    def _wait(self, timeout: float | None) -> int:
        connection.wait([self._process.sentinel], timeout)
        if (status := self._internal_poll()) is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return status


def run(
    words: Sequence[str], *, input: str | bytes = "", timeout: float = 120.0, **more: Any
) -> subprocess.CompletedProcess[Any]:
    """What a `sabot` wrote that reads `input` and ends, and its exit status."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with Program(words, **{**pipes, "text": True, **more}) as program:
        try:
            out, err = program.communicate(input, timeout)
        except BaseException:
            program.kill()
            raise
        return subprocess.CompletedProcess(words, program.wait(), out, err)


class Alone(subprocess.Popen[bytes]):
    """A `sabot` that is begun as at a shell, and imports what it needs itself."""

    def __init__(self, words: Sequence[str], **more: Any) -> None:
        super().__init__([sys.executable, "-m", "ops.cli", *words], **more)


class _File:
    """A file of this process that a program is to have."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return _number_of, (DupFd(self._number),)


def _number_of(sent: Any) -> int:
    number: int = sent.detach()
    return number


def _be_sabot(
    args: list[str],
    place: str,
    env: dict[str, str],
    files: list[int],
    leads: bool,
    at_terminal: bool,
) -> None:
    """Makes this process what `sabot` is when it begins, and runs it."""
    if leads:
        os.setsid()
    for n, file in enumerate(files):
        os.dup2(file, n)
    for file in set(files):
        os.close(file)
    if at_terminal:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.chdir(place)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = args
    buffered = not env.get("PYTHONUNBUFFERED")
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.__stdout__ = _text(1, buffered=buffered)
    sys.stderr = sys.__stderr__ = _text(2, buffered=False)
    _forget_the_process_before()
    try:
        from ops.cli import main

        main()
    finally:
        atexit._run_exitfuncs()
        _flush()


def _text(number: int, *, buffered: bool) -> Any:
    by_line = not buffered or os.isatty(number)
    return open(number, "w", buffering=1 if by_line else -1, closefd=False)


def _flush() -> None:
    """A terminal that is gone takes nothing, and the exit status stays what it was."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _forget_the_process_before() -> None:
    """What is one process's own is made anew; processes that it forks are forked from here."""
    import argon2

    from ops.cli import starts
    from ops.ledger import secrets as of_pins

    starts._PROCESS = uuid4()
    of_pins._ONCE = secrets.token_bytes(32)
    argon2.PasswordHasher = QUICK
    util.spawnv_passfds = _forked
    if set(sys.argv[1:3]) & set(_SERVES):
        forkserver.ensure_running()


def _forked(_: str, args: list[str], files: list[int]) -> int:
    """In place of another Python, which would import everything again."""
    if pid := os.fork():
        return pid
    kept = sorted({0, 1, 2, *files})
    for after, before in zip(kept, [*kept[1:], os.sysconf("SC_OPEN_MAX")], strict=True):
        os.closerange(after + 1, before)
    try:
        exec(args[-1])
    finally:
        os._exit(0)
