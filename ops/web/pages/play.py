"""An electronic table's page for one position: chips are clicked onto the cloth (seed 004).

A click changes only the page. A wager is placed when its event is on disk, and the order of the
ledger alone says whether it was in time.
"""

import json
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from domain.aggregates.coup import Coup
from domain.aggregates.game_account import GameAccount
from domain.aggregates.shoe import Shoe
from domain.events.game_account import Movement
from domain.events.shoe import OrderRevealed
from domain.rules import addresses
from domain.rules.house_rules import HouseRules
from domain.rules.layout import Wager
from domain.rules.money import digits
from domain.rules.odds import spot_odds
from domain.rules.pace import closes_at
from domain.rules.refusals import BadValue, NotFound
from domain.rules.wagers import PUSH, odds_text
from ops.commands.house_events import house
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_streams
from ops.now.follow import Follower
from ops.now.table_now import SeatNow, TableNow
from ops.web.pages.beside import meters_of
from ops.web.pages.desk import Desk
from ops.web.pages.floor import Floor
from ops.web.pages.live import Drawn, Pieces, View
from ops.web.pages.render import html, part
from ops.web.pages.table import outcome
from ops.web.pages.visitor import Visitor
from ops.web.pages.wall import limits_of, of_table
from ops.web.requests import body_of, read
from ops.web.turned_away import NotTrusted
from ops.words import cloth
from ops.words.coups import spot_name
from ops.words.language import amount, percent, reading, shown

BODY = 4 << 10  # bytes of a bet
ROADS = "road"  # who may look needs no sign-on: the page names nobody
PAST = 10  # coups
MAIN = ("player", "tie", "banker")
LETTERS = {"player": "p", "banker": "b", "tie": "t"}  # keys
COLUMNS = 36  # of the road


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


class Spot(Struct, frozen=True):
    """A spot of the cloth, its name, what it pays, and how it does in the long run."""

    key: str
    name: str
    pays: str
    odds: str
    letter: str
    chance: str
    edge: str


class PastCoup(Struct, frozen=True):
    """A coup that is over: its cards, its outcome, what this position bet and had afterwards."""

    number: int
    player: list[str]
    banker: list[str]
    outcome: str
    bets: list[str]
    balance: int | None


async def show_place(desk: Desk, request: Request, who: Visitor) -> Response:
    """The page of a position."""
    table, seat = await _place(desk, request, who)
    view = view_of(who.language, table, seat)
    floor = await desk.floor()
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
        spots=await desk.in_thread(lambda: _spots(now, who.language)),
        chips=[(chip, amount(chip, now.currency, short=True)) for chip in chips],
        limits=limits_of(now),
        helpline=await desk.in_thread(lambda: _helpline(desk)),
    )


def _helpline(desk: Desk) -> str:
    with desk.database.session("sabot_auditor") as connection:
        return house(connection).helpline


async def follow_place(desk: Desk, request: Request, who: Visitor) -> Response:
    """What changes at a position."""
    table, seat = await _place(desk, request, who)
    view, room = view_of(who.language, table, seat), desk.rooms.places
    return await desk.stream(view, who, ROADS, {}, room, f"{table}/{seat}")


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


async def _answered(
    desk: Desk, who: Visitor, command: str, table: str, seat: int, sent: Bet | Deal
) -> Response:
    """A line of this position, and its answer. Refuses: BadValue."""
    if not (len(sent.id) == 32 and sent.id.isalnum()):
        raise BadValue(field="id", value=sent.id, why="32 letters and digits")
    line = {"command": command, "table": table, "seat": seat, **msgspec.structs.asdict(sent)}
    async with desk.turn(table):
        answer = await desk.in_thread(lambda: desk.house.lines.answer(who.caller, line))
    fields = {name: answer.body.get(name) for name in ("ok", "error", "rule", "position")}
    return JSONResponse({**fields, "message": "" if answer.ok else answer.reason})


async def past(desk: Desk, request: Request, who: Visitor) -> Response:
    """The last ten coups of the shoe, as this position saw them."""
    table, seat = await _place(desk, request, who)
    coups, currency = await desk.in_thread(lambda: _past(desk, table, seat))
    return Response(html("play_past.html", coups=coups, currency=currency), media_type="text/html")


async def opened_shoe(desk: Desk, request: Request, who: Visitor) -> Response:
    """The order and the secret of a shoe that has ended, to be checked in the browser."""
    table, _ = await _place(desk, request, who)
    shoe = addresses.Shoe.parse(request.path_params["shoe"])
    if shoe.table_day.table != table:
        raise NotFound(what=f"shoe {shoe} at this table")
    return JSONResponse(await desk.in_thread(lambda: _revealed(desk, shoe)))


def view_of(language: str, table: str, seat: int) -> View:
    """The page of a position, for its window."""

    def draw(floor: Floor, _: Pieces) -> Drawn:
        with reading(language):
            return drawn(floor, table, seat)

    return View(("play", language, table, str(seat)), draw, of_table(table))


def drawn(floor: Floor, table: str, seat: int) -> Drawn:
    """The parts of a position's page."""
    now = floor.tables.get(table) or TableNow(table)
    mine = now.seat(seat)
    return Drawn(
        {
            "play-lost": part("play_parts.html", "lost", lost=floor.lost),
            "play-hands": part("play_parts.html", "hands", now=now, outcome=outcome(now)),
            "play-result": part("play_parts.html", "result", lines=_results(now, mine)),
            "play-road": part("play_parts.html", "road", beads=now.beads, columns=COLUMNS),
            "play-money": part(
                "play_parts.html", "money", now=now, mine=mine, staked=_staked(mine)
            ),
            "play-meters": part("play_parts.html", "meters", meters=meters_of(now)),
            "play-state": part("play_parts.html", "state", state=json.dumps(_state(now, mine))),
        }
    )


def _state(now: TableNow, mine: SeatNow | None) -> dict[str, Any]:
    """What the page's own program needs: nothing in it is a word."""
    coup, shoe, closes = now.coup, now.shoe, _closes(now)
    return {
        "position": now.position,
        "coup": coup.address if coup else "",
        "phase": coup.phase if coup else "",
        "closes": round(closes.timestamp() * 1000) if closes else None,
        "clocked": bool(now.rules and now.rules.clock and shoe and shoe.generated),
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
    coup, pace = now.coup, now.rules.clock if now.rules else None
    if not coup or coup.phase != "betting" or not coup.opened_at or not pace:
        return None
    if not now.shoe or not now.shoe.generated:
        return None
    return closes_at(pace, coup.opened_at, coup.first_bet_at)


def _stopped(now: TableNow) -> str:
    """Why nothing goes on, by the name of its words on the page; '' if it does."""
    if now.closed:
        return "closed"
    if now.locked_up:
        return "locked"
    return "held" if now.held_by and (now.coup is None or now.coup.over) else ""


def _results(now: TableNow, mine: SeatNow | None) -> list[str]:
    """What came of each wager, once it may be shown."""
    if mine is None or now.coup is None or not now.coup.over:
        return []
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
            lines.append(cloth.back(stake, paid, name))
        else:
            lines.append(cloth.lost(stake, name))
    return lines


def _staked(mine: SeatNow | None) -> int:
    return sum(each.stake for each in mine.wagers if each.payment is None) if mine else 0


def _order(now: TableNow) -> list[str]:
    """The spots of the cloth from left to right: Player, Tie, Banker, then all others."""
    return [*MAIN, *(spot for spot in now.spots if spot not in MAIN)]


def _spots(now: TableNow, language: str) -> list[Spot]:
    """The spots of the cloth, each with the exact odds of a full shoe."""
    assert now.rules is not None
    with reading(language):
        return [_spot(now.rules, spot) for spot in _order(now)]


def _spot(rules: HouseRules, spot: str) -> Spot:
    table = rules.spots[spot].pays
    lines = [text for line in table if (text := odds_text(table, line)) and line.pays != PUSH]
    odds = spot_odds(rules, spot, rules.decks)
    at = " · ".join(map(cloth.odds, lines))
    decided = odds.wins + odds.pushes + odds.loses
    return Spot(
        spot,
        spot_name(spot),
        cloth.pays(at),
        at,
        LETTERS.get(spot, ""),
        percent(odds.wins / decided),
        percent(-float(odds.edge)),
    )


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


def _came_back(coup: Coup, wager: Wager, currency: str) -> str:
    """What came of a wager."""
    settled = coup.settled.get((wager.seat, wager.spot))
    paid = settled.paid if settled else wager.stake
    stake, name = amount(wager.stake, currency), spot_name(wager.spot)
    return cloth.back(stake, amount(paid, currency), name) if paid else cloth.lost(stake, name)


def _past(desk: Desk, table: str, seat: int) -> tuple[list[PastCoup], str]:
    with desk.database.session("sabot_auditor") as connection:
        follower = Follower(connection, table)
        now = follower.now
        stay = follower.stay_at(seat)
        of_stay = [GameAccount.stream(stay)] if stay and now.day else []
        events = map(event_of, read_streams(connection, of_stay))
        moved = (each for each in events if isinstance(each, Movement) and hasattr(each, "coup"))
        after = {each.coup: each.balance for each in moved}
        over = [each for each in follower.coups if each.over][-PAST:]
    rows = []
    for coup in reversed(over):
        cards: dict[str, list[str]] = {"player": [], "banker": []}
        for each in coup.hands.dealt:
            cards[each.hand].append(each.card)
        theirs = [each for each in coup.wagers() if (each.stay, each.seat) == (stay, seat)]
        bets = [_came_back(coup, wager, now.currency) for wager in theirs]
        result = coup.hands.result if coup.phase == "settled" else None
        rows.append(
            PastCoup(
                coup.address.number,
                cards["player"],
                cards["banker"],
                spot_name(result.outcome) if result else shown(cloth.RETURNED_ALL),
                bets,
                after.get(str(coup.address)),
            )
        )
    return rows, now.currency


def _revealed(desk: Desk, address: addresses.Shoe) -> dict[str, Any]:
    """The order of a shoe, '' for its secret while it is sealed. Refuses: NotFound."""
    with desk.database.session("sabot_auditor") as connection:
        events = [event_of(each) for each in read_streams(connection, [Shoe.stream(address)])]
    if not events:
        raise NotFound(what=f"shoe {address}")
    for each in events:
        if isinstance(each, OrderRevealed):
            return {"order": each.order, "secret": each.secret}
    return {"order": [], "secret": ""}
