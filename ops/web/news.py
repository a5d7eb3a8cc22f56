"""What happens, told to whoever follows: one connection that listens, for all of them."""

import asyncio
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from ops.ledger.database import Database, LedgerLost, NotFit, one_line
from ops.ledger.reading import head_of, read_events
from ops.ledger.recorder import flush

if TYPE_CHECKING:
    from ops.ledger.chain import Recorded

QUIET = 0.25  # seconds of silence after which the connection is tested
AGAIN = 0.5  # seconds between two tries to reach the ledger
SILENT = 5.0  # seconds after which a database that does not answer counts as lost


class News:
    """The ledger's last position, as soon as it moves. Its thread listens until `close`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._head = 0
        self._lost = "the server is starting"
        self._begun = asyncio.Event()  # the ledger was reached, or it cannot be
        self._answered = time.monotonic()  # when the database last answered
        self._moved: asyncio.Event = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="news", daemon=True)
        self._thread.start()

    @property
    def head(self) -> int:
        """The position of the last event."""
        return self._head

    @property
    def lost(self) -> str:
        """Why the ledger cannot be reached; '' if it can."""
        silent = time.monotonic() - self._answered
        return self._lost or ("the database does not answer" if silent > SILENT else "")

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

    def close(self) -> None:
        """Stops listening."""
        self._ending.set()
        self._thread.join(2 * QUIET)

    def _listen(self) -> None:
        import psycopg

        while not self._ending.is_set():
            try:
                with self._database.session("sabot_auditor") as connection:
                    connection.execute("LISTEN sabot_ledger")
                    while not self._ending.is_set():
                        self._learn(head_of(connection))  # fails if the connection is gone
                        self._lost, self._answered = "", time.monotonic()
                        self._loop.call_soon_threadsafe(self._begun.set)
                        for each in connection.notifies(timeout=QUIET):
                            self._learn(int(each.payload))
            except (LedgerLost, NotFit, psycopg.Error) as error:
                self._lost = one_line(error)
                self._loop.call_soon_threadsafe(self._begun.set)
                self._ending.wait(AGAIN)

    def _learn(self, head: int) -> None:
        if head != self._head:
            self._loop.call_soon_threadsafe(self._tell, head)

    def _tell(self, head: int) -> None:
        self._head = head
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()


def events_after(
    database: Database, after: int, limit: int, table: str | None
) -> "tuple[list[Recorded], int]":
    """At most `limit` events after a position, and the position up to which they were read.

    `table`: only this table's. Raises LedgerLost, UnreadableEvent.
    """
    with database.session("sabot_auditor") as connection:
        head = head_of(connection)
        read = read_events(connection, after, limit)
        flush(connection)  # nobody sees what is not on disk
    reached = read[-1].position if len(read) == limit else max(head, after)
    return [each for each in read if table is None or each.table_code == table], reached
