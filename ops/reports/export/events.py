"""The events of a range for an export, with each column as in the ledger.

They are read in short ranges of positions, so that neither the memory nor a snapshot grows with the
whole range.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from domain.events.base import event_name
from ops.commands.house_events import house
from ops.ledger.chain import Recorded, Verification
from ops.ledger.facts import Narrowed, bounds
from ops.ledger.reading import (
    AlteredEvent,
    UnreadableEvent,
    hashes_before,
    head_of,
    read_events,
)
from ops.reports.export.files import Column, Content, Row, ledger_at

if TYPE_CHECKING:
    import psycopg

PIECE = 5_000
COLUMNS = [
    Column("position", "count"),
    Column("recorded_at", "moment"),
    Column("gaming_day", "day"),
    Column("table_code", "text"),
    Column("topic", "text"),
    Column("event", "text"),
    Column("at", "moment"),
    Column("actor", "text"),
    Column("command_id", "text"),
    Column("originator_id", "text"),
    Column("originator_version", "count"),
    Column("state", "json"),
    Column("metadata", "json"),
    Column("hash", "text"),
]
Progress = Callable[[int, int, int], None]  # first, present and last position


class Range(Struct, frozen=True, kw_only=True):
    """The events asked for: of gaming days, or of positions above one up to another.

    Both may be narrowed to one table.
    """

    first_day: date | None = None
    last_day: date | None = None
    after: int = 0
    until: int | None = None
    table: str | None = None

    def as_dict(self) -> dict[str, object]:
        """The request as in the manifest."""
        return {
            "from": self.first_day and self.first_day.isoformat(),
            "to": self.last_day and self.last_day.isoformat(),
            "after": self.after,
            "until": self.until,
            "table": self.table,
        }

    def has(self, event: Recorded) -> bool:
        """Whether the range includes an event between its positions."""
        return (
            (self.first_day is None or event.gaming_day >= self.first_day)
            and (self.last_day is None or event.gaming_day <= self.last_day)
            and (self.table is None or event.table_code == self.table)
        )


class _At(msgspec.Struct):
    at: str


def events(connection: "psycopg.Connection[Any]", asked: Range, progress: Progress) -> Content:
    """The events of a range, up to the ledger's present end.

    Every hash is computed again from the one before it. Reading the rows raises UnreadableEvent, or
    AlteredEvent if a hash is wrong.
    """
    owner = house(connection)
    head = head_of(connection)
    first, last = _bounds(connection, asked, head)
    seen: list[int] = []  # the first and the last position

    def rows() -> Iterator[list[Row]]:
        after = first - 1
        if after >= last:
            return
        chain = Verification(_hash_before(connection, first), after)
        while after < last:
            piece = read_events(connection, after=after, limit=PIECE, until=last)
            after = piece[-1].position if piece else last
            chosen = [_row(event) for event in piece if asked.has(event)]
            chain.walk(piece)
            if not chain.ok or chain.events != after:
                raise AlteredEvent(chain.first_bad or chain.events + 1)
            if chosen:
                seen[:] = [seen[0] if seen else chosen[0][0], chosen[-1][0]]
            progress(first, after, last)
            yield chosen

    def at_the_end() -> dict[str, object]:
        begin, end = seen or (None, None)
        return {"first_position": begin, "last_position": end}

    asked_for: dict[str, object] = {
        "what": "events",
        "range": asked.as_dict(),
        "property": owner.name,
        "currency": owner.currency,
    }
    at = ledger_at(connection, head)
    return Content("events", asked_for, at, COLUMNS, rows(), at_the_end)


def _hash_before(connection: "psycopg.Connection[Any]", position: int) -> bytes:
    """The hash that the event at a position follows on. Raises AlteredEvent if it is missing."""
    [before] = hashes_before(connection, [position]).values()
    if not before:
        raise AlteredEvent(position - 1)
    return before


def _bounds(connection: "psycopg.Connection[Any]", asked: Range, head: int) -> tuple[int, int]:
    """The first and last position that can be in the range; days may overlap in positions."""
    until = head if asked.until is None else min(asked.until, head)
    if asked.first_day or asked.last_day or asked.table is not None:
        narrowed = Narrowed(asked.table, asked.first_day, asked.last_day)
        return bounds(connection, asked.after, until, narrowed)
    return asked.after + 1, until


@cache
def _called(topic: str, first: bool) -> str:
    return event_name(topic, first=first)


def _row(event: Recorded) -> Row:
    try:
        at = datetime.fromisoformat(msgspec.json.decode(event.state, type=_At).at)
        state = event.state.decode()
    except ValueError as error:  # msgspec's own and those of UTF-8 are such
        raise UnreadableEvent(event.position) from error
    return (
        event.position,
        event.recorded_at.astimezone(UTC),
        event.gaming_day,
        event.table_code,
        event.topic,
        _called(event.topic, event.originator_version == 1),
        at.astimezone(UTC),
        event.actor,
        event.command_id,
        str(event.originator_id),
        event.originator_version,
        state,
        event.metadata,
        event.hash.hex(),
    )
