"""The lines that were entered: which is being said, which wait for it, which were said before."""

import time
from collections import deque
from collections.abc import Callable

from msgspec import Struct, field

from ops.kit.outcome import Outcome

KEPT = 500


class Saying(Struct):
    """One line at a time; what waits goes only when all before it went well."""

    current: str | None = None
    waiting: deque[str] = field(default_factory=deque)
    clock: Callable[[], float] = time.monotonic  # seconds
    _since: float = 0

    @property
    def seconds(self) -> int:
        """How long the line that is being said has had no answer."""
        return 0 if self.current is None else int(self.clock() - self._since)

    def _say(self, line: str) -> str:
        self.current, self._since = line, self.clock()
        return line

    def enter(self, line: str) -> str | None:
        """The line to be said now; None: it waits."""
        if self.current is None:
            return self._say(line)
        self.waiting.append(line)
        return None

    @property
    def lines(self) -> tuple[str, ...]:
        """All that have no answer yet."""
        return (*([self.current] if self.current else ()), *self.waiting)

    def answered(self, outcome: Outcome) -> tuple[str | None, tuple[str, ...]]:
        """The line to be said next, and those that are not sent because this one failed."""
        self.current = None
        if outcome.kind not in ("done", "answered"):
            unsent = tuple(self.waiting)
            self.waiting.clear()
            return None, unsent
        return (self._say(self.waiting.popleft()) if self.waiting else None), ()


class History(Struct):
    """What was entered, and where one is in it."""

    lines: list[str] = field(default_factory=list)
    at: int | None = None  # None: at the line that is new
    new: str = ""  # what was typed before one went back

    def add(self, line: str) -> None:
        """At the end, once where it is there already as the last."""
        if line and self.lines[-1:] != [line]:
            self.lines.append(line)
            del self.lines[:-KEPT]
        self.at = None

    def back(self, typed: str) -> str | None:
        """The line before; None: there is none."""
        if self.at is None:
            self.new = typed
        at = len(self.lines) if self.at is None else self.at
        if at == 0:
            return None
        self.at = at - 1
        return self.lines[self.at]

    def on(self) -> str | None:
        """The line after, in the end what was typed; None: one is there already."""
        if self.at is None:
            return None
        if self.at + 1 < len(self.lines):
            self.at += 1
            return self.lines[self.at]
        self.at = None
        return self.new
