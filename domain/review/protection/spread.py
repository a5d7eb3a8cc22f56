"""The cards of a shoe that is over, looked at once: ranks, suits, places and neighbours.

Chance: ranks and suits are drawn from whole decks without replacement. Where the cards of a rank
lie, and which come side by side, is by any order of the cards that came as likely as by another.
The first three are Pearson's chi-squared, scaled so that its mean is exactly its degrees of freedom
when cards do not come back; its tail is that of the distribution. Neighbours are counted, with the
exact mean and variance over all orders, and the tail is the normal one (Wald and Wolfowitz, Ann.
Math. Statist. 14, 1943). These may not be asked again after each card: `clumps.py` and
`whole_decks.py` may.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from domain.rules.cards import DECK

LEAST = 260  # cards: with fewer, a rank has less than five to be expected in a quarter
QUARTERS = 4


class Spread(Struct, frozen=True):
    """A number of a shoe, and how often chance has one that is as far off.

    `score`: chi-squared with `free` degrees of freedom; of neighbours (`free` 0) how many standard
    deviations more or less than by chance.
    """

    what: str
    score: float
    free: int
    chance: float


def spread(decks: int, cards: Sequence[str]) -> Iterator[Spread]:
    """Each number of a shoe's cards in the order in which they came; none if they are few."""
    if len(cards) < LEAST:
        return
    yield _counts("ranks", _rank, decks, cards)
    yield _counts("suits", _suit, decks, cards)
    yield _places(cards)
    yield _neighbours("neighbours of one rank", [*map(_rank, cards)])
    yield _neighbours("neighbours of one suit", [*map(_suit, cards)])


def _rank(card: str) -> str:
    return card[0]


def _suit(card: str) -> str:
    return card[1]


def _counts(what: str, kind: Callable[[str], str], decks: int, cards: Sequence[str]) -> Spread:
    """How often each kind came, beside whole decks."""
    whole, came = Counter(map(kind, [*DECK] * decks)), Counter(map(kind, cards))
    size, many = whole.total(), len(cards)
    parts = ((came[each], many * whole[each] / size) for each in whole)
    left = size - many  # with none left nothing can be by chance
    return _chi_squared(what, parts, (size - 1) / left if left else 0.0, len(whole) - 1)


def _places(cards: Sequence[str]) -> Spread:
    """How often each rank came in each quarter, beside how often it came at all."""
    many = len(cards)
    quarters = [cards[many * n // QUARTERS : many * (n + 1) // QUARTERS] for n in range(QUARTERS)]
    all_of, in_each = Counter(map(_rank, cards)), [Counter(map(_rank, q)) for q in quarters]
    parts = (
        (came[rank], all_of[rank] * len(quarter) / many)
        for quarter, came in zip(quarters, in_each, strict=True)
        for rank in all_of
    )
    free = (len(all_of) - 1) * (QUARTERS - 1)
    return _chi_squared("places", parts, (many - 1) / many, free)


def _chi_squared(what: str, parts: Iterator[tuple[int, float]], scale: float, free: int) -> Spread:
    score = scale * sum((came - expected) ** 2 / expected for came, expected in parts)
    return Spread(what, score, free, chi_squared_tail(score, free))


def chi_squared_tail(score: float, free: int) -> float:
    """How often chi-squared with so many degrees of freedom is at least a score.

    >>> round(chi_squared_tail(7.815, 3), 4), round(chi_squared_tail(21.026, 12), 4)
    (0.05, 0.05)
    """
    half = score / 2
    if half == 0:
        return 1.0
    tail = math.erfc(math.sqrt(half)) if free % 2 else 0.0
    for n in range(free // 2):
        power = n + free % 2 / 2
        tail += math.exp(power * math.log(half) - half - math.lgamma(power + 1))
    return min(tail, 1.0)


def _neighbours(what: str, kinds: Sequence[str]) -> Spread:
    """How often two cards of one kind come side by side, beside all orders of the same cards."""
    mean, variance = by_any_order(Counter(kinds))
    pairs = sum(one == other for one, other in pairwise(kinds))
    score = (pairs - mean) / math.sqrt(variance)
    return Spread(what, score, 0, math.erfc(abs(score) / math.sqrt(2)))


def by_any_order(kinds: Counter[str]) -> tuple[float, float]:
    """Mean and variance of the pairs of one kind side by side, over all orders of the cards."""
    many = kinds.total()
    twos, threes, fours = (sum(math.perm(each, n) for each in kinds.values()) for n in (2, 3, 4))
    apart = twos**2 - sum(math.perm(each, 2) ** 2 for each in kinds.values()) + fours
    one = twos / math.perm(many, 2)
    mean = (many - 1) * one
    touching = 2 * (many - 2) * threes / math.perm(many, 3)
    away = (many - 2) * (many - 3) * apart / math.perm(many, 4)
    return mean, mean + touching + away - mean**2
