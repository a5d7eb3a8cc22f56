"""The recorded starts of long-running parts of the program."""

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from domain.aggregates.program_day import ProgramDay
from domain.events.program_day import ProgramStarted
from domain.rules.refusals import SENSELESS
from ops.ledger.chain import Recorded
from ops.ledger.mapper import event_of
from ops.ledger.reading import UnreadableEvent, read_newest, read_stream

if TYPE_CHECKING:
    import psycopg


class Start(Struct, frozen=True):
    """A start: which part, where, and the program that it ran."""

    position: int
    at: datetime
    part: str
    table: str  # '' for none
    machine: str
    version: str
    digest: str


def starts_of(connection: "psycopg.Connection[Any]", day: date) -> list[Start]:
    """The starts of a gaming day, in order. Raises UnreadableEvent."""
    recorded = read_stream(connection, ProgramDay.stream(day))
    return [_start(each) for each in recorded if each.topic == ProgramStarted.TOPIC]


def last_start(connection: "psycopg.Connection[Any]", version: str) -> Start | None:
    """The newest start of a version, on any machine, or None. Raises UnreadableEvent."""
    having = b'"version":' + msgspec.json.encode(version)
    newest = read_newest(connection, ProgramStarted.TOPIC, having)
    return _start(newest[0]) if newest else None


def _start(recorded: Recorded) -> Start:
    try:
        event = event_of(recorded)
    except SENSELESS as error:
        raise UnreadableEvent(recorded.position) from error
    assert isinstance(event, ProgramStarted)
    return Start(
        recorded.position,
        event.timestamp,
        event.part,
        event.table,
        event.machine,
        event.version,
        event.digest,
    )
