"""The display for patrons: roads, cards, limits; it names nobody and needs no sign-on."""

from starlette.requests import Request
from starlette.responses import Response

from domain.rules import addresses
from domain.rules.roads import roads
from domain.rules.spots import SPOT
from ops.now.table_now import TableNow
from ops.roads import road, svg
from ops.web.pages.desk import Desk
from ops.web.pages.floor import Floor
from ops.web.pages.live import Drawn, View
from ops.web.pages.render import part
from ops.web.pages.table import outcome
from ops.web.pages.visitor import Visitor
from ops.words import coups, pages
from ops.words.language import amount, reading, shown


async def show_wall(desk: Desk, request: Request, who: Visitor) -> Response:
    """The display for patrons; it names nobody and needs no sign-on."""
    code = request.path_params.get("table", "")
    view = view_of(who.language, code)
    return await desk.going_on(request, who, "wall.html", view, code=code)


async def follow_wall(desk: Desk, request: Request, who: Visitor) -> Response:
    """What changes on the display."""
    view = view_of(who.language, request.path_params.get("table", ""))
    return await desk.stream(view, who, "road", {}, desk.rooms.displays)


async def draw_road(desk: Desk, request: Request, _: Visitor) -> Response:
    """All roads of a shoe as a picture."""
    shoe = addresses.Shoe.parse(request.path_params["shoe"])
    drawn = await desk.in_thread(lambda: road.find(desk.database, shoe))
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return Response(svg.picture(str(shoe), drawn.roads), 200, headers, "image/svg+xml")


def view_of(language: str, code: str) -> View:
    """The display for patrons: of one table, or with '' of all; it names nobody."""

    def draw(floor: Floor) -> Drawn:
        with reading(language):
            return drawn(floor, code)

    return View(("wall", language, code), draw)


def drawn(floor: Floor, code: str) -> Drawn:
    """The parts of the patrons' display."""
    every = floor.seen.tables if floor.seen else []
    codes = [code] if code else sorted(each.table for each in every)
    tables = {
        f"wall-{each}": part(
            "wall_parts.html",
            "table",
            code=each,
            now=now,
            counts=roads(now.beads).counts() if now else {},
            outcome=outcome(now) if now else "",
            limits=limits_of(now) if now else [],
            large=bool(code),
        )
        for each in codes
        if (now := floor.tables.get(each)) or code
    }
    tables = tables or {"no-table": part("pit_parts.html", "no_table")}
    lost = part("wall_parts.html", "lost", lost=floor.lost)
    return Drawn({"lost-ledger": lost, **tables}, {"wall": list(tables)})


def limits_of(now: TableNow) -> list[tuple[str, str]]:
    """The limits of each kind of wager."""
    return [
        (
            coups.spot_name(spot) if spot in SPOT else shown(pages.MAIN_BETS),
            f"{amount(least, now.currency, short=True)}–{amount(most, now.currency, short=True)}",
        )
        for spot, (least, most) in now.limits.items()
    ]
