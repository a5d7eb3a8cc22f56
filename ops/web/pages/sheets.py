"""Pages of several reports about one thing: a shoe, a patron, a stay, a day, a person."""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from domain.rules import addresses
from ops.now.books import read_shoe
from ops.reports.readable import readable
from ops.web.pages import reports
from ops.web.pages.desk import Desk
from ops.web.pages.visitor import Visitor
from projections import REPORTS

# Of which reports a page is made.
_PATRON = ("commission", "ratings", "wagers", "cash-log", "exceptions")
_STAY = ("commission", "wagers", "ratings", "vigorish")
_DAY = ("table-win", "commission", "measures", "exceptions", "dealers", "disputes", "audits")
_STAFF = ("dealers", "access")
_SHOE = ("shoe-log", "coup", "cards")
_FEW = 50  # rows of a report on such a page


async def show_shoe(desk: Desk, request: Request, who: Visitor) -> Response:
    """A shoe: its roads, its coups, its cards."""
    shoe = str(addresses.Shoe.parse(request.path_params["shoe"]))
    page = await _sheets(desk, request, who, _SHOE, {"shoe": shoe}, title=shoe, picture=shoe)
    await desk.in_thread(lambda: _require_shoe(desk, shoe))
    return page


def _require_shoe(desk: Desk, shoe: str) -> None:
    """Refuses a shoe that there is not: NotFound."""
    with readable():
        read_shoe(desk.database, shoe)


async def show_patron(desk: Desk, request: Request, who: Visitor) -> Response:
    """A patron: what they owe, their play, their cash."""
    patron = request.path_params["patron"]
    return await _sheets(desk, request, who, _PATRON, {"patron": patron}, title=patron)


async def show_stay(desk: Desk, request: Request, who: Visitor) -> Response:
    """A stay: a patron's time at one table, what they bet there and owe."""
    stay = request.path_params["stay"]
    of_day, _, _ = stay.rpartition("/")
    day = addresses.TableDay.parse(of_day)
    asked: dict[str, str | None] = {"table": day.table, "day": day.day.isoformat()}
    return await _sheets(desk, request, who, _STAY, asked, title=stay, about=stay)


async def show_day(desk: Desk, request: Request, who: Visitor) -> Response:
    """A gaming day."""
    day = addresses.parse_day(request.path_params["day"]).isoformat()
    return await _sheets(desk, request, who, _DAY, {"day": day}, title=day)


async def show_staff(desk: Desk, request: Request, who: Visitor) -> Response:
    """A person of the house: their stints, their sign-ons."""
    staff = request.path_params["staff"]
    return await _sheets(desk, request, who, _STAFF, {}, title=staff, about=staff)


async def _sheets(
    desk: Desk,
    request: Request,
    who: Visitor,
    names: tuple[str, ...],
    asked: dict[str, str | None],
    *,
    title: str,
    picture: str = "",
    about: str = "",
) -> Response:
    """A page of several reports about one thing; those that may not be read are left out."""
    sheets = []
    for name in names:
        report = REPORTS[name]
        if not await desk.in_thread(lambda: desk.house.may_read(who.caller, f"report {name}")):  # noqa: B023
            continue
        await desk.require(who, f"report {name}", asked)
        sheets.append(
            await desk.in_thread(lambda: reports.read(desk.database, report, asked, _FEW, about))  # noqa: B023
        )
    if not sheets:
        await desk.require(who, f"report {names[0]}", asked)  # which says why not
    query = urlencode({name: value for name, value in asked.items() if value})
    return desk.page(
        request, who, "sheets.html", title=title, sheets=sheets, picture=picture, query=query
    )
