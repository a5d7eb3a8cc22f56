"""Columns in which people are compared: what went wrong, results against theory, pace, cash.

Of all who are named in a column one in so many is there by chance, as in `compared.py`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct, convert

from domain.review.protection.compared import Compared, Count, Rate, all_named, rates, shrunk
from domain.review.protection.drawn import drawn
from domain.review.protection.pace import Stretches
from domain.review.protection.results import OnSpot, Stakes, Summed, summed
from domain.review.protection.trays import TrayCount, chance_of_short
from domain.rules.protection_levels import TRAY_SHORT
from ops.reports.computed import DealtBy
from projections import Report

LEAST = 1e-300  # of a chance that a float can hold
What = TypeVar("What")


class Happened(Struct, frozen=True):
    """How often each kind happened to one of those who are compared, in how many coups.

    `trays`: the counts of their trays that were off. `one_in`: of those named, one is chance.
    """

    coups: int
    one_in: int
    times: dict[str, int]
    trays: list[TrayCount] = []


def _compared(values: Sequence[object], _: DealtBy) -> list[object]:
    """The kinds that happened to each of them beside all others, the rarest first."""
    every = convert(values, list[Happened])
    if not every:
        return []
    kinds = sorted({kind for each in every for kind in each.times})
    beside = all_named(
        {
            kind: rates([Count(each.times.get(kind, 0), each.coups) for each in every])
            for kind in kinds
        }
        | _trays(every),
        every[0].one_in,  # the same for all
    )
    return [
        _rarest_first({kind: (times, beside[kind][n]) for kind, times in _happened(each).items()})
        for n, each in enumerate(every)
    ]


def _happened(one: Happened) -> dict[str, int]:
    """How often each kind happened to one of them."""
    short = sum(count.off < 0 for count in one.trays)
    return one.times | ({TRAY_SHORT: short} if short else {})


def _trays(every: Sequence[Happened]) -> dict[str, list[Rate]]:
    """How often the trays of each are short, with how seldom chance leaves them as short."""
    short = [Count(sum(each.off < 0 for each in one.trays), one.coups) for one in every]
    if not any(each.times for each in short):
        return {}
    chances = (chance_of_short(one.trays) for one in every)
    return {TRAY_SHORT: [Rate(*each) for each in zip(shrunk(short), chances, strict=True)]}


def _rarest_first(kinds: Mapping[str, tuple[int, Compared]]) -> list[object]:
    by_chance = sorted(kinds.items(), key=lambda each: (each[1][1].chance, each[0]))
    return [
        {
            "kind": kind,
            "times": times,
            "per_1000": f"{one.shrunk:.1f}",
            "power": _power(one.chance),
            "named": one.named,
        }
        for kind, (times, one) in by_chance
    ]


class Results(Struct, frozen=True):
    """The wagers of the patrons of a dealer, or of one with them."""

    spots: list[OnSpot]
    stakes: list[Stakes]


class Beside(Struct, Generic[What], frozen=True):
    """What somebody is compared by, if anything; of those named, one in so many is chance."""

    one_in: int
    of: What | None


def _results(values: Sequence[object], dealt_by: DealtBy) -> list[object]:
    """Each one's result against theory, beside those of all."""
    asked = convert(values, list[Beside[Results]])
    won = [summed(each.of.spots, each.of.stakes, dealt_by) if each.of else None for each in asked]
    known = [each for each in won if each]
    expected = iter(drawn([each.rate for each in known]))
    rates = [Rate(next(expected), each.chance) if each else None for each in won]
    return [
        _result(each, rate, named=named) if each and rate else None
        for each, rate, named in zip(won, rates, _named(asked, rates), strict=True)
    ]


def _result(one: Summed, rate: Rate, *, named: bool) -> object:
    return {
        "handle": one.handle,
        "won": round(one.won),
        "theory": round(one.won - one.more),
        "deviations": f"{one.deviations:+z.1f}",
        "expected": f"{rate.shrunk * 100:+z.2f}",
        "power": _power(rate.chance),
        "named": named,
    }


def _paces(values: Sequence[object], _: DealtBy) -> list[object]:
    """Each one's pace, beside those of all."""
    asked = convert(values, list[Beside[Stretches]])
    known = [each.of for each in asked if each.of]
    expected = iter(drawn([each.slower for each in known]))
    rates = [Rate(next(expected), each.of.chance) if each.of else None for each in asked]
    return [
        _pace(each.of, rate, named=named) if each.of and rate else None
        for each, rate, named in zip(asked, rates, _named(asked, rates), strict=True)
    ]


def _pace(one: Stretches, rate: Rate, *, named: bool) -> object:
    return {
        "an_hour": f"{one.an_hour:.1f}",
        "others": f"{one.others_an_hour:.1f}",
        "expected": f"{one.others_an_hour * math.exp(-rate.shrunk):.1f}",
        "power": _power(rate.chance),
        "named": named,
    }


class Occasions(Struct, frozen=True):
    """How often a pattern held of somebody, and of all others, on so many occasions.

    `tests`: how many were looked at in all; of those named, one in `one_in` is chance.
    """

    times: int
    of: int
    others_times: int
    others_of: int
    tests: int
    one_in: int

    @property
    def chance(self) -> float:
        """How seldom who does as the others has as many: the binomial tail.

        The others' share is taken as one time larger than it was, so that few others prove little.
        """
        share = (self.others_times + 1) / (self.others_of + 1)
        if share >= 1:
            return 1.0
        exactly = (self._exactly(n, share) for n in range(self.times, self.of + 1))
        return min(1.0, math.fsum(exactly))

    def _exactly(self, times: int, share: float) -> float:
        ways = math.lgamma(self.of + 1) - math.lgamma(times + 1) - math.lgamma(self.of - times + 1)
        return math.exp(ways + times * math.log(share) + (self.of - times) * math.log1p(-share))


def unlike(values: Sequence[object]) -> list[Mapping[str, object]]:
    """How unlike all others each one's cash moves; who has no row is as the others."""
    asked = convert(values, list[Occasions])
    if not asked:
        return []
    others = [Rate(0.0, 1.0)] * (asked[0].tests - len(asked))
    rates = [*(Rate(0.0, each.chance) for each in asked), *others]
    named = all_named({"": rates}, asked[0].one_in)[""]
    return [
        {
            "others": f"{100 * one.others_times / max(one.others_of, 1):.1f}",
            "power": _power(rate.chance),
            "named": rate.named,
        }
        for one, rate in zip(asked, named, strict=False)
    ]


def computed_together(
    report: Report, rows: list[tuple[Any, ...]], dealt_by: DealtBy
) -> list[tuple[Any, ...]]:
    """The rows with the columns of which each value depends on all others; the named ones first."""
    for n, name in enumerate(report.columns):
        if name in TOGETHER:
            values = TOGETHER[name]([row[n] for row in rows], dealt_by)
            rows = [(*row[:n], new, *row[n + 1 :]) for row, new in zip(rows, values, strict=True)]
    return sorted(rows, key=lambda row: rank(report, row)) if report.named_in else rows


def rank(report: Report, row: tuple[Any, ...]) -> tuple[int, ...]:
    """What rows rise by before anything else: the named ones first, the rarest of them before.

    () for a report that names nobody.
    """
    if not report.named_in:
        return ()
    value = row[report.columns.index(report.named_in)]
    return (0, -value["power"]) if value["named"] else (1, 0)


def _power(chance: float) -> int:
    return math.floor(-math.log10(max(chance, LEAST)))


def _named(asked: Sequence[Beside[What]], rates: Sequence[Rate | None]) -> list[bool]:
    """Who of them is named."""
    known = [rate for rate in rates if rate]
    if not known:
        return [False] * len(rates)
    every = iter(all_named({"": known}, asked[0].one_in)[""])  # the same for all
    return [next(every).named if rate else False for rate in rates]


# Columns of which each value depends on those of all other rows.
TOGETHER: Mapping[str, Callable[[Sequence[object], DealtBy], list[object]]] = {
    "compared": _compared,
    "results": _results,
    "pace": _paces,
    "unlike": lambda values, _: [*unlike(values)],
}
