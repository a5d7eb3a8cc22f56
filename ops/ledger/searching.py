"""Events that somebody looks for: by what they have in common, by a span, by their streams."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct

from ops.ledger.archived import require_here, require_streams_here
from ops.ledger.chain import Recorded
from ops.ledger.reading import recorded_where

if TYPE_CHECKING:
    import psycopg


class Traits(Struct, frozen=True):
    """What an event has to have; '' or None: anything. A kind may be a whole noun, as `coup`.

    `names`: of a patron, of which it has one. `after`: it comes after this position.
    """

    table: str = ""
    kind: str = ""
    actor: str = ""
    stream: UUID | None = None
    command: str = ""
    names: Sequence[str] = ()
    after: int = 0


def read_newest_having(
    connection: "psycopg.Connection[Any]", traits: Traits, until: int, limit: int
) -> list[Recorded]:
    """At most `limit` events with these traits up to a position, the newest first.

    Raises UnreadableEvent, Archived.
    """
    which, asked = _having(traits)
    which += " AND position <= %s ORDER BY position DESC LIMIT %s"
    events = recorded_where(connection, which, (*asked, until, limit))
    since = events[-1].position if len(events) == limit else traits.after
    require_here(connection, since, [traits.kind] if traits.kind else None)
    return events


def last_of_next(
    connection: "psycopg.Connection[Any]", traits: Traits, after: int, limit: int
) -> int | None:
    """The last position of the next `limit` events with these traits, or None without any.

    Raises Archived.
    """
    require_here(connection, max(after, traits.after), [traits.kind] if traits.kind else None)
    which, asked = _having(traits)
    row = connection.execute(
        f"SELECT max(position) FROM (SELECT position FROM ledger.events WHERE {which}"  # noqa: S608
        " AND position > %s ORDER BY position LIMIT %s) AS next",
        (*asked, after, limit),
    ).fetchone()
    return row[0] if row else None


def _having(traits: Traits) -> tuple[LiteralString, tuple[object, ...]]:
    """The condition of events with these traits, and its values."""
    which: LiteralString = "position > %s"
    asked: tuple[object, ...] = (traits.after,)
    if traits.table:
        which, asked = which + " AND table_code = %s", (*asked, traits.table)
    if traits.kind:
        which += " AND (topic = %s OR starts_with(topic, %s))"
        asked += (traits.kind, f"{traits.kind}.")
    if traits.actor:
        which, asked = which + " AND actor = %s", (*asked, traits.actor)
    if traits.stream:
        which, asked = which + " AND originator_id = %s", (*asked, traits.stream)
    if traits.command:
        which += (
            " AND position BETWEEN (SELECT first_position FROM ledger.commands"
            " WHERE command_id = %s) AND (SELECT last_position FROM ledger.commands"
            " WHERE command_id = %s)"
        )
        asked += (traits.command, traits.command)
    if traits.names:
        named: LiteralString = "position(%s::bytea IN state) > 0"
        which += f" AND ({' OR '.join([named] * len(traits.names))})"
        asked += tuple(map(msgspec.json.encode, traits.names))
    return which, asked


def first_of_each(connection: "psycopg.Connection[Any]", streams: Sequence[UUID]) -> list[Recorded]:
    """The first event of each of these streams that is there. Raises UnreadableEvent, Archived."""
    require_streams_here(connection, streams)
    which: LiteralString = "originator_id = ANY(%s) AND originator_version = 1 ORDER BY position"
    return recorded_where(connection, which, (list(streams),))


def last_of_each(
    connection: "psycopg.Connection[Any]", streams: Sequence[UUID]
) -> dict[UUID, Recorded]:
    """The last event of each of these streams that is there. Raises UnreadableEvent, Archived."""
    require_streams_here(connection, streams)
    which: LiteralString = (
        "(originator_id, originator_version) IN (SELECT originator_id, max(originator_version)"
        " FROM ledger.events WHERE originator_id = ANY(%s) GROUP BY originator_id)"
    )
    return {
        each.originator_id: each for each in recorded_where(connection, which, (list(streams),))
    }


def has_day(connection: "psycopg.Connection[Any]", day: date) -> bool:
    """Whether anything was recorded on a gaming day."""
    row = connection.execute(
        "SELECT EXISTS (SELECT FROM ledger.events WHERE gaming_day = %s)", (day,)
    ).fetchone()
    return bool(row and row[0])
