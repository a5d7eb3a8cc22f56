"""Cases of money laundering: the list with a form to open one, and each with what is due.

Who may not read them learns of none: no page, link or button of theirs has one.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.review.replay import Line
from domain.rules import addresses
from domain.rules.aml import DECISIONS
from domain.rules.refusals import BadValue, NotFound
from domain.rules.wording import Words, by_the_clock
from ops.commands.house_events import House, house
from ops.commands.reader import Asked
from ops.filings.beside import apart_words, unreported_words
from ops.filings.evidence import cash_of_case
from ops.filings.sar import Cash
from ops.ledger import clock
from ops.ledger.database import Database
from ops.ledger.mapper import fields_of
from ops.ledger.reading import read_spans
from ops.ledger.recorder import flush_to_show
from ops.ledger.streams import lines, name_of
from ops.replay.aml_case import AmlFile, read_aml_case
from ops.reports.ask import Row, ask
from ops.reports.page_cells import moment
from ops.reports.paging import Place, Turn
from ops.web.pages import filings, reports
from ops.web.pages.desk import Desk
from ops.web.pages.forms import file_of, read_form
from ops.web.pages.kept_files import KeptFiles
from ops.web.pages.leads import at_event
from ops.web.pages.stories import StoryEvent, story_events
from ops.web.pages.viewer import may
from ops.web.pages.visitor import Visitor
from ops.words import aml_on_pages as words
from ops.words import language
from ops.words.aml_events import DECISIONS as CALLED
from ops.words.language import shown
from ops.words.own_sentences import own_sentence
from ops.words.values import NOTHING
from projections import REPORTS

PAGE = "/aml"
REPORT = REPORTS["aml-cases"]
_LISTED = (
    *("aml_case", "patron", "with_others", "due_at", "opened_at", "decision", "filed_on", "late"),
    "closed_at",
)
UNPROCESSABLE = 422
OF_CASH = (
    "cash-near",
    "cash-over",
    "little-play",
    "cash-split",
    "uncarded-play",
)  # alerts that a case may begin with
_NEVER = 10**12  # in seconds: later than whatever is due
# What a form may send to each command of a case.
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "open": ("patron", "text", "alert", "positions", "detected", "urgent"),
    "note": ("text", "positions", "narrative"),
    "subject": ("patron", "text", "withdrawn"),
    "decide": ("decision", "text"),
    "filed": ("reference", "filing", "filed_on", "sha256", "withdrawn", "text"),
    "close": ("text",),
}


class Written(Struct, frozen=True):
    """An event of a case, with what somebody wrote in it."""

    event: StoryEvent
    text: str


class Evidence(Struct, frozen=True):
    """An event that is evidence: when and where, in words, and the page that shows it."""

    position: int
    at: datetime
    table: str  # '' for none
    words: str
    href: str


class Story(Struct, frozen=True, kw_only=True):
    """A case as it is now."""

    name: str
    subjects: list[str]  # whom it was opened about first
    alert: str
    status: str
    age: Words | None  # None: it is closed
    due: words.Due | None  # None: nothing is due
    facts: list[tuple[Words, str]]  # each label with its value
    events: list[Written]
    evidence: list[Evidence]
    # Cash of the subjects on the days of the evidence, which is none: in words, with its page.
    apart: list[tuple[str, str]]
    filings: int
    reference: str  # of the newest report; '' for none
    decision: str
    unreported: list[Words]  # that nobody decided that it is reported
    zone: ZoneInfo
    currency: str


def read(database: Database, name: str, now: datetime) -> Story:
    """A case. Refuses: BadValue, NotFound. Raises LedgerLost, UnreadableEvent."""
    with database.session("sabot_app") as connection:
        of = house(connection)
        file = read_aml_case(connection, addresses.AmlCase.parse(name))
        recorded = read_spans(connection, [range(each, each + 1) for each in file.positions])
        flush_to_show(connection)
    opened, zone = file.opened, ZoneInfo(of.zone)
    noticed_on = addresses.parse_day(opened.detected)
    cash = cash_of_case(database, file.positions, file.subjects, noticed_on, only_theirs=True)
    return Story(
        name=name,
        subjects=file.subjects,
        alert=opened.alert,
        status=file.status,
        age=None if file.is_closed else words.age_words(file.lines[0].at, now),
        due=_due(file, now),
        facts=[*_facts(file, zone), *_sums(cash.evidence, of.currency)],
        events=[
            Written(event, file.text_of(line))
            for event, line in zip(story_events(file.lines, of), file.lines, strict=True)
        ],
        evidence=[
            _evidence(line, each.table_code, of)
            for each, line in zip(recorded, lines(recorded), strict=True)
        ],
        apart=[
            (shown(apart_words(each, of.currency)), f"/ledger/{each.position}")
            for each in cash.apart
        ],
        filings=len(file.filed),
        reference=file.filed[-1].reference if file.filed else "",
        decision=file.decided.decision if file.decided else "",
        unreported=[*unreported_words(file)],
        zone=zone,
        currency=of.currency,
    )


def _due(file: AmlFile, now: datetime) -> words.Due | None:
    """The term of the report, while one may still be due."""
    unreported = file.decided is not None and file.decided.decision != "report"
    open_still = not file.is_closed or (file.decided and file.decided.decision == "report")
    if not file.opened.due_at or file.filed or not open_still or unreported:
        return None
    return words.due_words(datetime.fromisoformat(file.opened.due_at), now)


def _facts(file: AmlFile, zone: ZoneInfo) -> list[tuple[Words, str]]:
    opened = file.opened
    due = shown(words.NO_TERM)
    if opened.due_at:
        at = datetime.fromisoformat(opened.due_at).astimezone(zone)
        due = language.term(at)
    facts = [
        (words.NOTICED_ON, language.day(addresses.parse_day(opened.detected))),
        (words.TERM, f"{opened.paper} · {due}" if opened.paper else due),
    ]
    if file.decided:
        both = f"{file.decided.decided_by}, {file.decided.approved_by}"
        facts.append((words.DECIDED, f"{shown(CALLED[file.decided.decision])} · {both}"))
    for each in file.filed:
        late = f" · {shown(words.LATE)}" if each.late else ""
        filed_on = language.day(addresses.parse_day(each.filed_on))
        facts.append((words.REPORTS_FILED, f"{filed_on} · {each.reference}{late}"))
    return facts


def _sums(evidence: Sequence[Cash], currency: str) -> Iterator[tuple[Words, str]]:
    """The cash of whom the case is about that is evidence, in and out."""
    for direction, label in words.CASH_OF_EVIDENCE.items():
        if some := [each.amount for each in evidence if each.direction == direction]:
            yield label, language.amount(sum(some), currency)


def _evidence(line: Line, table: str, of: House) -> Evidence:
    """An event in words, with the coup at it, or its own page."""
    sentence = own_sentence({"type": name_of(line), **fields_of(line.event)}, of.currency)
    coup, position = getattr(line.event, "coup", ""), line.position
    href = at_event(coup, position) if isinstance(coup, str) and coup else f"/ledger/{position}"
    in_words = shown(by_the_clock(sentence, of.clock.local))
    return Evidence(position, line.at, table, in_words, href)


def from_alert(database: Database, alert: str) -> tuple[str, str] | None:
    """Where an alert leads, and in which words: the open case with its event, or the form."""
    with suppress(BadValue):
        at = addresses.Alert.parse(alert).position
        for row in ask(database, REPORT).rows:
            if not row["closed_at"] and at in row["positions"]:
                return f"{PAGE}/{row['aml_case']}", row["aml_case"]
        if may("aml.open"):
            return f"{PAGE}?{urlencode({'alert': alert})}", shown(words.OPEN_ABOUT_IT)
    return None


def _begun_by(database: Database, alert: str) -> dict[str, str]:
    """What the event of an alert fills in: whom it names, and what it is in words."""
    with suppress(BadValue):
        at = addresses.Alert.parse(alert).position
        with database.session("sabot_app") as connection:
            of = house(connection)
            every = lines(read_spans(connection, [range(at, at + 1)]))
        for line in every:
            patron = getattr(line.event, "patron", "") or ""
            return {"patron": patron, "text": _evidence(line, "", of).words}
    return {}


def _pressing(row: Row) -> Place:
    """Cases that are open come first, of those what is due soonest, then the oldest."""
    done = row["filed_on"] or row["decision"] == "no-report"
    due = (
        datetime.fromisoformat(row["due_at"]).timestamp() if row["due_at"] and not done else _NEVER
    )
    return int(bool(row["closed_at"])), int(due), row["aml_case"]


def _left(now: datetime, row: Row) -> tuple[str, bool]:
    """By when a report is due, with what is left of it; and whether it is overdue."""
    if not row["due_at"]:
        return NOTHING, False
    at = language.term(datetime.fromisoformat(row["due_at"]))
    if row["closed_at"] or row["filed_on"] or row["decision"] == "no-report":
        return at, False
    due = words.due_words(datetime.fromisoformat(row["due_at"]), now)
    return f"{at}: {shown(due.left)}", due.overdue


def _age(now: datetime, row: Row) -> tuple[str, bool]:
    """When a case was opened, and for how long it is open."""
    at = moment(row["opened_at"], with_day=True)
    if row["closed_at"]:
        return at, False
    age = words.age_words(datetime.fromisoformat(row["opened_at"]), now)
    return f"{at}: {shown(age)}", False


async def list_cases(desk: Desk, request: Request, who: Visitor) -> Response:
    """Every case, what is due soonest first, and the form to open one."""
    filled = dict(request.query_params)
    if (alert := filled.get("alert")) and not filled.get("patron"):
        filled |= await desk.in_thread(lambda: _begun_by(desk.database, alert))
    filled = {name: filled.get(name, "") for name in _FIELDS["open"]}
    now = clock.wall_clock()
    counted, turn = await desk.counted([REPORT]), Turn.of(request.query_params)
    own = {"due_at": partial(_left, now), "opened_at": partial(_age, now)}
    sheet = await desk.in_thread(
        lambda: reports.read(
            desk.database, REPORT, {}, turn,
            order=_pressing, columns=_LISTED, counted=counted, own=own,
        )
    )  # fmt: skip
    return desk.page(
        request, who, "aml_cases.html", counted=counted, sheet=sheet, filled=filled, a=words
    )


async def show_case(desk: Desk, request: Request, who: Visitor) -> Response:
    """A case, its evidence, and what may be done next."""
    return await _shown(desk, request, who, "", {})


async def _shown(
    desk: Desk, request: Request, who: Visitor, act: str, typed: Mapping[str, str], **more: Any
) -> Response:
    """The page of a case; the form of the report `act` has what was `typed` in it."""
    name, now = request.path_params["aml_case"], clock.wall_clock()
    story = await desk.in_thread(lambda: read(desk.database, name, now))
    forms = await desk.in_thread(
        lambda: filings.offered(desk.database, story.subjects, story.currency)
    )
    lacks = more.get("lacks", [])
    values = {
        "story": story,
        "decisions": [(each, shown(CALLED[each])) for each in DECISIONS],
        "act": act,
        "typed": defaultdict(str, typed),
        "forms": [
            filings.with_others(each, lacks, typed) if each.kind == act else each for each in forms
        ],
        "lacks": [],
        "a": words,
        **more,
    }
    return desk.page(request, who, "aml_case.html", **values)


async def make_report(desk: Desk, request: Request, who: Visitor) -> Response:
    """The regulator's own file of a case, or of its patron's cash of a day; or what is missing."""
    name, kind = request.path_params["aml_case"], request.path_params["kind"]
    if kind not in filings.KINDS:
        raise NotFound(what=f"`filing {kind}`")
    makes = Asked(f"filing {kind}")
    if not who.rights.may_read(makes):
        await desk.require(who, makes)
    await desk.require(who, Asked("aml show", about={"case": name}))
    form, here, about = await read_form(request), f"{PAGE}/{name}", [name]
    if filings.is_of_a_day(kind):
        patron, _, day = form.get("day", "").rpartition("/")
        about = [patron, day]
    ending = filings.ending_of(kind, form)
    answer = await desk.made(who, filings.line_of(kind, form, ending, about))
    if lacks := filings.lacking(answer):
        return await _shown(
            desk, request, who, kind, form,
            status=UNPROCESSABLE, lacks=lacks, then=here,
        )  # fmt: skip
    return file_of(desk, request, who, answer, ending, here)


FILES = KeptFiles(
    page=PAGE,
    noun="aml",
    name="aml_case",
    fields=_FIELDS,
    flags=("urgent", "narrative", "withdrawn"),
    of_numbers=("positions",),
)
