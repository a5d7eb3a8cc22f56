"""Whether somebody has more of something than the others: dealers, of what went wrong.

Chance: the others' rate, coup by coup. `chance` is how often as many come at that rate (Poisson's
upper tail). With many dealers and many kinds something is always rare, so `named` asks for
all of them together: of those it names, one in so many is expected to be chance alone (Benjamini
and Hochberg, J. R. Statist. Soc. B 57, 1995). `shrunk` is the rate that is to be expected of them:
their own, drawn to that of all the more, the fewer coups they dealt (Robbins, "An empirical Bayes
approach to statistics", 1956; a gamma prior by its moments). One slip in ten coups is no record.
"""

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct

from domain.rules.protection_levels import ONE_OF_THE_NAMED

WEAKEST, STRONGEST = 1.0, 1e9  # how much the rate of all may weigh, in things that happened


class Count(Struct, frozen=True):
    """How often something happened to somebody in so many coups."""

    times: int
    coups: int


class Rate(Struct, frozen=True):
    """What is to be expected of somebody, and how seldom chance does as much as they had."""

    shrunk: float
    chance: float


class Compared(Struct, frozen=True):
    """`shrunk`: as in `Rate`, times in 1,000 coups; `chance`: the tail; `named`: see above."""

    shrunk: float
    chance: float
    named: bool


def compared(counts: Mapping[str, Sequence[Count]]) -> dict[str, list[Compared]]:
    """Each kind's counts, one of each person, beside those of the others.

    >>> [few, many] = compared({"misdraw": [Count(2, 1000), Count(30, 1000)]})["misdraw"]
    >>> few.named, many.named, round(few.shrunk, 1), round(many.shrunk, 1)
    (False, True, 3.1, 28.9)
    >>> compared({"misdraw": [Count(0, 1000), Count(1, 10)]})["misdraw"][1].named
    False
    """
    return all_named({kind: rates(every) for kind, every in counts.items()})


def rates(every: Sequence[Count]) -> list[Rate]:
    """The rate of each person in 1,000 coups, with the tail beside that of the others."""
    return [
        Rate(rate, _tail(each, _others(each, every)))
        for each, rate in zip(every, shrunk(every), strict=True)
    ]


def shrunk(every: Sequence[Count]) -> list[float]:
    """How often in 1,000 coups it is to be expected of each person."""
    return [_shrunk(each, every) * 1_000 for each in every]


def all_named(
    kinds: Mapping[str, Sequence[Rate]], one_in: int = ONE_OF_THE_NAMED
) -> dict[str, list[Compared]]:
    """Who is named, for all kinds and persons together; by chance one in so many of them is."""
    highest = _highest([each.chance for every in kinds.values() for each in every], one_in)
    return {
        kind: [Compared(each.shrunk, each.chance, each.chance <= highest) for each in every]
        for kind, every in kinds.items()
    }


def _others(one: Count, every: Sequence[Count]) -> float:
    """How often it happens to the others in a coup; once in their coups, if never."""
    times = sum(each.times for each in every) - one.times
    coups = sum(each.coups for each in every) - one.coups
    return max(times, 1) / max(coups, 1)


def _tail(one: Count, rate: float) -> float:
    """How likely at least as many are by chance (Poisson)."""
    expected = rate * one.coups
    if one.times == 0 or expected == 0:
        return 1.0
    if one.times > expected:  # from the tail's own side, so that nothing small is lost
        term = math.exp(one.times * math.log(expected) - expected - math.lgamma(one.times + 1))
        total, n = 0.0, one.times
        while term > total * 1e-16:
            total, n = total + term, n + 1
            term *= expected / n
        return min(total, 1.0)
    below = 0.0
    for n in range(one.times):
        below += math.exp(n * math.log(expected) - expected - math.lgamma(n + 1))
    return max(1 - below, 0.0)


def _highest(tails: Sequence[float], one_in: int) -> float:
    """The highest tail with which somebody is named; less than any if nobody is."""
    ranked = sorted(tails)
    low = [t for n, t in enumerate(ranked, 1) if t * one_in <= n / len(ranked)]
    return low[-1] if low else -1.0


def _shrunk(one: Count, every: Sequence[Count]) -> float:
    """The rate to be expected of somebody: a gamma prior by the moments of all."""
    coups = sum(each.coups for each in every)
    mean = sum(each.times for each in every) / coups if coups else 0.0
    if mean == 0:
        return 0.0
    spread = sum((each.times - mean * each.coups) ** 2 for each in every) - mean * coups
    per_coup = sum(each.coups**2 for each in every)
    variance = max(spread / per_coup, mean**2 / STRONGEST)  # beyond what chance spreads
    times = min(max(mean**2 / variance, WEAKEST), STRONGEST)
    return (one.times + times) / (one.coups + times / mean)
