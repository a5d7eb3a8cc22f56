"""The table as a terminal has read it, and whether the ledger can be reached.

A thread of the terminal reads on, and wakes those who wait for what it reads.
"""

import threading
from collections.abc import Callable

from domain.rules.wording import Words
from ops.kit.outcome import Link
from ops.now.table_now import TableNow

SEEN_SOON = 2.0  # seconds in which an entry is shown; later it is on disk all the same


class Followed:
    """One table as of the position that was read last."""

    def __init__(self, table: str, on_change: Callable[[], None]) -> None:
        """`on_change` is called after the table or the link has changed."""
        self.table = TableNow(table)
        self.link = Link(up=False, why=Words("it was not reached yet"))
        self.read = -1  # position up to which the ledger was read
        self.nameless = True  # no names are shown until somebody is known to be here
        self._on_change = on_change
        self._moved = threading.Condition()

    @property
    def shown(self) -> TableNow:
        """The table as it may be shown here."""
        return self.table.without_names() if self.nameless else self.table

    def change(
        self, *, link: Link | None = None, table: TableNow | None = None, read: int | None = None
    ) -> None:
        """Takes what is new, and wakes those who wait."""
        with self._moved:
            self.link = link or self.link
            self.table = table or self.table
            self.read = self.read if read is None else read
            self._moved.notify_all()
        if link or table:
            self._on_change()

    def wait_until(self, met: Callable[[], bool], seconds: float) -> bool:
        """Whether a condition is met before so many seconds have passed."""
        with self._moved:
            return self._moved.wait_for(met, seconds)

    def see(self, position: int) -> None:
        """Waits until an entry at this position is shown."""
        self.wait_until(lambda: self.read >= position or not self.link.up, SEEN_SOON)
