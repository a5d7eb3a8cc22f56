"""`sabot` in a process of its own, forked from one that has imported everything already.

To import it takes two seconds of a processor, as often as a program begins. Here one process
of a worker does it once; each program then has an environment, files and signals of its own, and
is ended, killed and waited for as any other. What a program does while it begins, and what it does
without its imports, is asked of a real one: `python -m ops.cli`.
"""

import atexit
import fcntl
import multiprocessing
import os
import secrets
import signal
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import forkserver, util
from multiprocessing.reduction import DupFd
from typing import Any
from uuid import uuid4

from tests import ROOT

PRELOADED = [
    *("ops.cli.warm", "ops.cli.serve", "ops.cli.feed", "ops.cli.play", "tests.worlds.programs"),
    *("uvicorn.loops.auto", "uvicorn.lifespan.on", "httptools"),
]
_SERVES = ("serve", "play")  # and forks processes of its own
_CONTEXT = multiprocessing.get_context("forkserver")


class Program:
    """A `sabot` that runs, with the part of `subprocess.Popen` that tests use.

    `stdin`, `stdout`, `stderr`: a file's number, `subprocess.PIPE`, or None for nothing.
    `leads`: it has a session of its own; `at_terminal`: `stdin` is the terminal of that session.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        env: Mapping[str, str],
        stdin: int | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
        leads: bool = False,
        at_terminal: bool = False,
    ) -> None:
        nothing = os.open(os.devnull, os.O_RDWR)
        theirs, ours = [nothing], []
        given = []
        for n, each in enumerate((stdin, stdout, stderr)):
            if each == subprocess.STDOUT:
                given.append(given[1])
            elif each == subprocess.PIPE:
                ends = os.pipe()
                theirs.append(ends[n > 0])
                ours.append(ends[n == 0])
                given.append(ends[n > 0])
            else:
                given.append(nothing if each is None else each)
        _CONTEXT.set_forkserver_preload(PRELOADED)
        files = [_File(each) for each in given]
        self.args = ["sabot", *words]
        self._process = _CONTEXT.Process(
            target=_be_sabot, args=(list(words), dict(env), files, leads, at_terminal)
        )
        self._process.start()
        for each in theirs:
            os.close(each)
        self.pid: int = self._process.pid
        self._ours = ours

    @property
    def returncode(self) -> int | None:
        """Its exit status, or the signal that ended it, less than 0; None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """Its `returncode`."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Its `returncode`, once it has ended. Raises subprocess.TimeoutExpired."""
        self._process.join(timeout)
        if (status := self._process.exitcode) is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return status

    def send_signal(self, by: int) -> None:
        """Nothing, if it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, by)

    def kill(self) -> None:
        """By SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """By SIGTERM."""
        self.send_signal(signal.SIGTERM)


class Alone(subprocess.Popen[bytes]):
    """A `sabot` that is begun as at a shell, and imports what it needs itself."""

    def __init__(self, words: Sequence[str], **more: Any) -> None:
        super().__init__([sys.executable, "-m", "ops.cli", *words], cwd=ROOT, **more)


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
    words: list[str], env: dict[str, str], files: list[int], leads: bool, at_terminal: bool
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
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = ["sabot", *words]
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


def _text(number: int, *, buffered: bool) -> Any:
    by_line = not buffered or os.isatty(number)
    return open(number, "w", buffering=1 if by_line else -1, closefd=False)


def _forget_the_process_before() -> None:
    """What is one process's own is made anew; processes that it forks are forked from here."""
    from ops.cli import starts
    from ops.ledger import secrets as of_pins

    starts._PROCESS = uuid4()
    of_pins._ONCE = secrets.token_bytes(32)
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
