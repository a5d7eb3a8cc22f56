"""Whose requests are worked on: a few of each terminal at once, others of it wait in line.

So one terminal that sends a hundred requests waits for itself, and no table waits for it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ops.web.callers import Caller
from ops.web.turned_away import Busy

AT_ONCE = 2  # requests of one terminal
WAITING = 32  # further ones of it


class Turns:
    """The requests of each terminal, in the order in which they came."""

    def __init__(self) -> None:
        self._turns: dict[str, _Turn] = {}

    @property
    def waiting(self) -> int:
        """How many requests wait for a turn."""
        return sum(max(each.requests - AT_ONCE, 0) for each in self._turns.values())

    @asynccontextmanager
    async def of(self, caller: Caller) -> AsyncIterator[None]:
        """Waits for a turn of this terminal, and has it until the block ends. Raises Busy."""
        name = caller.terminal or caller.address
        turn = self._turns.setdefault(name, _Turn())
        if turn.requests >= AT_ONCE + WAITING:
            raise Busy
        turn.requests += 1
        try:
            async with turn.room:
                yield
        finally:
            turn.requests -= 1
            if not turn.requests:
                self._turns.pop(name, None)


class _Turn:
    def __init__(self) -> None:
        self.requests = 0  # that have a turn or wait for one
        self.room = asyncio.Semaphore(AT_ONCE)
