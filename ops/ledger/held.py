"""Sessions of the database that are used again: a connection that closes leaves its session here.

A new session has to read about tables and functions first, which costs more than most pages do.
One that is used again is made clean, and is given every setting anew.
"""

import math
import select
import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import psycopg
from psycopg import pq
from psycopg.pq.abc import PGconn

from ops.ledger.confirmed import Connection
from ops.ledger.connection import opened

MOST = 8  # that wait at once, for one login
OLDEST = 60.0  # seconds after which one that nobody took is closed


class Sessions:
    """Those that were left, by the address that they are for."""

    def __init__(self, most: float = MOST, oldest: float = OLDEST) -> None:
        self._most, self._oldest = most, oldest
        self._left: dict[str, list[tuple[float, PGconn]]] = defaultdict(list)
        self._one_at_a_time = threading.Lock()

    def take(self, address: Mapping[str, Any]) -> "Lent | None":
        """A connection with the session that came last, or None if none waits."""
        with self._one_at_a_time:
            here = self._left[str(address)]
            self._close(here, before=time.monotonic() - self._oldest)
            while here:
                _, session = here.pop()
                if not _has_ended(session):
                    return Lent(session, self, address)
                session.finish()
        return None

    def lent(self, connection: psycopg.Connection[Any], address: Mapping[str, Any]) -> "Lent":
        """The same connection, whose session is left here when it is closed."""
        return Lent(_taken_from(connection), self, address)

    def leave(self, connection: "Lent", address: Mapping[str, Any]) -> bool:
        """Takes the session of a connection, if it can be made clean and there is room."""
        if connection.pgconn.transaction_status != pq.TransactionStatus.IDLE:
            return False
        with suppress(psycopg.Error):  # somebody ended the session
            connection.autocommit = True
            connection.execute("DISCARD ALL")
            with self._one_at_a_time:
                here = self._left[str(address)]
                if len(here) < self._most:
                    here.append((time.monotonic(), _taken_from(connection)))
                    return True
        return False

    def pids(self) -> list[int]:
        """By which the database knows those that wait."""
        with self._one_at_a_time:
            return [each.backend_pid for here in self._left.values() for _, each in here]

    def keep(self, pids: set[int]) -> None:
        """Closes all others that wait."""
        with self._one_at_a_time:
            for here in self._left.values():
                self._close(here, but=pids)

    def close(self) -> None:
        """Closes those that wait, and holds none from now on."""
        self._most = 0
        self.keep(set())

    @staticmethod
    def _close(
        here: list[tuple[float, PGconn]], before: float = math.inf, but: set[int] | None = None
    ) -> None:
        for left, session in [*here]:
            if left < before and session.backend_pid not in (but or ()):
                here.remove((left, session))
                session.finish()


class Lent(Connection):
    """A connection that leaves its session to others, unless it is in the middle of something."""

    def __init__(self, session: PGconn, sessions: Sessions, address: Mapping[str, Any]) -> None:
        super().__init__(session)
        self.autocommit, self.beside = True, lambda: opened(address)
        self._sessions, self._address = sessions, address

    def close(self) -> None:
        """Closes it; what uses it afterwards fails, also if its session is another's by then."""
        if not self._sessions.leave(self, self._address):
            super().close()


def _taken_from(connection: psycopg.Connection[Any]) -> PGconn:
    """The session of a connection, which has none from now on, as if it were closed."""
    session, none = connection.pgconn, pq.PGconn.connect_start(b"no address")
    none.finish()
    connection.pgconn = none
    return session


def _has_ended(session: PGconn) -> bool:
    """Whether the database ended a session that waited: then there is something to read from it."""
    return bool(select.select([session.socket], [], [], 0)[0])
