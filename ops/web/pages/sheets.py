"""Pages of several reports about one thing: a shoe, a patron, a stay, a day, a person."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from domain.rules import addresses
from domain.rules.choices import one_of
from domain.rules.refusals import BadValue, NotFound
from domain.rules.wording import N_, Words
from ops.commands.reader import Asked
from ops.finding.hits import find, names_staff
from ops.finding.opening import (
    ALSO_OF_DAY,
    ALSO_OF_PATRON,
    ALSO_OF_STAY,
    OF_DAY,
    OF_PATRON,
    OF_SHOE,
    OF_SLIP,
    OF_STAFF,
    OF_STAY,
    of_stay,
)
from ops.ledger import clock
from ops.ledger.database import Database
from ops.reports.names import names_like
from ops.reports.narrowings import options_of
from ops.reports.paging import FIRST, Turn
from ops.reports.readable import readable
from ops.reports.together import together
from ops.roads import road
from ops.web.pages import reports, settling
from ops.web.pages.command_forms import NOTHING_NEXT, Next
from ops.web.pages.desk import Desk
from ops.web.pages.persons import NOBODY, Person, person_of
from ops.web.pages.visitor import Visitor
from ops.words import language
from ops.words.columns import title_here
from projections import REPORTS, Report

_FEW = 20  # rows of a report on such a page; a shoe is shown whole
# Of a report, other columns than its own page has.
_COLUMNS = {
    "disputes": (
        *("case", "coup", "dealer", "complaint", "in_dispute", "decision", "effect", "status"),
    ),
    "slips": (
        *("slip", "kind", "at", "table", "chips", "total", "asked_by", "requested_by"),
        *("cashier", "runner"),
        *("dealer", "supervisor", "status", "reason"),
    ),
}
# Of a report whose one row is the head of a page, what is shown there, by the kind of page.
_HEADS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("stay", "ratings"): (
        *("patron", "table", "seat", "day", "seated_at", "left_at", "buy_in", "coups"),
        *("average_wager", "handle", "win_loss", "theoretical_win"),
    ),
}
# Papers about what a page is about, each a report that is narrowed to it.
_PAPERS = defaultdict[str, tuple[str, ...]](tuple, {"patron": ("statement",)})

_ONLY = ("stay", "slip")  # kinds of whose page every row is about it, in a column of that name
_CALLED = {
    "patron": N_("patron {name}"),
    "stay": N_("stay {name}"),
    "day": N_("gaming day {name}"),
    "staff": N_("member of staff {name}"),
    "slip": N_("slip {name}"),
    "shoe": N_("shoe {name}"),
}


async def show_shoe(desk: Desk, request: Request, who: Visitor) -> Response:
    """A shoe: its roads, its coups, its cards."""
    address = addresses.Shoe.parse(request.path_params["shoe"])
    shoe = str(address)
    counted = await desk.counted(REPORTS[each] for each in OF_SHOE)
    if not counted:
        await desk.in_thread(lambda: _require_shoe(desk, address))
    return await _sheets(
        desk, request, who, OF_SHOE, {"shoe": shoe},
        kind="shoe", title=shoe, picture="" if counted else shoe,
    )  # fmt: skip


def _require_shoe(desk: Desk, shoe: addresses.Shoe) -> None:
    """Refuses a shoe that there is not: NotFound."""
    with readable():
        road.find(desk.database, shoe)


async def show_patron(desk: Desk, request: Request, who: Visitor) -> Response:
    """A patron: who they are, what they owe, their play, their cases, their cash."""
    patron = request.path_params["patron"]
    return await _sheets(
        desk, request, who, (*OF_PATRON, *ALSO_OF_PATRON), {"patron": patron},
        kind="patron", title=patron, person=await person_of(desk, who, "patron", patron),
        then=await settling.next_with(desk, who, patron),
    )  # fmt: skip


async def show_stay(desk: Desk, request: Request, who: Visitor) -> Response:
    """A stay: who sat where and when, the cash that moved, what was bet, won and owed."""
    stay = request.path_params["stay"]
    names = (*OF_STAY, *ALSO_OF_STAY)
    return await _sheets(
        desk, request, who, names, of_stay(stay), kind="stay", title=stay, about=stay
    )


async def show_day(desk: Desk, request: Request, who: Visitor) -> Response:
    """A gaming day."""
    day = addresses.parse_day(request.path_params["day"]).isoformat()
    names = (*OF_DAY, *ALSO_OF_DAY)
    return await _sheets(desk, request, who, names, {"day": day}, kind="day", title=day)


async def show_staff(desk: Desk, request: Request, who: Visitor) -> Response:
    """A person of the house: their stints, their sign-ons."""
    staff = request.path_params["staff"]
    person = await person_of(desk, who, "staff", staff)
    return await _sheets(
        desk, request, who, OF_STAFF, {"staff": staff},
        kind="staff", title=staff, about=staff, person=person,
    )  # fmt: skip


async def about_slip(desk: Desk, request: Request, who: Visitor, slip: str, then: Next) -> Response:
    """A fill or a credit: who requested, issued, carried and received it, and what is next."""
    return await _sheets(
        desk, request, who, OF_SLIP, {}, kind="slip", title=slip, about=slip, then=then
    )


async def _sheets(
    desk: Desk,
    request: Request,
    who: Visitor,
    names: tuple[str, ...],
    asked: dict[str, str | None],
    *,
    kind: str,
    title: str,
    picture: str = "",
    about: str = "",
    person: Person = NOBODY,
    then: Next = NOTHING_NEXT,
) -> Response:
    """A page of several reports about one thing; those that may not be read are left out.

    Refuses: NotFound, for a thing of this kind that the record does not have.
    """
    shown = _readable(who, names, asked)
    counted, of = await desk.counted(shown), _turned(request.query_params, names)
    turn, most = Turn.of(request.query_params), reports.MOST if kind == "shoe" else _FEW

    def read_all() -> list[reports.Sheet]:
        with together(desk.database, shown, counted) as session:
            return [
                reports.read(
                    desk.database, each, asked, turn if each.name == of else FIRST, most,
                    "" if "staff" in each.narrowings else about,
                    columns=_columns(kind, each, asked), counted=counted,
                    without=kind if kind in _ONLY else "", session=session,
                )
                for each in shown
            ]  # fmt: skip

    sheets = await desk.in_thread(read_all)
    if not counted and not any(each.many for each in sheets):
        await desk.in_thread(lambda: _require_there(desk.database, kind, title, clock.wall_clock()))
    return desk.page(
        request, who, "sheets.html",
        counted=counted, person=person, picture=picture, then=then,
        **_shown(kind, title, asked, sheets),
    )  # fmt: skip


def _shown(
    kind: str, title: str, asked: Mapping[str, str | None], sheets: Sequence[reports.Sheet]
) -> Mapping[str, Any]:
    """The heading, the head, the reports below it and the papers about it."""
    heads = [each for each in sheets if (kind, each.name) in _HEADS and len(each.rows) == 1]
    below = [each for each in sheets if each not in heads]
    return {
        "title": language.day(date.fromisoformat(title)) if kind == "day" else title,
        "heads": heads,
        "sheets": [each for each in below if each.has_content],
        "empty": [each for each in below if not each.has_content],
        "whole": {each.name: _whole(each.name, asked) for each in sheets},
        "papers": [(_whole(each, asked), title_here(REPORTS[each])) for each in _PAPERS[kind]],
    }


def _whole(name: str, asked: Mapping[str, str | None]) -> str:
    """The address of a report, narrowed as it can be."""
    taken = {each: asked[each] for each in options_of(REPORTS[name]) if asked.get(each)}
    return f"/reports/{name}?{urlencode(taken)}" if taken else f"/reports/{name}"


def _readable(who: Visitor, names: Sequence[str], asked: Mapping[str, str | None]) -> list[Report]:
    """Those of these reports that they may read."""
    return [
        REPORTS[name] for name in names if who.rights.may_read(Asked(f"report {name}", about=asked))
    ]


def _require_there(database: Database, kind: str, name: str, now: datetime) -> None:
    """Refuses a name that nothing of the kind has: NotFound."""
    with database.session("sabot_auditor") as connection:
        if kind == "patron":
            there = bool(names_like(connection, name))
        else:
            there = (kind, name) in {(hit.kind, hit.name) for hit in find(connection, name, now)}
        if kind == "staff":  # in an open house people are named whom nobody has enrolled
            there = there or names_staff(connection, name)
    if not there:
        raise NotFound(what=Words(_CALLED[kind], name=name))


def _columns(kind: str, report: Report, asked: Mapping[str, str | None]) -> Sequence[str]:
    """The columns of a report, without those that have the same in every row of the page."""
    if head := _HEADS.get((kind, report.name)):
        return head
    columns = _COLUMNS.get(report.name, ()) or report.shown or report.columns
    return [each for each in columns if each not in asked]


def _turned(query: Mapping[str, str], names: tuple[str, ...]) -> str:
    """The report of which another page is asked for, or ''. Refuses: BadValue."""
    of = query.get("of", "")
    if of and of not in names:
        raise BadValue(field="of", value=repr(of), why=one_of(names, of, "`/reports`"))
    return of
