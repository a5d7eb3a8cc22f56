"""Reads events of the ledger: by position, by stream, of a table, of the house."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, ClassVar, LiteralString
from uuid import UUID

from msgspec import Struct

from domain.aggregates.shoe import Shoe
from domain.events.base import Event
from domain.rules import addresses
from domain.rules.wording import N_, Words
from ops.ledger.archived import left_hashes, require_here, require_streams_here, require_whole
from ops.ledger.chain import COLUMNS, GENESIS, Recorded
from ops.words.failure import Failure

if TYPE_CHECKING:
    import psycopg

_WITHOUT_METADATA: LiteralString = COLUMNS.replace(" metadata,", " '' AS metadata,")
_LAST = 2**63 - 1  # no position is higher
# Of some days, and of the house: each by its own index, whatever the record has beside them.
_OF_DAYS: LiteralString = """position IN (
    SELECT position FROM ledger.events WHERE gaming_day BETWEEN %s AND %s AND {which}
     UNION ALL
    SELECT position FROM ledger.events WHERE table_code = '' AND {which})"""


class UnreadableEvent(Failure):
    """An event cannot be read, because somebody altered it."""

    message: ClassVar[str] = N_("The event at position {position} cannot be read: it was altered.")

    def __init__(self, position: int) -> None:
        super().__init__(Words(self.message, position=position))
        self.position = position

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.position,)


class AlteredEvent(UnreadableEvent):
    """The chain of hashes breaks at an event; nothing is exported from such a record."""

    message = N_(
        "The chain of hashes breaks at position {position}: an event was altered, deleted or "
        "inserted. Nothing can be exported from this record; run `sabot audit verify`."
    )


class Wanted(Struct, frozen=True):
    """A filter of events: by topic, or by a key of their command's metadata.

    `days`: the first and the last gaming day; events of the house pass whatever their day.
    `metadata`: whether it is read; making it whole takes the server as long as the event itself.
    """

    topics: Sequence[str]
    marks: Sequence[str] = ()
    metadata: bool = True
    days: tuple[date | None, date | None] = (None, None)


def read_events(
    connection: "psycopg.Connection[Any]",
    after: int,
    limit: int,
    until: int | None = None,
    wanted: Wanted | None = None,
) -> list[Recorded]:
    """At most `limit` events after a position, in short reads that hold no snapshot open.

    Raises UnreadableEvent, Archived.
    """
    topics = None if wanted is None or wanted.marks else wanted.topics
    require_here(connection, after, topics, wanted.days if wanted else (None, None))
    which: LiteralString = "position > %s AND position <= %s"
    asked: tuple[object, ...] = (after, _LAST if until is None else until)
    if wanted:
        kinds: LiteralString = "topic = ANY(%s)"
        asked += (list(wanted.topics),)
        if wanted.marks:  # the metadata of each event is made whole for that
            kinds = f"({kinds} OR metadata LIKE ANY(%s))"
            asked += ([f'%"{mark}":%' for mark in wanted.marks],)
        which += f" AND {kinds}"
        first, last = wanted.days
        if first or last:
            which = _OF_DAYS.format(which=which)
            asked = (first or date.min, last or date.max, *asked, *asked)
    columns = COLUMNS if wanted is None or wanted.metadata else _WITHOUT_METADATA
    which += " ORDER BY position LIMIT %s"
    return recorded_where(connection, which, (*asked, limit), columns)


def head_of(connection: "psycopg.Connection[Any]") -> int:
    """The position of the ledger's last event."""
    row = connection.execute("SELECT coalesce(max(position), 0) FROM ledger.events").fetchone()
    assert row is not None
    return int(row[0])


def recorded_at(connection: "psycopg.Connection[Any]", position: int) -> datetime | None:
    """When the event at a position was recorded, or None before the first. Raises Archived."""
    row = connection.execute(
        "SELECT recorded_at FROM ledger.events WHERE position = %s", (position,)
    ).fetchone()
    if row is None and position > 0:
        require_here(connection, position - 1)
    return row[0] if row else None


def hash_at(connection: "psycopg.Connection[Any]", position: int) -> str | None:
    """The hash of the event at a position, in hex, or None without one."""
    hashes = hashes_at(connection, [position])
    return hashes[position].hex() if hashes else None


def tables_of(
    connection: "psycopg.Connection[Any]", after: int, until: int
) -> list[tuple[int, str]]:
    """The position of each event within these bounds, and its table; '' for the house's own.

    Raises Archived.
    """
    require_here(connection, after)
    return connection.execute(
        "SELECT position, table_code FROM ledger.events WHERE position > %s AND position <= %s "
        "ORDER BY position",
        (after, until),
    ).fetchall()


def hashes_at(connection: "psycopg.Connection[Any]", positions: Sequence[int]) -> dict[int, bytes]:
    """The hash of each of these events that is there; b"" if somebody took it away."""
    rows = connection.execute(
        "SELECT position, coalesce(hash, '') FROM ledger.events WHERE position = ANY(%s)",
        (list(positions),),
        binary=True,
    )
    hashes: dict[int, bytes] = dict(rows.fetchall())
    if len(hashes) < len(positions):
        hashes = {**left_hashes(connection, {*positions} - {*hashes}), **hashes}
    return hashes


def hashes_before(
    connection: "psycopg.Connection[Any]", positions: Sequence[int]
) -> dict[int, bytes]:
    """The hash of the event before each of these positions; b"" if that event is missing."""
    hashes = {0: GENESIS, **hashes_at(connection, [position - 1 for position in positions])}
    return {position: hashes.get(position - 1, b"") for position in positions}


def read_stream(connection: "psycopg.Connection[Any]", stream: UUID) -> list[Recorded]:
    """The events of one stream, in order. Raises UnreadableEvent, Archived."""
    which: LiteralString = "originator_id = %s AND position IS NOT NULL ORDER BY originator_version"
    return _whole(connection, recorded_where(connection, which, (stream,)))


def _whole(connection: "psycopg.Connection[Any]", read: list[Recorded]) -> list[Recorded]:
    """Streams that were read from their beginning. Raises Archived if something of them left."""
    require_whole(connection, ((each.originator_id, each.originator_version) for each in read))
    return read


def read_command_at(connection: "psycopg.Connection[Any]", position: int) -> list[Recorded]:
    """All events of the command that recorded this position, in order; none if there is none.

    Raises UnreadableEvent, Archived.
    """
    require_here(connection, position - 1)
    which: LiteralString = (
        "position BETWEEN %(p)s - 1000 AND %(p)s + 1000"
        " AND command_id = (SELECT command_id FROM ledger.events WHERE position = %(p)s)"
        " ORDER BY position"
    )
    return recorded_where(connection, which, {"p": position})


def read_spans(connection: "psycopg.Connection[Any]", spans: Iterable[range]) -> list[Recorded]:
    """The events at these positions, each once. Raises UnreadableEvent, Archived."""
    positions = list({position for span in spans for position in span})
    if not positions:
        return []
    read = recorded_where(connection, "position = ANY(%s)", (positions,))
    if len(read) < len(positions):
        require_here(connection, min({*positions} - {each.position for each in read}) - 1)
    return read


def read_newest_first(
    connection: "psycopg.Connection[Any]",
    table: str,
    topics: Sequence[str],
    day: date | None = None,
) -> Iterator[Recorded]:
    """A table's events of these topics, of a gaming day or of any, the newest first.

    Raises UnreadableEvent; Archived, once those before are asked for that left.
    """
    which: LiteralString = (
        "table_code = %s AND topic = ANY(%s) AND gaming_day = coalesce(%s, gaming_day)"
        " AND position < %s ORDER BY position DESC LIMIT 20"
    )
    before = _LAST
    while rows := recorded_where(connection, which, (table, list(topics), day, before)):
        yield from rows
        before = rows[-1].position
    require_here(connection, 0, topics, (day, day))


def read_newest(connection: "psycopg.Connection[Any]", topic: str, having: bytes) -> list[Recorded]:
    """The house's newest event of a topic with these bytes in its state, alone in the list.

    Raises UnreadableEvent.
    """
    which: LiteralString = (
        "table_code = '' AND topic = %s AND position(%s::bytea IN state) > 0"
        " AND position IS NOT NULL ORDER BY position DESC LIMIT 1"
    )
    return recorded_where(connection, which, (topic, having))


def last_topic(connection: "psycopg.Connection[Any]", stream: UUID) -> str:
    """The topic of a stream's last event, or '' if the stream does not exist. Raises Archived."""
    require_streams_here(connection, [stream])
    row = connection.execute(
        "SELECT topic FROM ledger.events WHERE originator_id = %s"
        " ORDER BY originator_version DESC LIMIT 1",
        (stream,),
    ).fetchone()
    return row[0] if row else ""


def read_streams(connection: "psycopg.Connection[Any]", streams: Sequence[UUID]) -> list[Recorded]:
    """The events of several streams, in the ledger's order. Raises UnreadableEvent, Archived."""
    which: LiteralString = "originator_id = ANY(%s) ORDER BY position"
    return _whole(connection, recorded_where(connection, which, (list(streams),)))


def events_about(connection: "psycopg.Connection[Any]", what: str) -> list[Recorded]:
    """The events of a coup, a shoe, a table day, a gaming day or a position, in order.

    Those of a coup or a shoe are the ones that name it, its commission included. Refuses: BadValue.
    Raises Archived.
    """
    if what.isdecimal():
        require_here(connection, int(what) - 1)
        return recorded_where(connection, "position = %s", (int(what),))
    if "/" not in what:
        day = addresses.parse_day(what)
        require_here(connection, 0, days=(day, day))
        return recorded_where(connection, "gaming_day = %s ORDER BY position", (day,))
    if what.count("/") == 1:
        of_day = addresses.TableDay.parse(what)
        return read_days(connection, of_day.table, of_day.day, of_day.day)
    of_shoe = what.count("/") == 2
    shoe = addresses.Shoe.parse(what) if of_shoe else addresses.Coup.parse(what).shoe
    first, last = shoe.table_day.day, last_day_of(connection, shoe)
    events = read_days(connection, shoe.table_day.table, first, last)
    named = f'"{what}"'.encode(), f'"{what}/'.encode()  # it, or a coup of this shoe
    return [each for each in events if any(name in each.state for name in named)]


def read_days(
    connection: "psycopg.Connection[Any]",
    table: str,
    first: date,
    last: date,
    kind: type[Event] | None = None,
) -> list[Recorded]:
    """A table's events of gaming days, both ends included: all, or of one kind.

    Raises UnreadableEvent, Archived.
    """
    require_here(connection, 0, [kind.TOPIC] if kind else None, (first, last))
    which: LiteralString = (
        "table_code = %s AND gaming_day BETWEEN %s AND %s AND coalesce(topic = %s, true)"
        " ORDER BY position"
    )
    return recorded_where(connection, which, (table, first, last, kind and kind.TOPIC))


def last_day_of(connection: "psycopg.Connection[Any]", shoe: addresses.Shoe) -> date:
    """The last gaming day on which a shoe was dealt: a later one than its own after a roll-over.

    Raises Archived.
    """
    require_streams_here(connection, [Shoe.stream(shoe)])
    row = connection.execute(
        "SELECT least(max(gaming_day), '9998-12-31') FROM ledger.events WHERE originator_id = %s",
        (Shoe.stream(shoe),),
    ).fetchone()
    return row[0] if row and row[0] else shoe.table_day.day


def read_table(
    connection: "psycopg.Connection[Any]",
    table: str,
    after: int,
    until: int,
    of_the_house: Sequence[str] = (),
    topics: Sequence[str] | None = None,
) -> list[Recorded]:
    """A table's events after a position, of these topics or of all.

    `of_the_house`: topics of the house's own events that are read too; they may be about any table.
    Raises UnreadableEvent, Archived.
    """
    require_here(connection, after, topics)
    which: LiteralString = (
        "position > %s AND position <= %s"
        " AND ((table_code = %s AND (%s::text[] IS NULL OR topic = ANY(%s)))"
        " OR (table_code = '' AND topic = ANY(%s))) ORDER BY position"
    )
    wanted = None if topics is None else list(topics)
    return recorded_where(
        connection, which, (after, until, table, wanted, wanted, list(of_the_house))
    )


def read_naming(connection: "psycopg.Connection[Any]", after: int) -> list[Recorded]:
    """The events after a position that bring a patron's name. Raises UnreadableEvent."""
    which: LiteralString = (
        "position > %s AND topic IN"
        " ('table-day.patron-seated', 'patron.known', 'patron.identified') ORDER BY position"
    )
    return recorded_where(connection, which, (after,))


def read_with_digests(
    connection: "psycopg.Connection[Any]", after: int, until: int
) -> list[Recorded]:
    """The events that have a digest of what is stored beside the record, or end it.

    Raises UnreadableEvent.
    """
    which: LiteralString = (
        "position > %s AND position <= %s AND topic IN ("
        "'staff-member.enrolled', 'staff-member.code-issued', 'staff-member.key-registered',"
        " 'staff-member.pin-chosen', 'property.recovery-secret-issued', 'shoe.shuffled',"
        " 'shoe.order-revealed', 'shoe.order-untold') ORDER BY position"
    )
    return recorded_where(connection, which, (after, until))


def read_house(
    connection: "psycopg.Connection[Any]", topics: Sequence[str], since: date, until: int
) -> list[Recorded]:
    """The house's own events of some topics from a gaming day on. Raises UnreadableEvent."""
    which: LiteralString = (
        "table_code = '' AND topic = ANY(%s) AND gaming_day >= %s AND position <= %s"
        " ORDER BY position"
    )
    return recorded_where(connection, which, (list(topics), since, until))


def recorded_where(
    connection: "psycopg.Connection[Any]",
    which: LiteralString,
    asked: tuple[object, ...] | dict[str, object],
    columns: LiteralString = COLUMNS,
) -> list[Recorded]:
    """The events of a condition, which may end with their order. Raises UnreadableEvent."""
    import psycopg

    try:
        rows = connection.execute(
            f"SELECT {columns} FROM ledger.events WHERE {which}",  # noqa: S608
            asked,
            binary=True,
        ).fetchall()
    except psycopg.DataError as error:  # a date that Python cannot represent
        position = unreadable(connection, which, asked)
        if position is None:
            raise
        raise UnreadableEvent(position) from error
    return [Recorded(*row) for row in rows]


def unreadable(
    connection: "psycopg.Connection[Any]",
    which: LiteralString,
    asked: tuple[object, ...] | dict[str, object],
) -> int | None:
    """The first of these positions whose moment or gaming day Python cannot represent, or None."""
    row = connection.execute(
        f"""
        SELECT position FROM (SELECT * FROM ledger.events WHERE {which}) AS asked
         WHERE NOT isfinite(recorded_at) OR NOT isfinite(gaming_day)
            OR extract(year FROM recorded_at) NOT BETWEEN 1 AND 9998
            OR extract(year FROM gaming_day) NOT BETWEEN 1 AND 9998
         ORDER BY position LIMIT 1
        """,  # noqa: S608
        asked,
    ).fetchone()
    return row[0] if row else None
