"""Small queries of the ledger: how far it has grown, what was added since, and how it began."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, LiteralString

from msgspec import Struct

from domain.events.table import DayClosed, DayOpened
from ops.ledger.archived import require_here, what_left
from ops.ledger.reading import head_of

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[Any]


def tables_changed(connection: "Connection", after: int, until: int) -> set[str]:
    """The tables with an event after a position and up to another; '' is the house.

    What moves a meter of the house is of the coup's table, too. Raises Archived.
    """
    require_here(connection, after)
    rows = connection.execute(
        "SELECT DISTINCT table_code FROM ledger.events WHERE position > %s AND position <= %s"
        " AND NOT (table_code = '' AND topic LIKE 'meter%%')",
        (after, until),
    )
    return {code for (code,) in rows}


def has_happened(
    connection: "Connection", table: str, topics: Sequence[str], after: int = 0
) -> bool:
    """Whether an event of one of these topics is recorded at a table after a position.

    Raises Archived, if only those that left could be one.
    """
    row = connection.execute(
        "SELECT FROM ledger.events"
        " WHERE position > %s AND table_code = %s AND topic = ANY(%s) LIMIT 1",
        (after, table, list(topics)),
    ).fetchone()
    if row is None:
        require_here(connection, after, topics)
    return row is not None


def how_many(connection: "Connection", topic: str) -> int:
    """How many events of a topic the ledger has. Raises Archived."""
    require_here(connection, 0, [topic])
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


class Last(Struct, frozen=True):
    """The last event: its position, its hash in hex, its moment; and the server's clock."""

    position: int
    hash: str
    recorded_at: datetime
    now: datetime


def last_event(connection: "Connection") -> Last | None:
    """The ledger's last event; None without one."""
    row = connection.execute(
        "SELECT position, encode(hash, 'hex'), recorded_at, clock_timestamp() FROM ledger.events"
        " ORDER BY position DESC LIMIT 1"
    ).fetchone()
    return Last(*row) if row else None


def ends(connection: "Connection") -> tuple[int, int]:
    """The last event's position and the last command's number, at one moment."""
    row = connection.execute(
        "SELECT (SELECT coalesce(max(position), 0) FROM ledger.events),"
        " (SELECT coalesce(max(number), 0) FROM ledger.commands)"
    ).fetchone()
    assert row is not None
    return row[0], row[1]


def bytes_of_record(connection: "Connection") -> int:
    """The bytes that events and commands have on the database's disk, with their indexes."""
    row = connection.execute(
        "SELECT pg_catalog.pg_total_relation_size('ledger.event_rows')"
        " + pg_catalog.pg_total_relation_size('ledger.command_rows')"
        " + pg_catalog.pg_total_relation_size('ledger.forms')"
    ).fetchone()
    assert row is not None
    return int(row[0])


def position_at(connection: "Connection", moment: datetime) -> int:
    """The last position recorded by then; 0 before the first event.

    Positions are in the order of time, so a search by halves finds it. Raises Archived.
    """
    low, high = 0, head_of(connection)
    while low < high:
        middle = (low + high + 1) // 2
        row = connection.execute(
            "SELECT position, recorded_at <= %s FROM ledger.events WHERE position >= %s"
            " ORDER BY position LIMIT 1",
            (moment, middle),
        ).fetchone()
        if row and row[1]:
            low = row[0]
        else:
            high = middle - 1
    left = what_left(connection)
    if left and low < left.events and not command_at(connection, low + 1):
        raise left.refusal()  # one that left was the last
    return low


def seconds_since(connection: "Connection", positions: Sequence[int]) -> dict[int, float]:
    """For how many seconds each of these events, if it is there, is on record."""
    rows = connection.execute(
        "SELECT position, extract(epoch FROM clock_timestamp() - recorded_at)::float8"
        " FROM ledger.events WHERE position = ANY(%s)",
        (list(positions),),
    )
    return dict(rows.fetchall())


def first_not_about(
    connection: "Connection", nouns: Sequence[str], after: int, until: int | None = None
) -> tuple[int, datetime] | None:
    """Position and moment of the first event after a position whose topic has none of these nouns.

    `until`: the last position that is looked at. None if there is no such event. Raises Archived.
    """
    require_here(connection, after)
    return connection.execute(
        "SELECT position, recorded_at FROM ledger.events WHERE position > %s"
        " AND position <= coalesce(%s::bigint, position) AND topic NOT LIKE ALL(%s)"
        " ORDER BY position LIMIT 1",
        (after, until, [f"{noun}.%" for noun in nouns]),
    ).fetchone()


def added_at_tables(
    connection: "Connection", after: int
) -> list[tuple[str, int, int, datetime, datetime]]:
    """Each table with events after a position: their number, the first, and from when to when.

    Raises Archived.
    """
    require_here(connection, after)
    return connection.execute(
        "SELECT table_code, count(*), min(position), min(recorded_at), max(recorded_at)"
        " FROM ledger.events WHERE position > %s GROUP BY table_code ORDER BY table_code",
        (after,),
    ).fetchall()


def recorded_next(connection: "Connection", position: int) -> tuple[datetime | None] | None:
    """When something was recorded next that did not come together with the event at a position.

    None inside: nothing was; None: there is no such event.
    """
    made = connection.execute("SELECT to_regclass('ledger.event_rows') IS NOT NULL").fetchone()
    rows: LiteralString = "ledger.event_rows" if made == (True,) else "ledger.events"  # a backup's
    return connection.execute(
        f"""
        SELECT (SELECT min(next.recorded_at) FROM {rows} AS next
                 WHERE next.position > this.position AND next.xmin <> this.xmin)
          FROM {rows} AS this WHERE position = %s
        """,  # noqa: S608
        (position,),
    ).fetchone()


def misplaced(connection: "Connection", limit: int) -> list[int]:
    """The positions of events at which no range shows them: below 1; 0 for none."""
    rows = connection.execute(
        "SELECT coalesce(position, 0) FROM ledger.events WHERE position < 1"
        " UNION ALL (SELECT 0 FROM ledger.events WHERE position IS NULL LIMIT 1)"
        " ORDER BY 1 LIMIT %s",
        (limit,),
    )
    return [position for (position,) in rows]


def command_at(connection: "Connection", position: int) -> str | None:
    """The id of the command that the event at a position names, or None without an event."""
    row = connection.execute(
        "SELECT command_id FROM ledger.events WHERE position = %s", (position,)
    ).fetchone()
    return row[0] if row else None


def command_ending_at(connection: "Connection", position: int) -> int | None:
    """The number of the command whose last event has a position, or None."""
    row = connection.execute(
        "SELECT number FROM ledger.commands WHERE last_position = %s", (position,)
    ).fetchone()
    return row[0] if row else None


class Staying(Struct, frozen=True):
    """Of the events up to a position, how many would stay; the gaming days of those that leave."""

    stay: int
    first_day: date | None
    last_day: date | None


def what_stays(connection: "Connection", until: int) -> Staying:
    """What would stay of the events up to a position, if coups and shoes up to there left."""
    row = connection.execute(
        "SELECT count(*) FILTER (WHERE NOT leaves), min(gaming_day) FILTER (WHERE leaves),"
        "       max(gaming_day) FILTER (WHERE leaves)"
        "  FROM (SELECT gaming_day, ledger.may_leave(topic) AND EXISTS ("
        "                   SELECT FROM ledger.events AS later"
        "                    WHERE later.originator_id = e.originator_id"
        "                      AND later.originator_version > e.originator_version) AS leaves"
        "          FROM ledger.events AS e WHERE position <= %s) AS of_then",
        (until,),
    ).fetchone()
    assert row is not None
    return Staying(*row)


def command_over(connection: "Connection", position: int) -> tuple[int, int] | None:
    """The last position and the number of that command, or None if it is not stored."""
    return connection.execute(
        "SELECT last_position, number FROM ledger.events JOIN ledger.commands USING (command_id)"
        " WHERE position = %s LIMIT 1",
        (position,),
    ).fetchone()


def tables_open(connection: "psycopg.Connection[Any]", day: date, at: int) -> list[str]:
    """The tables at which a gaming day was opened and not closed by a position."""
    rows = connection.execute(
        "SELECT table_code FROM (SELECT DISTINCT ON (table_code) table_code, topic"
        " FROM ledger.events WHERE gaming_day = %s AND topic = ANY(%s) AND position <= %s"
        " ORDER BY table_code, position DESC) AS last WHERE topic = %s ORDER BY table_code",
        (day, [DayOpened.TOPIC, DayClosed.TOPIC], at, DayOpened.TOPIC),
    ).fetchall()
    return [table for (table,) in rows]
