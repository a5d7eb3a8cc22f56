"""The ledger: every event with an address, its hash, its command, and what came of it."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime, timedelta
from urllib.parse import urlencode
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from domain.events.base import Event, Unreadable
from domain.review.put_right import PUT_RIGHT, puts_right
from domain.rules.gaming_day import GamingClock
from domain.rules.refusals import SENSELESS, BadValue, NotFound
from domain.rules.wording import by_the_clock
from ops.commands.house_events import House, house
from ops.ledger import clock
from ops.ledger.archived import what_left
from ops.ledger.chain import Recorded, canonical, link
from ops.ledger.database import Database
from ops.ledger.growth import position_at
from ops.ledger.mapper import UnknownEvent, as_answer, event_of
from ops.ledger.reading import head_of, read_command_at, read_events, read_stream
from ops.ledger.recorder import flush_to_show
from ops.ledger.searching import Traits, last_of_next, read_newest_having
from ops.reports.aliases import every_name_of
from ops.reports.moments import Typed, in_the_past
from ops.reports.names import meant_by
from ops.reports.narrowings import require_in_order
from ops.web.pages.desk import Desk
from ops.web.pages.never import never
from ops.web.pages.visitor import Visitor
from ops.words.language import shown
from ops.words.own_sentences import own_sentence
from ops.words.stored_values import Stored, stored_words

PIECE = 50  # events on a page
BEFORE = timedelta(microseconds=1)  # the moment before a moment
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
    fields: list[Stored]
    metadata: list[Stored]
    stored: str  # both, as JSON
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
    patron: str = ""  # by number or alias, with every other name that they have
    since: str = ""  # a moment: what was recorded then or later
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
        """What an event has to have, but for its patron and its moment. Refuses: BadValue."""
        try:
            stream = UUID(self.stream) if self.stream else None
        except ValueError:
            why = "take it from the page of an event"
            raise BadValue(field="the stream", value=self.stream, why=why) from None
        return Traits(self.table, self.kind, self.actor, stream, self.command)

    def moments(self, clock: GamingClock, now: datetime) -> tuple[datetime | None, datetime | None]:
        """The span of time, in the house's zone. Refuses: BadValue."""
        since, as_of = (
            in_the_past(Typed.required(text, option), clock, now) if text else None
            for text, option in ((self.since, "since"), (self.as_of, "as_of"))
        )
        require_in_order(("since", since), ("as_of", as_of))
        return since, as_of

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
        head = head_of(connection)
        since, as_of = sought.moments(of.clock, clock.record_clock(connection))
        if as_of:
            head = position_at(connection, as_of)
        if since:
            traits = replace(traits, after=position_at(connection, since - BEFORE))
        if sought.patron:
            known = meant_by(connection, sought.patron)
            traits = replace(traits, names=every_name_of(connection, known))
        until = min(sought.until or head, head)
        if (left := what_left(connection)) and until > left.events:  # before it, ask says where
            traits = replace(traits, after=max(traits.after, left.events))
        events = read_newest_having(connection, traits, until, PIECE + 1)
        newer = last_of_next(connection, traits, until, PIECE) if until < head else None
        flush_to_show(connection)
    lines = [_line(each, of) for each in events]
    before = left.events if left and traits.after == left.events else None
    older = lines[PIECE].position if len(lines) > PIECE else before
    return Page(lines[:PIECE], older, newer and min(newer, head), ZoneInfo(of.zone))


def _known(event: Recorded) -> Event:
    """The event; in place of one that was altered, and cannot be read, one that says so."""
    try:
        return event_of(event)
    except (*SENSELESS, UnknownEvent) as error:
        return Unreadable(topic=event.topic, why=type(error).__name__)


def _sentence(event: Recorded, of: House) -> str:
    """The sentence of an event, also of one that was altered."""
    known = _known(event)
    if isinstance(known, Unreadable):
        return shown(own_sentence({"type": "Unreadable", "topic": known.topic}, of.currency))
    with suppress(*SENSELESS):
        return shown(by_the_clock(own_sentence(as_answer(known), of.currency), of.clock.local))
    return event.topic


def _as_json(event: Recorded) -> str:
    """What is stored of an event and of its command, to be read line by line."""
    both = {"event": _stored(event.state), "command": _stored(event.metadata)}
    return msgspec.json.format(msgspec.json.encode(both)).decode()


def _stored(text: bytes | str) -> dict[str, object]:
    """The fields of stored JSON; what is none as it is stored, under one name."""
    with suppress(*SENSELESS):
        return msgspec.json.decode(text, type=dict[str, object])
    stored = text.decode(errors="replace") if isinstance(text, bytes) else text
    return {"": str(stored)}


def _line(event: Recorded, of: House) -> Line:
    return Line(
        position=event.position,
        at=event.recorded_at,
        day=event.gaming_day,
        table=event.table_code,
        kind=event.topic,
        words=_sentence(event, of),
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
        line=_line(event, of),
        zone=ZoneInfo(of.zone),
        fields=stored_words(event.topic, _stored(event.state), of.currency, ZoneInfo(of.zone)),
        metadata=stored_words("", _stored(event.metadata), of.currency, ZoneInfo(of.zone)),
        stored=_as_json(event),
        stream=str(event.originator_id),
        version=event.originator_version,
        hash=event.hash.hex(),
        hash_before=before.hex(),
        chain_good=link(before, event) == event.hash,
        canonical=canonical(event, before).hex(),
        beside=[_line(each, of) for each in command if each.position != position],
        puts_right=[_line(each, of) for each in _wrong_before(event, known, beside)],
        put_right_by=[_line(each, of) for each in _right_after(event, known, beside)],
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
    narrowed = {"table": sought.table, "patron": sought.patron} if not page.lines else {}
    nobody = await desk.in_thread(lambda: never(desk.database, narrowed))
    return desk.page(request, who, "ledger.html", page=page, sought=sought, nobody_named=nobody)


async def show_event(desk: Desk, request: Request, who: Visitor) -> Response:
    """One event."""
    position = request.path_params["position"]
    event = await desk.in_thread(lambda: find(desk.database, position))
    return desk.page(request, who, "event.html", event=event)
