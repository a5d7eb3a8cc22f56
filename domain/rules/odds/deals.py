"""Every coup that a full shoe can deal, by what its cards count.

Each deal is an order of six cards, so that coups of four, five and six cards have their right
weight.

>>> counts = count_deals(8)
>>> counts.deals, counts.outcomes["tie"]
(4998398275503360, 475627426473216)
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from domain.rules.cards import DECK, points
from domain.rules.hands import Outcome, Result, outcome_of
from domain.rules.tableau import TABLEAU, Tableau

# What Player's three cards count, then Banker's; None: it is not dealt.
Values = tuple[int, int, int | None, int, int, int | None]


class DealCounts(Struct, frozen=True):
    """How many of all `deals` end in each outcome, use so many cards, and have each result."""

    decks: int
    deals: int
    outcomes: dict[Outcome, int]
    cards: dict[int, int]
    results: dict[Result, int]


@lru_cache(maxsize=32)
def count_deals(decks: int, tableau: Tableau = TABLEAU) -> DealCounts:
    """Counts every deal of a full shoe of 1-12 decks."""
    endings: Counter[tuple[int, int, int, int]] = Counter()
    for values, ways in coups(decks, tableau):
        endings[ending(values)] += ways
    results = {result(each): ways for each, ways in endings.items()}
    outcomes: dict[Outcome, int] = {"banker": 0, "player": 0, "tie": 0}
    by_cards = {4: 0, 5: 0, 6: 0}
    for each, ways in results.items():
        outcomes[each.outcome] += ways
        by_cards[each.player_cards + each.banker_cards] += ways
    return DealCounts(decks, sum(results.values()), outcomes, by_cards, results)


def ending(values: Values) -> tuple[int, int, int, int]:
    """Total and number of cards of Player's hand, then of Banker's."""
    one, two, third, first, second, last = values
    return (
        (one + two + (third or 0)) % 10,
        2 if third is None else 3,
        (first + second + (last or 0)) % 10,
        2 if last is None else 3,
    )


def result(ended: tuple[int, int, int, int]) -> Result:
    """A result by its `ending`, without its cards."""
    player, player_cards, banker, banker_cards = ended
    return Result(outcome_of(player, banker), player, banker, player_cards, banker_cards)


def coups(
    decks: int, tableau: Tableau = TABLEAU, *, in_order: bool = False
) -> Iterator[tuple[Values, int]]:
    """Every coup by what its cards count, with the number of its deals.

    The first two cards of a hand come in either order, the smaller one first and both ways counted;
    `in_order`: each order for itself.
    """
    cards = 52 * decks
    unused = (1, cards - 5, (cards - 4) * (cards - 5))  # orders of the cards left of six
    left = [decks * sum(points(card) == value for card in DECK) for value in range(10)]
    for one, two, player_ways in _pairs(left, in_order):
        for first, second, banker_ways in _pairs(left, in_order):
            for third, last, ways in _thirds(
                left, (one + two) % 10, (first + second) % 10, tableau
            ):
                spare = unused[(third is None) + (last is None)]
                all_ways = player_ways * banker_ways * ways * spare
                yield (one, two, third, first, second, last), all_ways


def _pairs(left: list[int], in_order: bool) -> Iterator[tuple[int, int, int]]:
    """Two cards with the ways to deal them; `left` lacks them meanwhile."""
    for first in range(10):
        for second in range(0 if in_order else first, 10):
            ways = left[first] * (left[second] - (first == second))
            if ways <= 0:
                continue
            left[first] -= 1
            left[second] -= 1
            yield first, second, ways * (1 if in_order or first == second else 2)
            left[first] += 1
            left[second] += 1


def _thirds(
    left: list[int], player: int, banker: int, tableau: Tableau
) -> Iterator[tuple[int | None, int | None, int]]:
    """Third cards by two-card totals, with the ways to deal them."""
    if player >= 8 or banker >= 8:
        yield None, None, 1
    elif not tableau.player_draws(player):
        if tableau.banker_draws(banker, None):
            yield from ((None, value, left[value]) for value in range(10) if left[value])
        else:
            yield None, None, 1
    else:
        for third in range(10):
            ways = left[third]
            if ways and not tableau.banker_draws(banker, third):
                yield third, None, ways
            elif ways:
                left[third] -= 1
                yield from ((third, v, ways * left[v]) for v in range(10) if left[v])
                left[third] += 1
