"""Coups that are over and shoes that have ended, as a place at an electronic table sees them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from domain.aggregates.coup import Coup
from domain.aggregates.game_account import GameAccount
from domain.aggregates.shoe import Shoe
from domain.events.game_account import Movement
from domain.events.shoe import CoupBegun, OrderRevealed
from domain.rules import addresses
from domain.rules.layout import Wager
from domain.rules.refusals import NotFound
from ops.ledger.database import Database
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_streams
from ops.now.follow import Follower
from ops.web.pages.cloth_spots import why_returned
from ops.words import cloth
from ops.words.coups import spot_name
from ops.words.language import amount, shown

if TYPE_CHECKING:
    import psycopg

PAST = 10  # coups


class PastCoup(Struct, frozen=True):
    """A coup that is over: its cards, its outcome, what this position bet and had afterwards."""

    coup: str
    number: int
    player: list[str]
    banker: list[str]
    outcome: str
    bets: list[str]
    balance: int | None


def _came_back(coup: Coup, wager: Wager, currency: str) -> str:
    """What came of a wager; of a void coup it came back, also if it had been paid before."""
    settled = coup.settled.get((wager.seat, wager.spot)) if coup.phase == "settled" else None
    paid = settled.paid if settled else wager.stake
    stake, name = amount(wager.stake, currency), spot_name(wager.spot)
    if not paid:
        return cloth.lost(stake, name)
    why = ""
    if settled and settled.result == "push" and coup.hands.result:
        table = coup.rules.spots[wager.spot].pays
        why = why_returned(table, settled.line, coup.hands.result.outcome)
    return cloth.back(stake, amount(paid, currency), name, why)


def past_of(database: Database, table: str, seat: int) -> tuple[list[PastCoup], str]:
    """The last coups, the last one first, those of the shoe before too; and their currency."""
    with database.session("sabot_auditor") as connection:
        follower = Follower(connection, table)
        now = follower.now
        stay = follower.stay_at(seat)
        of_stay = [GameAccount.stream(stay)] if stay and now.day else []
        events = map(event_of, read_streams(connection, of_stay))
        moved = (each for each in events if isinstance(each, Movement) and hasattr(each, "coup"))
        after = {each.coup: each.balance for each in moved}
        over = [each for each in follower.coups if each.over][-PAST:]
        if now.shoe and now.shoe.number > 1 and len(over) < PAST:
            before = addresses.Shoe(now.shoe.address.table_day, now.shoe.number - 1)
            over = [*_last_of(connection, before, PAST - len(over)), *over]
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
                str(coup.address),
                coup.address.number,
                cards["player"],
                cards["banker"],
                spot_name(result.outcome) if result else shown(cloth.RETURNED_ALL),
                bets,
                after.get(str(coup.address)),
            )
        )
    return rows, now.currency


def _last_of(
    connection: "psycopg.Connection[Any]", shoe: addresses.Shoe, most: int
) -> Iterator[Coup]:
    """The last coups of a shoe that has ended, as many at most."""
    events = map(event_of, read_streams(connection, [Shoe.stream(shoe)]))
    begun = [each.coup for each in events if isinstance(each, CoupBegun)]
    for number in begun[-most:]:
        stream = Coup.stream(addresses.Coup(shoe, number))
        coup = Coup.project(None, map(event_of, read_streams(connection, [stream])))
        if coup is not None and coup.over:
            yield coup


def revealed(database: Database, address: addresses.Shoe) -> dict[str, Any]:
    """The order of a shoe, '' for its secret while it is sealed. Refuses: NotFound."""
    with database.session("sabot_auditor") as connection:
        events = [event_of(each) for each in read_streams(connection, [Shoe.stream(address)])]
    if not events:
        raise NotFound(what=f"shoe {address}")
    for each in events:
        if isinstance(each, OrderRevealed):
            return {"order": each.order, "secret": each.secret}
    return {"order": [], "secret": ""}
