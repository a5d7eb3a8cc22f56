"""The ledger: every event with an address, its hash, its command, and what came of it."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime
from urllib.parse import urlencode
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.events.base import Event, Unreadable
from domain.review.put_right import PUT_RIGHT, puts_right
from domain.rules.refusals import SENSELESS, BadValue, NotFound
from ops.commands.house_events import house
from ops.ledger.chain import Recorded, canonical, link
from ops.ledger.database import Database
from ops.ledger.growth import position_at
from ops.ledger.mapper import UnknownEvent, as_answer, event_of
from ops.ledger.reading import head_of, read_command_at, read_events, read_stream
from ops.ledger.recorder import flush_to_show
from ops.ledger.searching import Traits, read_newest_having
from ops.reports.moments import Typed, in_the_past
from ops.web.pages.desk import Desk
from ops.web.pages.visitor import Visitor
from ops.words.events import sentence
from ops.words.language import shown

PIECE = 100  # events on a page
_DIGITS = 15  # of a position, at most


class Line(Struct, frozen=True):
    """An event as a line."""

    position: int
    at: datetime
    day: date
    table: str
    kind: str
    words: str
    actor: str
    command_id: str


class Page(Struct, frozen=True):
    """Events from a position on; `older` and `newer`: where the pages beside it begin."""

    lines: list[Line]
    older: int | None
    newer: int | None
    zone: ZoneInfo


class Detail(Struct, frozen=True):
    """One event with everything that is known of it."""

    line: Line
    zone: ZoneInfo
    fields: dict[str, object]
    metadata: dict[str, object]
    stream: str
    version: int
    hash: str
    hash_before: str
    chain_good: bool
    canonical: str
    beside: list[Line]  # other events of its command
    puts_right: list[Line]  # what was wrong before it
    put_right_by: list[Line]
    earlier: int | None
    later: int | None


class Sought(Struct, frozen=True):
    """Which events are wanted, as they were typed into the form."""

    table: str = ""
    kind: str = ""
    actor: str = ""
    stream: str = ""
    command: str = ""
    as_of: str = ""  # a moment: the ledger as it was then
    until: int | None = None  # the newest position on the page

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Sought":
        """What a page's address asks for."""
        until = query.get("until", "")
        digits = until.isascii() and until.isdecimal() and len(until) <= _DIGITS
        names = [each for each in cls.__struct_fields__ if each != "until"]
        texts = {name: query.get(name, "").strip() for name in names}
        return cls(**texts, until=int(until) if digits else None)

    @property
    def traits(self) -> Traits:
        """What an event has to have. Refuses: BadValue."""
        try:
            stream = UUID(self.stream) if self.stream else None
        except ValueError:
            why = "take it from the page of an event"
            raise BadValue(field="the stream", value=self.stream, why=why) from None
        return Traits(self.table, self.kind, self.actor, stream, self.command)

    @property
    def query(self) -> str:
        """The same without the position, for the pages beside this one."""
        given = {name: value for name, value in msgspec.structs.asdict(self).items() if value}
        given.pop("until", None)
        return urlencode(given)


def read(database: Database, sought: Sought) -> Page:
    """The newest events that are wanted, up to a position.

    Refuses: BadValue. Raises LedgerLost, UnreadableEvent.
    """
    traits = sought.traits
    with database.session("sabot_auditor") as connection:
        of = house(connection)
        zone = ZoneInfo(of.zone)
        head = head_of(connection)
        if sought.as_of:
            head = position_at(
                connection, in_the_past(Typed.required(sought.as_of, "--as-of"), of.clock)
            )
        until = min(sought.until or head, head)
        events = read_newest_having(connection, traits, until, PIECE + 1)
        flush_to_show(connection)
    lines = [_line(each, of.currency) for each in events]
    older = lines[PIECE].position if len(lines) > PIECE else None
    newer = min(head, until + PIECE) if until < head else None
    return Page(lines[:PIECE], older, newer, zone)


def _known(event: Recorded) -> Event:
    """The event; in place of one that was altered, and cannot be read, one that says so."""
    try:
        return event_of(event)
    except (*SENSELESS, UnknownEvent) as error:
        return Unreadable(topic=event.topic, why=type(error).__name__)


def _sentence(event: Recorded, currency: str) -> str:
    """The sentence of an event, also of one that was altered."""
    known = _known(event)
    if isinstance(known, Unreadable):
        return shown(
            sentence({"type": "Unreadable", "topic": known.topic}, currency) or known.topic
        )
    with suppress(*SENSELESS):
        return shown(sentence(as_answer(known), currency, marked=False) or event.topic)
    return event.topic


def _stored(text: bytes | str) -> dict[str, object]:
    """The fields of stored JSON; what is none as it is stored, under one name."""
    with suppress(*SENSELESS):
        return msgspec.json.decode(text, type=dict[str, object])
    stored = text.decode(errors="replace") if isinstance(text, bytes) else text
    return {"": str(stored)}


def _line(event: Recorded, currency: str) -> Line:
    return Line(
        position=event.position,
        at=event.recorded_at,
        day=event.gaming_day,
        table=event.table_code,
        kind=event.topic,
        words=_sentence(event, currency),
        actor=event.actor,
        command_id=event.command_id,
    )


def find(database: Database, position: int) -> Detail:
    """One event. Refuses: NotFound. Raises LedgerLost, UnreadableEvent."""
    with database.session("sabot_auditor") as connection:
        of = house(connection)
        head = head_of(connection)
        near = {each.position: each for each in read_events(connection, max(0, position - 2), 2)}
        event = near.get(position)
        if event is None:
            raise NotFound(what=f"event #{position}")
        before = near[position - 1].hash if position - 1 in near else bytes(32)
        command = read_command_at(connection, position)
        known = _known(event)
        related = type(known) in PUT_RIGHT
        stream = read_stream(connection, event.originator_id) if related else []
        flush_to_show(connection)
    beside = [(each, _known(each)) for each in stream]
    return Detail(
        line=_line(event, of.currency),
        zone=ZoneInfo(of.zone),
        fields=_stored(event.state),
        metadata=_stored(event.metadata),
        stream=str(event.originator_id),
        version=event.originator_version,
        hash=event.hash.hex(),
        hash_before=before.hex(),
        chain_good=link(before, event) == event.hash,
        canonical=canonical(event, before).hex(),
        beside=[_line(each, of.currency) for each in command if each.position != position],
        puts_right=[_line(each, of.currency) for each in _wrong_before(event, known, beside)],
        put_right_by=[_line(each, of.currency) for each in _right_after(event, known, beside)],
        earlier=position - 1 if position > 1 else None,
        later=position + 1 if position < head else None,
    )


def _wrong_before(
    event: Recorded, known: Event, stream: list[tuple[Recorded, Event]]
) -> list[Recorded]:
    """The events of its stream that an event puts right."""
    return [
        each
        for each, other in stream
        if each.position < event.position and puts_right(known, other, each.position)
    ]


def _right_after(
    event: Recorded, known: Event, stream: list[tuple[Recorded, Event]]
) -> list[Recorded]:
    """The events of its stream that put an event right."""
    return [
        each
        for each, other in stream
        if each.position > event.position and puts_right(other, known, event.position)
    ]


async def list_events(desk: Desk, request: Request, who: Visitor) -> Response:
    """Events, the newest first."""
    sought = Sought.of(request.query_params)
    page = await desk.in_thread(lambda: read(desk.database, sought))
    return desk.page(request, who, "ledger.html", page=page, sought=sought)


async def show_event(desk: Desk, request: Request, who: Visitor) -> Response:
    """One event."""
    position = request.path_params["position"]
    event = await desk.in_thread(lambda: find(desk.database, position))
    return desk.page(request, who, "event.html", event=event)
