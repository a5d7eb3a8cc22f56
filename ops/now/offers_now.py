"""The bets that a table takes after the first four cards, as its terminal shows them (R-BET-8)."""

from collections.abc import Iterator

from msgspec import Struct

from domain.aggregates.coup import Coup
from domain.rules.after_four import may_decide
from domain.rules.wagers import odds_text


class OfferNow(Struct, frozen=True):
    """A bet that is taken after the first four cards (R-BET-8)."""

    spot: str
    odds: tuple[str, ...]  # those that may still come, as `3:1`
    seats: tuple[tuple[int, int], ...]  # who may bet, each up to so many minor units


def offers_now(coup: Coup) -> Iterator[OfferNow]:
    """The bets that are taken after the first four cards, with who may bet how much."""
    rules = coup.rules
    for spot in coup.offered if coup.takes_second_bets else ():
        table = rules.spots[spot].pays
        odds = (odds_text(table, line) for line in may_decide(table, tuple(coup.cards)))
        most = {seat: coup.layout.most(rules, seat, spot) for seat in rules.seats}
        seats = tuple((seat, amount) for seat, amount in most.items() if amount)
        yield OfferNow(spot, tuple(dict.fromkeys(each for each in odds if each)), seats)
