"""Inquiries of surveillance: the list with a form to open one, and each with its evidence."""

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.rules import addresses
from domain.rules.inquiries import ABOUT, OUTCOMES
from domain.rules.protection_levels import QUESTIONS
from ops.commands.house_events import house
from ops.ledger.database import Database
from ops.ledger.recorder import flush_to_show
from ops.replay.inquiry import Evidence, read_inquiry
from ops.reports.paging import Turn
from ops.reports.protection_row import rows_gone
from ops.web.pages import reports
from ops.web.pages.desk import Desk
from ops.web.pages.kept_files import KeptFiles
from ops.web.pages.leads import at_event, page_about
from ops.web.pages.stories import StoryEvent, story_events
from ops.web.pages.taking import OF_INQUIRY
from ops.web.pages.visitor import Visitor
from ops.words.columns import code_called
from ops.words.inquiry_events import outcome_called
from ops.words.language import shown
from projections import REPORTS

PAGE = "/inquiries"
REPORT = REPORTS["inquiries"]
# What a form may send to each command of an inquiry.
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "open": OF_INQUIRY,
    "note": ("text", "evidence"),
    "attach": OF_INQUIRY,
    "close": ("outcome", "reason"),
    "reopen": ("reason",),
}


class Story(Struct, frozen=True):
    """An inquiry as it is now; `evidence`: each page about it, and its name."""

    name: str
    closed: bool
    events: list[StoryEvent]
    evidence: list[tuple[str, str]]
    zone: ZoneInfo


def read(database: Database, name: str) -> Story:
    """An inquiry. Refuses: BadValue, NotFound. Raises LedgerLost, UnreadableEvent."""
    with database.session("sabot_auditor") as connection:
        of = house(connection)
        file = read_inquiry(connection, addresses.Inquiry.parse(name))[1]
        gone = rows_gone(connection, file.rows)
        flush_to_show(connection)
    return Story(
        name=name,
        closed=file.closed is not None,
        events=story_events(file.lines, of, gone),
        evidence=[(_page_of(each), each.name) for each in file.evidence],
        zone=ZoneInfo(of.zone),
    )


def _page_of(evidence: Evidence) -> str:
    """The page that shows it; of a coup at the event to look at."""
    if evidence.about == "coup":
        return at_event(evidence.name, evidence.position)
    return page_about(evidence.about, evidence.name).href


def _choices() -> Mapping[str, Any]:
    """What the forms offer, each with its words."""
    return {
        "abouts": [(each, shown(code_called("about", each))) for each in ABOUT],
        "questions": [(each, shown(code_called("question", each))) for each in QUESTIONS],
        "outcomes": [(each, shown(outcome_called(each))) for each in OUTCOMES],
    }


async def list_inquiries(desk: Desk, request: Request, who: Visitor) -> Response:
    """Every inquiry, the newest first, and the form to open one; the address may fill it in."""
    counted = await desk.counted([REPORT])
    turn = Turn.of(request.query_params)
    sheet = await desk.in_thread(
        lambda: reports.read(desk.database, REPORT, {}, turn, counted=counted)
    )
    known = {name: request.query_params.get(name, "") for name in OF_INQUIRY}
    return desk.page(
        request, who, "inquiries.html",
        counted=counted, sheet=sheet, filled=known, **_choices(),
    )  # fmt: skip


async def show_inquiry(desk: Desk, request: Request, who: Visitor) -> Response:
    """An inquiry, its evidence, and what may be done next."""
    name = request.path_params["inquiry"]
    story = await desk.in_thread(lambda: read(desk.database, name))
    return desk.page(request, who, "inquiry.html", story=story, **_choices())


FILES = KeptFiles(
    page=PAGE,
    noun="inquiry",
    name="inquiry",
    fields=_FIELDS,
    one_each=("evidence",),
)
