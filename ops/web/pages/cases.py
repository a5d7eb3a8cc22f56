"""A case from complaint to pack: its events, and what may be done next."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any
from urllib.parse import quote, urlencode
from zoneinfo import ZoneInfo

from msgspec import Struct, convert
from starlette.requests import Request
from starlette.responses import Response

from domain.review.difference import Played
from domain.review.replay import Line
from domain.rules import addresses
from domain.rules.refusals import NotFound
from domain.rules.roles import one_of_roles
from domain.rules.wording import Words, by_the_clock
from ops.commands.house_events import House, house
from ops.commands.vocabulary import COMMANDS
from ops.handlers.answer import Answer
from ops.ledger import clock
from ops.ledger.database import Database
from ops.ledger.mapper import fields_of
from ops.ledger.recorder import flush_to_show
from ops.ledger.streams import name_of
from ops.replay.case import CaseFile, read_case
from ops.replay.case_page import COMPLAINT, NOTES, OPENED, WAGERS, CasePage, wager_words
from ops.replay.people import people_of
from ops.replay.story import find
from ops.reports.ask import Row, ask
from ops.reports.counted import Counted
from ops.reports.page_cells import moment
from ops.reports.paging import Place, Turn
from ops.web.pages import acts, reports
from ops.web.pages.desk import Desk, Reply
from ops.web.pages.forms import exported, read_form
from ops.web.pages.viewer import opens
from ops.web.pages.visitor import Visitor
from ops.words import cases_on_pages
from ops.words.columns import title_here
from ops.words.language import _, shown
from ops.words.left_open_events import left_open_words
from ops.words.own_sentences import own_sentence
from ops.words.time_left import Deadline, deadlines
from ops.words.values import NOTHING, CaseDue, due_of
from projections import REPORTS


class CaseEvent(Struct, frozen=True):
    """One event of a case."""

    at: datetime
    words: str
    position: int
    by: list[str]  # who did it, and the second person with how that one is known
    answered: str = ""  # the page with the answer to what a note asks


class Fact(Struct, frozen=True):
    """What is known of a case under one label, line by line."""

    label: str
    lines: list[str]
    lead: tuple[str, str] | None = None  # a page that says more of it, and its title


class Case(Struct, frozen=True):
    """A case as it is now."""

    name: str
    coup: str
    patron: str
    complaint: str
    zone: ZoneInfo
    facts: list[Fact]
    wagers: dict[str, str]  # that a decision may correct, in words, by how a form names them
    spots: list[str]  # on which one of them may have been meant to lie
    decisions: list[str]  # that can be made; nothing can be paid in another way once it is void
    events: list[CaseEvent]
    status: str
    due: list[Deadline]  # which are still to be met, the soonest first
    then: Words | None  # what is next, and by whom; None once it is closed
    closed: bool
    notify: bool  # whether the regulator is still to be notified
    holds: bool


# What a form may send to each command of a case.
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "open": ("coup", "patron", "complaint", "amount", "hold"),
    "note": ("text", "evidence", "what-if"),
    "decide": ("decision", "reason", "wager", "stake", "to", "as"),
    "tell": ("in-words",),
    "notify": ("reference",),
    "hold": (),
    "release": (),
    "close": (),
}
_ELSEWHERE = (OPENED, COMPLAINT, NOTES)  # labels of what a page has above, or among its events
LEFT_OPEN = REPORTS["left-open"]
_LISTED = ("case", "status", "patron", "complaint", "in_dispute", "opened_at", "deadlines")
_NEVER = 10**12  # in seconds: later than whatever is due
_FLAGS, _LISTS = ("hold",), ("evidence", "what-if")
ACTS = tuple(_FIELDS)


def read(database: Database, name: str, now: datetime, counted: Counted | None = None) -> Case:
    """A case, what is left of its deadlines, and what its patron still owes or is owed.

    `counted`: how far report left-open is. Refuses: NotFound. Raises LedgerLost, UnreadableEvent.
    """
    with database.session("sabot_auditor") as connection:
        of = house(connection)
        case = read_case(connection, addresses.Case.parse(name))[1]
        about = addresses.Coup.parse(case.opened.coup)
        whole = find(connection, about).whole
        flush_to_show(connection)
    opened, zone = case.opened, ZoneInfo(of.zone)
    coup = Played.of(about, whole) if whole else None
    final = coup is not None and coup.void
    wagers = {
        f"{each['seat']} {each['spot']}": shown(wager_words(each, of.currency))
        for each in _paid_now(case, coup)
    }
    return Case(
        name=name,
        coup=opened.coup,
        patron=opened.patron,
        complaint=opened.complaint,
        zone=zone,
        facts=[
            *_facts(case, of.currency, zone, list(wagers.values())),
            *_not_settled(database, opened.patron, counted),
        ],
        wagers={} if final else wagers,
        spots=list(coup.rules.spots) if coup and not final else [],
        decisions=list(_decisions(case, final=final)),
        events=[_event(line, opened.coup, of) for line in case.lines],
        status=case.status,
        due=deadlines(case.due, now),
        then=_next(case),
        closed=case.closed is not None,
        notify=case.notify_by is not None and not case.notified,
        holds=bool(case.holds and case.holds[-1].step == "placed"),
    )


def _next(case: CaseFile) -> Words | None:
    """What is next with a case, and by whom; None once it is closed."""
    if case.closed is not None:
        return None
    notify = case.notify_by is not None and not case.notified
    act = {"open": "decide", "decided": "tell", "told": "notify" if notify else "close"}[
        case.status
    ]
    who = one_of_roles(COMMANDS[f"dispute.{act}"].permission.roles)
    return Words(cases_on_pages.NEXT[act], who=who)


def _facts(case: CaseFile, currency: str, zone: ZoneInfo, wagers: list[str]) -> Iterator[Fact]:
    """What is known of a case; below the wagers as they were, as they are paid now."""
    for label, rows in groupby(CasePage(case, currency, zone).rows(), itemgetter(0)):
        fact = Fact(label, [text for _, text in rows])
        if label not in map(_, _ELSEWHERE):
            yield fact
        if label == _(WAGERS) and fact.lines != wagers:
            yield Fact(shown(cases_on_pages.PAID_NOW), wagers)


def _not_settled(database: Database, patron: str, counted: Counted | None) -> Iterator[Fact]:
    """What corrections left open with the patron after they left."""
    answer = ask(database, LEFT_OPEN, counted=counted, patron=patron)
    currency = answer.house.currency
    lines = [
        shown(left_open_words(row["item"], row["patron"], row["owes"], currency))
        for row in answer.rows
        if not row["settled_at"]
    ]
    if lines:
        report = f"/reports/{LEFT_OPEN.name}?{urlencode({'patron': patron})}"
        yield Fact(shown(cases_on_pages.NOT_SETTLED), lines, (report, title_here(LEFT_OPEN)))


def _paid_now(case: CaseFile, coup: Played | None) -> Iterator[Mapping[str, Any]]:
    """The wagers of a case, each with its stake and what it is paid by the record now."""
    final = coup.final or () if coup else ()
    now = {
        (each.wager.seat, each.wager.spot): {
            "stake": each.wager.stake,
            "paid": each.payment.paid,
        }
        for each in final
    }
    for each in case.opened.wagers:
        yield {**each, **now.get((int(each["seat"] or 0), str(each["spot"])), {})}


def _decisions(case: CaseFile, *, final: bool) -> Iterator[str]:
    """What may be decided yet; `final`: the coup is void, and nothing is paid in another way."""
    if all(line.event.decision == "stand" for line in case.decisions):
        yield "stand"
    if not final:
        yield from ("correct", "void")


def _event(line: Line, coup: str, of: House) -> CaseEvent:
    return CaseEvent(
        at=line.at,
        words=_words_of(line, of),
        position=line.position,
        by=people_of(line),
        answered=_answer_of(line, coup),
    )


def _answer_of(line: Line, coup: str) -> str:
    """Where the coup is as a note asks that it had been; '' if the event asks nothing."""
    asked = "; ".join(getattr(line.event, "what_if", ()))
    return f"/coups/{quote(coup)}?{urlencode({'what-if': asked})}" if asked else ""


def _words_of(line: Line, of: House) -> str:
    event = {"type": name_of(line), **fields_of(line.event)}
    return shown(by_the_clock(own_sentence(event, of.currency), of.clock.local))


def typed_in(act: str, form: Mapping[str, str]) -> dict[str, Any]:
    """The fields of a form as they would be typed. Refuses: NotFound."""
    if act not in _FIELDS:
        raise NotFound(what=f"`dispute {act}`")
    typed: dict[str, Any] = acts.given(form, *_FIELDS[act])
    if wager := typed.pop("wager", ""):
        seat, __, spot = wager.partition(" ")
        typed |= {"seat": seat, "spot": spot}
    for name in _FLAGS:
        typed |= {name: True} if name in typed else {}
    for name in _LISTS:
        typed |= {name: (typed[name],)} if name in typed else {}
    return {name.replace("-", "_"): each for name, each in typed.items()}


def _due(now: datetime, row: Row) -> tuple[str, bool]:
    """What is due, with what is left of it; and whether something is overdue."""
    due = deadlines(convert(row, CaseDue), now)
    words = "; ".join(
        f"{shown(each.words)} {moment(each.at.isoformat(), with_day=True)}: {shown(each.left)}"
        for each in due
    )
    return words or NOTHING, any(each.overdue for each in due)


def _pressing(row: Row) -> Place:
    """Cases that are not closed come first, and of those what is due soonest."""
    case = convert(row, CaseDue)
    due = [int(datetime.fromisoformat(at).timestamp()) for at, _ in due_of(case)]
    return int(case.status == "closed"), min(due, default=_NEVER), row["case"]


async def list_cases(desk: Desk, request: Request, who: Visitor) -> Response:
    """Every case, with its deadlines, the most pressing first."""
    report = REPORTS["disputes"]
    counted = await desk.counted([report])
    turn, due = Turn.of(request.query_params), partial(_due, clock.wall_clock())
    sheet = await desk.in_thread(
        lambda: reports.read(
            desk.database, report, {}, turn,
            order=_pressing, columns=_LISTED, counted=counted, own={"deadlines": due},
        )
    )  # fmt: skip
    return desk.page(request, who, "cases.html", counted=counted, sheet=sheet)


async def show_case(desk: Desk, request: Request, who: Visitor) -> Response:
    """A case, and what may be done next."""
    name, now = request.path_params["case"], clock.wall_clock()
    counted = await desk.counted([LEFT_OPEN])
    case = await desk.in_thread(lambda: read(desk.database, name, now, counted))
    table = addresses.Coup.parse(case.coup).shoe.table_day.table
    can_hold = case.status == "open" and (await desk.floor()).can_be_held(table)
    return desk.page(
        request, who, "case.html", counted=counted, case=case, d=cases_on_pages, can_hold=can_hold
    )


async def open_case(desk: Desk, request: Request, who: Visitor) -> Response:
    """Opens a case about a coup."""
    form = await read_form(request)
    asked = acts.read("dispute.open", typed_in("open", form), form, who)
    coup = f"/coups/{quote(form['coup'])}" if form.get("coup") else "/cases"
    answer = await acts.act(desk, request, who, asked, form, coup)
    opened = answer.body.get("case", "") if isinstance(answer, Answer) else ""
    case = f"/cases/{opened}"
    if opened and not opens(case):  # who opened it may not read it
        done = Words("{case} is opened. Whoever may read cases goes on with it.", case=opened)
        reply = Reply("done", shown(done))
        return desk.page(request, who, "reply.html", reply=reply, then=coup, heading=opened)
    return acts.go_on(answer, case if opened else coup)


async def act_on_case(desk: Desk, request: Request, who: Visitor) -> Response:
    """What a form asks for: a note, a decision by two people, and so on."""
    form, act, case = (
        await read_form(request),
        request.path_params["act"],
        request.path_params["case"],
    )
    asked = acts.read(f"dispute.{act}", {"case": case, **typed_in(act, form)}, form, who)
    answer = await acts.act(desk, request, who, asked, form, f"/cases/{case}")
    return acts.go_on(answer, f"/cases/{case}")


async def export_case(desk: Desk, request: Request, who: Visitor) -> Response:
    """The file of a case for the regulator; that it was made is recorded."""
    name = request.path_params["case"]
    return await exported(desk, request, who, "dispute", name, f"/cases/{name}")
