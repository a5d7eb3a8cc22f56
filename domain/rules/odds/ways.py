"""In how many orders of six cards those that count so can lie, from however many of each value.

That depends only on which values come how often. There are 8,008 such handfuls of at most six
cards. So what coups are asked is worked out once, as so many orders of each handful, and
counting them for other cards takes 8,008 products and a sum for each answer.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from operator import mul
from typing import Generic, TypeVar

from domain.rules.odds.pack import LARGEST_COUP

K = TypeVar("K")
_PLACE = tuple(7**value for value in range(10))  # up to six of each value, as digits of a number


def handful(values: Iterable[int | None]) -> int:
    """A number for cards that count so, the same in any order; None: no card."""
    return sum(_PLACE[value] for value in values if value is not None)


class Tally(Generic[K]):
    """Coups by what was asked of them: the handfuls that end so, and in how many orders."""

    def __init__(self, coups: Iterable[tuple[K, int, int]]) -> None:
        """Of each coup the answer, its `handful`, and in how many orders it comes."""
        by: defaultdict[K, Counter[int]] = defaultdict(Counter)
        places = _places()
        for key, cards, orders in coups:
            by[key][places[cards]] += orders
        self._of = {key: (list(counted), list(counted.values())) for key, counted in by.items()}

    def counted(self, values: tuple[int, ...]) -> dict[K, int]:
        """In how many orders of six cards each answer comes, from so many cards of each value."""
        every = _ways(values).__getitem__
        return {
            key: sum(map(mul, orders, map(every, handfuls)))
            for key, (handfuls, orders) in self._of.items()
        }


@cache
def _places() -> dict[int, int]:
    """The place of each handful among all, the smaller ones first."""
    each = (
        handful(values)
        for size in range(LARGEST_COUP + 1)
        for values in combinations_with_replacement(range(10), size)
    )
    return {cards: place for place, cards in enumerate(each)}


@cache
def _steps() -> list[list[tuple[int, int]]]:
    """Of each handful of a size: which one lacks its last card, and which card of a value that is.

    The place is among handfuls of its size; the n-th card that counts v has the number 6 v + n.
    """
    steps: list[list[tuple[int, int]]] = []
    before: dict[tuple[int, ...], int] = {(): 0}
    for size in range(1, LARGEST_COUP + 1):
        now = list(combinations_with_replacement(range(10), size))
        steps.append(
            [
                (before[each[:-1]], LARGEST_COUP * each[-1] + each.count(each[-1]) - 1)
                for each in now
            ]
        )
        before = {each: place for place, each in enumerate(now)}
    return steps


@lru_cache(maxsize=8)
def _ways(values: tuple[int, ...]) -> list[int]:
    """Of each handful, in how many ways its cards lie at their places, and any others after."""
    left = [max(many - before, 0) for many in values for before in range(LARGEST_COUP)]
    spare = [1]
    for size in range(LARGEST_COUP - 1, -1, -1):
        spare.append(spare[-1] * max(sum(values) - size, 0))
    level, every = [1], [spare.pop()]
    for steps in _steps():
        level = [level[before] * left[card] for before, card in steps]
        unused = spare.pop()
        every += [ways * unused for ways in level]
    return every
