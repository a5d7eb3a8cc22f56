"""Several answers in one session, whose rows are caught up at once."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from ops.ledger.database import Database
from ops.reports.counted import Counted
from ops.reports.rebuild import bring_up
from ops.reports.runner import reading_session
from projections import PROJECTIONS, Report

if TYPE_CHECKING:
    import psycopg


class Session(NamedTuple):
    """A connection for reading rows, and whether it may catch them up.

    `ready`: the names of projections whose rows it has just caught up.
    """

    connection: "psycopg.Connection[Any]"
    catches_up: bool
    ready: frozenset[str] = frozenset()


def _caught_up(connection: "psycopg.Connection[Any]", names: Iterable[str]) -> bool:
    """Catches these up; False: the disk is full."""
    import psycopg

    try:
        bring_up(connection, *(PROJECTIONS[each] for each in sorted(names)))
    except psycopg.errors.DiskFull:
        return False
    return True


@contextmanager
def together(
    database: Database, reports: Iterable[Report], counted: Counted | None
) -> Iterator[Session]:
    """A session in which each of these is asked; `counted`: somebody else counts their rows.

    Raises LedgerLost, ProjectionStopped, LedgerNotAsRead.
    """
    with reading_session(database) as (connection, catches_up):
        names = {name for each in reports for name in each.projections}
        if counted or not catches_up:
            names = set()
        elif names and not _caught_up(connection, names):
            names = set()  # each answer says how far its rows are
        yield Session(connection, catches_up, frozenset(names))
