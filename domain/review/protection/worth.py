"""What a shoe is worth to somebody who knows every card that left it face up.

Exactly, by `domain.rules.odds`: each spot's edge for the cards that may still be in the shoe. A
card that was burned face down may be any of those that nobody saw, like one that was not dealt, so
it counts as one that is left. A bet that is offered after four cards counts as placed whenever it
is offered, one on several coups as if each began with these cards, and a meter as at its seed.

A perfect counter bets one stake on a spot in each coup that begins while its edge is above zero,
and never else. What is counted is what they may expect, not what the cards then brought. Published
beside it: a simple count of the Dragon 7, of which a perfect counter makes more, wins 0.52 stakes a
shoe with 16 cards behind the cut card (discountgambling.net, "Unbalanced Dragon 7 Count", 2012).
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from domain.review.protection.cards_left import Card, unseen
from domain.rules.house_rules import HouseRules, of
from domain.rules.odds import Pack, odds_from, soon_counted, spot_odds
from domain.rules.odds.pack import LARGEST_COUP


class Worth(Struct, frozen=True):
    """A spot's edge for a wager of 1: now, from the full shoe, and of the coups so far.

    `now`: None if the cards that are left deal no coup, or if the bet looks at so many of them that
    counting takes too long. `coups`: those that began with an edge for the patron; `made`: the sum
    of these edges.
    """

    spot: str
    now: Fraction | None
    full: Fraction
    coups: int
    made: Fraction


def worth(
    rules: HouseRules, decks: int, left: Sequence[Card], numbers: Sequence[str]
) -> list[Worth]:
    """Each spot of a shoe that `left` has left, with their `numbers` as in `CardsLeft`."""
    now = _edges(rules, unseen(decks, left))
    begun = [_edges(rules, pack) for pack in _begun(decks, left, numbers)]
    made = {
        spot: [edge for edges in begun if (edge := edges.get(spot)) and edge > 0]
        for spot in rules.spots
    }
    return [
        Worth(
            spot=spot,
            now=now.get(spot),
            full=spot_odds(rules, spot, decks).edge,
            coups=len(above),
            made=sum(above, Fraction(0)),
        )
        for spot, above in made.items()
    ]


def _begun(decks: int, left: Sequence[Card], numbers: Sequence[str]) -> Iterator[Pack]:
    """The cards with which each coup began; one whose cards were all taken back is left out.

    So is one whose first card had been drawn before (R-IRR-1): what a bet on it was worth depends
    on who had seen that card, and it may have been dealt without bets.
    """
    for n, number in enumerate(numbers):
        if number.endswith("/1"):
            yield unseen(decks, left[:n])


@lru_cache(maxsize=8_192)  # a coup of each: 60 tables for an evening
def _edges_of(name: str, digest: str, pack: Pack) -> dict[str, Fraction]:
    rules = of(name, digest)
    return {
        spot: edge
        for spot in rules.spots
        if soon_counted(rules, spot) and (edge := _edge(rules, spot, pack)) is not None
    }


def _edges(rules: HouseRules, pack: Pack) -> dict[str, Fraction]:
    """The edge of every spot that has one with these cards."""
    return _edges_of(rules.name, rules.digest, pack) if pack.size >= LARGEST_COUP else {}


def _edge(rules: HouseRules, spot: str, pack: Pack) -> Fraction | None:
    try:
        return odds_from(rules, spot, pack).edge
    except ZeroDivisionError:  # these cards never offer it
        return None
