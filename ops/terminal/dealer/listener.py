"""A table followed in a thread of its own, on a connection of its own, whatever happens to it."""

import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

import psycopg

from ops.ledger.chain import Recorded
from ops.ledger.database import Database, LedgerLost, NotFit, one_line
from ops.ledger.reading import UnreadableEvent
from ops.terminal.dealer.follow import Follower
from ops.terminal.dealer.table_now import TableNow

QUIET = 0.25  # seconds after which a line that says nothing is tried
AGAIN = 0.5  # seconds between two tries to reach the ledger


class Watcher(Protocol):
    """Who is told; each is called in the listener's thread."""

    def saw(self, now: TableNow | None, read: int, news: Sequence[Recorded]) -> None:
        """The table, if it is not as it was, up to where it was read, and what happened at it."""

    def reached(self) -> None:
        """The ledger can be reached. Raises LedgerLost, if it cannot for whoever says lines."""

    def lost(self, why: str) -> None:
        """The ledger cannot be reached; it is tried again."""


class Listener:
    """Listens until it is told to end; no error ends it, and none is hidden."""

    def __init__(self, database: Database, table: str, watcher: Watcher) -> None:
        self._database = database
        self._table = table
        self._watcher = watcher
        self._read: int | None = None  # up to where the table was seen, on whichever connection
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)

    def start(self) -> None:
        """From now on."""
        self._thread.start()

    def end(self, patience: float) -> None:
        """It watcher nothing any more."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def _listen(self) -> None:
        while not self._ending.is_set():
            try:
                self._follow()
            except Exception as error:  # noqa: BLE001 - whatever it is, it is told
                with suppress(Exception):  # a face that cannot be told finds out by itself
                    self._watcher.lost(_why(error))
                self._ending.wait(AGAIN)

    def _follow(self) -> None:
        with self._database.session("sabot_projector") as connection:
            connection.execute("LISTEN sabot_ledger")
            follower = Follower(connection, self._table)
            missed = [] if self._read is None else follower.news_since(self._read)
            self._saw(follower, missed, anew=True)
            while not self._ending.is_set():
                self._watcher.reached()
                list(connection.notifies(timeout=QUIET, stop_after=1))
                news = follower.catch_up()
                self._saw(follower, news, anew=bool(news))

    def _saw(self, follower: Follower, news: Sequence[Recorded], *, anew: bool) -> None:
        self._read = follower.read  # even if the face cannot be told, or it never would be again
        self._watcher.saw(follower.now if anew else None, follower.read, news)


def _why(error: Exception) -> str:
    if isinstance(error, LedgerLost | NotFit | UnreadableEvent | psycopg.Error):
        return one_line(error)
    return f"the program made a mistake, {error!r}"
