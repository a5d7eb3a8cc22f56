"""What a report is narrowed to: the options, the form's fields, and what each may be.

The values stay texts, as they were typed. A span of moments includes both ends.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TypeVar

from domain.rules.addresses import Shoe, parse_day
from domain.rules.choices import one_of
from domain.rules.gaming_day import GamingClock
from domain.rules.protection_levels import QUESTIONS
from domain.rules.refusals import BadValue
from domain.rules.wording import Words
from ops.reports.moments import MOMENT, Typed
from projections import Report
from projections.attention.exception_kinds import KINDS

# Each with its help.
NARROWINGS: Mapping[str, str] = MappingProxyType(
    {
        "table": "Only this table, as in B01.",
        "day": "Only this gaming day, as in 2026-11-21.",
        "from": "Only from this gaming day on.",
        "to": "Only up to this gaming day.",
        "shoe": "Only this shoe, as in B01/2026-11-21/1.",
        "patron": "Only this patron.",
        "seat": "Only this seat, as in 3.",
        "staff": "Only what this person did, alone or with another, as in D-117.",
        "kind": "Only this kind, as in 'late bet'.",
        "question": "Only the rows of this question, as in 'patron right'.",
        "result": "Only wagers with this result: win, lose, push or void.",
        "rows": "With `all` also those who are not named, because chance explains them.",
        "since": "Only what happened at this moment or later, as in 20:14 of today's gaming day.",
        "until": "Only what happened up to this moment, as in 2026-11-21T20:14.",
    }
)
_ALL_ARE_IN = {"kind": "`/alerts`", "question": "`sabot manual protection`"}
SORT = "The rows by this column, as in win; with a - before it the largest first."
# What may be asked for of those that have few values.
CHOICES: Mapping[str, Collection[str]] = MappingProxyType(
    {"kind": sorted(KINDS), "question": QUESTIONS, "result": ("win", "lose", "push", "void")}
)
ALL_ROWS = "all"
_DAYS, _SPAN = ("day", "from", "to"), ("since", "until")
_SEVERAL = {"day": _DAYS, "span": _SPAN}
METAVARS: Mapping[str, str] = MappingProxyType(dict.fromkeys(_SPAN, MOMENT))  # of the options
_DIGITS = 4  # of a seat's number, at most
_End = TypeVar("_End", str, int, datetime)


def options_of(report: Report) -> Iterator[str]:
    """What a report can be narrowed to; one by day also takes a range of days."""
    for name in report.narrowings:
        yield from _SEVERAL.get(name, (name,))


def days_twice(narrowed: Mapping[str, str | None]) -> bool:
    """Whether both a day and a range of days are asked for."""
    return bool(narrowed.get("day") and (narrowed.get("from") or narrowed.get("to")))


def require(narrowed: Mapping[str, str | None]) -> None:
    """Checks what is asked for. Refuses: BadValue, BadAddress."""
    if any(value == "" for value in narrowed.values()):
        why = Words("leave it out to see everything")
        raise BadValue(field=Words("a narrowing"), value=Words("empty"), why=why)
    for name in filter(narrowed.get, _DAYS):
        parse_day(str(narrowed[name]))
    if days_twice(narrowed):
        why = Words("use it, or --from and --to")
        raise BadValue(field="--day", value=narrowed["day"], why=why)
    require_in_order(("--from", narrowed.get("from")), ("--to", narrowed.get("to")))
    for name in filter(narrowed.get, _SPAN):
        _typed(narrowed, name)
    if shoe := narrowed.get("shoe"):
        Shoe.parse(shoe)
    if seat := narrowed.get("seat"):
        _require_seat(seat)
    for name, choices in CHOICES.items():
        if (value := narrowed.get(name)) and value not in choices:
            nearest = one_of(choices, value, _ALL_ARE_IN.get(name, ""))
            raise BadValue(field=f"--{name}", value=repr(value), why=nearest)
    if (rows := narrowed.get("rows")) and rows != ALL_ROWS:
        why = Words("write all, or leave it out to see only who is named")
        raise BadValue(field="--rows", value=repr(rows), why=why)


def _require_seat(typed: str) -> None:
    if not (typed.isascii() and typed.isdecimal() and len(typed) <= _DIGITS):
        why = Words("write the number of a seat, as in 3")
        raise BadValue(field="--seat", value=repr(typed), why=why)


def require_in_order(first: tuple[str, _End | None], last: tuple[str, _End | None]) -> None:
    """Checks that a span does not end before it begins; each end under its option's name.

    Refuses: BadValue.
    """
    (begins, start), (ends, end) = first, last
    if start is not None and end is not None and start > end:
        why = Words("it is after {option} {end}: exchange the two", option=ends, end=_as_typed(end))
        raise BadValue(field=begins, value=_as_typed(start), why=why)


def _as_typed(end: str | int | datetime) -> str:
    return end.isoformat() if isinstance(end, datetime) else str(end)


def moments(
    narrowed: Mapping[str, str | None], clock: GamingClock, now: datetime
) -> dict[str, datetime | None]:
    """The ends of the span, by the house's clock. Refuses: BadValue.

    In an hour that comes twice a span begins in the first and ends in the second.
    """
    since, until = (
        _typed(narrowed, name).today(clock, now, fold=fold) if narrowed.get(name) else None
        for name, fold in zip(_SPAN, (0, 1), strict=True)
    )
    require_in_order(("--since", since), ("--until", until))
    return {"since": since, "until": until}


def _typed(narrowed: Mapping[str, str | None], name: str) -> Typed:
    return Typed.required(str(narrowed[name]), f"--{name}")
