"""Columns of reports that are computed here: projections may not use the domain's odds.

SQL gives what each is computed from, as JSON.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from fractions import Fraction
from functools import cache
from operator import itemgetter

from msgspec import Struct, convert
from msgspec.structs import asdict

from domain.review.protection.results import Stakes
from domain.review.protection.worth import Worth, worth
from domain.review.seating import Floor, advised
from domain.rules.house_rules import HouseRules, of
from domain.rules.odds import spot_covariances, spot_odds
from domain.rules.regimes import term_ends
from ops.reports.limits_used import limits_held

OUTSIDE = Fraction(196, 100)  # standard deviations: one in twenty is further off
DealtBy = Callable[[str], HouseRules | None]  # returns the rule set of that name, as recorded


class Handle(Struct, frozen=True):
    """Everything wagered on a spot under a rule set, in minor units."""

    rules: str
    decks: int
    spot: str
    handle: int


class WinAgainst(Struct, frozen=True):
    """A win, and the wagers from which the expected one is computed."""

    win: int
    handles: list[Handle]
    products: list[Stakes]


class Occupied(Struct, frozen=True):
    """The seconds in which seats were taken, and in which the table was open, as decimals."""

    rules: str
    taken: str
    open: str


class Term(Struct, frozen=True):
    """So many days after a gaming day, or so many from Monday to Friday."""

    day: date
    days: int
    working: bool


def _theoretical_win(handles: object, dealt_by: DealtBy) -> object:
    """The house edge on everything wagered, or None if a rule set is unknown.

    For wagers by spot, the edge by spot.
    """
    if isinstance(handles, dict):
        return {spot: _theoretical_win(each, dealt_by) for spot, each in handles.items()}
    won = _expected(convert(handles, list[Handle]), dealt_by)
    return None if won is None else math.floor(won + Fraction(1, 2))


def _expected(handles: Iterable[Handle], dealt_by: DealtBy) -> Fraction | None:
    won = Fraction(0)
    for each in handles:
        rules = dealt_by(each.rules)
        if rules is None or each.spot not in rules.spots:
            return None
        won -= each.handle * _edge(rules.name, rules.digest, each.spot, each.decks)
    return won


def _outside_95(value: object, dealt_by: DealtBy) -> bool | None:
    """Whether the win is further from the expected than 1.96 standard deviations, exactly."""
    against = convert(value, WinAgainst)
    expected = _expected(against.handles, dealt_by)
    if expected is None:
        return None
    return (against.win - expected) ** 2 > _far(against.products, dealt_by)


def _win_low(value: object, dealt_by: DealtBy) -> int | None:
    """The lowest whole win that is not outside, or None if a rule set is unknown."""
    against = convert(value, WinAgainst)
    expected = _expected(against.handles, dealt_by)
    return None if expected is None else -_most(-expected, _far(against.products, dealt_by))


def _win_high(value: object, dealt_by: DealtBy) -> int | None:
    """The highest whole win that is not outside, or None if a rule set is unknown."""
    against = convert(value, WinAgainst)
    expected = _expected(against.handles, dealt_by)
    return None if expected is None else _most(expected, _far(against.products, dealt_by))


def _most(expected: Fraction, far: Fraction) -> int:
    """The largest whole number that is not above `expected` by more than the root of `far`."""
    unit = expected.denominator
    return (expected.numerator + math.isqrt(math.floor(far * unit**2))) // unit


def _far(products: Iterable[Stakes], dealt_by: DealtBy) -> Fraction:
    """The square of as many standard deviations as are `OUTSIDE`."""
    variance = Fraction(0)
    for each in products:
        rules = dealt_by(each.rules)
        assert rules is not None, "the handles have it too"
        covariance = _covariances(rules.name, rules.digest, each.decks)[each.spot, each.other]
        variance += (1 + (each.spot != each.other)) * each.product * covariance
    return OUTSIDE**2 * variance


def _likely_low(value: object, dealt_by: DealtBy) -> int | None:
    """The lowest result of a patron that is not outside, or None if a rule set is unknown."""
    high = _win_high(value, dealt_by)
    return None if high is None else -high


def _likely_high(value: object, dealt_by: DealtBy) -> int | None:
    """The highest result of a patron that is not outside, or None if a rule set is unknown."""
    low = _win_low(value, dealt_by)
    return None if low is None else -low


def _luck(value: object, dealt_by: DealtBy) -> str | None:
    """By how many standard deviations a patron did better than expected, to a tenth."""
    against = convert(value, WinAgainst)
    expected = _expected(against.handles, dealt_by)
    far = Fraction(0) if expected is None else _far(against.products, dealt_by)
    if expected is None or not far:
        return None
    better = expected - against.win
    tenths = math.isqrt(math.floor(400 * better**2 * OUTSIDE**2 / far)) + 1  # twice, rounded up
    return f"{'-' if better < 0 and tenths > 1 else ''}{tenths // 20}.{tenths // 2 % 10}"


class DealtShoe(Struct, frozen=True):
    """The cards of a shoe as they left it, with the coup and number of each."""

    rules: str
    decks: int
    left: list[str | None]
    numbers: list[str]


def _worth(value: object, dealt_by: DealtBy) -> object:
    """Each spot's edges as exact fractions and as decimals, or None if a rule set is unknown."""
    spots = _spots(value, dealt_by)
    return spots and [
        {
            "spot": each.spot,
            "edge": _to_six(each.now),
            "edge_exact": None if each.now is None else str(each.now),
            "full": _to_six(each.full),
            "coups": each.coups,
            "made": _to_six(each.made),
        }
        for each in spots
    ]


def _best(value: object, dealt_by: DealtBy) -> str | None:
    """The spot with the highest edge, the first of several; None if no coup can be dealt."""
    now = [(each.now, each.spot) for each in _spots(value, dealt_by) or () if each.now is not None]
    return max(now, key=itemgetter(0))[1] if now else None


def _counter_money(value: object, dealt_by: DealtBy) -> int | None:
    """What a perfect counter makes with the most that each spot takes, in minor units."""
    spots, rules = _spots(value, dealt_by), dealt_by(str(convert(value, DealtShoe).rules))
    if spots is None or rules is None:
        return None
    return math.floor(sum(each.made * rules.limit(each.spot).maximum for each in spots))


def _spots(value: object, dealt_by: DealtBy) -> list[Worth] | None:
    shoe = convert(value, DealtShoe)
    rules = dealt_by(shoe.rules)
    return worth(rules, shoe.decks, shoe.left, shoe.numbers) if rules else None


def _to_six(edge: Fraction | None) -> str | None:
    """To six places."""
    return None if edge is None else f"{float(edge):z.6f}"


class Earned(Struct, frozen=True):
    """The stakes of some time, by spot, and the seconds of it, as a decimal."""

    handles: list[Handle]
    seconds: str


def _an_hour(value: object, dealt_by: DealtBy) -> int | None:
    """The theoretical win in an hour, or None if a rule set is unknown."""
    earned = convert(value, Earned)
    won = _expected(earned.handles, dealt_by)
    if won is None:
        return None
    return math.floor(won * 3600 / Fraction(earned.seconds) + Fraction(1, 2))


def _seats(name: object, dealt_by: DealtBy) -> int | None:
    rules = dealt_by(str(name))
    return len(rules.seats) if rules else None


def _occupancy(value: object, dealt_by: DealtBy) -> str | None:
    """The share of seat-time that was occupied, to four places, or None without a rule set."""
    occupied = convert(value, Occupied)
    seats = _seats(occupied.rules, dealt_by)
    if seats is None:
        return None
    return _places(Fraction(occupied.taken) / (seats * Fraction(occupied.open)))


def _places(part: Fraction | None) -> str | None:
    """A part of a whole to four places."""
    if part is None:
        return None
    whole, places = divmod(math.floor(part * 10_000 + Fraction(1, 2)), 10_000)
    return f"{whole}.{places:04}"


class OpenTable(Struct, frozen=True):
    """A table that is open now, with what each who sits there wagers in a coup, on average."""

    table: str
    rules: str
    limits: tuple[int, int]
    wagered: tuple[int | None, ...]


class AmongOthers(Struct, frozen=True):
    """One table, and every table that is open now."""

    table: str
    open: list[OpenTable]


def _advice(value: object, dealt_by: DealtBy) -> object:
    """What may be done with a table now, or None; tables of unknown rule sets are left out."""
    among = convert(value, AmongOthers)
    floors = [
        Floor(each.table, each.rules, *each.limits, seats, each.wagered)
        for each in among.open
        if (seats := _seats(each.rules, dealt_by)) is not None
    ]
    for table in floors:
        if table.table == among.table and (advice := advised(table, floors)):
            return asdict(advice) | {"at": list(advice.at), "share": _places(advice.share)}
    return None


@cache
def _edge(rules: str, digest: str, spot: str, decks: int) -> Fraction:
    """The patron's expectation of 1 wagered, by name and digest of the rule set."""
    return spot_odds(of(rules, digest), spot, decks).edge


@cache
def _covariances(rules: str, digest: str, decks: int) -> dict[tuple[str, str], Fraction]:
    return spot_covariances(of(rules, digest), decks)


def _due_by(of: object, _: DealtBy) -> object:
    """The last day for what a regime asks for, or None where it knows no term."""
    if of is None:
        return None
    term = convert(of, Term)
    return term_ends(term.day, term.days, working=term.working).isoformat()


COMPUTED: Mapping[str, Callable[[object, DealtBy], object]] = {
    "theoretical_win": _theoretical_win,
    "outside_95": _outside_95,
    "win_low": _win_low,
    "win_high": _win_high,
    "likely_low": _likely_low,
    "likely_high": _likely_high,
    "luck": _luck,
    "table_hour": _an_hour,
    "seat_hour": _an_hour,
    "seats": _seats,
    "occupancy": _occupancy,
    "advice": _advice,
    "edges": _worth,
    "best": _best,
    "counter_money": _counter_money,
    "due_by": _due_by,
    "limits_held": lambda value, _: limits_held(value),
}
