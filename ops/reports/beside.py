"""Columns in which dealers and patrons are compared: results against theory, and pace.

Of all who are named in a column one in so many is there by chance, as in `compared.py`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from msgspec import Struct, convert

from domain.review.protection.compared import Rate, all_named
from domain.review.protection.drawn import drawn
from domain.review.protection.pace import Stretches
from domain.review.protection.results import OnSpot, Stakes, Summed, summed
from ops.reports.computed import LEAST, DealtBy, compared

What = TypeVar("What")


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
        "deviations": f"{one.deviations:+.1f}",
        "expected": f"{rate.shrunk * 100:+.2f}",
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
    "compared": compared,
    "results": _results,
    "pace": _paces,
}
