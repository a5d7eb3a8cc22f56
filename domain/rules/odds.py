"""Exact counts and house edges, from every coup that a full shoe can deal.

Each deal is an order of six cards, so that coups of four, five and six cards have their right
weight. Uses the tableau and the pay tables of the tables themselves.

>>> counts = count_deals(8)
>>> counts.deals, counts.outcomes["tie"]
(4998398275503360, 475627426473216)
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import perm, prod

from msgspec import Struct
from msgspec.structs import replace

from domain.rules.cards import DECK, points
from domain.rules.hands import Outcome, Result, outcome_of
from domain.rules.house_rules.model import HouseRules
from domain.rules.settlement import pay
from domain.rules.tableau import TABLEAU, Tableau
from domain.rules.wagers import PUSH, PayTable, judge


class DealCounts(Struct, frozen=True):
    """How many of all `deals` end in each outcome, use so many cards, and have each result."""

    decks: int
    deals: int
    outcomes: dict[Outcome, int]
    cards: dict[int, int]
    results: dict[Result, int]


class SpotOdds(Struct, frozen=True):
    """A spot's exact counts; `edge` is the patron's expected gain on a wager of 1."""

    wins: int
    pushes: int
    loses: int
    lines: tuple[int, ...]  # deals decided by each line of the pay table
    edge: Fraction


@lru_cache(maxsize=32)
def count_deals(decks: int, tableau: Tableau = TABLEAU) -> DealCounts:
    """Counts every deal of a full shoe of 1-12 decks."""
    cards = 52 * decks
    tail = (1, cards - 5, (cards - 4) * (cards - 5))  # orders of the cards left unused
    endings: Counter[tuple[int, int, int, int]] = Counter()
    for _, player, banker, used, ways in _coups(decks, tableau):
        endings[player[0], player[1], banker[0], banker[1]] += ways * tail[6 - used]
    results = {
        Result(outcome_of(player, banker), player, banker, player_cards, banker_cards): ways
        for (player, player_cards, banker, banker_cards), ways in endings.items()
    }
    outcomes: dict[Outcome, int] = {"banker": 0, "player": 0, "tie": 0}
    by_cards = {4: 0, 5: 0, 6: 0}
    for result, ways in results.items():
        outcomes[result.outcome] += ways
        by_cards[result.player_cards + result.banker_cards] += ways
    return DealCounts(decks, sum(results.values()), outcomes, by_cards, results)


_Alike = bool | None  # whether two cards are a pair; None: both count 0, and their ranks decide
_Ending = tuple[tuple[_Alike, _Alike], tuple[int, int], tuple[int, int], int, int]


def _coups(decks: int, tableau: Tableau) -> Iterator[_Ending]:
    """Every coup by card values: pairs, (total, cards) of each hand, cards used, ways."""
    left = [decks * sum(points(card) == value for card in DECK) for value in range(10)]
    for alike, player, banker, ways in _first_four(left):
        if player >= 8 or banker >= 8:
            yield alike, (player, 2), (banker, 2), 4, ways
        elif tableau.player_draws(player):
            for drew in _player_drew(left, player, banker, ways, tableau):
                yield alike, *drew
        elif tableau.banker_draws(banker, None):
            for value in range(10):
                if left[value]:
                    yield alike, (player, 2), ((banker + value) % 10, 3), 5, ways * left[value]
        else:
            yield alike, (player, 2), (banker, 2), 4, ways


def _first_four(left: list[int]) -> Iterator[tuple[tuple[_Alike, _Alike], int, int, int]]:
    """Pairs, two-card totals and ways to deal them; `left` lacks these cards while it is used.

    A hand's two cards may come in either order, so two unlike values count twice.
    """
    for player_alike, player, player_ways in _pairs(left):
        for banker_alike, banker, banker_ways in _pairs(left):
            yield (player_alike, banker_alike), player, banker, player_ways * banker_ways


def _pairs(left: list[int]) -> Iterator[tuple[_Alike, int, int]]:
    for first in range(10):
        for second in range(first, 10):
            ways = left[first] * (left[second] - (first == second)) * (1 + (first != second))
            if ways <= 0:
                continue
            left[first] -= 1
            left[second] -= 1
            alike = None if first == second == 0 else first == second
            yield alike, (first + second) % 10, ways
            left[first] += 1
            left[second] += 1


def _player_drew(
    left: list[int], player: int, banker: int, ways: int, tableau: Tableau
) -> Iterator[tuple[tuple[int, int], tuple[int, int], int, int]]:
    for third in range(10):
        if not left[third]:
            continue
        total, ways_here = (player + third) % 10, ways * left[third]
        if not tableau.banker_draws(banker, third):
            yield (total, 3), (banker, 2), 5, ways_here
            continue
        left[third] -= 1
        for value in range(10):
            if left[value]:
                yield (total, 3), ((banker + value) % 10, 3), 6, ways_here * left[value]
        left[third] += 1


def spot_odds(rules: HouseRules, spot: str, decks: int) -> SpotOdds:
    """The exact odds of a spot from a full shoe, with commission, not rounded."""
    table = rules.spots[spot].pays
    ways_by_line, loses, deals = _by_line(table, decks)
    wins = sum(ways for line, ways in zip(table, ways_by_line, strict=True) if line.pays != PUSH)
    won = sum(
        (ways * Fraction(*line.pays) for line, ways in zip(table, ways_by_line, strict=True)),
        Fraction(0),
    )
    won *= _left_of_winnings(rules, spot)
    return SpotOdds(
        wins=wins,
        pushes=sum(ways_by_line) - wins,
        loses=loses,
        lines=tuple(ways_by_line),
        edge=(won - loses) / deals,
    )


def stake_odds(rules: HouseRules, spot: str, decks: int, stake: int) -> SpotOdds:
    """The exact odds of a wager of this size, with payment and commission rounded.

    Commission that is rounded on collection, over many wins together, counts unrounded.
    """
    counted = _counted(rules.spots[spot].pays, decks)
    result = sum(ways * _net(rules, spot, stake, each) for each, ways in counted.items())
    edge = Fraction(result) / (stake * sum(counted.values()))
    return replace(spot_odds(rules, spot, decks), edge=edge)


def _net(rules: HouseRules, spot: str, stake: int, result: Result) -> Fraction:
    """The patron's gain or loss in one coup, after paying the commission owed."""
    payment = pay(rules, spot, stake, result)
    owed = Fraction(0)
    if payment.commission_due == "deferred":
        rounded = rules.commission.rounding.moment == "per-win"
        owed = Fraction(payment.commission_charged) if rounded else payment.commission_exact
    return payment.paid - owed - stake


def _counted(table: PayTable, decks: int) -> dict[Result, int]:
    """The deals by result: with pairs for a pay table about pairs, else without."""
    about_pairs = any("pair" in line.when for line in table)
    return _pair_results(decks) if about_pairs else count_deals(decks).results


def spot_covariances(rules: HouseRules, decks: int) -> dict[tuple[str, str], Fraction]:
    """The covariance of the house's wins, on wagers of 1, for every ordered pair of spots.

    A spot with itself is its variance. All wagers of a coup depend on the same cards, so wagers s
    have the variance sum(s[a] * s[b] * covariance[a, b]). From a full shoe, with commission at its
    rate, not rounded.
    """
    spots = tuple(rules.spots)
    endings: Counter[tuple[Fraction, ...]] = Counter()
    for result, ways in _joint_results(decks).items():
        endings[tuple(_house_wins(rules, spot, result) for spot in spots)] += ways
    deals = sum(endings.values())

    def mean(*places: int) -> Fraction:
        """The expected product of the house's wins on the spots at these places."""
        one = Fraction(1)
        worth = (ways * prod((won[n] for n in places), start=one) for won, ways in endings.items())
        return sum(worth, Fraction(0)) / deals

    return {
        (one, other): mean(a, b) - mean(a) * mean(b)
        for a, one in enumerate(spots)
        for b, other in enumerate(spots)
    }


def _house_wins(rules: HouseRules, spot: str, result: Result) -> Fraction:
    line = judge(rules.spots[spot].pays, result)
    return -_left_of_winnings(rules, spot) * Fraction(*line.pays) if line else Fraction(1)


def _left_of_winnings(rules: HouseRules, spot: str) -> Fraction:
    """The part of winnings that is left to the patron after commission."""
    takes = spot == "banker" and rules.commission.timing != "in-the-odds"
    return 1 - Fraction(*rules.commission.rate) if takes else Fraction(1)


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
    """The deals by result, with whether the first two cards of each hand are a pair."""
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


@lru_cache(maxsize=32)
def _joint_results(decks: int) -> dict[Result, int]:
    """Every way in which a deal ends, by totals, cards and pairs together."""
    cards = 52 * decks
    tail = (1, cards - 5, (cards - 4) * (cards - 5))  # as in count_deals
    counts: Counter[tuple[tuple[_Alike, _Alike], tuple[int, int], tuple[int, int]]] = Counter()
    for alike, player_hand, banker_hand, used, ways in _coups(decks, TABLEAU):
        counts[alike, player_hand, banker_hand] += ways * tail[6 - used]
    results: Counter[Result] = Counter()
    for (alike, (player, player_cards), (banker, banker_cards)), ways in counts.items():
        outcome = outcome_of(player, banker)
        for pairs, share in _pair_shares(alike, 4 * decks):
            ending = Result(outcome, player, banker, player_cards, banker_cards, *pairs)
            results[ending] += int(ways * share)  # whole: a share of the orders of those cards
    return results


def _pair_shares(
    alike: tuple[_Alike, _Alike], of_rank: int
) -> Iterator[tuple[tuple[bool, bool], Fraction]]:
    """How often each hand is a pair, given its card values; four ranks count 0."""
    zeros = 4 * of_rank
    one = Fraction(of_rank - 1, zeros - 1)
    player, banker = (one if each is None else Fraction(each) for each in alike)
    both = player * banker
    if alike == (None, None):
        both = Fraction(_both_pairs(of_rank, ranks=4), perm(zeros, 4))
    yield (True, True), both
    yield (True, False), player - both
    yield (False, True), banker - both
    yield (False, False), 1 - player - banker + both


def _both_pairs(of_rank: int, ranks: int = 13) -> int:
    """How many orders of the first four cards, of so many ranks, make both hands pairs."""
    same = ranks * of_rank * (of_rank - 1) * (of_rank - 2) * (of_rank - 3)
    unlike = ranks * (ranks - 1) * (of_rank * (of_rank - 1)) ** 2
    return same + unlike
