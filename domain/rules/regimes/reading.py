"""Reads a regime from a file: the program's own, which are beside this one, or a house's.

name = "riverside"
title = "Riverside: Title 31, with a log from 2,500 on"
currency = "USD"
at_the_table = "hold"                # or say, refuse
at_the_seat = "refuse"               # or say: where a patron should pause
raise_after = 7                      # days until a patron's own higher limit holds; default 1
files_years = 5                      # a patron's file is stored so long after they were here last
files_source = "31 CFR 1010.430(d)"

[[threshold]]
name = "ctr"
paper = "Currency Transaction Report"
amount = "10,000"                    # in major units, in quotes
over = true                          # false: from the amount itself on
counts = "day"                       # or one, for a single transaction
directions = ["in", "out"]
due = ["report", "identity"]         # or log, if-suspicious
within = "15 days"                   # or "10 working days"
first_day = 2026-03-31               # from which it is the law; leave it out for always
source = "31 CFR 1021.311"

[suspicion]                          # where a report is due without an amount
paper = "suspicious matter report"
within = "3 working days"            # from when it is noticed
urgent = "24 hours"                  # where it cannot wait; leave it out if there is no such term
source = "AML/CTF Act 2006 s. 41"

[[rest]]                             # after how much play a patron rests, and how long
after = "12 hours"
within = "24 hours"                  # leave it out where all play since the last rest counts
rest = "24 hours"                    # leave it out where it lasts until less of it is so recent
source = "Crown Melbourne's rules of play"

[[carded]]                           # what is played by card or not at all
above = "1,000"                      # bet on a coup, or cash of the day; "0" for all, and the seat
tables = ["B01", "B02"]              # leave it out for all tables that no other one names
cards = "P-*"                        # names that are on cards; leave it out: who has a file
first_day = 2025-12-01               # leave it out for always
source = "NSW Casino Control Act s. 73A"

A file with `adds_to = "australia"` has all that this regime has, and adds its own.
"""

import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict, replace

from domain.rules.money import LARGEST_AMOUNT, is_currency, minor
from domain.rules.play_cards import Carded
from domain.rules.play_time import TIME, Rest, time_of
from domain.rules.refusals import BadValue
from domain.rules.regimes.model import (
    HOURS,
    WITHIN,
    AtTheSeat,
    AtTheTable,
    Direction,
    Due,
    Regime,
    Suspicion,
    Threshold,
)
from domain.rules.wording import Words

_HERE = Path(__file__).parent


class _Threshold(Struct, kw_only=True, forbid_unknown_fields=True):
    """An amount, as a file states it."""

    name: str
    paper: str
    amount: str
    over: bool
    counts: Literal["day", "one"]
    directions: tuple[Direction, ...]
    due: tuple[Due, ...]
    source: str
    within: str = ""
    first_day: date = date.min
    last_day: date = date.max
    note: str = ""


class _Carded(Struct, kw_only=True, forbid_unknown_fields=True):
    """What is played by card alone, as a file states it."""

    above: str
    source: str
    tables: tuple[str, ...] = ()
    cards: str = ""
    first_day: date = date.min


class _File(Struct, kw_only=True, forbid_unknown_fields=True):
    """A regime, as a file states it."""

    name: str
    title: str
    currency: str
    adds_to: str = ""
    threshold: tuple[_Threshold, ...] = ()
    rest: tuple[Rest, ...] = ()
    carded: tuple[_Carded, ...] = ()
    at_the_table: AtTheTable | UnsetType = UNSET
    at_the_seat: AtTheSeat | UnsetType = UNSET
    raise_after: Annotated[int, Meta(ge=1, le=365)] | UnsetType = UNSET
    note: str | UnsetType = UNSET
    files_years: Annotated[int, Meta(ge=0, le=99)] | UnsetType = UNSET
    files_source: str | UnsetType = UNSET
    suspicion: Suspicion | UnsetType = UNSET


def read(text: bytes) -> Regime:
    """The regime that a file states. Refuses: BadValue."""
    try:
        written = msgspec.convert(tomllib.loads(text.decode("utf-8-sig")), _File)
    except (ValueError, RecursionError) as error:  # no UTF-8, no TOML, a field that is not right
        raise _unreadable(str(error)) from None
    if not is_currency(written.currency):
        raise _unreadable(f"currency `{written.currency}`: write three letters, as in USD")
    base = _base(written.adds_to)
    thresholds = [
        *base.thresholds,
        *(_threshold(each, written.currency) for each in written.threshold),
    ]
    names = [(each.name, each.counts, each.first_day) for each in thresholds]
    if not names or len(set(names)) < len(names):
        raise _unreadable("it needs one threshold or more, each with a name of its own")
    if base.currency and base.currency != written.currency:
        raise _unreadable(f"currency `{written.currency}`: `{base.name}` is in {base.currency}")
    if written.suspicion is not UNSET:
        _require_whole(written.suspicion)
    more: dict[str, Any] = {
        each: value for each in _LIKE_THE_BASE if (value := getattr(written, each)) is not UNSET
    }
    return replace(
        base,
        name=written.name,
        title=written.title,
        currency=written.currency,
        thresholds=tuple(thresholds),
        rests=(*base.rests, *map(_rest, written.rest)),
        carded=(
            *base.carded,
            *(_carded(each, written.currency) for each in written.carded),
        ),
        **more,
    )


# What a file that adds to a regime takes over from it, unless it states its own.
_LIKE_THE_BASE = (
    *("at_the_table", "at_the_seat", "raise_after", "note", "files_years", "files_source"),
    "suspicion",
)


def _base(adds_to: str) -> Regime:
    """The regime to which a file adds its own, or one with nothing. Refuses: BadValue."""
    if not adds_to:
        return Regime(name="", title="", currency="", thresholds=())
    files = {file.stem.replace("_", "-"): file for file in _HERE.glob("*.toml")}
    if adds_to not in files:
        raise _unreadable(f"adds_to `{adds_to}`: `sabot regime list` names the program's regimes")
    return read(files[adds_to].read_bytes())


def _require_whole(written: Suspicion) -> None:
    if not (written.paper and written.source):
        raise _unreadable("suspicion: it states its `paper` and its `source`")
    if written.within and not WITHIN.fullmatch(written.within):
        raise _unreadable(f"within `{written.within}`: write `15 days` or `10 working days`")
    if written.urgent and not HOURS.fullmatch(written.urgent):
        raise _unreadable(f"urgent `{written.urgent}`: write `24 hours`")


def _rest(written: Rest) -> Rest:
    for name in ("after", "within", "rest"):
        text = getattr(written, name)
        if not (TIME.fullmatch(text) or (text == "" and name != "after")):
            raise _unreadable(f"{name} `{text}`: write `15 minutes`, `3 hours` or `7 days`")
    if not written.source or not (written.within or written.rest):
        raise _unreadable("a rest states its `source`, and `within`, `rest` or both")
    if written.within and time_of(written.within) < time_of(written.after):
        raise _unreadable(f"after `{written.after}`: nobody plays that long in {written.within}")
    return written


def _carded(written: _Carded, currency: str) -> Carded:
    try:
        above = 0 if written.above == "0" else minor(written.above, currency)
    except ValueError:
        above = -1
    if not 0 <= above <= LARGEST_AMOUNT:
        raise _unreadable(
            f'above `{written.above}`: write an amount in major units in quotes, as in "1,000"'
        )
    if not written.source:
        raise _unreadable("what is played by card states its `source`")
    return Carded(**{**asdict(written), "above": above})


def _threshold(written: _Threshold, currency: str) -> Threshold:
    try:
        amount = minor(written.amount, currency)
    except ValueError:
        amount = 0
    if not 0 < amount <= LARGEST_AMOUNT:
        raise _unreadable(
            f"amount `{written.amount}`: write an amount in major units in quotes, as in `10,000`"
        )
    if written.within and not WITHIN.fullmatch(written.within):
        raise _unreadable(f"within `{written.within}`: write `15 days` or `10 working days`")
    for each in ("name", "directions", "due", "source"):
        if not getattr(written, each):
            raise _unreadable(f"a threshold has no `{each}`, and each threshold states it")
    return Threshold(**{**asdict(written), "amount": amount})


def _unreadable(why: str) -> BadValue:
    return BadValue(message=Words("The regime cannot be read: {why}.", why=why))


def stated(regime: Regime) -> str:
    """The whole regime as JSON, as it is on record."""
    return msgspec.json.encode(regime).decode()


@cache
def known(content: str) -> Regime:
    """The regime that is on record as JSON. Raises ValueError if somebody altered it."""
    return msgspec.json.decode(content, type=Regime)


@cache
def programs() -> Mapping[str, Regime]:
    """The program's own regimes, by their names."""
    each = [read(file.read_bytes()) for file in sorted(_HERE.glob("*.toml"))]
    return {one.name: one for one in each}
