"""Whether patrons win more from the house with a dealer than the bets that they made explain.

A result is what they won, beside the theoretical one: each stake times the exact edge of its spot
with full decks. All bets of a coup are paid by the same cards, so they are one result, of which
the mean is the sum of theirs, and the variance that of every pair of them (`spot_covariances`).

Chance: given the bets as they were when the first card came, the mean is what is to be expected.
That needs no more: beside a dealer, and beside each patron with a dealer, a gambler buys a part of
each result at its mean. He never stakes more than they can lose in the coup, so he never
owes, and by chance he holds x units at most beside one of x, however often one looks (Ville's
inequality, as in `following.py`; betting on a mean: Waudby-Smith and Ramdas, J. R. Statist. Soc. B
86, 2024). Nothing is taken as normal: a bet that is seldom won, and pays much, is bought like any
other. Half of his guesses stake alike on each coup, half more where more is bet.

Cards that are left move the means a little, both ways: a patron who counts, and bets by it, has
the edge by which they are seen here as well. Bets that are placed after four cards, go on for
several coups, or win a meter are left out: their means depend on more than the coup's cards.

For the results of some days, all looked at once, `chance_of_result` is Bennett's bound (J. Am.
Statist. Assoc. 57, 1962): by their exact variance, and the most that a coup can bring, so much is
won at most so often.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import mul

from msgspec import Struct, field

from domain.review.protection.drawn import Known
from domain.rules.house_rules import HouseRules, of
from domain.rules.odds import spot_covariances, spot_odds
from domain.rules.spots import OPPOSITE
from domain.rules.wagers import TIE_RETURNS

BEGINS = 1 / 200  # of what is held, staked anew at each coup, for who begins to cheat today
ENDS = 1 / 1_000  # of a guess, taken off the table at each coup
BOLDNESS = (0.05, 0.2, 0.5, 0.9)  # the part of a guess that is staked on a coup
GUESSES = 2 * len(BOLDNESS)
_GOES_ON = 1 - ENDS


class Bet(Struct, frozen=True):
    """A wager as it was when the first card came, in minor units, and what it won or lost."""

    spot: str
    stake: int
    net: float


class Result(Struct, frozen=True):
    """What bets on one coup won above theory, in minor units; `worst`: the most they can lose."""

    more: float
    variance: float
    worst: float


class AgainstTheory(Struct):
    """A gambler beside a dealer, or a patron with a dealer, after each coup with a bet."""

    free: float = 0.5
    guesses: list[float] = field(default_factory=lambda: [0.5 / GUESSES] * GUESSES)
    largest: float = 0.0  # the most that could be lost in a coup, as the rest in minor units
    coups: int = 0
    more: float = 0.0  # won above theory
    variance: float = 0.0

    @property
    def held(self) -> float:
        """What he holds, of the one unit that was staked."""
        return self.free + sum(self.guesses)

    @property
    def deviations(self) -> float:
        """By how many standard deviations more was won than by theory."""
        return self.more / math.sqrt(self.variance) if self.variance else 0.0

    def add(self, result: Result) -> None:
        """Another coup.

        >>> beside = AgainstTheory()
        >>> beside.add(Result(more=800.0, variance=800.0**2, worst=100.0))
        >>> round(beside.held, 2), beside.deviations
        (2.66, 1.0)
        """
        if result.worst <= 0:
            return
        self.largest = max(self.largest, result.worst)
        free, guesses = self.free, self.guesses
        new = free * BEGINS / GUESSES
        gains = result.more / result.worst, result.more / self.largest
        became = [1 + bold * gain for gain in gains for bold in BOLDNESS]
        self.free = free * (1 - BEGINS) + sum(guesses) * ENDS
        self.guesses = [*map(mul, [guess * _GOES_ON + new for guess in guesses], became)]
        self.coups += 1
        self.more += result.more
        self.variance += result.variance


def is_of_the_cards(rules: HouseRules, spot: str) -> bool:
    """Whether the cards of one coup, from its first on, decide all that a spot pays."""
    return (
        spot in rules.spots
        and spot not in rules.progressives
        and spot not in rules.over_coups
        and not rules.terms_of(spot).after_four
    )


@lru_cache(maxsize=4_096)
def _is_of_the_cards(name: str, digest: str, spot: str) -> bool:
    return is_of_the_cards(of(name, digest), spot)


def result_of(rules: HouseRules, decks: int, bets: Sequence[Bet]) -> Result:
    """What these bets on one coup won above theory.

    >>> from domain.rules.house_rules import named
    >>> tie = result_of(named("pairs@1"), 8, [Bet("tie", 100_00, 800_00.0)])
    >>> round(tie.more), round(tie.worst)
    (81436, 10000)
    """
    stakes: dict[str, int] = {}
    net = 0.0
    for bet in bets:
        if _is_of_the_cards(rules.name, rules.digest, bet.spot):
            stakes[bet.spot] = stakes.get(bet.spot, 0) + bet.stake
            net += bet.net
    theory = _theory(rules.name, rules.digest, decks, tuple(stakes.items()))
    return Result(net - theory.mean, theory.variance, theory.worst)


class _Theory(Struct, frozen=True):
    """What stakes on the spots of one coup win by theory; `worst`: the most below it."""

    mean: float
    variance: float
    worst: float


@lru_cache(maxsize=16_384)  # the same stakes come again and again
def _theory(name: str, digest: str, decks: int, stakes: Sequence[tuple[str, int]]) -> _Theory:
    rules, mean, variance = of(name, digest), 0.0, 0.0
    for spot, stake in stakes:
        mean += stake * _edge(name, digest, spot, decks)
    covariances = _covariances(name, digest, decks) if stakes else {}
    for spot, stake in stakes:
        for other, beside in stakes:
            variance += stake * beside * covariances[spot, other]
    return _Theory(mean, variance, _worst(rules, dict(stakes)) + max(mean, 0.0))


def _worst(rules: HouseRules, stakes: dict[str, int]) -> int:
    """The most that these stakes can lose: of two sides that a tie returns, one does not."""
    sides = [stakes.get(side, 0) for side in OPPOSITE]
    returned = all(side in rules.spots and _returns_ties(rules, side) for side in OPPOSITE)
    return sum(stakes.values()) - (min(sides) if returned else 0)


def _returns_ties(rules: HouseRules, side: str) -> bool:
    return TIE_RETURNS in rules.spots[side].pays


@lru_cache(maxsize=4_096)
def _edge(rules: str, digest: str, spot: str, decks: int) -> float:
    """What a patron may expect of 1 wagered, by name and digest of the rule set."""
    return float(spot_odds(of(rules, digest), spot, decks).edge)


@lru_cache(maxsize=256)
def _covariances(rules: str, digest: str, decks: int) -> dict[tuple[str, str], float]:
    exact = spot_covariances(of(rules, digest), decks)
    return {spots: float(covariance) for spots, covariance in exact.items()}


class OnSpot(Struct, frozen=True):
    """All bets on a spot, of somebody, under one rule set, in minor units.

    `won`: what they won, less what they lost, as a decimal; `largest`: on it in one coup.
    """

    rules: str
    decks: int
    spot: str
    handle: int
    won: str
    largest: int


class Stakes(Struct, frozen=True):
    """The sum, over all coups, of what lay on one spot times what lay on it, or on another one."""

    rules: str
    decks: int
    spot: str
    other: str
    product: int


class Summed(Struct, frozen=True):
    """The results of many coups above theory; `most`: that one coup can bring above it."""

    handle: int
    won: float
    more: float
    variance: float
    most: float

    @property
    def deviations(self) -> float:
        """By how many standard deviations more was won than by theory."""
        return self.more / math.sqrt(self.variance) if self.variance > 0 else 0.0

    @property
    def rate(self) -> Known:
        """What was won above theory of each unit that was wagered."""
        return Known(self.more / self.handle, self.variance / self.handle**2)

    @property
    def chance(self) -> float:
        """How often chance brings as much, at most."""
        return chance_of_result(self.more, self.variance, self.most)


def summed(
    spots: Sequence[OnSpot], stakes: Sequence[Stakes], dealt_by: Callable[[str], HouseRules | None]
) -> Summed | None:
    """The results on those spots that the cards of one coup decide; None: there are none."""
    handle, won, mean, variance = 0, 0.0, 0.0, 0.0
    most: dict[tuple[str, int], float] = {}
    for each in spots:
        rules = dealt_by(each.rules)
        if rules is None or not is_of_the_cards(rules, each.spot):
            continue
        edge = _edge(rules.name, rules.digest, each.spot, each.decks)
        handle += each.handle
        won += float(each.won)
        mean += each.handle * edge
        pays = max(
            to / of_each for to, of_each in (line.pays for line in rules.spots[each.spot].pays)
        )
        dealt = each.rules, each.decks
        most[dealt] = most.get(dealt, 0.0) + each.largest * (pays - edge)
    for both in stakes:
        rules = dealt_by(both.rules)
        if rules and is_of_the_cards(rules, both.spot) and is_of_the_cards(rules, both.other):
            covariances = _covariances(rules.name, rules.digest, both.decks)
            twice = 1 + (both.spot != both.other)
            variance += twice * both.product * covariances[both.spot, both.other]
    if not handle:
        return None
    return Summed(handle, won, won - mean, variance, max(most.values()))


def chance_of_result(more: float, variance: float, most: float) -> float:
    """How often so much is won above theory, at most (Bennett).

    `variance`: of all coups together; `most`: that one of them brings above theory.

    >>> [f"{chance_of_result(more, 100.0**2, 40.0):.0e}" for more in (0.0, 200.0, 500.0)]
    ['1e+00', '2e-01', '3e-04']
    """
    if more <= 0 or variance <= 0 or most <= 0:
        return 1.0
    u = most * more / variance
    return math.exp(-variance / most**2 * ((1 + u) * math.log1p(u) - u))
