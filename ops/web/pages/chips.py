"""Chips of the trays: fills and credits from request to receipt, and the count of a shift."""

from collections.abc import Sequence
from urllib.parse import quote

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from domain.aggregates.slips import SlipBook
from domain.events import slip_book
from domain.rules.refusals import NotFound
from ops.commands.house_events import house
from ops.commands.rights import Rights
from ops.finding.opening import OF_SLIP, opens
from ops.handlers.answer import Answer
from ops.ledger.facts import facts_naming
from ops.now.table_now import TableNow
from ops.reports.ask import Row
from ops.reports.paging import Place, Turn
from ops.web.pages import acts, reports, sheets
from ops.web.pages.command_forms import CommandForm, Next, chips_of, form_of, typed
from ops.web.pages.desk import Desk
from ops.web.pages.forms import read_form
from ops.web.pages.visitor import Visitor
from ops.words import pages as words
from ops.words.language import shown
from projections import REPORTS

PAGE = "/slips"
REPORT = REPORTS[OF_SLIP[0]]
# The step after each, what its button says, and who does it; a slip is cancelled before it is
# received only.
_NEXT = {
    "requested": ("issue", words.ISSUE_SLIP, words.NEXT_IS_ISSUED),
    "issued": ("carry", words.CARRY_SLIP, words.NEXT_IS_CARRIED),
    "carried": ("receive", words.RECEIVE_SLIP, words.NEXT_IS_RECEIVED),
}
_STEPS = {
    each.TOPIC: each.STEP
    for each in (
        *(slip_book.SlipRequested, slip_book.SlipIssued, slip_book.SlipCarried),
        *(slip_book.SlipReceived, slip_book.SlipVoided),
    )
}
_ACTS = (*(act for act, *_ in _NEXT.values()), "void")


def forms_at(table: str, now: TableNow, rights: Rights, shifts: Sequence[str]) -> list[CommandForm]:
    """The forms of a table's tray: a fill or credit, and the count at the end of a shift."""
    chips = chips_of(now.rules.chips if now.rules else (), now.currency)
    kinds = [(each, shown(word)) for each, word in words.KINDS_OF_SLIP.items()]
    named = [(each, "") for each in shifts]  # in the house's own words
    forms = (
        form_of(
            "slip.request", PAGE, words.REQUEST_SLIP, rights,
            without=("table",), choices={"kind": kinds}, chips=chips,
        ),
        form_of(
            "table.shift-count", f"/tables/{quote(table, safe='')}/shift-count", words.COUNT_SHIFT,
            rights, without=("table",), choices={"shift": named}, chips=chips,
        ),
    )  # fmt: skip
    here = {"table": table}
    return [replace(each, hidden=here) for each in forms if rights.may_give(each.command)]


def _forms_of(slip: str, status: str, rights: Rights) -> list[CommandForm]:
    """What may be done next with a slip, by whom it is shown to."""
    if status not in _NEXT:
        return []
    act, button, _ = _NEXT[status]
    here = f"{PAGE}/{quote(slip, safe='')}"
    forms = (
        form_of(f"slip.{act}", f"{here}/{act}", button, rights, without=("slip",)),
        form_of("slip.void", f"{here}/void", words.VOID_SLIP, rights, without=("slip",)),
    )
    return [each for each in forms if rights.may_give(each.command)]


def _under_way(row: Row) -> Place:
    """Slips under way come first; of each kind the newest."""
    year, _, number = row["slip"].partition("-")
    return int(row["status"] not in _NEXT), -int(year), -int(number)


async def list_slips(desk: Desk, request: Request, who: Visitor) -> Response:
    """The fills and credits of the house, those under way first."""
    counted = await desk.counted([REPORT])
    turn = Turn.of(request.query_params)
    asked = {"table": request.query_params.get("table")}
    sheet = await desk.in_thread(
        lambda: reports.read(
            desk.database, REPORT, asked, turn, order=_under_way, counted=counted
        )
    )  # fmt: skip
    return desk.page(request, who, "slips.html", counted=counted, sheet=sheet)


async def show_slip(desk: Desk, request: Request, who: Visitor) -> Response:
    """A fill or a credit: who requested, issued, carried and received it, and what is next."""
    slip = request.path_params["slip"]
    status = await desk.in_thread(lambda: _status_of(desk, slip))
    forms = _forms_of(slip, status, who.rights)
    then = shown(_NEXT[status][-1]) if status in _NEXT else ""
    return await sheets.about_slip(desk, request, who, slip, Next(then, forms))


async def ask_for(desk: Desk, request: Request, who: Visitor) -> Response:
    """Requests a fill or a credit; the page of its slip has what comes next."""
    form = await read_form(request)
    then = f"/tables/{quote(form.get('table', ''), safe='')}"
    answer = await _done(desk, request, who, "slip.request", form, then)
    slip = answer.body.get("slip", "") if isinstance(answer, Answer) else ""
    page = f"{PAGE}/{slip}"
    reads = slip and opens(who.rights, page)
    return acts.go_on(answer, page if reads else then)


async def act_on_slip(desk: Desk, request: Request, who: Visitor) -> Response:
    """Issues, carries, receives or cancels a slip."""
    slip, act = request.path_params["slip"], request.path_params["act"]
    if act not in _ACTS:
        raise NotFound(what=f"`slip {act}`")
    form = {**await read_form(request), "slip": slip}
    here = f"{PAGE}/{quote(slip, safe='')}"
    answer = await _done(desk, request, who, f"slip.{act}", form, here)
    return acts.go_on(answer, here)


async def count_shift(desk: Desk, request: Request, who: Visitor) -> Response:
    """Counts a tray at the end of a shift; the inventory has the count and its variance."""
    table = request.path_params["table"]
    form = {**await read_form(request), "table": table}
    then = f"/tables/{quote(table, safe='')}"
    answer = await _done(desk, request, who, "table.shift-count", form, then)
    counts = f"/reports/inventory?table={quote(table, safe='')}"
    done = isinstance(answer, Answer) and answer.ok and opens(who.rights, counts)
    return acts.go_on(answer, counts if done else then)


async def _done(
    desk: Desk, request: Request, who: Visitor, command: str, form: dict[str, str], then: str
) -> Answer | Response:
    currency = await desk.in_thread(lambda: _currency_of(desk))
    asked = acts.read(command, typed(command, form, currency), form, who)
    return await acts.act(desk, request, who, asked, form, then)


def _currency_of(desk: Desk) -> str:
    with desk.database.session("sabot_auditor") as connection:
        return house(connection).currency


def _status_of(desk: Desk, slip: str) -> str:
    """The status of a slip after the last event that names it; '' if no event does."""
    year = slip.partition("-")[0]
    if not (year.isascii() and year.isdecimal() and len(year) == 4):
        return ""
    with desk.database.session("sabot_auditor") as connection:
        named = facts_naming(connection, [SlipBook.stream(int(year))], slip)
        steps = [_STEPS[each.topic] for each in named if each.topic in _STEPS]
    return steps[-1] if steps else ""
