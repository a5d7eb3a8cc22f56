"""A table now: the layout as it lies, who owes what, the roads, the shoes of the day."""

from collections.abc import Iterator
from functools import partial
from urllib.parse import urlencode

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.rules.addresses import Coup, TableDay, parse_day
from domain.rules.refusals import NotFound
from domain.rules.rulebook import RULEBOOK
from domain.rules.spots import rows
from domain.rules.wording import Words
from ops.board.lines import limits_of_main_bets, note
from ops.board.rows import BoardRow
from ops.commands.reader import Asked
from ops.finding.hits import days_of, last_dealt
from ops.now.coupons_now import CouponNow
from ops.now.table_now import SeatNow, TableNow
from ops.web.pages.alerts import alert_lines, open_lines
from ops.web.pages.beside import meters_of, offers_of, slips_of
from ops.web.pages.chips import forms_at
from ops.web.pages.desk import Desk
from ops.web.pages.floor import Floor
from ops.web.pages.live import Drawn, Pieces, View
from ops.web.pages.pit import TableCard, names_on, pauses_at, require_names, state
from ops.web.pages.render import part
from ops.web.pages.reports import Sheet, read
from ops.web.pages.viewer import Viewer, drawn_for
from ops.web.pages.visitor import Visitor
from ops.words import coups
from ops.words.columns import title_here
from ops.words.coupons_on_pages import became, lying_words
from ops.words.language import _, shown
from projections import REPORTS

INVENTORY = REPORTS["inventory"]
_OF_CLOSING = ("at", "total", "counted_by", "signed_by", "variance")
# The reports about a table on a gaming day, in the order in which they are asked for.
_OF_A_DAY = ("coup", "wagers", "exceptions", "slips", "inventory", "table-win")


class SpotRow(Struct, frozen=True):
    """A row of the layout: a spot, and what each seat has on it, in minor units."""

    spot: str
    stakes: list[int | None]


class CouponThere(Struct, frozen=True):
    """A coupon on the layout; `became`: what becomes of it, once that may be shown."""

    number: str
    words: str
    became: str

    @classmethod
    def of(cls, coupon: CouponNow, currency: str) -> "CouponThere":
        """The coupon of a seat."""
        words = lying_words(coupon.kind, coupon.worth, coupon.spot, currency)
        ends = coupon.payment
        return cls(
            coupon.coupon, shown(words), _(became(ends.ended, used=ends.used)) if ends else ""
        )


class Layout(Struct, frozen=True):
    """What lies on the layout, seat by seat in dealing order."""

    numbers: list[int]
    seats: list[SeatNow | None]
    rows: list[SpotRow]
    coupons: list[CouponThere | None]  # by seat; empty if there is none at all


def view_of(viewer: Viewer, code: str) -> View:
    """One table for all who see it alike, in one window or many."""

    def draw(floor: Floor, _: Pieces) -> Drawn:
        with drawn_for(viewer):
            return drawn(floor, code)

    return View(("table", *viewer.name, code), draw, partial(_shows, code), viewer.rights)


def _shows(code: str, floor: Floor) -> tuple[object, ...]:
    """What the page is drawn from; what is left until a deadline is told to the minute."""
    seen = floor.seen
    if seen is None:
        return (floor.lost,)
    here = seen.about(code)
    minute = seen.at.replace(second=0, microsecond=0)
    names = {each: floor.names.get(each) for row in here.tables for each in row.seats.by.values()}
    return (
        floor.tables.get(code), here.tables, here.alerts, here.pauses, names, minute,
        seen.currency, floor.lost,
    )  # fmt: skip


def drawn(floor: Floor, code: str) -> Drawn:
    """The parts of a table's page."""
    seen, now = floor.seen, floor.tables.get(code)
    row = next((each for each in seen.tables if each.table == code), None) if seen else None
    parts = {"table": _head(floor, code, row, now)}
    if seen is None or row is None or now is None:
        return Drawn(parts)
    parts["felt"] = _felt(row, now)
    parts["layout"] = part(
        "table_parts.html",
        "layout",
        lies=layout_of(now),
        now=now,
        plays=row.seats.plays,
        names=names_on(floor),
        pauses=pauses_at(seen, code),
    )
    parts["road"] = part("table_parts.html", "road", now=now)
    parts["facts"] = part(
        "table_parts.html",
        "facts",
        row=row,
        win=TableCard(row, now, presses=False).win(seen.currency),
        seen=seen,
        alerts=alert_lines(seen, code),
        unsettled=open_lines(seen, code),
    )
    return Drawn(parts)


def _head(floor: Floor, code: str, row: BoardRow | None, now: TableNow | None) -> str:
    """Whose table it is on which gaming day, its limits, and what it needs."""
    seen = floor.seen
    return part(
        "table_parts.html",
        "head",
        code=code,
        row=row,
        limits=limits_of_main_bets(row, seen.currency) if seen and row else "",
        needs=note(row) if row else "",
        meters=meters_of(now),
        slips=slips_of(now),
        day=now.day if now else "",
        seen=seen,
        lost=floor.lost,
    )


def _felt(row: BoardRow, now: TableNow) -> str:
    """The cards, and what is due by which rule."""
    due = row.due
    rule = RULEBOOK.get(due.rule) if due else None
    return part(
        "table_parts.html",
        "felt",
        now=now,
        state=state(row, now, rule=False),
        outcome=outcome(now),
        offers=offers_of(now),
        rule=due.rule if due else "",
        sentence=_(rule.sentence) if rule else "",
    )


def layout_of(now: TableNow) -> Layout:
    """The layout with its wagers; a spot on which nobody may bet is not on it."""
    by_number = {each.seat: each for each in now.seats}
    numbers = sorted({*by_number, *(now.rules.seats if now.rules else ())})
    spots = [spot for row in rows(now.spots) for spot in row]
    there = {
        seat.seat: CouponThere.of(seat.coupon, now.currency) for seat in now.seats if seat.coupon
    }
    return Layout(
        numbers=numbers,
        seats=[by_number.get(each) for each in numbers],
        rows=[
            SpotRow(spot, [_stake(by_number.get(each), spot) for each in numbers]) for spot in spots
        ],
        coupons=[there.get(each) for each in numbers] if there else [],
    )


def _stake(seat: SeatNow | None, spot: str) -> int | None:
    wager = seat.wager(spot) if seat else None
    return wager.stake if wager else None


def outcome(now: TableNow) -> str:
    """What the coup brought, as soon as it may be shown."""
    coup = now.coup
    if coup is None or coup.outcome is None:
        return ""
    return coups.outcome(coup.outcome, coup.player.total or 0, coup.banker.total or 0)


def reports_of(day: TableDay) -> Iterator[tuple[str, str]]:
    """The address and the title of each report about a table on a gaming day."""
    asked = urlencode({"table": day.table, "day": day.day.isoformat()})
    for name in _OF_A_DAY:
        yield f"/reports/{name}?{asked}", title_here(REPORTS[name])


async def show_table(desk: Desk, request: Request, who: Visitor) -> Response:
    """A table now, or its last gaming days if it is not open."""
    code = request.path_params["table"]
    floor = await desk.floor()
    counted = floor.seen and floor.seen.counted
    is_known = not (counted and counted.goes_on)
    if floor.seen and is_known and all(each.table != code for each in floor.seen.tables):
        return await _not_open(desk, request, who)
    await require_names(desk, who)
    now = floor.tables.get(code)
    today = [*reports_of(TableDay(code, parse_day(now.day)))] if now and now.day else []
    shifts = desk.house.settings.named_shifts if desk.house.settings else ()
    forms = []  # nothing is moved or counted at a table that is closed
    if now and not now.closed:
        forms = forms_at(code, now, who.rights, [each.name for each in shifts])
    last, closing = None, None
    if now and now.day and now.closed:
        last = await _last_coup(desk, await last_days(desk, code))
        closing = await _closing(desk, who, TableDay(code, parse_day(now.day)))
    view = view_of(who.viewer, code)
    return await desk.going_on(
        request, who, "table.html", view,
        code=code, today=today, forms=forms, last=last, closing=closing, day=now and now.day,
    )  # fmt: skip


async def _not_open(desk: Desk, request: Request, who: Visitor) -> Response:
    """The last gaming days of a table that is not open, with their reports. Refuses: NotFound."""
    days = await last_days(desk, request.path_params["table"])
    of_days = [(each.day, [*reports_of(each)]) for each in days]
    return desk.page(
        request, who, "table_not_open.html",
        code=days[0].table, days=of_days,
        last=await _last_coup(desk, days), closing=await _closing(desk, who, days[0]),
    )  # fmt: skip


async def _closing(desk: Desk, who: Visitor, day: TableDay) -> Sheet | None:
    """Who closed the table on a gaming day and what was off, for who may read the inventory."""
    asked = {"table": day.table, "day": day.day.isoformat()}
    if not who.rights.may_read(Asked(f"report {INVENTORY.name}", about=asked)):
        return None
    counted = await desk.counted([INVENTORY])
    sheet = await desk.in_thread(
        lambda: read(
            desk.database, INVENTORY, asked,
            about="closer", named_in="moment", columns=_OF_CLOSING, counted=counted,
        )
    )  # fmt: skip
    return sheet if sheet.rows else None


async def last_days(desk: Desk, code: str) -> list[TableDay]:
    """The last gaming days of a table. Refuses: NotFound."""

    def days() -> list[TableDay]:
        with desk.database.session("sabot_auditor") as connection:
            return days_of(connection, code)

    last = await desk.in_thread(days)
    if not last:
        raise NotFound(what=Words("table {table}", table=code))
    return last


async def _last_coup(desk: Desk, days: list[TableDay]) -> Coup | None:
    """The last coup of the newest of a table's days, if it had any."""

    def last() -> Coup | None:
        with desk.database.session("sabot_auditor") as connection:
            return last_dealt(connection, days)

    return await desk.in_thread(last)


async def follow_table(desk: Desk, request: Request, who: Visitor) -> Response:
    """What changes at a table."""
    code = request.path_params["table"]
    view = view_of(who.viewer, code)
    return await desk.stream(view, who, "board", {"table": code}, desk.rooms.people)
