"""What happens, for whoever follows: one connection listens and reads, for all of them."""

import asyncio
import threading
import time
from collections import defaultdict, deque
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from ops.backup.standing import Backups
from ops.backup.watched import Watched
from ops.handlers.continued import undecided_words
from ops.handlers.remembered import Remembered
from ops.ledger.database import Database, LedgerLost, NotFit, one_line
from ops.ledger.growth import last_event
from ops.ledger.reading import UnreadableEvent, read_events, tables_of
from ops.ledger.recorder import flush
from ops.ledger.standby import listen, only_reads
from ops.web.log import log
from ops.web.probe import Probe
from ops.words.language import shown

if TYPE_CHECKING:
    import psycopg

    from ops.ledger.chain import Recorded

APART = 0.01  # seconds between two looks at what is new: what comes in a burst is read together
QUIET = 0.25  # seconds of silence after which the connection is tested
AGAIN = 0.5  # seconds between two tries to reach the ledger
HELD = 5_000  # events in memory, the newest
FOLLOWED = 5.0  # seconds for which they are read after somebody asked for some
PIECE = 1_000  # events in one read
SILENT = 5.0  # seconds after which a database that does not answer counts as lost


class News:
    """The ledger's last position, as soon as it moves. Its thread listens until `close`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._head = 0
        self._of_the_house = 0
        self._learned = 0  # the thread's: up to where it has read
        self._newest: deque[Recorded] = deque(maxlen=HELD)  # without a gap, up to the head
        self._asked = 0.0  # when somebody last asked for them
        self._lost = "the server is starting"
        self._only_reads = ""
        self._remembered = Remembered(database)
        self._watched = Watched(database)
        self._probe = Probe(database)
        self.backups = Backups()  # how the backup of this home is
        self.missing = ""  # what is missing from a restored record, until two people decide
        self._begun = asyncio.Event()  # the ledger was reached, or it cannot be
        self._answered = time.monotonic()  # when the database last answered
        self._moved: asyncio.Event = asyncio.Event()
        self._at_tables: dict[str, set[threading.Event]] = defaultdict(set)
        self._loop = asyncio.get_running_loop()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="news", daemon=True)
        self._thread.start()

    @property
    def head(self) -> int:
        """The position of the last event."""
        return self._head

    @property
    def of_the_house(self) -> int | None:
        """The position of the house's own last event; None while the ledger is lost."""
        return None if self.lost else self._of_the_house

    @property
    def lost(self) -> str:
        """Why the ledger cannot be reached; '' if it can."""
        silent = time.monotonic() - self._answered
        return self._lost or ("the database does not answer" if silent > SILENT else "")

    @property
    def only_reads(self) -> str:
        """Why nothing can be recorded, although the ledger can be read; '' if it can."""
        return self._only_reads

    @property
    def cannot_record(self) -> str:
        """Why nothing can be recorded now, although the ledger can be read; '' if it can."""
        return self._only_reads or self._probe.why

    async def begun(self, patience: float) -> None:
        """Waits until it listens, or is told why it cannot."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._begun.wait(), patience)

    async def beyond(self, position: int, patience: float) -> bool:
        """Waits until there is an event after a position; False: there was none in this time."""
        ends = self._loop.time() + patience
        while self._head <= position:
            moved, left = self._moved, ends - self._loop.time()
            if left <= 0:
                return False
            try:
                await asyncio.wait_for(moved.wait(), left)
            except TimeoutError:
                return False
        return True

    @contextmanager
    def of_table(self, table: str) -> Iterator[threading.Event]:
        """What a thread waits for: set when a table may have news, or the ledger is lost."""
        moved = threading.Event()
        self._at_tables[table].add(moved)
        try:
            yield moved
        finally:
            self._at_tables[table].discard(moved)
            if not self._at_tables[table]:
                del self._at_tables[table]

    def _wake(self, tables: Collection[str] | None) -> None:
        """Wakes the threads that wait for these tables; None: for all tables."""
        for table in list(self._at_tables) if tables is None else tables:
            for moved in list(self._at_tables.get(table, ())):
                moved.set()

    def close(self) -> None:
        """Stops listening."""
        self._ending.set()
        self._probe.close()
        self._thread.join(2 * QUIET)
        self._remembered.close()

    def _listen(self) -> None:
        import psycopg

        while not self._ending.is_set():
            try:
                with self._database.session("sabot_auditor") as connection:
                    self._listen_on(connection)
            except (LedgerLost, NotFit, psycopg.Error) as error:
                self._lost = one_line(error)
                self._wake(None)
                self._loop.call_soon_threadsafe(self._begun.set)
                self._ending.wait(AGAIN)

    def _listen_on(self, connection: "psycopg.Connection[Any]") -> None:
        listen(connection)
        self._only_reads = only_reads(connection)
        if not self._only_reads:
            self._remembered.compare(connection)
        while not self._ending.is_set():
            if self._only_reads and not only_reads(connection):
                log().info("promoted")
                return
            self._learn(connection)  # fails if the connection is gone
            self._lost, self._answered = "", time.monotonic()
            self._loop.call_soon_threadsafe(self._begun.set)
            self.backups = self._watched.look()
            self._ending.wait(APART)
            list(connection.notifies(timeout=QUIET, stop_after=1))

    def _learn(self, connection: "psycopg.Connection[Any]") -> None:
        """Reads what is new; nobody sees what is not on disk.

        An event that cannot be read is left to whoever asks for it.
        """
        known, last = self._learned, last_event(connection)
        head = last.position if last else 0
        if head == known:
            return
        if head < known:
            self._remembered.compare(connection)
        at_tables: list[tuple[int, str]] | None = None
        read: list[Recorded] = []
        if known and known < head <= known + PIECE:
            at_tables = tables_of(connection, known, head)
            if time.monotonic() - self._asked < FOLLOWED:
                with suppress(UnreadableEvent):
                    read = read_events(connection, known, head - known, head)
        flush(connection)
        if at_tables is None or any(not table for _, table in at_tables):
            missed = undecided_words(connection)
            self.missing = shown(missed) if missed else ""
        if last:
            self._remembered.note(connection, last)
        self._learned = head
        self._loop.call_soon_threadsafe(self._tell, head, at_tables, read)

    def _tell(
        self, head: int, at_tables: "list[tuple[int, str]] | None", read: "list[Recorded]"
    ) -> None:
        """Takes what is new; `at_tables`: where each event was, None: not known."""
        if not read or read[0].position != self._head + 1:
            self._newest.clear()
        self._newest.extend(read)
        own = [position for position, table in at_tables or () if not table]
        self._of_the_house = head if at_tables is None else max(own, default=self._of_the_house)
        self._head = head
        self._wake(None if at_tables is None or own else {table for _, table in at_tables})
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()

    def after(self, position: int) -> "list[Recorded] | None":
        """The events after a position, as far as they are in memory; None: the ledger has them."""
        self._asked = time.monotonic()
        if not self._newest or position < self._newest[0].position - 1:
            return None
        first = position + 1 - self._newest[0].position
        return list(islice(self._newest, first, first + PIECE))


def read_after(database: Database, position: int, limit: int) -> "list[Recorded]":
    """At most `limit` events after a position, all on disk. Raises LedgerLost, UnreadableEvent."""
    with database.session("sabot_auditor") as connection:
        read = read_events(connection, position, limit)
        flush(connection)
    return read
