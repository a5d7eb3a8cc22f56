"""The lines that were entered: the one being sent, those that wait, and the history."""

import time
from collections import deque
from collections.abc import Callable

from msgspec import Struct, field

from ops.kit.outcome import Outcome

MOST_LINES = 500


class Queue(Struct):
    """A queue: one line is sent at a time, and the next only if that one is done."""

    current: str | None = None
    waiting: deque[str] = field(default_factory=deque)
    clock: Callable[[], float] = time.monotonic  # seconds
    _since: float = 0

    @property
    def seconds(self) -> int:
        """Seconds for which the line being sent has had no answer."""
        return 0 if self.current is None else int(self.clock() - self._since)

    def _send(self, line: str) -> str:
        self.current, self._since = line, self.clock()
        return line

    def enter(self, line: str) -> str | None:
        """The line if it is to be sent now, or None if it waits."""
        if self.current is None:
            return self._send(line)
        self.waiting.append(line)
        return None

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines that have no answer yet."""
        return (*([self.current] if self.current else ()), *self.waiting)

    def answered(self, outcome: Outcome) -> tuple[str | None, tuple[str, ...]]:
        """The next line to send, and those that are not sent because this one failed."""
        self.current = None
        if outcome.kind not in ("done", "answered"):
            unsent = tuple(self.waiting)
            self.waiting.clear()
            return None, unsent
        return (self._send(self.waiting.popleft()) if self.waiting else None), ()


class History(Struct):
    """The lines that were entered, and the place in them."""

    lines: list[str] = field(default_factory=list)
    at: int | None = None  # None: at the new line
    new: str = ""  # what was typed before going back

    def add(self, line: str) -> None:
        """Adds a line at the end, unless it is the last one already."""
        if line and self.lines[-1:] != [line]:
            self.lines.append(line)
            del self.lines[:-MOST_LINES]
        self.at = None

    def back(self, typed: str) -> str | None:
        """The line before, or None if there is none."""
        if self.at is None:
            self.new = typed
        at = len(self.lines) if self.at is None else self.at
        if at == 0:
            return None
        self.at = at - 1
        return self.lines[self.at]

    def on(self) -> str | None:
        """The line after, and last what was typed; None if that is shown already."""
        if self.at is None:
            return None
        if self.at + 1 < len(self.lines):
            self.at += 1
            return self.lines[self.at]
        self.at = None
        return self.new
