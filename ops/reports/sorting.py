"""A report by one of its columns: what somebody asks for, and the place of each row in it."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from math import floor
from re import sub
from typing import Any

from msgspec import Struct

from domain.rules.refusals import BadValue
from domain.rules.wording import Words
from ops.reports.ask import ReportAnswer
from ops.reports.page_cells import words_of
from ops.reports.paging import Place
from ops.words.values import with_proofs
from projections import Report

MOST = 20_000  # rows that are sorted for one page
_FINE = 10**6  # what is less than a millionth apart is as large
_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


class Sort(Struct, frozen=True):
    """By a column: `sort=table`, or `sort=-win` with the largest first."""

    column: str  # '': as the report is
    falling: bool

    @classmethod
    def of(cls, query: Mapping[str, str], report: Report) -> "Sort":
        """What a page's address asks for. Refuses: BadValue."""
        return cls.typed(query.get("sort"), report)

    @classmethod
    def typed(cls, text: str | None, report: Report) -> "Sort":
        """A column as somebody typed it. Refuses: BadValue."""
        if not (asked := (text or "").strip()):
            return UNSORTED
        sort = cls(asked.removeprefix("-"), asked.startswith("-"))
        known = report.shown or report.columns
        if sort.column not in report.columns:
            why = Words("it is one of {known}, or with a - before it", known=", ".join(known))
            raise BadValue(field="sort", value=repr(asked[:80]), why=why)
        return sort

    @property
    def text(self) -> str:
        """As an address has it."""
        return f"-{self.column}" if self.falling else self.column

    def clicked(self, column: str, *, is_number: bool) -> str:
        """What a click on a heading asks for: numbers with the largest first, then turned round."""
        falling = not self.falling if column == self.column else is_number
        return Sort(column, falling).text

    def require_few(self, answer: ReportAnswer) -> None:
        """Checks that the rows are few enough to be sorted. Refuses: BadValue."""
        if self.column and answer.listing and answer.listing.many > MOST:
            why = Words(
                "{many} rows are too many to sort; ask for fewer days, or for one table",
                many=answer.listing.many,
            )
            raise BadValue(field="sort", value=self.text, why=why)

    def put_in_order(self, answer: ReportAnswer) -> ReportAnswer:
        """All rows in this order, as a page has them; as they are, if no column is asked for.

        What is alike comes in the report's own order, in a falling one the last of it first.
        """
        if not self.column:
            return answer
        values = _values(answer, self.column)
        places = self._places(values, [(n,) for n in range(len(values))])
        order = sorted(range(len(places)), key=places.__getitem__, reverse=self.falling)
        return answer.reordered(order)

    def places(self, answer: ReportAnswer) -> list[Place]:
        """Where each row comes, rising; those without a value are read last either way."""
        return self._places(_values(answer, self.column), _ties(answer))

    def _places(self, values: Sequence[int | str | None], ties: Sequence[Place]) -> list[Place]:
        none = "" if any(isinstance(each, str) for each in values) else 0
        last = 0 if self.falling else 1
        return [
            (last, none, *tie) if value is None else (1 - last, value, *tie)
            for value, tie in zip(values, ties, strict=True)
        ]


UNSORTED = Sort("", falling=False)


def _ties(answer: ReportAnswer) -> Sequence[Place]:
    """The rows' places in the report's own order."""
    return answer.listing.places if answer.listing else [tuple(raw[-1]) for raw in answer.raw]


def _values(answer: ReportAnswer, name: str) -> list[int | None] | list[str | None]:
    """The column as integers, if each value of it is a number or a moment; else as it is read."""
    n = answer.report.columns.index(name)
    seen = [_seen(raw[n], answer.cell(n, raw)) for raw in answer.raw]
    numbers = [None if each is None else _number(each) for each in seen]
    if None not in (number for number, each in zip(numbers, seen, strict=True) if each is not None):
        return numbers
    rows = map(answer.to_read, answer.raw)
    return [
        None if each is None else _natural(words_of(answer, name, with_proofs(row)))
        for each, row in zip(seen, rows, strict=True)
    ]


def _seen(raw: Any, cell: Any) -> Any:
    """A value as it is compared: a day or moment as it was read, amounts by spot as their sum."""
    if isinstance(raw, date):
        return raw
    return sum(cell.values()) if isinstance(cell, dict) and _are_numbers(cell.values()) else cell


def _are_numbers(values: Iterable[object]) -> bool:
    return all(isinstance(each, (int, Decimal)) for each in values)


def _number(value: Any) -> int | None:
    """A number or a moment as an integer; None: it is neither."""
    if isinstance(value, datetime):
        return (value - _EPOCH) // timedelta(microseconds=1)
    if isinstance(value, date):
        return value.toordinal()
    with suppress(TypeError, ValueError, ZeroDivisionError):
        return floor(Fraction(value) * _FINE)
    return None


def _natural(words: str) -> str:
    """Words as people sort them: BAC-2 comes before BAC-10."""
    return sub(r"\d+", lambda digits: digits[0].zfill(12), words.casefold())
