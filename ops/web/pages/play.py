"""An electronic table's page for one position: chips are clicked onto the cloth.

A click changes only the page. A wager is placed when its event is on disk, and the order of the
ledger alone says whether it was in time.
"""

import json
import re
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from domain.rules import addresses
from domain.rules.house_rules import Clock
from domain.rules.money import digits
from domain.rules.pace import closes_at, opens_at
from domain.rules.refusals import BadValue, NotFound
from domain.rules.settlement import Payment
from ops.commands.house_events import house
from ops.now.table_now import SeatNow, TableNow
from ops.web.pages import acts, cloth_spots, purse
from ops.web.pages.beside import meters_of
from ops.web.pages.desk import Desk
from ops.web.pages.floor import Floor
from ops.web.pages.live import Drawn, Pieces, View
from ops.web.pages.played import past_of, revealed
from ops.web.pages.render import html, part
from ops.web.pages.table import outcome
from ops.web.pages.visitor import Visitor
from ops.web.pages.wall import limits_of, of_table
from ops.web.requests import body_of, read
from ops.web.turned_away import NotTrusted
from ops.words import cloth, to_patron
from ops.words.coups import spot_name
from ops.words.language import amount, reading, shown

PATIENCE = 20.0  # seconds for the floor: a place has no other page to go to
BODY = 4 << 10  # bytes of a bet
ROADS = "road"  # who may look needs no sign-on: the page names nobody
COLUMNS = 36  # of the road
_PLACE = re.compile(rf"{addresses.TABLE_CODE.pattern}/[0-9]{{1,4}}")


class Bet(Struct, forbid_unknown_fields=True):
    """What shall lie on each spot in a coup, in minor units; 0 takes it back.

    `id`: however often it is sent, it counts once.
    """

    id: str
    coup: str
    stakes: dict[str, int]


class Deal(Struct, forbid_unknown_fields=True):
    """Who sits alone wants the cards of a coup now; `id`: sent again, it counts once."""

    id: str
    coup: str


async def find_place(desk: Desk, request: Request, who: Visitor) -> Response:
    """Leads a place's terminal to its page; in open house, shows every place. Raises NotTrusted."""
    if not who.open_house:
        mine = await desk.in_thread(lambda: desk.house.name_of(who.caller))
        if _PLACE.fullmatch(mine):
            return RedirectResponse(f"/play/{mine}", 303)
        raise NotTrusted(shown(cloth.NO_PLACE).format(terminal=who.caller.terminal), 403)
    floor = await desk.floor()
    places = [
        (code, now.rules.seats)
        for code, now in sorted(floor.tables.items())
        if now.rules and now.rules.accounts
    ]
    return desk.page(request, who, "play_places.html", places=places)


async def show_place(desk: Desk, request: Request, who: Visitor) -> Response:
    """The page of a position."""
    table, seat = await _place(desk, request, who)
    view = view_of(who.language, table, seat, desk.house.play_money)
    floor = await desk.floor(PATIENCE)
    now = floor.tables.get(table)
    if now is None or now.rules is None or not now.rules.accounts or seat not in now.rules.seats:
        raise NotFound(what=f"position {table}/{seat}")
    chips = sorted(chip for chip in now.rules.chips if chip >= now.rules.increment)
    return await desk.going_on(
        request,
        who,
        "play.html",
        view,
        table=table,
        seat=seat,
        currency=now.currency,
        digits=digits(now.currency),
        spots=await desk.in_thread(lambda: cloth_spots.spots_of(now, who.language)),
        chips=[(chip, amount(chip, now.currency, short=True)) for chip in chips],
        first=next(
            (chip for chip in chips if chip >= cloth_spots.least_on(now, "main")), chips[-1]
        ),
        limits=limits_of(now),
        rounding=cloth_spots.rounding_of(now),
        helpline=await desk.in_thread(lambda: _helpline(desk)),
    )


def _helpline(desk: Desk) -> str:
    with desk.database.session("sabot_auditor") as connection:
        return house(connection).helpline


async def follow_place(desk: Desk, request: Request, who: Visitor) -> Response:
    """What changes at a position."""
    table, seat = await _place(desk, request, who)
    view = view_of(who.language, table, seat, desk.house.play_money)
    return await desk.stream(view, who, ROADS, {}, desk.rooms.places, f"{table}/{seat}")


async def bet(desk: Desk, request: Request, who: Visitor) -> Response:
    """Places what was clicked; the answer comes when it is on disk, or is its refusal."""
    table, seat = await _place(desk, request, who)
    sent = read(await body_of(request, BODY), Bet, "bet")
    if not sent.stakes:
        raise BadValue(field="stakes", value=sent.stakes, why="click a chip onto a spot")
    return await _answered(desk, who, "account.bet", table, seat, sent)


async def deal(desk: Desk, request: Request, who: Visitor) -> Response:
    """Closes the betting for who sits alone; the answer is that it is closed, or its refusal."""
    table, seat = await _place(desk, request, who)
    sent = read(await body_of(request, BODY), Deal, "deal")
    return await _answered(desk, who, "account.deal", table, seat, sent)


async def take_money(desk: Desk, request: Request, who: Visitor) -> Response:
    """Pays in play money if the player has too little for a bet; a second request pays nothing."""
    table, seat = await _place(desk, request, who)
    here = f"/play/{table}/{seat}"
    async with desk.turn(table):
        answer = await desk.in_thread(lambda: purse.paid_in(desk.house, who.caller, table, seat))
    if answer is None or answer.ok:
        return RedirectResponse(here, 303)
    return acts.go_on(answer, here)


async def _answered(
    desk: Desk, who: Visitor, command: str, table: str, seat: int, sent: Bet | Deal
) -> Response:
    """A line of this position, and its answer. Refuses: BadValue."""
    if not (len(sent.id) == 32 and sent.id.isalnum()):
        raise BadValue(field="id", value=sent.id, why="32 letters and digits")
    line = {"command": command, "table": table, "seat": seat, **msgspec.structs.asdict(sent)}
    async with desk.turn(table):
        answer = await desk.in_thread(lambda: desk.house.lines.answer(who.caller, line))
    fields = {name: answer.body.get(name) for name in ("ok", "error", "position")}
    why = "" if answer.ok else shown(to_patron.in_patrons_words(answer.error, answer.words))
    return JSONResponse({**fields, "message": why})


async def past(desk: Desk, request: Request, who: Visitor) -> Response:
    """The last ten coups, as this position saw them."""
    table, seat = await _place(desk, request, who)
    coups, currency = await desk.in_thread(lambda: past_of(desk.database, table, seat))
    return Response(html("play_past.html", coups=coups, currency=currency), media_type="text/html")


async def opened_shoe(desk: Desk, request: Request, who: Visitor) -> Response:
    """The order and the secret of a shoe that has ended, to be checked in the browser."""
    table, _ = await _place(desk, request, who)
    shoe = addresses.Shoe.parse(request.path_params["shoe"])
    if shoe.table_day.table != table:
        raise NotFound(what=f"shoe {shoe} at this table")
    return JSONResponse(await desk.in_thread(lambda: revealed(desk.database, shoe)))


def view_of(language: str, table: str, seat: int, play_money: int) -> View:
    """The page of a position, for its window; `play_money`: what who is broke may take."""

    def draw(floor: Floor, _: Pieces) -> Drawn:
        with reading(language):
            return drawn(floor, table, seat, play_money)

    return View(("play", language, table, str(seat)), draw, of_table(table))


def drawn(floor: Floor, table: str, seat: int, play_money: int = 0) -> Drawn:
    """The parts of a position's page; of a floor that was never read, only why."""
    lost = part("play_parts.html", "lost", lost=floor.lost)
    if floor.seen is None:
        return Drawn({"play-lost": lost})
    now = floor.tables.get(table) or TableNow(table)
    mine = now.seat(seat)
    return Drawn(
        {
            "play-lost": lost,
            "play-hands": part("play_parts.html", "hands", now=now, outcome=outcome(now)),
            "play-result": part("play_parts.html", "result", lines=_results(now, mine)),
            "play-bounds": part("play_parts.html", "bounds", bounds=cloth_spots.bounds_of(now)),
            "play-road": part("play_parts.html", "road", beads=now.beads, columns=COLUMNS),
            "play-shoe": part("play_parts.html", "shoe", words=_of_shoe(now)),
            "play-money": purse.drawn(now, mine, play_money),
            "play-meters": part("play_parts.html", "meters", meters=meters_of(now)),
            "play-state": part("play_parts.html", "state", state=json.dumps(_state(now, mine))),
        }
    )


def _state(now: TableNow, mine: SeatNow | None) -> dict[str, Any]:
    """What the page's own program needs: nothing in it is a word."""
    coup, shoe, closes, opens = now.coup, now.shoe, _closes(now), _opens(now)
    return {
        "position": now.position,
        "stay": mine.stay if mine else "",
        "coup": coup.address if coup else "",
        "phase": coup.phase if coup else "",
        "closes": round(closes.timestamp() * 1000) if closes else None,
        "opens": round(opens.timestamp() * 1000) if opens else None,
        "clocked": _pace(now) is not None,
        "changed": round(coup.changed_at.timestamp() * 1000) if coup and coup.changed_at else None,
        "betting": now.rules.clock.betting_seconds * 1000 if now.rules and now.rules.clock else 0,
        "placed": {each.spot: each.stake for each in mine.wagers} if mine else {},
        "last": dict(mine.last) if mine else {},
        "balance": mine.balance if mine else None,
        "shoe": str(shoe.address) if shoe else "",
        "seal": shoe.commitment if shoe else "",
        "drawn": shoe.decks * 52 - shoe.cards_left if shoe else 0,
        "cards": [*coup.player.cards, *coup.banker.cards] if coup else [],
        "results": {each.spot: each.payment.result for each in mine.wagers if each.payment}
        if mine
        else {},
        "stopped": _stopped(now),
        "over": coup is not None and coup.phase in ("resulted", "settled"),
        "alone": bool(closes) and [each.seat for each in now.seats] == [mine and mine.seat],
        "others": _of_others(now, mine),
    }


def _of_others(now: TableNow, mine: SeatNow | None) -> dict[str, list[int]]:
    """By spot: what the other places have there, and how many of them; nobody is named."""
    stakes: dict[str, list[int]] = {}
    for seat in (each for each in now.seats if each != mine):
        for wager in seat.wagers:
            before = stakes.get(wager.spot, [0, 0])
            stakes[wager.spot] = [before[0] + wager.stake, before[1] + 1]
    return stakes


def _closes(now: TableNow) -> datetime | None:
    """When the clock closes the betting; None while it waits for a bet, or a dealer closes it."""
    coup, pace = now.coup, _pace(now)
    return closes_at(pace, coup.first_bet_at) if pace and coup and coup.phase == "betting" else None


def _opens(now: TableNow) -> datetime | None:
    """When the next coup of the shoe opens, if the clock opens it."""
    coup, pace = now.coup, _pace(now)
    if not pace or not coup or not coup.over or not coup.opened_at or not coup.changed_at:
        return None
    return opens_at(pace, coup.opened_at, coup.changed_at)


def _pace(now: TableNow) -> Clock | None:
    """The table's clock, or None where a dealer deals."""
    return now.rules.clock if now.rules and now.shoe and now.shoe.generated else None


def _of_shoe(now: TableNow) -> str:
    """What a patron is to know of the shoe: that it ends soon, ends now, or is a new one."""
    shoe, coup = now.shoe, now.coup
    if shoe is None or now.closed:
        return ""
    if shoe.last_coup is not None and coup:
        if coup.number < shoe.last_coup:
            return cloth.until_new_shoe(shoe.last_coup - coup.number)
        return shown(cloth.NEW_SHOE_SOON if coup.over else cloth.LAST_OF_SHOE)
    is_new = coup is None or (coup.number == 1 and not coup.over)
    return shown(cloth.NEW_SHOE) if is_new and shoe.number > 1 else ""


def _stopped(now: TableNow) -> str:
    """Why nothing goes on, by the name of its words on the page; '' if it does."""
    if now.closed:
        return "closed"
    if now.locked_up:
        return "locked"
    return "held" if now.held_by and (now.coup is None or now.coup.over) else ""


def _results(now: TableNow, mine: SeatNow | None) -> list[str]:
    """What came of each wager, once it may be shown."""
    if mine is None or now.coup is None:
        return []
    if not now.coup.over:
        return [cloth.void_before(*mine.back_before, now.currency)] if mine.back_before else []
    if mine.back is not None:
        return [shown(cloth.RETURNED_ALL)]
    lines = [shown(cloth.BY_THE_CARDS)] if now.coup.unlocked == "settle" else []
    if mine.paid is not None:
        net = mine.paid - sum(each.stake for each in mine.wagers)
        lines.append(cloth.net(net, amount(abs(net), now.currency)))
    for each in mine.wagers:
        payment = each.payment
        if payment is None:
            continue
        stake, name = amount(each.stake, now.currency), spot_name(each.spot)
        paid = amount(payment.paid, now.currency)
        if payment.result == "win" and payment.odds:
            shared = payment.is_share(each.stake)
            lines.append(cloth.won(stake, paid, name, payment.odds, is_share=shared))
        elif payment.paid:
            lines.append(cloth.back(stake, paid, name, _why_returned(now, each.spot, payment)))
        else:
            lines.append(cloth.lost(stake, name))
    return lines


def _why_returned(now: TableNow, spot: str, payment: Payment) -> str:
    """For what a bet came back that neither won nor lost; '' for any other payment."""
    if payment.result != "push" or now.rules is None or now.coup is None:
        return ""
    table = now.rules.spots[spot].pays
    return cloth_spots.why_returned(table, payment.line, now.coup.outcome or "")


async def _place(desk: Desk, request: Request, who: Visitor) -> tuple[str, int]:
    """The table and the seat of the page, if it is this machine's. Raises NotTrusted."""
    table, seat = request.path_params["table"], request.path_params["seat"]
    place = f"{table}/{seat}"
    if who.open_house:
        return table, seat
    mine = await desk.in_thread(lambda: desk.house.name_of(who.caller))
    if mine != place:
        words = shown(cloth.NOT_YOURS).format(
            terminal=who.caller.terminal, place=place, watch=f"/watch/{table}"
        )
        raise NotTrusted(words, 403)
    return table, seat
