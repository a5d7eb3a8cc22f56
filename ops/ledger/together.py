"""Decisions of many connections, appended together: one call, one lock and one flush for them all.

No call waits until it is full. A decision that comes while no call is under way is appended at
once; those that come during a call go together into the next one.
"""

import threading
from collections.abc import Sequence

from ops.ledger.appending import Appended, Decided
from ops.ledger.database import Database, LedgerLost
from ops.ledger.recorder import Ledger

MOST = 64  # decisions in one call


class Writer:
    """Appends for several threads, through a connection of its own."""

    def __init__(self, database: Database) -> None:
        self._ledger = Ledger(database)
        self._waiting: list[_Waiting] = []
        self._lock = threading.Lock()  # of what waits
        self._under_way = False  # whether a thread appends now, or is about to

    def append(self, decided: Decided) -> Appended:
        """What came of a decision, on disk if it is done. Raises LedgerLost."""
        (came,) = self.append_each([decided])
        if isinstance(came, Exception):
            raise came
        return came

    def append_each(self, decided: Sequence[Decided]) -> list[Appended | Exception]:
        """What came of decisions that do not depend on one another: each is appended or not."""
        mine = [_Waiting(one) for one in decided]
        with self._lock:
            self._waiting.extend(mine)
            appends = bool(mine) and not self._under_way
            self._under_way |= appends
        for each in mine:
            while each.came is None:
                if not appends:
                    each.sleeps.acquire()
                appends = False
                if each.came is None:
                    self._append_what_waits()
        return [each.came for each in mine if each.came is not None]

    def _append_what_waits(self) -> None:
        with self._lock:
            together, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
        try:
            self._append(together)
        finally:
            with self._lock:
                after = self._waiting[:1]
                self._under_way = bool(after)
            for each in (*together, *after):
                each.sleeps.release()

    def _append(self, together: "Sequence[_Waiting]") -> None:
        """Appends these. An error in one decision reaches only the thread that waits for it."""
        try:
            outcomes = self._ledger.append_several([each.decided for each in together], each=True)
        except LedgerLost as error:
            for each in together:
                each.came = type(error)(error.why)  # which each one raises for itself
        except Exception as error:  # noqa: BLE001  (whoever waits for it raises it)
            if len(together) == 1:
                together[0].came = error
                return
            for each in together:
                self._append([each])
        else:
            for each, outcome in zip(together, outcomes, strict=True):
                each.came = outcome

    def close(self) -> None:
        """Closes the connection, when nobody appends any more."""
        self._ledger.close()


class _Waiting:
    """A decision that waits to be appended."""

    def __init__(self, decided: Decided) -> None:
        self.decided = decided
        self.came: Appended | Exception | None = None  # of it; None: nothing yet
        self.sleeps = threading.Lock()  # released when something came, or when it is to append
        self.sleeps.acquire()
