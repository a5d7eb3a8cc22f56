"""The display for patrons: roads, cards, limits; it names nobody and needs no sign-on."""

from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from domain.rules import addresses
from domain.rules.refusals import BadValue
from domain.rules.roads import roads
from domain.rules.wording import Words, listed
from ops.now.table_now import TableNow
from ops.roads import road, svg
from ops.web.pages.beside import meters_of, offers_of
from ops.web.pages.desk import Desk
from ops.web.pages.floor import Floor
from ops.web.pages.live import Drawn, Pieces, View
from ops.web.pages.render import part
from ops.web.pages.table import last_days, outcome
from ops.web.pages.visitor import Visitor
from ops.words import coups, pages
from ops.words.language import amount, reading, shown
from ops.words.rule_terms import coupon_words, kind_called, meter_words, taken_words

NIGHT = "night"  # the theme of a house that chose none


def look_of(query: Mapping[str, str]) -> svg.Look:
    """How the house wants its displays. Refuses: BadValue."""
    theme, letters = query.get("theme", NIGHT), query.get("letters", "no")
    if theme not in svg.THEMES:
        why = Words("the themes are {names}", names=listed(svg.THEMES))
        raise BadValue(field="theme", value=theme, why=why)
    if letters not in ("yes", "no"):
        raise BadValue(field="letters", value=letters, why=Words("write `yes` or `no`"))
    return svg.Look(theme, letters == "yes")


def query_of(look: svg.Look) -> str:
    """The same, for an address."""
    return urlencode({"theme": look.theme, "letters": "yes" if look.letters else "no"})


async def show_wall(desk: Desk, request: Request, who: Visitor) -> Response:
    """The display for patrons; it names nobody and needs no sign-on. Refuses: NotFound."""
    code, look = request.path_params.get("table", ""), look_of(request.query_params)
    if code and code not in (await desk.floor()).tables:
        await last_days(desk, code)
    view, query = view_of(who.language, code, look), query_of(look)
    return await desk.going_on(request, who, "wall.html", view, code=code, look=look, query=query)


async def follow_wall(desk: Desk, request: Request, who: Visitor) -> Response:
    """What changes on the display."""
    code, look = request.path_params.get("table", ""), look_of(request.query_params)
    view = view_of(who.language, code, look)
    return await desk.stream(view, who, "road", {}, desk.rooms.displays)


async def draw_road(desk: Desk, request: Request, _: Visitor) -> Response:
    """All roads of a shoe as a picture."""
    shoe, look = addresses.Shoe.parse(request.path_params["shoe"]), look_of(request.query_params)
    drawn = await desk.in_thread(lambda: road.find(desk.database, shoe))
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return Response(svg.picture(str(shoe), drawn.roads, look), 200, headers, "image/svg+xml")


def view_of(language: str, code: str, look: svg.Look) -> View:
    """The display for patrons: of one table, or with '' of all; it names nobody."""

    def draw(floor: Floor, pieces: Pieces) -> Drawn:
        with reading(language):
            return drawn(floor, code, partial(_small, pieces, language, look), look)

    return View(
        ("wall", language, code, query_of(look)), draw, of_table(code) if code else of_tables
    )


def of_table(code: str) -> Callable[[Floor], tuple[object, ...]]:
    """What a page of one table is drawn from, if it needs nothing of the board."""
    return lambda floor: (floor.tables.get(code), floor.lost)


def of_tables(floor: Floor) -> tuple[object, ...]:
    """What the display of all tables is drawn from."""
    return (*codes_of(floor), *map(floor.tables.get, codes_of(floor)), floor.lost)


def codes_of(floor: Floor) -> list[str]:
    """The tables of the gaming day that can be read."""
    every = floor.seen.tables if floor.seen else []
    return sorted(each.table for each in every if each.table in floor.tables)


def drawn(floor: Floor, code: str, small: Callable[[TableNow], str], look: svg.Look) -> Drawn:
    """The parts of the patrons' display; `small` draws one of many tables."""
    if code:
        tables = {f"wall-{code}": _table(code, floor.tables.get(code), look, large=True)}
    else:
        tables = {f"wall-{each}": small(floor.tables[each]) for each in codes_of(floor)}
    tables = tables or {"no-table": part("pit_parts.html", "no_table")}
    lost = part("wall_parts.html", "lost", lost=floor.lost)
    return Drawn({"lost-ledger": lost, **tables}, {"wall": list(tables)})


def _small(pieces: Pieces, language: str, look: svg.Look, now: TableNow) -> str:
    return pieces.of(
        ("wall", language, query_of(look), now.table),
        (now,),
        lambda: _table(now.table, now, look, large=False),
    )


def _table(code: str, now: TableNow | None, look: svg.Look, *, large: bool) -> str:
    return part(
        "wall_parts.html",
        "table",
        code=code,
        now=now,
        counts=roads(now.beads).counts() if now else {},
        outcome=outcome(now) if now else "",
        limits=limits_of(now) if now else [],
        offers=offers_of(now),
        meters=meters_of(now),
        large=large,
        query=query_of(look),
    )


def limits_of(now: TableNow) -> list[tuple[str, str]]:
    """The limits of each kind of wager, when bets and coupons are taken, the terms of meters."""
    terms = now.rules.terms if now.rules else {}
    meters = now.rules.progressives if now.rules else {}
    limits = [
        (
            shown(pages.MAIN_BETS) if spot == "main" else coups.spot_name(spot),
            f"{amount(least, now.currency, short=True)}–{amount(most, now.currency, short=True)}",
        )
        for spot, (least, most) in now.limits.items()
    ]
    return [
        *limits,
        *((coups.spot_name(spot), taken_words(each, now.currency)) for spot, each in terms.items()),
        *(
            (coups.spot_name(spot), shown(meter_words(each, now.currency)))
            for spot, each in meters.items()
        ),
        *(
            (shown(kind_called(kind)), shown(coupon_words(each)))
            for kind, each in (now.rules.coupons if now.rules else {}).items()
        ),
    ]
