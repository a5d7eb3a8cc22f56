"""Turns at a table: writers who overtake one another there take turns for a while."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from random import uniform

from ops.commands.casino import Casino
from ops.commands.read import Line

IN_TURN = 5.0  # seconds for which turns are taken at a table after somebody was overtaken there
PAUSE = 0.005  # seconds; doubled after each attempt, and a random part of that


class Turns:
    """The tables at which one process was overtaken lately."""

    def __init__(self, casino: Casino, sleep: Callable[[float], None]) -> None:
        self._casino = casino
        self._sleep = sleep
        self._until: dict[str, float] = {}  # table -> until when turns are taken there

    def taken_for(self, line: Line) -> bool:
        """Whether another writer overtook a line at the same table lately."""
        return time.monotonic() < self._until.get(_table_in(line), 0.0)

    @contextmanager
    def attempts(self, line: Line, most: int) -> Iterator[Iterator[int]]:
        """Counts the attempts at a line, each begun when it may be; the turn lasts to the end.

        An attempt after the first one was overtaken. It waits for its turn at the table; one that
        was overtaken in its turn waits a random moment instead.
        """
        with ExitStack() as turn:
            yield self._attempts(line, most, turn)

    def _attempts(self, line: Line, most: int, turn: ExitStack) -> Iterator[int]:
        for attempt in range(most):
            table, had_one = _table_in(line), self.taken_for(line)
            if attempt:
                self._until[table] = time.monotonic() + IN_TURN
            if attempt > 1 or (attempt and had_one):
                self._sleep(uniform(0, PAUSE * 2**attempt))  # noqa: S311  (nobody guesses for gain)
            elif attempt or had_one:
                turn.enter_context(self._casino.ledger.turn(table))
                self._casino.bring_up_to_date()  # others wrote in their turns
            yield attempt


def _table_in(line: Line) -> str:
    return line["table"] if isinstance(line.get("table"), str) else ""
