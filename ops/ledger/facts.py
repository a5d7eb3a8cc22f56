"""What events say, by stream or by position: for readers that must cope with altered ones.

No date is read, because an altered one may be none that Python can represent.
"""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from msgspec import Struct

from ops.ledger.archived import require_here, require_streams_here

if TYPE_CHECKING:
    import psycopg


class Fact(NamedTuple):
    """An event's version in its stream, its position, its topic and its state."""

    version: int
    position: int
    topic: str
    state: bytes


def facts_of(
    connection: "psycopg.Connection[Any]",
    stream: UUID,
    until: int | None = None,
    topics: Sequence[str] = (),
) -> list[Fact]:
    """The events of a stream, in order; up to a position, and of these topics, if any are given."""
    [facts] = facts_of_each(connection, [stream], until, topics)
    return facts


def facts_of_each(
    connection: "psycopg.Connection[Any]",
    streams: Sequence[UUID],
    until: int | None = None,
    topics: Sequence[str] = (),
) -> list[list[Fact]]:
    """The events of each of these streams, as by `facts_of`. Raises Archived."""
    require_streams_here(connection, streams)
    rows: list[Any] = connection.execute(
        """
        SELECT asked.n, originator_version, position, topic, state
          FROM unnest(%s::uuid[]) WITH ORDINALITY AS asked (stream, n)
          JOIN ledger.events ON originator_id = asked.stream
         WHERE position <= coalesce(%s::bigint, position)
           AND (cardinality(%s::text[]) = 0 OR topic = ANY(%s::text[]))
        """,
        (list(streams), until, list(topics), list(topics)),
        binary=True,
    ).fetchall()
    rows.sort()  # faster here than in the database, because each stream is in order
    facts: list[list[Fact]] = [[] for _ in streams]
    for row in rows:
        facts[row[0] - 1].append(Fact._make(row[1:]))
    return facts


def facts_naming(
    connection: "psycopg.Connection[Any]", streams: Sequence[UUID], name: str
) -> list[Fact]:
    """The events of these streams with this text as a value, in the ledger's order.

    Raises Archived.
    """
    require_streams_here(connection, streams)
    rows = connection.execute(
        "SELECT originator_version, position, topic, state FROM ledger.events"
        " WHERE originator_id = ANY(%s) AND position(%s::bytea IN state) > 0 ORDER BY position",
        (list(streams), f'"{name}"'.encode()),
        binary=True,
    )
    return [Fact(*row) for row in rows]


class Narrowed(Struct, frozen=True):
    """Of which table ('' for the house), gaming days (both included) and topics; None: of any."""

    table: str | None = None
    first: date | None = None
    last: date | None = None
    topics: Sequence[str] | None = None

    def as_dict(self) -> dict[str, object]:
        """What the statements below ask for."""
        return {
            "table": self.table,
            "from": self.first,
            "to": self.last,
            "topics": None if self.topics is None else list(self.topics),
        }


_NARROWED = """
    position > %(after)s AND position <= %(until)s
       AND (%(from)s::date IS NULL OR gaming_day >= %(from)s)
       AND (%(to)s::date IS NULL OR gaming_day <= %(to)s)
       AND (%(table)s::text IS NULL OR table_code = %(table)s)
       AND (%(topics)s::text[] IS NULL OR topic = ANY(%(topics)s))
"""
_FACTS = f"""
    SELECT originator_version, position, topic, state FROM ledger.events
     WHERE {_NARROWED} ORDER BY position
"""  # noqa: S608
_BOUNDS = f"""
    SELECT coalesce(min(position), 1), coalesce(max(position), 0) FROM ledger.events
     WHERE {_NARROWED}
"""  # noqa: S608


def facts_between(
    connection: "psycopg.Connection[Any]", after: int, until: int, narrowed: Narrowed
) -> list[Fact]:
    """The events after a position and up to another, in order, narrowed to some.

    Raises Archived.
    """
    require_here(connection, after, narrowed.topics, (narrowed.first, narrowed.last))
    asked = {"after": after, "until": until, **narrowed.as_dict()}
    return [Fact(*row) for row in connection.execute(_FACTS, asked, binary=True)]


def bounds(
    connection: "psycopg.Connection[Any]", after: int, until: int, narrowed: Narrowed
) -> tuple[int, int]:
    """The first and the last position of such events: 1 and 0 if there are none.

    Raises Archived.
    """
    require_here(connection, after, narrowed.topics, (narrowed.first, narrowed.last))
    asked = {"after": after, "until": until, **narrowed.as_dict()}
    row = connection.execute(_BOUNDS, asked).fetchone()
    assert row is not None
    return row[0], row[1]
