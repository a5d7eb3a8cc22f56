"""Every coup that can be dealt, by what its cards count.

Each deal is an order of six cards, so that coups of four, five and six cards have their right
weight. `ways.py` says how many there are from a full shoe, or from the cards that are left.

>>> counts = count_deals(8)
>>> counts.deals, counts.outcomes["tie"]
(4998398275503360, 475627426473216)
"""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from domain.rules.hands import Outcome, Result, outcome_of
from domain.rules.odds.pack import Pack, whole
from domain.rules.odds.ways import Tally, handful
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
    results = results_from(whole(decks), tableau)
    outcomes: dict[Outcome, int] = {"banker": 0, "player": 0, "tie": 0}
    by_cards = {4: 0, 5: 0, 6: 0}
    for each, ways in results.items():
        outcomes[each.outcome] += ways
        by_cards[each.player_cards + each.banker_cards] += ways
    return DealCounts(decks, sum(results.values()), outcomes, by_cards, results)


@lru_cache(maxsize=32)  # of each shoe, whose spots are asked about one after another
def results_from(pack: Pack, tableau: Tableau = TABLEAU) -> dict[Result, int]:
    """How many deals of these cards have each result."""
    counted = _endings(tableau).counted(pack.values)
    return {result(each): ways for each, ways in counted.items()}


@lru_cache(maxsize=4)
def _endings(tableau: Tableau) -> Tally[tuple[int, int, int, int]]:
    return Tally(_ended(tableau))


def _ended(tableau: Tableau) -> Iterator[tuple[tuple[int, int, int, int], int, int]]:
    """Every coup's `ending` and `handful`, with in how many orders it comes.

    What comes after four cards depends on the totals of the two hands alone, and is worked out once
    for each.
    """
    thirds = {
        (player, banker): [
            (ending((player, 0, third, banker, 0, last)), handful((third, last)))
            for third, last in _thirds(player, banker, tableau)
        ]
        for player in range(10)
        for banker in range(10)
    }
    hands = [((a + b) % 10, handful((a, b)), ways) for a, b, ways in _pairs(in_order=False)]
    for player, player_cards, player_ways in hands:
        for banker, banker_cards, banker_ways in hands:
            cards, ways = player_cards + banker_cards, player_ways * banker_ways
            for ended, more in thirds[player, banker]:
                yield ended, cards + more, ways


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


def coups(tableau: Tableau = TABLEAU, *, in_order: bool = False) -> Iterator[tuple[Values, int]]:
    """Every coup by what its cards count, with in how many orders it comes.

    The first two cards of a hand come in either order, the smaller one first and both ways counted;
    `in_order`: each order for itself.
    """
    for one, two, player_ways in _pairs(in_order):
        for first, second, banker_ways in _pairs(in_order):
            due = _thirds((one + two) % 10, (first + second) % 10, tableau)
            for third, last in due:
                yield (one, two, third, first, second, last), player_ways * banker_ways


def _pairs(in_order: bool) -> Iterator[tuple[int, int, int]]:
    """What two cards count, and in how many orders."""
    for first in range(10):
        for second in range(0 if in_order else first, 10):
            yield first, second, 1 if in_order or first == second else 2


def _thirds(player: int, banker: int, tableau: Tableau) -> Iterator[tuple[int | None, int | None]]:
    """What the third cards may count, by two-card totals."""
    if player >= 8 or banker >= 8:
        yield None, None
    elif not tableau.player_draws(player):
        if tableau.banker_draws(banker, None):
            yield from ((None, value) for value in range(10))
        else:
            yield None, None
    else:
        for third in range(10):
            if tableau.banker_draws(banker, third):
                yield from ((third, value) for value in range(10))
            else:
                yield third, None
