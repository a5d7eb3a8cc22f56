"""Pages whose rows are far behind show what there is, and a process counts the rest meanwhile."""

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from ops.commands.house_events import house
from ops.ledger.database import Database
from ops.reports.counted import Counted
from ops.reports.counting import count, far_behind
from ops.reports.runner import is_at_work, reading_session
from ops.web.shells import forked
from projections import PROJECTIONS, Projection, Report

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    import psycopg


class _Count(threading.Thread):
    """A process that counts for some projections, and a thread that begins it and waits for it."""

    def __init__(self, given: str | None, names: tuple[str, ...]) -> None:
        super().__init__(name="counting", daemon=True)
        self.failed = False
        self._asked = given, names
        self._process: BaseProcess | None = None

    def run(self) -> None:
        """Waits for the process."""
        self._process = forked(count, self._asked)
        self._process.join()
        self.failed = self._process.exitcode != 0

    def end(self) -> None:
        """Ends the process."""
        if self._process:
            self._process.kill()


class Counter:
    """The processes that count, at most one for the same projections."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._counts: dict[tuple[str, ...], _Count] = {}

    def of_reports(self, reports: Iterable[Report]) -> Counted | None:
        """How far the rows of these reports are, while they are counted; None: wait for them."""
        names = {name for each in reports for name in each.projections}
        if not names:
            return None
        with reading_session(self._database) as (connection, catches_up):
            return self.of(connection, [PROJECTIONS[each] for each in names], catches_up=catches_up)

    def of(
        self,
        connection: "psycopg.Connection[Any]",
        projections: Iterable[Projection],
        *,
        catches_up: bool,
    ) -> Counted | None:
        """How far these rows are, while they are counted; None: whoever asks waits for them.

        `catches_up`: this login may count; otherwise the runner does, if it is at work.
        """
        chosen = sorted(projections, key=lambda each: each.name)
        far = far_behind(connection, chosen, ZoneInfo(house(connection).zone))
        if far is None:
            return None
        if catches_up:
            return far if self._goes_on(tuple(each.name for each in chosen)) else None
        return far if is_at_work(connection) else None

    def _goes_on(self, names: tuple[str, ...]) -> bool:
        """Begins to count, unless it is being done; False if it could not be done."""
        with self._lock:
            known = self._counts.get(names)
            if known and known.failed:
                del self._counts[names]
                return False
            if known is None or not known.is_alive():
                self._counts[names] = _Count(self._database.given, names)
                self._counts[names].start()
            return True

    def close(self) -> None:
        """Ends what still counts."""
        with self._lock:
            for each in self._counts.values():
                each.end()
