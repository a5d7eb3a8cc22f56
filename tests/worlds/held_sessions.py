"""Sessions of the server that are held, as a pooler holds them.

Whoever connects takes one that another has left: a new one begins with nothing in its caches.
"""

import select
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from unittest.mock import patch

import psycopg
from psycopg.pq import PGconn, TransactionStatus

from ops.ledger import database
from ops.ledger.confirmed import Connection


class Lent(Connection):
    """A connection that leaves its session to others, unless it is in the middle of something."""

    left: list[PGconn]

    def close(self) -> None:
        if self.pgconn.transaction_status == TransactionStatus.IDLE:
            with suppress(psycopg.OperationalError):  # somebody ended the session
                self.autocommit = True
                self.execute("DISCARD ALL")
                self.left.append(_taken_from(self))
                return
        super().close()


def _taken_from(connection: psycopg.Connection[Any]) -> PGconn:
    """The session of a connection, which has none from now on, as if it were closed."""
    session, none = connection.pgconn, PGconn.connect_start(b"")
    none.finish()
    connection.pgconn = none
    return session


def _has_ended(session: PGconn) -> bool:
    """Whether the server ended a session that was idle: it said so, or the socket is closed."""
    return bool(select.select([session.socket], [], [], 0)[0])


class Sessions:
    """Those that were left, by the address that they are for."""

    def __init__(self) -> None:
        self._left: dict[str, list[PGconn]] = defaultdict(list)
        self._one_takes = threading.Lock()

    @contextmanager
    def held(self) -> Iterator[None]:
        """What connects in the block does it by a session that is there, if one is."""
        anew = database.opened

        def opened(address: dict[str, Any]) -> Lent:
            with self._one_takes:
                here = self._left[str(address)]
                while here and _has_ended(here[-1]):
                    here.pop().finish()
                session = here.pop() if here else None
            connection = Lent(session or _taken_from(anew(address)))
            connection.autocommit, connection.left = True, here
            return connection

        with patch.object(database, "opened", opened):
            yield

    def pids(self) -> list[int]:
        """By which the server knows them."""
        return [session.backend_pid for here in self._left.values() for session in here]

    def keep(self, pids: set[int]) -> None:
        """Gives up all others."""
        for here in self._left.values():
            for session in [each for each in here if each.backend_pid not in pids]:
                here.remove(session)
                session.finish()


@contextmanager
def sessions_held() -> Iterator[None]:
    """What connects in the block does it by a session that is there, if one is."""
    sessions = Sessions()
    with sessions.held():
        yield
    sessions.keep(set())
