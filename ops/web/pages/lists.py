"""Lists of everything of a kind: tables and rules have a page, all else the report about it."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from domain.rules.rulebook import RULEBOOK
from ops.commands.reader import Asked
from ops.finding.opening import LISTED_IN, list_for
from ops.web.pages.desk import Desk
from ops.web.pages.visitor import Visitor


async def lead_to_list(desk: Desk, request: Request, who: Visitor) -> Response:
    """To the report that lists what has pages below this address. Refuses: NotPermitted."""
    path = request.url.path
    if not (href := list_for(who.rights, path)):
        await desk.require(who, Asked(f"report {LISTED_IN[path][0]}"))  # which says why not
    return RedirectResponse(href or "/reports", 303)


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
