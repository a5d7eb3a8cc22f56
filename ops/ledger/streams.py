"""The events of a stream with their positions, for readers that must cope with altered ones."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec
from msgspec.structs import replace

from domain.events.base import Unreadable, event_name
from domain.review.replay import Line
from ops.ledger.chain import Recorded
from ops.ledger.facts import Fact
from ops.ledger.mapper import UnknownEvent
from ops.ledger.reading import read_stream
from ops.ledger.strict import NotWhole, whole
from projections.proofs import how_proved

if TYPE_CHECKING:
    import psycopg

Metadata = dict[str, object]  # of a command, under the names of ops/handlers/metadata.py
_NOBODY_KNOWS_WHEN = datetime.min.replace(tzinfo=UTC)


def read_lines(
    connection: "psycopg.Connection[Any]", stream: UUID, until: int | None = None
) -> list[Line]:
    """A stream's events, all of them or up to a position. Raises UnreadableEvent."""
    return lines(recorded_until(read_stream(connection, stream), until))


def recorded_until(recorded: list[Recorded], until: int | None) -> list[Recorded]:
    """The events up to a position, or all of them for None."""
    return [event for event in recorded if until is None or event.position <= until]


def lines(recorded: Iterable[Recorded]) -> list[Line]:
    """Each event with its position."""
    return [_line(event) for event in recorded]


def _line(event: Recorded) -> Line:
    line = line_of(event.position, event.topic, event.state, event.recorded_at)
    second = getattr(line.event, "approved_by", "")
    if not second:
        return line
    return replace(line, proved=proof_of(event, second), by=event.actor)


def proof_of(event: Recorded, staff: str) -> str | None:
    """How the second person proved their agreement to the event's command, or None without one."""
    return how_proved(staff, event.actor, metadata_of(event))


def metadata_of(event: Recorded) -> Metadata:
    """The metadata of an event's command."""
    return decoded(event.metadata)


def decoded(metadata: str) -> Metadata:
    """A command's metadata, from its JSON; empty if it was altered and is no JSON any more."""
    try:
        return msgspec.json.decode(metadata, type=Metadata)
    except ValueError:
        return {}


def line_of(
    position: int, topic: str, state: bytes, recorded_at: datetime = _NOBODY_KNOWS_WHEN
) -> Line:
    """An event with its position; `Unreadable` in place of one that was altered."""
    try:
        return Line(position, whole(topic, state))
    except (NotWhole, UnknownEvent) as error:
        why = f"it cannot be read: {error}"
        return Line(position, Unreadable(timestamp=recorded_at, topic=topic, why=why))


def line_of_fact(fact: Fact) -> Line:
    """The same for what an event says."""
    return line_of(fact.position, fact.topic, fact.state)


def name_of(line: Line) -> str:
    """The event's name, as in `CardDealt`; a first event's name has the noun in front."""
    kind = type(line.event)
    return event_name(kind.TOPIC, first=True) if getattr(kind, "FIRST", False) else kind.__name__
