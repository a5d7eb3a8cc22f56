"""A case from complaint to pack: its events, and what may be done next."""

import re
from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.rules import addresses
from domain.rules.refusals import NotFound
from ops.commands.house_events import house
from ops.ledger.database import Database
from ops.ledger.mapper import fields_of
from ops.ledger.recorder import flush
from ops.ledger.streams import name_of
from ops.replay.case import read_case
from ops.web.pages import reports
from ops.web.pages.desk import Desk
from ops.web.pages.forms import file_of, read_form, signed_by
from ops.web.pages.visitor import Visitor
from ops.words.coups import proved
from ops.words.events import sentence
from ops.words.language import shown
from projections import REPORTS


class CaseEvent(Struct, frozen=True):
    """One event of a case."""

    at: datetime
    words: str
    position: int
    by: str


class Case(Struct, frozen=True):
    """A case as it is now."""

    name: str
    coup: str
    patron: str
    complaint: str
    amount: int | None
    currency: str
    zone: ZoneInfo
    events: list[CaseEvent]
    status: str
    notify_by: str | None  # the deadline to notify the regulator
    decided: bool
    closed: bool
    holds: bool


# What a form may send to each command of a case: fields that become options, then arguments.
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "open": ("amount", "hold"),
    "note": ("evidence", "what-if"),
    "decide": ("seat", "spot", "to", "as"),
}
_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "open": ("coup", "patron", "complaint"),
    "note": ("case", "text"),
    "decide": ("case", "decision", "reason"),
    "tell": ("case",),
    "notify": ("case", "reference"),
    "hold": ("case",),
    "release": ("case",),
    "close": ("case",),
}
_FLAGS = ("hold",)
_NAME = re.compile(r"\bC-\d{4}-\d{4,}\b")
ACTS = tuple(_ARGUMENTS)


def read(database: Database, name: str) -> Case:
    """A case. Refuses: NotFound. Raises LedgerLost, UnreadableEvent."""
    with database.session("sabot_auditor") as connection:
        of = house(connection)
        _, case = read_case(connection, addresses.Case.parse(name))
        flush(connection)
    opened = case.opened
    return Case(
        name=name,
        coup=opened.coup,
        patron=opened.patron,
        complaint=opened.complaint,
        amount=opened.amount,
        currency=of.currency,
        zone=ZoneInfo(of.zone),
        events=[
            CaseEvent(
                at=line.at,
                words=shown(
                    sentence(
                        {"type": name_of(line), **fields_of(line.event)},
                        of.currency,
                        marked=False,
                    )
                    or name_of(line)
                ),
                position=line.position,
                by=proved(getattr(line.event, "approved_by", "") or "", line.proved),
            )
            for line in case.lines
        ],
        status=case.status,
        notify_by=case.notify_by,
        decided=bool(case.decisions),
        closed=case.closed is not None,
        holds=bool(case.holds and case.holds[-1].step == "placed"),
    )


def words_of(act: str, form: Mapping[str, str]) -> list[str]:
    """The command of the shell that a form asks for. Refuses: NotFound.

    A value never becomes an option: options have it behind `=`, arguments come after `--`.
    """
    if act not in _ARGUMENTS:
        raise NotFound(what=f"`dispute {act}`")
    words = ["dispute", act]
    for name in (*_OPTIONS.get(act, ()), "with"):
        value = form.get(name, "").strip()
        if name in _FLAGS:
            words += [f"--{name}"] * bool(value)
        elif value:
            words.append(f"--{name}={value}")
    arguments = [form.get(name, "").strip() for name in _ARGUMENTS[act]]
    while arguments and not arguments[-1]:
        arguments.pop()
    return [*words, "--", *arguments]


async def list_cases(desk: Desk, request: Request, who: Visitor) -> Response:
    """Every case, with its deadlines."""
    await desk.require(who, "dispute list", {})
    report = REPORTS["disputes"]
    sheet = await desk.in_thread(lambda: reports.read(desk.database, report, {}))
    return desk.page(request, who, "cases.html", sheet=sheet)


async def show_case(desk: Desk, request: Request, who: Visitor) -> Response:
    """A case, and what may be done next."""
    name = request.path_params["case"]
    await desk.require(who, "dispute show", {"case": name})
    case = await desk.in_thread(lambda: read(desk.database, name))
    return desk.page(request, who, "case.html", case=case)


async def open_case(desk: Desk, request: Request, who: Visitor) -> Response:
    """Opens a case about a coup."""
    form = await read_form(request)
    answer = await desk.act(who, _given("open", form, who), form_id=form.get("id", ""))
    opened = _NAME.search(answer.out)
    return desk.done(request, who, answer, f"/cases/{opened[0]}" if opened else "/cases")


async def act_on_case(desk: Desk, request: Request, who: Visitor) -> Response:
    """What a form asks for: a note, a decision by two people, and so on."""
    form, name = await read_form(request), request.path_params["case"]
    form["case"] = name
    then = f"/cases/{name}"
    asked = _given(request.path_params["act"], form, who)
    answer = await desk.act_for_two(request, who, asked, form, then)
    return answer if isinstance(answer, Response) else desk.done(request, who, answer, then)


async def export_case(desk: Desk, request: Request, who: Visitor) -> Response:
    """The file of a case for the regulator; that it was made is recorded."""
    name, form = request.path_params["case"], (await read_form(request)).get("form", "pdf")
    answer = await desk.act(who, ["dispute", "export", "--into=packs", *signed_by(who), "--", name])
    return file_of(
        desk, request, who, answer, ".json" if form == "json" else ".pdf", f"/cases/{name}"
    )


def _given(act: str, form: dict[str, str], who: Visitor) -> list[str]:
    """The command of a form, with whoever gives it."""
    words = words_of(act, form)
    at = words.index("--")
    return [*words[:at], *signed_by(who), *words[at:]]
