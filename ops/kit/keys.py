"""A terminal's keyboard, key by key; no key is lost between two reads."""

import os
import re
import select
import signal
import sys
import termios
import tty
from collections import deque
from contextlib import suppress
from types import TracebackType
from typing import NoReturn, Self

from ops.kit.hang_up import end_soon

_KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O.)|.", re.DOTALL)
ONE_READ = 1024  # bytes: more than anybody types in a moment


ENDS = (signal.SIGTERM, signal.SIGHUP)


def _end(by: int, _: object) -> NoReturn:
    """Ends by raising SystemExit, so that the terminal is restored."""
    if by == signal.SIGHUP:
        end_soon()
    sys.exit(128 + by)


class Keyboard:
    """While it is open, keys are not echoed and arrive without Enter."""

    def __enter__(self) -> Self:
        self._input = sys.stdin.fileno()
        self._before = termios.tcgetattr(self._input)
        self._woken, self._waker = os.pipe()
        for each in (self._woken, self._waker):
            os.set_blocking(each, False)
        self._woken_before = signal.set_wakeup_fd(self._waker)
        self._on_end = {each: signal.signal(each, _end) for each in ENDS}
        self._typed: deque[str] = deque()
        tty.setcbreak(self._input, termios.TCSADRAIN)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)
        for each, before in self._on_end.items():
            signal.signal(each, before)
        signal.set_wakeup_fd(self._woken_before)
        os.close(self._woken)
        os.close(self._waker)

    def key(self) -> str:
        """The next key; an arrow as its sequence. Raises EOFError when the terminal is gone."""
        while not self._typed:
            # A signal just before a blocking read would wait for the next key: its byte wakes this.
            select.select([self._input, self._woken], [], [])
            with suppress(BlockingIOError):
                os.read(self._woken, ONE_READ)
            if not select.select([self._input], [], [], 0)[0]:
                continue
            read = os.read(self._input, ONE_READ)
            if not read:
                raise EOFError
            self._typed.extend(_KEY.findall(read.decode(errors="replace")))
        return self._typed.popleft()

    def line(self) -> str:
        """A whole line, edited as usual and ended by Enter."""
        termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)
        try:
            return input()
        finally:
            tty.setcbreak(self._input, termios.TCSADRAIN)
