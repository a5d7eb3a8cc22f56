"""The names of the patrons who sit at the tables, for who may read them.

They are read again each second, because one may be erased. A login that may not read them has none.
"""

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ops.board.rows import Seen
from ops.ledger.database import Database, RoleDenied
from ops.ledger.recorder import Ledger
from ops.ledger.secrets import People
from ops.reports.follow import catch_up_or_drop
from ops.reports.names import patrons_of
from ops.reports.runner import LedgerNotAsRead
from projections import PROJECTIONS

if TYPE_CHECKING:
    import psycopg

OF_NAMES = PROJECTIONS["patrons"]  # who an alias is
AGAIN = 1.0  # seconds after which the names are read again
NAMES = "patron name"  # the reading that shows them


class Seated:
    """The names of who sits, by the name under which they sit."""

    def __init__(self, database: Database) -> None:
        self._ledger = Ledger(database)
        self._read_at = 0.0
        self._who: frozenset[str] = frozenset()
        self._names: Mapping[str, str] = {}

    def names(
        self, connection: "psycopg.Connection[Any]", seen: Seen, *, counts: bool
    ) -> Mapping[str, str]:
        """The names that are stored of those who sit now; an alias has that of its patron.

        `counts`: the rows may be caught up here, and are not far behind.
        """
        who = frozenset(each for row in seen.open_tables for each in row.seats.by.values())
        if who != self._who or time.monotonic() - self._read_at >= AGAIN:
            if counts:
                with suppress(LedgerNotAsRead):  # the board shows an alert for it
                    catch_up_or_drop(connection, [OF_NAMES], set())
            self._names = self._stored(connection, who) if who else {}
            self._who, self._read_at = who, time.monotonic()
        return self._names

    def _stored(
        self, connection: "psycopg.Connection[Any]", who: frozenset[str]
    ) -> Mapping[str, str]:
        import psycopg

        patrons = patrons_of(connection, who)
        with suppress(RoleDenied, psycopg.errors.InsufficientPrivilege):
            stored = People(self._ledger).names_of_patrons(patrons.values())
            return {each: stored[patron] for each, patron in patrons.items() if patron in stored}
        return {}

    def close(self) -> None:
        """Closes its connection."""
        self._ledger.close()
