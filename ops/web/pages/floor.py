"""The whole floor at one position of the ledger, followed for every page that is open.

One thread and one connection, however many windows: it reads what changed once, and all of them
show the same.
"""

import asyncio
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from ops.board.board import Board
from ops.board.rows import Seen
from ops.ledger.database import Database, LedgerLost, NotFit, one_line
from ops.ledger.growth import tables_changed
from ops.ledger.reading import UnreadableEvent
from ops.now.follow import Follower
from ops.now.table_now import TableNow
from ops.reports.runner import reading_session

if TYPE_CHECKING:
    import psycopg

POLL = 1.0  # seconds after which the clocks are read again
BREATH = 0.03  # seconds between two reads, however fast the ledger grows


class Floor(Struct, frozen=True):
    """The board and each table at one moment; `lost`: why the ledger cannot be reached."""

    number: int = 0  # 1, 2, 3, … as it changed
    seen: Seen | None = None  # None: it was never read
    tables: dict[str, TableNow] = field(default_factory=dict)
    lost: str = ""


class Watch:
    """Follows the floor while somebody looks; for one event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._floor = Floor()
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def floor(self) -> Floor:
        """The floor as it was read last."""
        return self._floor

    async def begun(self, patience: float) -> Floor:
        """The floor, as soon as it was read once."""
        return await self.after(0, patience)

    async def after(self, number: int, patience: float) -> Floor:
        """The floor after one that was seen, or the same if nothing changed in this time.

        The first call begins to follow the floor.
        """
        if self._thread is None:
            self._thread = threading.Thread(target=self._follow, name="floor", daemon=True)
            self._thread.start()
        ends = self._loop.time() + patience
        while self._floor.number <= number:
            changed, left = self._changed, ends - self._loop.time()
            if left <= 0:
                break
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), left)
        return self._floor

    def close(self) -> None:
        """Stops following."""
        self._ending.set()

    def _follow(self) -> None:
        import psycopg

        while not self._ending.is_set():
            board = Board(self._database)
            try:
                with reading_session(self._database) as (connection, catches_up):
                    self._follow_on(board, connection, catches_up=catches_up)
            except (LedgerLost, NotFit, psycopg.Error) as error:
                self._show(None, {}, lost=one_line(error))
                self._ending.wait(POLL)
            finally:
                board.close()

    def _follow_on(
        self, board: Board, connection: "psycopg.Connection[Any]", *, catches_up: bool
    ) -> None:
        connection.execute("LISTEN sabot_ledger")
        followers: dict[str, Follower] = {}
        tables: dict[str, TableNow] = {}
        known = 0
        while not self._ending.is_set():
            begun = time.monotonic()
            seen = board.look(connection, catches_up=catches_up, changes=True)
            if seen.position > known:
                changed = tables_changed(connection, known, seen.position) if known else None
                tables = _caught_up(connection, followers, tables, seen, changed)
                known = seen.position
            self._show(seen, tables)
            if list(connection.notifies(timeout=POLL, stop_after=1)):
                time.sleep(max(0.0, begun + BREATH - time.monotonic()))

    def _show(self, seen: Seen | None, tables: dict[str, TableNow], lost: str = "") -> None:
        self._loop.call_soon_threadsafe(self._tell, seen, tables, lost)

    def _tell(self, seen: Seen | None, tables: dict[str, TableNow], lost: str) -> None:
        before = self._floor
        seen, tables = seen or before.seen, tables if seen else before.tables
        self._floor = Floor(before.number + 1, seen, tables, lost)
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


def _caught_up(
    connection: "psycopg.Connection[Any]",
    followers: dict[str, Follower],
    tables: dict[str, TableNow],
    seen: Seen,
    changed: set[str] | None,
) -> dict[str, TableNow]:
    """The tables, after those with new events were read; None: all of them.

    One that cannot be read is left out: the board says so. Slips are events of the house.
    """
    now: dict[str, TableNow] = {}
    for code in [each.table for each in seen.tables]:
        with suppress(UnreadableEvent):
            if code not in followers:
                followers[code] = Follower(connection, code)
            elif changed is None or code in changed or "" in changed:
                followers[code].catch_up()
            else:
                now[code] = tables[code]
                continue
            now[code] = followers[code].now
    for code in followers.keys() - now.keys():
        del followers[code]
    return now
