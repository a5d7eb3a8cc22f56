"""The pack of an incident: all that happened in it, its money, the coups around it, whole.

People are in it by number, never by name. Where a table is named, each moment of it, when it was
opened or what a camera shows, has the coups before and after it, as in their own packs. That it was
made is an event of the incident.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec.structs import asdict

from domain.aggregates.incident import Incident
from domain.events import incident as events
from domain.events.table_money import IncidentChipsMoved
from domain.review.replay import Line
from domain.rules import addresses
from ops.ledger.reading import head_of, read_command_at
from ops.pack.content import Around, IncidentContent, PackContent
from ops.pack.events import SourceEvent, events_of_stream, linked, moment, single_event
from ops.pack.handed import (
    handed_out,
    identified,
    in_two_files,
    known_as,
    of_the_house,
    until_the_last_step,
    whole_coups,
)
from ops.pack.incident_paper import paper
from ops.pack.pack import Pack, as_fields
from ops.replay.find_coup import coups_of
from ops.replay.incident import IncidentFile, read_incident
from ops.reports.aliases import known_at
from ops.words.language import ENGLISH, reading

if TYPE_CHECKING:
    import psycopg

SHAPE = "sabot-incident-1"
OWN, TRAY = "incident", "table day"  # what an event is about


def last_of_incident(connection: "psycopg.Connection[Any]", address: addresses.Incident) -> int:
    """The position of the last event of an incident, and of what its pack has of others.

    Refuses: NotFound, CoupNotFinished. Raises UnreadableEvent.
    """
    with reading(ENGLISH):
        return _content(connection, address, head_of(connection))[0].last_position


def pack_of_incident(
    connection: "psycopg.Connection[Any]", address: addresses.Incident, until: int | None = None
) -> Pack:
    """Makes the pack as of now, or as of a position; one program makes the same bytes of it.

    Refuses: NotFound, CoupNotFinished. Raises UnreadableEvent.
    """
    end = head_of(connection) if until is None else until
    with reading(ENGLISH):
        content, coups = _content(connection, address, end)
        return in_two_files(content, paper(content, coups))


def _content(
    connection: "psycopg.Connection[Any]", address: addresses.Incident, end: int
) -> tuple[IncidentContent, Mapping[str, PackContent]]:
    """The content of the file, and of each coup in it."""
    read_incident(connection, address, end)
    own = until_the_last_step(
        events_of_stream(connection, OWN, Incident.stream(address), end), events.IncidentExported
    )
    file, known = read_incident(connection, address, own[-1].position), known_at(connection, end)
    patrons = file.named("patrons")
    names = identified(connection, known, patrons, end)
    house = of_the_house(connection, own, end)
    every = linked(connection, [*own, *_trays(connection, own), *names, *house])
    around = [*_around(connection, file, end)]
    named = dict.fromkeys(name for each in around for name in (each.before, each.after) if name)
    coups = whole_coups(connection, map(addresses.Coup.parse, named), end)
    content = IncidentContent(
        **asdict(handed_out(connection, SHAPE, own, every, coups)),
        incident=file.as_dict(ZoneInfo("UTC")) | {"summary": file.summary()},
        known_as=known_as(known, patrons),
        around=around,
        coups={name: as_fields(each) for name, each in coups.items()},
    )
    return content, coups


def _trays(
    connection: "psycopg.Connection[Any]", own: Sequence[SourceEvent]
) -> Iterator[SourceEvent]:
    """The tray's own event of each movement of money between it and another place."""
    for each in own:
        if isinstance(each.event, events.MoneyMoved) and each.event.table_day:
            command = read_command_at(connection, each.position)
            moved = (one for one in command if one.topic == IncidentChipsMoved.TOPIC)
            yield from (single_event(TRAY, one) for one in moved)


def _around(
    connection: "psycopg.Connection[Any]", file: IncidentFile, end: int
) -> Iterator[Around]:
    """Each moment of an incident at a table, with the coups of its gaming day around it."""
    if not file.opened.table:
        return
    day = addresses.TableDay(file.opened.table, addresses.parse_day(file.opened.day))
    coups = coups_of(connection, day, end)
    for at in sorted({each for line in file.lines for each in _moments(line)}):
        before, after = coups.at(at), coups.after(at)
        yield Around(moment(at), str(before) if before else None, str(after) if after else None)


def _moments(line: Line) -> Iterator[datetime]:
    """When an incident was opened, and the moments that cameras show."""
    if isinstance(line.event, events.Opened):
        yield line.at
    for each in getattr(line.event, "evidence", ()):
        yield datetime.fromisoformat(str(each["by_record"]))
