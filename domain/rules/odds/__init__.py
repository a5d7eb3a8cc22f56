"""Exact counts and house edges of a rule set, from every coup that can be dealt.

From full decks, or from the cards that are left of them (`odds_from`).

>>> from domain.rules.house_rules import named
>>> spot_odds(named("pairs@1"), "pair-player", decks=8).edge
Fraction(-43, 415)
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import lcm

from msgspec import Struct

from domain.rules.conditions import condition
from domain.rules.house_rules.model import HouseRules
from domain.rules.odds.deals import DealCounts, count_deals
from domain.rules.odds.over_coups import CoupsOdds, coups_odds
from domain.rules.odds.pack import Pack, whole
from domain.rules.odds.tally import Fitting, Totals, deciding, fitting, fitting_after, looked_at
from domain.rules.pro_rata import Share
from domain.rules.settlement import pay_by
from domain.rules.wagers import PUSH, PayLine, PayTable

__all__ = [
    "DealCounts",
    "Pack",
    "SpotOdds",
    "best_edge",
    "break_even_meter",
    "count_deals",
    "favoured_by_rounding",
    "odds_by_totals",
    "odds_from",
    "soon_counted",
    "spot_covariances",
    "spot_odds",
    "stake_odds",
    "whole",
]

SOON = 100_000  # ways in which cards differ that are gone through in less than a second


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
        """All deals of a full shoe; of a bet after four cards, those in which it is offered."""
        return self.wins + self.pushes + self.loses

    @property
    def house_percent(self) -> float:
        """The house's edge in per cent, to four places."""
        return round(float(-self.edge * 100), 4) + 0.0  # no zero is negative


def spot_odds(rules: HouseRules, spot: str, decks: int) -> SpotOdds:
    """The exact odds of a spot from a full shoe, with commission, not rounded."""
    return odds_from(rules, spot, whole(decks))


def odds_from(rules: HouseRules, spot: str, pack: Pack) -> SpotOdds:
    """The exact odds of a spot from these cards, six or more, with commission, not rounded.

    Raises ZeroDivisionError if they deal no coup in which it is offered.
    """
    return _odds(rules, spot, pack, lambda line: -_house_wins(rules, spot, line))


def soon_counted(rules: HouseRules, spot: str) -> bool:
    """Whether `odds_from` takes less than a second, whatever the cards.

    Not if a bet looks at the suits of four cards, or the ranks of six: there are too many.
    """
    over, terms = rules.over_coups.get(spot), rules.terms_of(spot)
    asked = [over.wins, over.skips] if over else [line.when for line in rules.spots[spot].pays]
    conditions = [condition(when) for when in (*asked, terms.after_four) if when]
    return looked_at(conditions) <= SOON


def stake_odds(rules: HouseRules, spot: str, decks: int, stake: int) -> SpotOdds:
    """The exact odds of a wager of this size, with payment and commission rounded.

    Commission that is rounded on collection, over many wins together, counts unrounded.
    """
    return _odds(rules, spot, whole(decks), lambda line: _net(rules, spot, stake, line) / stake)


def favoured_by_rounding(rules: HouseRules, decks: int) -> dict[str, Fraction]:
    """The spots whose least bet favours the patron only as it is paid, each with that edge."""
    favoured: dict[str, Fraction] = {}
    for spot, offer in rules.spots.items():
        least = rules.limit(spot).minimum
        is_rounded = any(
            _net(rules, spot, least, line) != -_house_wins(rules, spot, line) * least
            for line in offer.pays
        )
        if is_rounded and best_edge(rules, spot, decks) <= 0:
            edge = stake_odds(rules, spot, decks, least).edge
            favoured |= {spot: edge} if edge > 0 else {}
    return favoured


def break_even_meter(rules: HouseRules, spot: str, decks: int) -> Fraction | None:
    """What a spot's meter stands at, in minor units, when neither side has an edge (R-PROG-1).

    For one wager at the spot's minimum, from a full shoe. None if the cards win no meter.
    """
    if spot not in rules.progressives:
        return None
    odds = spot_odds(rules, spot, decks)
    lines = zip(rules.spots[spot].pays, odds.lines, strict=True)
    of_one = sum(
        (ways * Fraction(*line.pays) for line, ways in lines if line.of_meter), Fraction(0)
    )
    if not of_one:
        return None
    seed, least = rules.progressives[spot].seed, rules.limit(spot).minimum
    return seed - odds.edge * odds.deals * least / of_one


def _odds(
    rules: HouseRules, spot: str, pack: Pack, gain: Callable[[PayLine | None], Fraction]
) -> SpotOdds:
    """`gain`: the patron's, on a wager of 1 that a line decides; None: it loses."""
    if over := rules.over_coups.get(spot):
        table = rules.spots[spot].pays
        return _of_several(table, coups_odds(over, table, pack), gain)
    return _of(rules.spots[spot].pays, _fits(rules, spot, pack), gain)


def _fits(rules: HouseRules, spot: str, pack: Pack) -> Counter[Fitting]:
    """The deals by the lines that fit; of a bet after four cards, those in which it is offered."""
    table, when = rules.spots[spot].pays, rules.terms_of(spot).after_four
    if not when:
        return fitting(table, pack)
    fits: Counter[Fitting] = Counter()
    for (_, fit), ways in fitting_after(table, when, pack).items():
        fits[fit] += ways
    return fits


def odds_by_totals(rules: HouseRules, spot: str, decks: int) -> dict[Totals, SpotOdds]:
    """The exact odds of a bet after four cards, by the totals of Player's and Banker's two."""
    table, when = rules.spots[spot].pays, rules.terms_of(spot).after_four
    by_totals: defaultdict[Totals, Counter[Fitting]] = defaultdict(Counter)
    for (totals, fit), ways in fitting_after(table, when, whole(decks)).items():
        by_totals[totals][fit] += ways
    return {
        totals: _of(table, fits, lambda line: -_house_wins(rules, spot, line))
        for totals, fits in sorted(by_totals.items())
    }


def best_edge(rules: HouseRules, spot: str, decks: int) -> Fraction:
    """The patron's expected gain on a wager of 1, placed where it is the most (R-BET-8)."""
    if not rules.terms_of(spot).after_four:
        return spot_odds(rules, spot, decks).edge
    return max(each.edge for each in odds_by_totals(rules, spot, decks).values())


def _of_several(
    table: PayTable, odds: CoupsOdds, gain: Callable[[PayLine | None], Fraction]
) -> SpotOdds:
    """The odds of a bet on several coups, with these taken as independent (R-BET-9)."""
    deals = lcm(*(chance.denominator for chance in odds.chances.values()))
    fits: Counter[Fitting] = Counter()
    for line, chance in odds.chances.items():
        fits[(table.index(line),) if line else ()] = int(chance * deals)
    return _of(table, fits, gain)


def _of(
    table: PayTable, fits: Counter[Fitting], gain: Callable[[PayLine | None], Fraction]
) -> SpotOdds:
    """The odds of these deals."""
    decided: Counter[PayLine | None] = Counter()
    overlaps: Counter[tuple[int, int]] = Counter()
    for fit, ways in fits.items():
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
    share = Share(int(_at_seed(rules, spot, line))) if line and by_meter else None
    payment = pay_by(line, rules, spot, stake, share=share)
    owed = Fraction(0)
    if payment.commission_due == "deferred":
        rounded = rules.commission.rounding.moment == "per-win"
        owed = Fraction(payment.commission_charged) if rounded else payment.commission_exact
    return payment.paid - owed - stake


def spot_covariances(rules: HouseRules, decks: int) -> dict[tuple[str, str], Fraction]:
    """The covariance of the house's wins, on wagers of 1, for every ordered pair of spots.

    A spot with itself is its variance. All wagers of a coup depend on the same cards, so wagers s
    have the variance sum(s[a] * s[b] * covariance[a, b]). From a full shoe, with commission at its
    rate, not rounded. With a bet after four cards only coups count in which it is offered. One on
    several coups is taken as independent of all others.
    """
    tables = {
        spot: (*_not_offered(rules, spot), *offer.pays)
        for spot, offer in rules.spots.items()
        if spot not in rules.over_coups
    }
    endings: Counter[tuple[Fraction | None, ...]] = Counter()
    for lines, ways in deciding(tuple(tables.values()), whole(decks)).items():
        decided = zip(tables.items(), lines, strict=True)
        endings[
            tuple(
                None
                if n == 0 and rules.terms_of(spot).after_four
                else _house_wins(rules, spot, None if n is None else table[n])
                for (spot, table), n in decided
            )
        ] += ways

    def covariance(a: int, b: int) -> Fraction:
        """Of the house's wins on the spots at these places; 0 if both are never offered."""
        both = [
            (ways, one, other)
            for won, ways in endings.items()
            for one, other in [(won[a], won[b])]
            if one is not None and other is not None
        ]
        deals = sum(ways for ways, _, _ in both)
        if not deals:
            return Fraction(0)
        products = sum((ways * one * other for ways, one, other in both), Fraction(0))
        ones = sum((ways * one for ways, one, _ in both), Fraction(0))
        others = sum((ways * other for ways, _, other in both), Fraction(0))
        return products / deals - ones * others / deals**2

    return _with_those_over_coups(rules, decks) | {
        (one, other): covariance(a, b)
        for a, one in enumerate(tables)
        for b, other in enumerate(tables)
    }


def _with_those_over_coups(rules: HouseRules, decks: int) -> dict[tuple[str, str], Fraction]:
    """Nothing for every pair of spots, and the variance of each bet on several coups."""
    apart = {(one, other): Fraction(0) for one in rules.spots for other in rules.spots}
    own = {(spot, spot): spot_odds(rules, spot, decks).variance for spot in rules.over_coups}
    return apart | own


def _at_seed(rules: HouseRules, spot: str, line: PayLine) -> Fraction:
    """What a line pays one wager of the meter at its seed."""
    return rules.progressives[spot].seed * Fraction(*line.pays)


def _not_offered(rules: HouseRules, spot: str) -> Iterator[PayLine]:
    """A line for the coups in which a bet after four cards is not offered."""
    if when := rules.terms_of(spot).after_four:
        yield PayLine(f"not ({when}) or the coup has 4 cards", PUSH)


def _house_wins(rules: HouseRules, spot: str, line: PayLine | None) -> Fraction:
    """What the house wins on a wager of 1 that this line decides, after commission.

    A meter counts at its seed, for a wager at the spot's minimum.
    """
    if line and line.of_meter:
        return -_at_seed(rules, spot, line) / rules.limit(spot).minimum
    takes = spot == "banker" and rules.commission.timing != "in-the-odds"
    left = 1 - Fraction(*rules.commission.rate) if takes else Fraction(1)
    return -left * Fraction(*line.pays) if line else Fraction(1)
