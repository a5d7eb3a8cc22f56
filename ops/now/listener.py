"""Follows a table in a thread and on a connection of its own, and connects again when cut off."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Protocol

import psycopg
from msgspec import Struct

from ops.ledger.chain import Fields, Recorded
from ops.ledger.database import Database, LedgerLost, NotFit, one_line
from ops.ledger.mapper import as_answer, event_of, is_secret_event
from ops.ledger.reading import UnreadableEvent
from ops.ledger.standby import listen
from ops.now.follow import Follower
from ops.now.table_now import TableNow

QUIET = 0.25  # seconds of silence after which the connection is tested
UNASKED = 1.0  # seconds after which it looks even if no notice of a change came
AGAIN = 0.5  # seconds between two tries to reach the ledger


class Done(Struct, frozen=True):
    """What one command recorded at a table: its events as an answer has them, and who acted."""

    command_id: str
    actor: str
    events: list[Fields]


class Watcher(Protocol):
    """What a listener calls, in its own thread."""

    def saw(self, now: TableNow | None, read: int, news: Sequence[Done]) -> None:
        """The table if it changed, the position up to which it was read, and what was done."""

    def reached(self) -> None:
        """The ledger can be reached. Raises LedgerLost if the sending connection cannot."""

    def lost(self, why: str) -> None:
        """The ledger cannot be reached; the listener tries again."""


class Listener:
    """Listens until `end`; an error is reported, and does not end it."""

    def __init__(
        self,
        database: Database,
        table: str,
        watcher: Watcher,
        read: int | None = None,
        moved: threading.Event | None = None,
    ) -> None:
        """`read`: the position up to which the watcher knows what was done; None: nothing.

        `moved` is set by others when something may be new at the table; without it the listener's
        own connection hears of every event of the house.
        """
        self._database = database
        self._table = table
        self._watcher = watcher
        self._read = read  # position that was read last, on any connection
        self._moved = moved
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)

    def start(self) -> None:
        """Begins to listen."""
        self._thread.start()

    def end(self, patience: float) -> None:
        """Stops listening."""
        self._ending.set()
        if self._moved:
            self._moved.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def _listen(self) -> None:
        while not self._ending.is_set():
            try:
                self._follow()
            except Exception as error:  # noqa: BLE001 - every error is reported
                with suppress(Exception):  # a screen that fails here notices by itself
                    self._watcher.lost(_why(error))
                self._ending.wait(AGAIN)

    def _follow(self) -> None:
        with self._database.session("sabot_projector") as connection:
            if self._moved is None:
                listen(connection)
            follower = Follower(connection, self._table)
            missed = [] if self._read is None else follower.news_since(self._read)
            self._saw(follower, missed, anew=True)
            while not self._ending.is_set():
                self._watcher.reached()
                if self._moved is None:
                    list(connection.notifies(timeout=QUIET, stop_after=1))
                else:
                    self._moved.wait(UNASKED)
                    self._moved.clear()
                news = follower.catch_up()
                self._saw(follower, news, anew=follower.changed)

    def _saw(self, follower: Follower, news: Sequence[Recorded], *, anew: bool) -> None:
        self._read = follower.read  # even if the screen fails, or these would come again and again
        self._watcher.saw(follower.now if anew else None, follower.read, list(_done(news)))


def _done(news: Iterable[Recorded]) -> Iterator[Done]:
    """What was done, command by command."""
    for (command_id, actor), events in groupby(news, lambda each: (each.command_id, each.actor)):
        seen = [as_answer(event_of(event)) for event in events if not is_secret_event(event)]
        if seen:
            yield Done(command_id, actor, seen)


def _why(error: Exception) -> str:
    if isinstance(error, LedgerLost | NotFit | UnreadableEvent | psycopg.Error):
        return one_line(error)
    return f"the program made a mistake, {error!r}"
