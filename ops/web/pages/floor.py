"""The whole floor at one position of the ledger, followed for every page that is open.

One thread and one connection, however many windows: it reads what changed once, and all of them
show the same. While no page is open, nothing is read.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from ops.board.alerts import seen_by
from ops.board.board import Board
from ops.board.reading import READ
from ops.board.rows import Seen
from ops.commands.rights import Rights
from ops.ledger.database import Database, LedgerLost, NotFit, one_line
from ops.ledger.reading import UnreadableEvent, read_events
from ops.ledger.standby import is_standby, listen
from ops.now.follow import Follower
from ops.now.table_now import TableNow
from ops.reports.runner import reading_session
from ops.web.pages.counting import Counter
from ops.web.pages.seated import OF_NAMES, Seated

if TYPE_CHECKING:
    import psycopg

    from ops.ledger.chain import Recorded

POLL = 1.0  # seconds after which the clocks are read again
BREATH = 0.1  # seconds between two reads, however fast the ledger grows
RESTS = 30.0  # seconds after which nothing is read, while nobody looks
PIECE = 1_000  # events in one read


class Floor(Struct, frozen=True):
    """The board and each table at one moment; `lost`: why the ledger cannot be reached."""

    number: int = 0  # 1, 2, 3, … as it changed
    seen: Seen | None = None  # None: it was never read
    tables: dict[str, TableNow] = field(default_factory=dict)
    names: Mapping[str, str] = {}  # of who sits, by the name under which they sit
    lost: str = ""

    @property
    def is_known(self) -> bool:
        """Whether it was read, or why it could not be; until then a window goes on as it was."""
        return self.number > 0

    def seen_by(self, rights: Rights) -> "Floor":
        """What of it somebody with these rights may learn."""
        seen = self.seen and seen_by(rights, self.seen)
        return self if seen is self.seen else replace(self, seen=seen)

    def can_be_held(self, table: str) -> bool:
        """Whether a table is open, and so has coups that a case could keep from being dealt."""
        now = self.tables.get(table)
        return now is not None and now.rules is not None and not now.closed


class Watch:
    """Follows the floor while somebody looks; for one event loop."""

    def __init__(self, database: Database, counter: Counter) -> None:
        self._database = database
        self._counter = counter
        self._floor = Floor()
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._looked_at = 0.0  # until when
        self._rests = False  # the floor is as it was when nobody looked any more
        self._wanted = threading.Event()
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
        self._looked_at = time.monotonic() + patience
        self._wanted.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._follow, name="floor", daemon=True)
            self._thread.start()
        ends = self._loop.time() + patience
        while self._floor.number <= number or self._rests:
            changed, left = self._changed, ends - self._loop.time()
            if left <= 0:
                break
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), left)
        return self._floor

    def close(self) -> None:
        """Stops following."""
        self._ending.set()
        self._wanted.set()

    def _follow(self) -> None:
        import psycopg

        while not self._ending.is_set():
            self._wanted.wait()
            board, seated = Board(self._database), Seated(self._database)
            try:
                with reading_session(self._database) as (connection, catches_up):
                    self._follow_on(board, seated, connection, catches_up=catches_up)
            except (LedgerLost, NotFit, psycopg.Error) as error:
                self._show(None, {}, {}, lost=one_line(error))
                self._ending.wait(POLL)
            finally:
                board.close()
                seated.close()

    def _follow_on(
        self,
        board: Board,
        seated: Seated,
        connection: "psycopg.Connection[Any]",
        *,
        catches_up: bool,
    ) -> None:
        follows = not listen(connection)
        followers: dict[str, Follower] = {}
        tables: dict[str, TableNow] = {}
        known = 0
        while not self._ending.is_set() and self._is_wanted():
            if follows and not is_standby(connection):
                return  # it was promoted: from now on rows are caught up
            begun = time.monotonic()
            counting = self._counter.of(connection, (*READ, OF_NAMES), catches_up=catches_up)
            seen = board.look(connection, catches_up=catches_up, changes=True, counted=counting)
            if seen.position > known:
                news = _news(connection, known, seen.position)
                tables = _caught_up(connection, followers, tables, seen, news)
                known = seen.position
            counts = catches_up and counting is None
            self._show(seen, tables, seated.names(connection, seen, counts=counts))
            if list(connection.notifies(timeout=POLL, stop_after=1)):
                time.sleep(max(0.0, begun + BREATH - time.monotonic()))

    def _is_wanted(self) -> bool:
        """Whether somebody looked lately; if not, whoever looks next waits for the floor anew."""
        if time.monotonic() - self._looked_at > RESTS:
            self._wanted.clear()
            self._in_loop(self._rest)
        return self._wanted.is_set()

    def _rest(self) -> None:
        self._rests = not self._wanted.is_set()

    def _show(
        self,
        seen: Seen | None,
        tables: dict[str, TableNow],
        names: Mapping[str, str],
        lost: str = "",
    ) -> None:
        self._in_loop(self._tell, seen, tables, names, lost)

    def _in_loop(self, do: Callable[..., None], *given: object) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(do, *given)

    def _tell(
        self, seen: Seen | None, tables: dict[str, TableNow], names: Mapping[str, str], lost: str
    ) -> None:
        before, self._rests = self._floor, False
        if seen is None:
            seen, tables, names = before.seen, before.tables, before.names
        self._floor = Floor(before.number + 1, seen, tables, names, lost)
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


def _news(connection: "psycopg.Connection[Any]", known: int, until: int) -> "list[Recorded] | None":
    """The new events, read once for all tables; None: each table has to read its own."""
    if known and until - known <= PIECE:
        with suppress(UnreadableEvent):
            return read_events(connection, known, PIECE, until)
    return None


def _caught_up(
    connection: "psycopg.Connection[Any]",
    followers: dict[str, Follower],
    tables: dict[str, TableNow],
    seen: Seen,
    news: "list[Recorded] | None",
) -> dict[str, TableNow]:
    """The tables, after each took its new events; None: each reads its own.

    One that cannot be read is left out: the board says so. Slips are events of the house.
    """
    now: dict[str, TableNow] = {}
    for code in [each.table for each in seen.tables]:
        with suppress(UnreadableEvent):
            if code not in followers:
                followers[code] = Follower(connection, code)
            elif news is None:
                followers[code].catch_up()
            elif own := [each for each in news if each.table_code in (code, "")]:
                followers[code].take(own, seen.position)
            else:
                now[code] = tables[code]
                continue
            now[code] = followers[code].now
    for code in followers.keys() - now.keys():
        del followers[code]
    return now
