"""The ledger: every event with an address, its hash, its command, and what came of it."""

from datetime import date, datetime
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.rules.refusals import NotFound
from ops.commands.house_events import house
from ops.ledger.chain import Recorded, canonical, link
from ops.ledger.database import Database
from ops.ledger.mapper import as_answer, event_of
from ops.ledger.reading import Wanted, head_of, read_command_at, read_events
from ops.ledger.recorder import flush
from ops.web.pages.desk import Desk
from ops.web.pages.visitor import Visitor
from ops.words.events import sentence
from ops.words.language import shown

PIECE = 100  # events on a page
_READ = 5_000  # events that are looked through for one page


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
    head: int
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
    earlier: int | None
    later: int | None


class Sought(Struct, frozen=True):
    """Which events are wanted."""

    table: str = ""
    kind: str = ""
    actor: str = ""
    until: int | None = None  # the newest position on the page


def read(database: Database, sought: Sought) -> Page:
    """The newest events that are wanted, up to a position. Raises LedgerLost, UnreadableEvent."""
    with database.session("sabot_auditor") as connection:
        of = house(connection)
        head = head_of(connection)
        until = min(sought.until or head, head)
        lines: list[Line] = []
        at = until
        while at > 0 and len(lines) <= PIECE and until - at < _READ:
            first = max(0, at - 500)
            read = read_events(connection, first, at - first, at, _wanted(sought))
            lines += [_line(each, of.currency) for each in reversed(read) if _lets(each, sought)]
            at = first
        flush(connection)
    more = len(lines) > PIECE
    older = lines[PIECE].position if more else at if at > 0 else None
    newer = min(head, until + PIECE) if until < head else None
    return Page(lines[:PIECE], head, older, newer, ZoneInfo(of.zone))


def _wanted(sought: Sought) -> Wanted | None:
    return Wanted([sought.kind]) if sought.kind else None


def _lets(event: Recorded, sought: Sought) -> bool:
    return (not sought.table or event.table_code == sought.table) and (
        not sought.actor or event.actor == sought.actor
    )


def _line(event: Recorded, currency: str) -> Line:
    answer = as_answer(event_of(event))
    return Line(
        position=event.position,
        at=event.recorded_at,
        day=event.gaming_day,
        table=event.table_code,
        kind=event.topic,
        words=shown(sentence(answer, currency, marked=False) or event.topic),
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
        before = near[position - 1].hash if position > 1 else bytes(32)
        command = read_command_at(connection, position)
        flush(connection)
    return Detail(
        line=_line(event, of.currency),
        zone=ZoneInfo(of.zone),
        fields=msgspec.json.decode(event.state),
        metadata=msgspec.json.decode(event.metadata),
        stream=str(event.originator_id),
        version=event.originator_version,
        hash=event.hash.hex(),
        hash_before=before.hex(),
        chain_good=link(before, event) == event.hash,
        canonical=canonical(event).hex(),
        beside=[_line(each, of.currency) for each in command if each.position != position],
        earlier=position - 1 if position > 1 else None,
        later=position + 1 if position < head else None,
    )


async def list_events(desk: Desk, request: Request, who: Visitor) -> Response:
    """Events, the newest first."""
    query = request.query_params
    until = query.get("until", "")
    sought = Sought(
        table=query.get("table", ""),
        kind=query.get("kind", ""),
        actor=query.get("actor", ""),
        until=int(until) if until.isascii() and until.isdecimal() and len(until) < 16 else None,
    )
    await desk.require(who, "export events", {"table": sought.table or None})
    page = await desk.in_thread(lambda: read(desk.database, sought))
    given = {"table": sought.table, "kind": sought.kind, "actor": sought.actor}
    return desk.page(request, who, "ledger.html", page=page, sought=sought, query=urlencode(given))


async def show_event(desk: Desk, request: Request, who: Visitor) -> Response:
    """One event."""
    position = request.path_params["position"]
    await desk.require(who, "export events", {"table": None})
    event = await desk.in_thread(lambda: find(desk.database, position))
    return desk.page(request, who, "event.html", event=event)
