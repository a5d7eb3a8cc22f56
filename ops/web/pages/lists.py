"""Lists of everything of a kind: of tables, of rules, and of what a report names, each once."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from domain.rules.rulebook import RULEBOOK
from ops.commands.reader import Asked
from ops.finding.opening import LISTED_IN, PAGE_OF, lists_for, named
from ops.reports.counted import Counted
from ops.reports.paging import Turn
from ops.web.pages import reports
from ops.web.pages.desk import Desk
from ops.web.pages.visitor import Visitor

# What a list shows of a report, if not what the report's own page does.
_COLUMNS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("/patrons", "ratings"): ("patron", "table", "seat", "seated_at", "left_at"),
    ("/patrons", "commission"): ("patron", "table", "day"),
    ("/stays", "ratings"): ("stay", "patron", "table", "seat", "seated_at", "left_at"),
    ("/stays", "commission"): ("stay", "patron", "table"),
    ("/days", "audits"): ("day", "audited", "audited_by", "audited_at"),
    ("/days", "commission"): ("day", "table"),
    ("/staff", "staff"): ("staff", "role", "access", "last_sign_on"),
    ("/staff", "dealers"): ("staff", "table", "from", "to"),
    ("/staff", "access"): ("staff", "at", "act"),
}


async def list_things(desk: Desk, request: Request, who: Visitor) -> Response:
    """Everything that has a page below this address, with its newest row in a report.

    The first of its reports that they may read and that names any. Refuses: NotPermitted.
    """
    path, turn = request.url.path, Turn.of(request.query_params)
    thing = next(name for name, page in PAGE_OF.items() if page == f"{path}/")
    if not (offered := lists_for(who.rights, path)):
        await desk.require(who, Asked(f"report {LISTED_IN[path][0]}"))  # which says why not
    for href in offered:
        sheet, counted = await _read(desk, who, href, path, thing, turn)
        if sheet.many or counted:
            break
    return desk.page(request, who, "list.html", counted=counted, sheet=sheet, of=href, path=path)


async def _read(
    desk: Desk, who: Visitor, href: str, path: str, thing: str, turn: Turn
) -> tuple[reports.Sheet, Counted | None]:
    """The newest row about each thing, of the report at an address."""
    place = urlsplit(href)
    report, asked = named(place.path.rpartition("/")[2]), dict(parse_qsl(place.query))
    await desk.require(who, Asked(f"report {report.name}", about=asked))
    counted = await desk.counted([report])
    columns = _COLUMNS.get((path, report.name), ())
    sheet = await desk.in_thread(
        lambda: reports.read(
            desk.database, report, asked, turn, columns=columns, counted=counted, once=thing
        )
    )
    return sheet, counted


async def list_tables(desk: Desk, request: Request, who: Visitor) -> Response:
    """Every table of the house, with the gaming day on which it was opened last."""
    floor = await desk.floor()
    seen = floor.seen
    is_open = {each.table for each in seen.open_tables} if seen else set()
    return desk.page(
        request, who, "tables.html",
        counted=seen.counted if seen else None, tables=seen.placed if seen else {}, open=is_open,
    )  # fmt: skip


async def list_rules(desk: Desk, request: Request, who: Visitor) -> Response:
    """Every rule of play by its number."""
    return desk.page(request, who, "rules.html", rules=[*RULEBOOK.values()])


async def lead_to_display(_: Desk, __: Request, ___: Visitor) -> Response:
    """To the patrons' display, which has every table that may be watched."""
    return RedirectResponse("/wall", 303)
