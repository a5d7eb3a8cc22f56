"""A terminal's keyboard, key by key, and no key lost between two of them."""

import os
import re
import signal
import sys
import termios
import tty
from collections import deque
from types import TracebackType
from typing import NoReturn, Self

_KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O.)|.", re.DOTALL)
ONE_READ = 1024  # bytes: more than anybody types in a moment


def _end(*_: object) -> NoReturn:
    """Who is told to end leaves the terminal as it was first."""
    sys.exit(128 + signal.SIGTERM)


class Keyboard:
    """For as long as it is open, what is typed is not shown and waits for nobody's Enter."""

    def __enter__(self) -> Self:
        self._input = sys.stdin.fileno()
        self._before = termios.tcgetattr(self._input)
        self._on_end = signal.signal(signal.SIGTERM, _end)
        self._typed: deque[str] = deque()
        tty.setcbreak(self._input, termios.TCSADRAIN)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)
        signal.signal(signal.SIGTERM, self._on_end)

    def key(self) -> str:
        """The next key; an arrow as its sequence. Raises EOFError when the terminal is gone."""
        while not self._typed:
            read = os.read(self._input, ONE_READ)
            if not read:
                raise EOFError
            self._typed.extend(_KEY.findall(read.decode(errors="replace")))
        return self._typed.popleft()

    def line(self) -> str:
        """A line, typed and mended as lines are."""
        termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)
        try:
            return input()
        finally:
            tty.setcbreak(self._input, termios.TCSADRAIN)
