"""Incidents on the floor: the list with a form to open one, and each with what may be done next."""

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.rules import addresses
from domain.rules.incidents import KINDS, OUTCOMES, PLACES
from ops.commands.house_events import house
from ops.ledger.database import Database
from ops.ledger.recorder import flush_to_show
from ops.replay.incident import read_incident
from ops.reports.paging import Turn
from ops.web.pages import reports
from ops.web.pages.desk import Desk
from ops.web.pages.kept_files import KeptFiles
from ops.web.pages.stories import StoryEvent, story_events
from ops.web.pages.visitor import Visitor
from ops.words.incident_events import kind_called, outcome_called, place_called
from ops.words.language import shown
from projections import REPORTS

PAGE = "/incidents"
REPORT = REPORTS["incidents"]
_PEOPLE = ("involved", "staff", "guests")  # several in one field, with commas between
# What a form may send to each command of an incident.
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "open": ("kind", "text", "table", *_PEOPLE, "evidence"),
    "note": ("text", *_PEOPLE, "evidence"),
    "money": ("amount", "source", "into", "reason", "table"),
    "close": ("outcome", "reason"),
    "reopen": ("reason",),
}


class Story(Struct, frozen=True):
    """An incident as it is now."""

    name: str
    table: str
    day: str
    closed: bool
    patrons: list[str]  # who is in it, in the order named
    staff: list[str]
    events: list[StoryEvent]
    zone: ZoneInfo


def read(database: Database, name: str) -> Story:
    """An incident. Refuses: BadValue, NotFound. Raises LedgerLost, UnreadableEvent."""
    with database.session("sabot_auditor") as connection:
        of = house(connection)
        file = read_incident(connection, addresses.Incident.parse(name))
        flush_to_show(connection)
    return Story(
        name=name,
        table=file.opened.table,
        day=file.opened.day,
        closed=file.closed,
        patrons=file.named("patrons"),
        staff=file.named("staff"),
        events=story_events(file.lines, of),
        zone=ZoneInfo(of.zone),
    )


def _choices() -> Mapping[str, Any]:
    """What the forms offer, each with its words."""
    return {
        "kinds": [(each, shown(kind_called(each))) for each in KINDS],
        "places": [(each, shown(place_called(each))) for each in PLACES],
        "outcomes": [(each, shown(outcome_called(each))) for each in OUTCOMES],
    }


async def list_incidents(desk: Desk, request: Request, who: Visitor) -> Response:
    """Every incident, the newest first, and the form to open one."""
    counted = await desk.counted([REPORT])
    turn = Turn.of(request.query_params)
    sheet = await desk.in_thread(
        lambda: reports.read(desk.database, REPORT, {}, turn, counted=counted)
    )
    return desk.page(request, who, "incidents.html", counted=counted, sheet=sheet, **_choices())


async def show_incident(desk: Desk, request: Request, who: Visitor) -> Response:
    """An incident, and what may be done next."""
    name = request.path_params["incident"]
    story = await desk.in_thread(lambda: read(desk.database, name))
    return desk.page(request, who, "incident.html", story=story, **_choices())


FILES = KeptFiles(
    page=PAGE,
    noun="incident",
    name="incident",
    fields=_FIELDS,
    several=_PEOPLE,
    one_each=("evidence",),
)
