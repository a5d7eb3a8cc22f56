"""Exact counts and house edges of a rule set, from every coup that a full shoe can deal.

>>> from domain.rules.house_rules import named
>>> spot_odds(named("pairs@1"), "pair-player", decks=8).edge
Fraction(-43, 415)
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import prod

from msgspec import Struct

from domain.rules.house_rules.model import HouseRules
from domain.rules.odds.deals import DealCounts, count_deals
from domain.rules.odds.tally import deciding, fitting
from domain.rules.settlement import pay_by
from domain.rules.wagers import PUSH, PayLine

__all__ = [
    "DealCounts",
    "SpotOdds",
    "break_even_meter",
    "count_deals",
    "spot_covariances",
    "spot_odds",
    "stake_odds",
]


class SpotOdds(Struct, frozen=True):
    """A spot's exact counts; `edge` is the patron's expected gain on a wager of 1.

    `variance`: of that gain. `overlaps`: the places of two lines of the pay table, and how many
    deals fit both, of those that the upper one decides.
    """

    wins: int
    pushes: int
    loses: int
    lines: tuple[int, ...]  # deals decided by each line of the pay table
    edge: Fraction
    variance: Fraction
    overlaps: tuple[tuple[int, int, int], ...]

    @property
    def deals(self) -> int:
        """All deals of a full shoe."""
        return self.wins + self.pushes + self.loses

    @property
    def house_percent(self) -> float:
        """The house's edge in per cent, to four places."""
        return round(float(-self.edge * 100), 4)


def spot_odds(rules: HouseRules, spot: str, decks: int) -> SpotOdds:
    """The exact odds of a spot from a full shoe, with commission, not rounded."""
    return _odds(rules, spot, decks, lambda line: -_house_wins(rules, spot, line))


def stake_odds(rules: HouseRules, spot: str, decks: int, stake: int) -> SpotOdds:
    """The exact odds of a wager of this size, with payment and commission rounded.

    Commission that is rounded on collection, over many wins together, counts unrounded.
    """
    return _odds(rules, spot, decks, lambda line: _net(rules, spot, stake, line) / stake)


def break_even_meter(rules: HouseRules, spot: str, decks: int) -> Fraction | None:
    """What a spot's meter stands at, in minor units, when neither side has an edge (R-PROG-1).

    For one wager at the spot's minimum, from a full shoe. None for a spot that no meter pays.
    """
    if spot not in rules.progressives:
        return None
    odds = spot_odds(rules, spot, decks)
    lines = zip(rules.spots[spot].pays, odds.lines, strict=True)
    of_one = sum(
        (ways * Fraction(*line.pays) for line, ways in lines if line.of_meter), Fraction(0)
    )
    seed, least = rules.progressives[spot].seed, rules.limit(spot).minimum
    return seed - odds.edge * odds.deals * least / of_one


def _odds(
    rules: HouseRules, spot: str, decks: int, gain: Callable[[PayLine | None], Fraction]
) -> SpotOdds:
    """`gain`: the patron's, on a wager of 1 that a line decides; None: it loses."""
    table = rules.spots[spot].pays
    decided: Counter[PayLine | None] = Counter()
    overlaps: Counter[tuple[int, int]] = Counter()
    for fit, ways in fitting(table, decks).items():
        decided[table[fit[0]] if fit else None] += ways
        overlaps.update({(fit[0], lower): ways for lower in fit[1:]})
    deals = sum(decided.values())
    lines = tuple(decided[line] for line in table)
    pushes = sum(ways for line, ways in decided.items() if line and line.pays == PUSH)
    gains = [(ways, gain(line)) for line, ways in decided.items()]
    edge = sum((ways * each for ways, each in gains), Fraction(0)) / deals
    return SpotOdds(
        wins=sum(lines) - pushes,
        pushes=pushes,
        loses=decided[None],
        lines=lines,
        edge=edge,
        variance=sum((ways * each**2 for ways, each in gains), Fraction(0)) / deals - edge**2,
        overlaps=tuple((*places, ways) for places, ways in sorted(overlaps.items())),
    )


def _net(rules: HouseRules, spot: str, stake: int, line: PayLine | None) -> Fraction:
    """The patron's gain or loss in one coup, after paying the commission owed."""
    by_meter = line is not None and line.of_meter
    won = int(_at_seed(rules, spot, line)) if line and by_meter else None
    payment = pay_by(line, rules, spot, stake, share=won)
    owed = Fraction(0)
    if payment.commission_due == "deferred":
        rounded = rules.commission.rounding.moment == "per-win"
        owed = Fraction(payment.commission_charged) if rounded else payment.commission_exact
    return payment.paid - owed - stake


def spot_covariances(rules: HouseRules, decks: int) -> dict[tuple[str, str], Fraction]:
    """The covariance of the house's wins, on wagers of 1, for every ordered pair of spots.

    A spot with itself is its variance. All wagers of a coup depend on the same cards, so wagers s
    have the variance sum(s[a] * s[b] * covariance[a, b]). From a full shoe, with commission at its
    rate, not rounded.
    """
    tables = {spot: offer.pays for spot, offer in rules.spots.items()}
    endings: Counter[tuple[Fraction, ...]] = Counter()
    for lines, ways in deciding(tuple(tables.values()), decks).items():
        decided = zip(tables.items(), lines, strict=True)
        endings[
            tuple(
                _house_wins(rules, spot, None if n is None else table[n])
                for (spot, table), n in decided
            )
        ] += ways
    deals = sum(endings.values())

    def mean(*places: int) -> Fraction:
        """The expected product of the house's wins on the spots at these places."""
        one = Fraction(1)
        worth = (ways * prod((won[n] for n in places), start=one) for won, ways in endings.items())
        return sum(worth, Fraction(0)) / deals

    return {
        (one, other): mean(a, b) - mean(a) * mean(b)
        for a, one in enumerate(tables)
        for b, other in enumerate(tables)
    }


def _at_seed(rules: HouseRules, spot: str, line: PayLine) -> Fraction:
    """What a line pays one wager of the meter at its seed."""
    return rules.progressives[spot].seed * Fraction(*line.pays)


def _house_wins(rules: HouseRules, spot: str, line: PayLine | None) -> Fraction:
    """What the house wins on a wager of 1 that this line decides, after commission.

    A meter counts at its seed, for a wager at the spot's minimum.
    """
    if line and line.of_meter:
        return -_at_seed(rules, spot, line) / rules.limit(spot).minimum
    takes = spot == "banker" and rules.commission.timing != "in-the-odds"
    left = 1 - Fraction(*rules.commission.rate) if takes else Fraction(1)
    return -left * Fraction(*line.pays) if line else Fraction(1)
