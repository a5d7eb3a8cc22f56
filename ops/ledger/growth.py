"""Small queries of the ledger: what was added since a position, and how it began."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[Any]


def tables_changed(connection: "Connection", after: int, until: int) -> set[str]:
    """The tables with an event after a position and up to another; '' is the house."""
    rows = connection.execute(
        "SELECT DISTINCT table_code FROM ledger.events WHERE position > %s AND position <= %s",
        (after, until),
    )
    return {code for (code,) in rows}


def has_happened(
    connection: "Connection", table: str, topics: Sequence[str], after: int = 0
) -> bool:
    """Whether an event of one of these topics is recorded at a table after a position."""
    row = connection.execute(
        "SELECT FROM ledger.events"
        " WHERE position > %s AND table_code = %s AND topic = ANY(%s) LIMIT 1",
        (after, table, list(topics)),
    ).fetchone()
    return row is not None


def how_many(connection: "Connection", topic: str) -> int:
    """How many events of a topic the ledger has."""
    row = connection.execute(
        "SELECT count(*) FROM ledger.events WHERE topic = %s", (topic,)
    ).fetchone()
    return row[0] if row else 0


def first_metadata(connection: "Connection", without: Sequence[str]) -> str | None:
    """The metadata of the first event that is not of these topics, or None if there is none."""
    row = connection.execute(
        "SELECT metadata FROM ledger.events WHERE topic <> ALL(%s) ORDER BY position LIMIT 1",
        (list(without),),
    ).fetchone()
    return row[0] if row else None
