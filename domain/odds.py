"""Exact counts and house edges, by walking every coup that a full shoe can deal.

Deals are ordered prefixes of six cards, so that coups of four, five and six cards weigh what
they should. Uses the tableau and the pay tables that the tables deal and pay by.

>>> counts = count_deals(8)
>>> counts.deals, counts.outcomes["tie"]
(4998398275503360, 475627426473216)
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from domain.cards import DECK, points
from domain.hands import Outcome, Result, outcome_of
from domain.house_rules.model import HouseRules
from domain.settlement import pay
from domain.tableau import TABLEAU, Tableau
from domain.wagers import PUSH, PayTable, judge


@dataclass(frozen=True)
class DealCounts:
    """How many of all `deals` end so: by outcome, by cards used, by result without pairs."""

    decks: int
    deals: int
    outcomes: dict[Outcome, int]
    cards: dict[int, int]
    results: dict[Result, int]


@dataclass(frozen=True)
class SpotOdds:
    """A spot's exact counts; `edge` is the patron's expected result for 1 staked."""

    wins: int
    pushes: int
    loses: int
    lines: tuple[int, ...]  # deals that each line of the pay table decided
    edge: Fraction


@lru_cache(maxsize=32)
def count_deals(decks: int, tableau: Tableau = TABLEAU) -> DealCounts:
    """Counts every deal of a full shoe of 1-12 decks."""
    cards = 52 * decks
    tail = (1, cards - 5, (cards - 4) * (cards - 5))  # orders of the cards left unused
    found: Counter[tuple[int, int, int, int]] = Counter()
    for player, banker, used, ways in _coups(decks, tableau):
        found[player[0], player[1], banker[0], banker[1]] += ways * tail[6 - used]
    results = {
        Result(outcome_of(player, banker), player, banker, player_cards, banker_cards): ways
        for (player, player_cards, banker, banker_cards), ways in found.items()
    }
    outcomes: dict[Outcome, int] = {"banker": 0, "player": 0, "tie": 0}
    by_cards = {4: 0, 5: 0, 6: 0}
    for result, ways in results.items():
        outcomes[result.outcome] += ways
        by_cards[result.player_cards + result.banker_cards] += ways
    return DealCounts(decks, sum(results.values()), outcomes, by_cards, results)


_Ending = tuple[tuple[int, int], tuple[int, int], int, int]


def _coups(decks: int, tableau: Tableau) -> Iterator[_Ending]:
    """Every coup by values: (total, cards) of each hand, cards used, ordered ways to deal it."""
    left = [decks * sum(points(card) == value for card in DECK) for value in range(10)]
    for player, banker, ways in _first_four(left):
        if player >= 8 or banker >= 8:
            yield (player, 2), (banker, 2), 4, ways
        elif tableau.player_draws(player):
            yield from _player_drew(left, player, banker, ways, tableau)
        elif tableau.banker_draws(banker, None):
            for value in range(10):
                if left[value]:
                    yield (player, 2), ((banker + value) % 10, 3), 5, ways * left[value]
        else:
            yield (player, 2), (banker, 2), 4, ways


def _first_four(left: list[int]) -> Iterator[tuple[int, int, int]]:
    """Both two-card totals and the ways to deal them; `left` is short of those cards meanwhile.

    A hand's two cards come in either order, so each unlike pair is walked once and counts twice.
    """
    for player, player_ways in _pairs(left):
        for banker, banker_ways in _pairs(left):
            yield player, banker, player_ways * banker_ways


def _pairs(left: list[int]) -> Iterator[tuple[int, int]]:
    for first in range(10):
        for second in range(first, 10):
            ways = left[first] * (left[second] - (first == second)) * (1 + (first != second))
            if ways <= 0:
                continue
            left[first] -= 1
            left[second] -= 1
            yield (first + second) % 10, ways
            left[first] += 1
            left[second] += 1


def _player_drew(
    left: list[int], player: int, banker: int, ways: int, tableau: Tableau
) -> Iterator[_Ending]:
    for third in range(10):
        if not left[third]:
            continue
        total, so_far = (player + third) % 10, ways * left[third]
        if not tableau.banker_draws(banker, third):
            yield (total, 3), (banker, 2), 5, so_far
            continue
        left[third] -= 1
        for value in range(10):
            if left[value]:
                yield (total, 3), ((banker + value) % 10, 3), 6, so_far * left[value]
        left[third] += 1


def spot_odds(rules: HouseRules, spot: str, decks: int) -> SpotOdds:
    """What a spot of a rule set is worth, commission included, from a full shoe."""
    table = rules.spots[spot].pays
    ways_by_line, loses, deals = _by_line(table, decks)
    wins = sum(ways for line, ways in zip(table, ways_by_line, strict=True) if line.pays != PUSH)
    won = sum(
        (ways * Fraction(*line.pays) for line, ways in zip(table, ways_by_line, strict=True)),
        Fraction(0),
    )
    if spot == "banker" and rules.commission.timing != "in-the-odds":
        won *= 1 - Fraction(*rules.commission.rate)
    return SpotOdds(
        wins=wins,
        pushes=sum(ways_by_line) - wins,
        loses=loses,
        lines=tuple(ways_by_line),
        edge=(won - loses) / deals,
    )


def stake_odds(rules: HouseRules, spot: str, decks: int, stake: int) -> SpotOdds:
    """What a wager of this size is worth, as it is settled: payment and commission rounded."""
    counted = _counted(rules.spots[spot].pays, decks)
    result = sum(ways * _net(rules, spot, stake, each) for each, ways in counted.items())
    edge = Fraction(result, stake * sum(counted.values()))
    return replace(spot_odds(rules, spot, decks), edge=edge)


def _net(rules: HouseRules, spot: str, stake: int, result: Result) -> int:
    """What the patron has more or less after one coup, with what is owed of it paid."""
    payment = pay(rules, spot, stake, result)
    owed = payment.commission_charged if payment.commission_due == "deferred" else 0
    return payment.paid - owed - stake


def _counted(table: PayTable, decks: int) -> dict[Result, int]:
    """The deals that a pay table tells apart: by pairs, or by how they end."""
    about_pairs = any("pair" in line.when for line in table)
    return _pair_results(decks) if about_pairs else count_deals(decks).results


def _by_line(table: PayTable, decks: int) -> tuple[list[int], int, int]:
    """Deals decided by each line, deals lost, all deals."""
    counted = _counted(table, decks)
    ways_by_line = [0] * len(table)
    loses = 0
    for result, ways in counted.items():
        line = judge(table, result)
        if line is None:
            loses += ways
        else:
            ways_by_line[table.index(line)] += ways
    return ways_by_line, loses, sum(counted.values())


@lru_cache(maxsize=32)
def _pair_results(decks: int) -> dict[Result, int]:
    """Deals in which either side's first two cards are a pair, which only their ranks decide."""
    cards, of_rank = 52 * decks, 4 * decks
    deals = count_deals(decks).deals
    paired = deals * (of_rank - 1) // (cards - 1)
    both = _both_pairs(of_rank) * (cards - 4) * (cards - 5)
    return {
        Result("tie", 0, 0, 2, 2, player_pair=True, banker_pair=True): both,
        Result("tie", 0, 0, 2, 2, player_pair=True, banker_pair=False): paired - both,
        Result("tie", 0, 0, 2, 2, player_pair=False, banker_pair=True): paired - both,
        Result("tie", 0, 0, 2, 2): deals - 2 * paired + both,
    }


def _both_pairs(of_rank: int) -> int:
    """Ordered first four cards in which both hands are pairs."""
    same = 13 * of_rank * (of_rank - 1) * (of_rank - 2) * (of_rank - 3)
    unlike = 13 * 12 * (of_rank * (of_rank - 1)) ** 2
    return same + unlike
