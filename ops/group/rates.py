"""Rates between currencies, each of a day and from a source: a group records them, and names them.

A rate is for one direction: nothing is computed by turning one round, or by two of them. Sums of a
currency are converted once, exactly, and rounded to the nearest minor unit, halves away from 0.

>>> rate = Rate("EUR", "JPY", "162.5", "ECB", "2026-11-21")
>>> rate.of(1_00), rate.of(-1_00), rate.of(99)
(163, -163, 161)
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from math import floor
from pathlib import Path

import msgspec
from msgspec import Struct

from domain.rules.addresses import parse_day
from domain.rules.money import digits, is_currency
from domain.rules.refusals import BadValue
from domain.rules.wording import Words, worded
from ops.group.members import group_home
from ops.ledger.files import write_whole
from ops.words.failure import LOST, Failure
from ops.words.group import all_in, rates_words, sum_in
from ops.words.language import shown

_WRITTEN = re.compile(r"(0|[1-9][0-9]{0,8})(\.[0-9]{1,12})?")
_SOURCE = re.compile(r"[^\s/]{1,40}")
ROUNDED = worded(
    "how sums are converted to one currency",
    "Each currency's sum is converted once, exactly, and rounded to the nearest minor unit, halves "
    "away from 0.",
)


class NoRate(Failure):
    """A rate is not on record, or another one is under its name."""


class RatesAltered(Failure):
    """Somebody altered the file of the rates."""

    status = LOST


class Rate(Struct, frozen=True):
    """What one unit of a currency is in another one, as a source had it for a day.

    `rate`: as it was typed, a decimal number. `reason`: why it replaces the one before.
    """

    from_: str = msgspec.field(name="from")
    into: str
    rate: str
    source: str
    day: str
    at: datetime | None = None
    by: str = ""
    reason: str = ""

    def of(self, amount: int) -> int:
        """An amount in minor units of the one currency, in those of the other."""
        exact = (
            abs(amount)
            * Fraction(self.rate)
            * Fraction(10) ** (digits(self.into) - digits(self.from_))
        )
        nearest = floor(exact + Fraction(1, 2))
        return -nearest if amount < 0 else nearest

    @property
    def words(self) -> str:
        """It as it is in the head of a report."""
        return f"1 {self.from_} = {self.rate} {self.into}"


class InOne(Struct, frozen=True):
    """The sums of a report in one currency, at the rates of a source's day.

    `rates`: those that were used. `sums`: that of each currency, which is `from`; `total`: of all.
    Amounts are minor units of the one currency.
    """

    into: str
    source: str
    day: str
    rates: list[Rate]
    rounding: str
    sums: list[dict[str, object]]
    total: dict[str, object]


def parse_name(name: str) -> tuple[str, str]:
    """The source and the day of `ECB/2026-11-21`. Refuses: BadValue."""
    source, _, day = name.partition("/")
    if not (_SOURCE.fullmatch(source) and day):
        why = Words("write the source and the day, as in `ECB/2026-11-21`")
        raise BadValue(field=Words("the name of rates"), value=repr(name), why=why)
    return source, parse_day(day).isoformat()


def record(new: Rate) -> None:
    """Records a rate, on disk when this returns. Refuses: BadValue. Raises NoRate."""
    for each in (new.from_, new.into):
        if not is_currency(each):
            why = Words("write a code, as in EUR")
            raise BadValue(field=Words("a currency"), value=each, why=why)
    if new.from_ == new.into:
        why = Words("a rate is between two currencies")
        raise BadValue(field=Words("a currency"), value=new.into, why=why)
    if not _WRITTEN.fullmatch(new.rate) or not Decimal(new.rate):
        why = Words("write a number above 0, as in 1.0834")
        raise BadValue(field=Words("a rate"), value=repr(new.rate), why=why)
    known = {(each.from_, each.into): each for each in named(new.source, new.day)}
    before = known.get((new.from_, new.into))
    if before and Decimal(before.rate) == Decimal(new.rate):
        return
    if before and not new.reason:
        raise NoRate(
            f"{before.words} is on record for {new.source}/{new.day}. To replace it, give --reason."
        )
    _file().parent.mkdir(parents=True, exist_ok=True)
    lines = (msgspec.json.encode(each) + b"\n" for each in (*every(), new))
    write_whole(_file(), b"".join(lines))


def every() -> list[Rate]:
    """Every rate that was recorded, in this order; a later one replaces an earlier one.

    Raises RatesAltered.
    """
    try:
        lines = _file().read_bytes().splitlines()
    except FileNotFoundError:
        return []
    try:
        return [msgspec.json.decode(each, type=Rate) for each in lines]
    except msgspec.MsgspecError as error:
        raise RatesAltered(
            f"{_file()} is no file of rates now: {error}. Bring it back from a backup, or move it "
            "away and record the rates again."
        ) from error


def named(source: str, day: str) -> list[Rate]:
    """The rates of a source's day that hold now."""
    of = {(e.from_, e.into): e for e in every() if (e.source, e.day) == (source, day)}
    return [*of.values()]


def in_one(
    name: str, into: str, sums: Sequence[dict[str, object]], columns: Sequence[str]
) -> InOne:
    """The sums of each currency, in minor units, in one currency. Refuses: BadValue. Raises NoRate.

    `columns`: those of `sums` that are money; other numbers are added up as they are.
    """
    source, day = parse_name(name)
    if not is_currency(into):
        raise BadValue(field="--into", value=into, why=Words("write a code, as in EUR"))
    known = {each.from_: each for each in named(source, day) if each.into == into}
    used: list[Rate] = []
    converted: list[dict[str, object]] = []
    for row in sums:
        currency = str(row["currency"])
        if currency != into and currency not in known:
            raise NoRate(
                f"No rate of {source}/{day} is on record from {currency} into {into}. `sabot group "
                f"rate {source}/{day} {currency} {into} RATE` records one."
            )
        if currency != into:
            used.append(known[currency])
        own = known[currency].of if currency != into else int
        amounts = {each: own(many) for each in columns if isinstance(many := row.get(each), int)}
        converted.append({**row, **amounts, "currency": into, "from": currency})
    return InOne(into, source, day, used, str(ROUNDED), converted, _total(converted, into))


def _total(sums: Sequence[dict[str, object]], into: str) -> dict[str, object]:
    total: Counter[str] = Counter()
    for row in sums:
        total.update({each: many for each, many in row.items() if isinstance(many, int)})
    return {"currency": into, **total}


def head_of(in_one: InOne) -> str:
    """At which rates, and how, sums are in one currency."""
    rates = [each.words for each in in_one.rates]
    return f"{rates_words(in_one.into, in_one.source, in_one.day, rates)} {shown(ROUNDED)}"


def labelled(in_one: InOne, first: str) -> Iterator[dict[str, object]]:
    """The sums in one currency, each with words of what it is in the first column."""
    into = in_one.into
    for each in in_one.sums:
        yield {**each, first: sum_in(str(each["from"]), into)}
    yield {**in_one.total, first: all_in(into)}


def _file() -> Path:
    return group_home() / "rates.jsonl"
