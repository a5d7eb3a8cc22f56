"""How many lines of one terminal may be refused in a minute, so that nobody keeps the house busy.

A person mistypes a few; a program that sends nothing but mistakes is told so, and waits.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil

from ops.web.callers import Caller
from ops.web.turned_away import TooManyRefused

MINUTE = 60.0  # seconds, from the first of them
MOST = 10_000  # terminals that are remembered: in a house that is still open anybody makes a key


class Budget:
    """Counts refused lines for each terminal."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        """`most`: refused lines of one terminal in a minute."""
        self.most = most
        self._clock = clock
        # For each terminal when its minute began, and how many lines were refused in it.
        self._minutes: OrderedDict[str, tuple[float, int]] = OrderedDict()
        self._lock = threading.Lock()

    def left(self, caller: Caller) -> int:
        """How many of its lines may still be refused in this minute."""
        with self._lock:
            return max(0, self.most - self._minute_of(_name(caller))[1])

    def require(self, caller: Caller) -> None:
        """Turns away whoever has nothing left. Raises TooManyRefused."""
        with self._lock:
            began, refused = self._minute_of(_name(caller))
        if refused >= self.most:
            raise TooManyRefused(self.most, ceil(began + MINUTE - self._clock()))

    def note(self, caller: Caller, refused: int = 1) -> None:
        """Counts lines that were refused."""
        if not refused:
            return
        name = _name(caller)
        with self._lock:
            began, before = self._minute_of(name)
            self._minutes[name] = began, before + refused
            if len(self._minutes) > MOST:
                self._minutes.popitem(last=False)

    def _minute_of(self, name: str) -> tuple[float, int]:
        began, refused = self._minutes.get(name, (0.0, 0))
        if not refused or self._clock() - began >= MINUTE:
            self._minutes.pop(name, None)
            return self._clock(), 0
        return began, refused


def _name(caller: Caller) -> str:
    return caller.terminal or caller.address
