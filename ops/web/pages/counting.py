"""Pages whose rows are far behind show what there is, and a process counts the rest meanwhile."""

import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from ops.commands.house_events import house
from ops.ledger.database import Database
from ops.reports.counted import Counted
from ops.reports.counting import FAR, count, far_behind
from ops.reports.runner import is_at_work, reading_session
from ops.web.shells import forked, pipe
from projections import PROJECTIONS, Projection, Report

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    import psycopg

FEW, PATIENCE = 3_000, 5.0  # as many events are worth waiting for, and so long at most
GRACE = 0.5  # seconds in which a page may have all its rows after all, if there are more


class _Count(threading.Thread):
    """The process that counts, and a thread that waits for it."""

    def __init__(self, given: str | None) -> None:
        super().__init__(name="counting", daemon=True)
        self.failed = False
        self._changed = threading.Condition()
        self._asked: set[str] = set()  # for these it counts now
        self._given = given
        self._process: BaseProcess | None = None
        self._ours, self._theirs = pipe()

    @property
    def is_busy(self) -> bool:
        """Whether it counts for anybody."""
        return bool(self._asked)

    def ask(self, names: set[str]) -> None:
        """Counts for these, too. Raises OSError, if it has ended just now."""
        with self._changed:
            if new := names - self._asked:
                self._asked |= new
                self._ours.send(sorted(new))

    def wait(self, seconds: float) -> None:
        """Waits until none is behind, but no longer than that."""
        with self._changed:
            self._changed.wait_for(lambda: not self._asked, seconds)

    def run(self) -> None:
        """Begins it, which takes a while, and waits for what it has done and for its end."""
        self._process = forked(count, (self._given, self._theirs))
        self._theirs.close()
        with suppress(EOFError, OSError):
            while True:
                self._ours.recv()
                self._done()
        self._process.join()
        self.failed = self._process.exitcode != 0
        self._done()

    def _done(self) -> None:
        with self._changed:
            self._asked = set()
            self._changed.notify_all()

    def end(self) -> None:
        """Ends the process."""
        if self._process:
            self._process.kill()


class Counter:
    """The one process that counts for the pages."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._count: _Count | None = None

    def of_reports(self, reports: Iterable[Report]) -> Counted | None:
        """How far the rows of these reports are, while they are counted.

        None: they are there, or so few events are missing that the caller counts them itself.
        """
        names = {name for each in reports for name in each.projections}
        if not names:
            return None
        with reading_session(self._database) as (connection, catches_up):
            chosen = [PROJECTIONS[each] for each in names]
            counted = self.of(connection, chosen, catches_up=catches_up)
            if counted and catches_up and self._count:
                few = counted.head - counted.position <= FEW
                self._count.wait(PATIENCE if few else GRACE)
                return self.of(connection, chosen, catches_up=True)
            return counted

    def of(
        self,
        connection: "psycopg.Connection[Any]",
        projections: Iterable[Projection],
        *,
        catches_up: bool,
    ) -> Counted | None:
        """How far these rows are, while they are counted; None: whoever asks waits for them.

        While the process counts for anybody, it also counts what little others lack. `catches_up`:
        this login may count; otherwise the runner does, if it is at work.
        """
        chosen = sorted(projections, key=lambda each: each.name)
        little = 0 if self._count and self._count.is_busy else FAR
        far = far_behind(connection, chosen, ZoneInfo(house(connection).zone), little)
        if far is None:
            return None
        if catches_up:
            return far if self._goes_on({each.name for each in chosen}) else None
        return far if is_at_work(connection) else None

    def _goes_on(self, names: set[str]) -> bool:
        """Begins to count, unless it is being done; False if it could not be done."""
        with self._lock:
            count = self._count
            if count and count.failed:
                self._count = None
                return False
            if count is None or not count.is_alive():
                count = self._count = _Count(self._database.given)
                count.start()
            with suppress(OSError):  # it has ended just now: whoever asks next begins another
                count.ask(names)
            return True

    def close(self) -> None:
        """Ends what still counts."""
        with self._lock:
            if self._count:
                self._count.end()
