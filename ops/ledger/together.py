"""Decisions of many connections, appended together: one call, one lock and one flush for them all.

Nobody waits so that a call has more in it: whoever comes while none is under way appends at once,
and what has come by the time that it ends goes into the next one.
"""

import threading
from typing import TYPE_CHECKING

from ops.ledger.appending import Appended, Decided
from ops.ledger.database import Database, LedgerLost
from ops.ledger.recorder import Ledger

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST = 64  # decisions in one call


class Writer:
    """Appends for several threads, through a connection of its own."""

    def __init__(self, database: Database) -> None:
        self._ledger = Ledger(database)
        self._waiting: list[_Waiting] = []
        self._lock = threading.Lock()  # of what waits
        self._under_way = False  # whether somebody appends, or was told to

    def append(self, decided: Decided) -> Appended:
        """The outcome of a decision, on disk if it is done. Raises LedgerLost."""
        mine = _Waiting(decided)
        with self._lock:
            self._waiting.append(mine)
            first, self._under_way = not self._under_way, True
        if not first:
            mine.told.wait()
        if not mine.answered:
            self._append_what_waits()
        return mine.result()

    def _append_what_waits(self) -> None:
        with self._lock:
            together, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
        try:
            self._append(together)
        finally:
            with self._lock:
                after = self._waiting[0] if self._waiting else None
                self._under_way = after is not None
            for each in (*together, *([after] if after else [])):
                each.told.set()

    def _append(self, together: "Sequence[_Waiting]") -> None:
        """Appends these; what the server cannot take of one of them is told to that one only."""
        try:
            outcomes = self._ledger.append_several([each.decided for each in together], each=True)
        except Exception as error:  # noqa: BLE001  (whoever waits for it raises it)
            if len(together) == 1 or isinstance(error, LedgerLost):
                for each in together:
                    each.error = error
                return
            for each in together:
                self._append([each])
        else:
            for each, outcome in zip(together, outcomes, strict=True):
                each.appended = outcome

    def close(self) -> None:
        """Closes the connection, when nobody appends any more."""
        self._ledger.close()


class _Waiting:
    """A decision that waits to be appended, and what came of it."""

    def __init__(self, decided: Decided) -> None:
        self.decided = decided
        self.told = threading.Event()  # that there is an answer, or that it is its turn to append
        self.appended: Appended | None = None
        self.error: Exception | None = None

    @property
    def answered(self) -> bool:
        return self.appended is not None or self.error is not None

    def result(self) -> Appended:
        if isinstance(self.error, LedgerLost):  # several raise it, each in its own thread
            raise type(self.error)(self.error.why) from self.error
        if self.error:
            raise self.error
        assert self.appended is not None
        return self.appended
