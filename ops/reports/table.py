"""A report on a screen: whole values, in as many columns as there is room for.

What a column is added up of, and a narrow screen has no room for, is said below its row where it
is not 0. Words are wrapped between words; amounts, names and moments are never broken.
"""

import getpass
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from decimal import Decimal
from functools import cached_property
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from ops.commands.saved_token import saved_token
from ops.ledger import clock
from ops.reports.ask import ReportAnswer
from ops.words import show
from ops.words.values import (
    NOTHING,
    PERCENT,
    UNNAMED,
    Totals,
    amount,
    deadline_words,
    detail_words,
    percent,
    proofs_told,
    sum_by_spot,
    totals,
)

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    Cell = str | Text

MOST_SHOWN = 1_000  # rows
GAP = 2  # letters between two columns
SHORT = 16  # letters: a text as long as that is a name or a moment, though it has a blank
LONGEST_WORD = 30  # that words are not broken for
# Between the day and the time of a moment; what is wrapped there is read as two things.
IN_A_MOMENT = re.compile(r"(?<=\b\d\d-\d\d) (?=\d\d:\d\d\b)")


def print_table(told: ReportAnswer) -> None:
    """For people: money in major units, and at a terminal when it was produced and by whom."""
    from rich.text import Text

    page = show.console()
    scope = f"  {told.house.name}  {days_words(told)}  {told.house.currency}"
    page.print(
        Text.assemble((told.report.title, "bold"), f"{scope}  at position {told.position:,}")
    )
    if told.as_of:
        page.print(f"As of {told.as_of}: what was recorded later is not in it.")
    if page.is_terminal:  # what is piped is the same bytes as long as the record is the same
        produced = clock.wall_clock().astimezone()
        page.print(f"Produced {produced:%Y-%m-%d %H:%M:%S%z} by {_producer()}")
    found = told.in_reading_order[:MOST_SHOWN]
    rows = [
        proofs_told(dict(zip(told.report.columns, told.row(each), strict=True))) for each in found
    ]
    if "period" in told.report.columns and rows:
        page.print(_periods(rows))
    sheet = _Sheet(told, rows, _totals(told), page.width)
    for piece in sheet.pieces():
        page.print(piece)
    for words in sheet.below():
        page.print(words)
    if len(found) < len(told.found):
        which = "newest" if told.report.newest_first else "first"
        click.echo(
            f"The {which} {len(found):,} of {len(told.found):,} rows: narrow it, or take them "
            "all with --csv.",
            err=True,
        )


def _periods(rows: list[dict[str, Any]]) -> str:
    """Which days each period covers: all of them end with the same one."""
    since = {row["period"]: row["from"] for row in rows}
    first, last = since.pop("day"), rows[0]["to"]
    day = f"Day {last}" if first == last else f"Days {first} to {last}"
    return ", ".join([day, *(f"{name} from {begin}" for name, begin in since.items())]) + "."


class _Column(Struct, frozen=True, dict=True):
    """The cells of a column, and the letters that it wants and needs."""

    name: str
    cells: "list[Cell]"
    total: str

    @property
    def head(self) -> str:
        """Its name as people read it."""
        return self.name.replace("_total", "").replace("_", " ")

    @cached_property
    def texts(self) -> list[str]:
        """The cells without their colours."""
        return [*map(str, self.cells), self.total]

    @cached_property
    def want(self) -> int:
        """So that nothing is wrapped."""
        return max(map(len, [self.head, *self.texts]))

    @cached_property
    def need(self) -> int:
        """So that nothing is broken: of words the longest one."""
        head = max(map(len, self.head.split()))
        whole = max(map(len, self.texts))
        if whole <= SHORT or not any(" " in text for text in self.texts):
            return max(head, whole)
        words = (len(word) for text in self.texts for word in re.split("[ \n]+", _bound(text)))
        return max(head, min(max(words, default=0), LONGEST_WORD))

    def cell(self, n: int, width: int) -> "Cell":
        """As it stands in a column of so many letters: a moment in words is in one line."""
        cell = self.cells[n]
        if not isinstance(cell, str) or _bound(cell) == cell or len(cell) <= width:
            return cell
        return fill(_bound(cell), width, break_on_hyphens=False).replace("\xa0", " ")


def _bound(text: str) -> str:
    """With nothing between the day and the time of a moment at which lines may be broken."""
    return IN_A_MOMENT.sub("\xa0", text)


class _Sheet(Struct, frozen=True, dict=True):
    """The rows of a report on a screen of so many letters."""

    told: ReportAnswer
    rows: list[dict[str, Any]]
    adding_up: Totals | None
    width: int

    @cached_property
    def columns(self) -> dict[str, _Column]:
        """Those that there is room for, in the contract's order among the others.

        Those that a terminal of 80 columns has come first and may be wrapped; the others are
        there without wrapping or not at all.
        """
        columns = {name: self._column(name) for name in self.told.report.shown}
        while len(columns) > 2 and _breadth(each.need for each in columns.values()) > self.width:
            columns.popitem()
        room = self.width - _breadth(each.want for each in columns.values())
        for names in (*self._further(columns), self.told.report.summands):
            some = [self._column(name) for name in names]
            needed = sum(GAP + each.want for each in some)
            if needed <= room:
                room -= needed
                for column in some:
                    columns = _inserted(columns, column, self.told.report.columns)
        return columns

    def _further(self, columns: Mapping[str, _Column]) -> Iterator[tuple[str]]:
        """What may be shown besides, one by one; summands are all there or none is."""
        for name in self._named():
            if name in (*columns, *self.told.report.summands):
                continue
            if not any(_is_of_parts(self.told, name, row) for row in self.rows):
                yield (name,)

    def pieces(self) -> "Iterator[Table | str]":
        """Rows as a table, which what is said below a row interrupts; the total comes last."""
        table = self._table(headed=True)
        widths = self._widths()
        for n, row in enumerate(self.rows):
            columns = zip(self.columns.values(), widths, strict=True)
            table.add_row(*(each.cell(n, width) for each, width in columns))
            if below := self._summands({name: row[name] for name in self._unshown()}):
                yield table
                yield below
                table = self._table(headed=False)
        if self.adding_up:
            _, *rest = self.columns.values()
            table.add_row("total", *(each.total for each in rest))
        if table.row_count or not self.rows:
            yield table
        if self.adding_up and (below := self._summands(self._unshown_sums())):
            yield below

    def below(self) -> Iterator[str]:
        """Which rows are in no total, and which columns are not on the screen."""
        if self.adding_up and self.adding_up.words:
            yield self.adding_up.words
        there = (*self.columns, *self._said_below())
        if left_out := [name for name in self._named() if name not in there]:
            names = ", ".join(each.replace("_", " ") for each in left_out)
            yield f"No room for: {names}. --csv and --pdf have them."

    def _column(self, name: str) -> _Column:
        cells = [_shown(self.told, name, row) for row in self.rows]
        return _Column(name, cells, self.adding_up.texts.get(name, "") if self.adding_up else "")

    def _named(self) -> list[str]:
        """The columns that a terminal may have; what was acknowledged or proved is with others."""
        told_with = (
            ("acknowledged_by", "acknowledged_at", "text")
            if "detail" in self.told.report.shown
            else ()
        )
        return [
            name
            for name in self.told.report.columns
            if name not in told_with and not name.endswith("proved")
        ]

    def _unshown(self) -> list[str]:
        return [name for name in self._said_below() if name not in self.columns]

    def _said_below(self) -> list[str]:
        """Amounts for which there may be no room: summands, and any beside a very long name."""
        report = self.told.report
        amounts = [name for name in report.shown if name in report.money]
        return [*(name for name in amounts if name not in report.summands), *report.summands]

    def _unshown_sums(self) -> dict[str, Any]:
        """In minor units, of the rows that are in the total."""
        return (
            {name: self.adding_up.sums[name] for name in self._unshown()} if self.adding_up else {}
        )

    def _summands(self, values: Mapping[str, Any]) -> str:
        """Those that are not 0, each beside its name; '' when there is none."""
        currency = self.told.house.currency
        parts = [
            f"{name.replace('_', ' ')} {amount(value, currency)}".replace(" ", "\xa0")
            for name, value in values.items()
            if value is not None and Decimal(str(value))
        ]
        indent = " " * GAP
        words = fill(" · ".join(parts), self.width, initial_indent=indent, subsequent_indent=indent)
        return words.replace("\xa0", " ") if parts else ""

    def _table(self, *, headed: bool) -> "Table":
        from rich.table import Table

        table = Table(
            box=None,
            pad_edge=False,
            header_style="bold",
            show_header=headed,
            padding=(0, GAP, 0, 0),
        )
        money = (*self.told.report.money, *self.told.report.by_spot, *PERCENT)
        for column, width in zip(self.columns.values(), self._widths(), strict=True):
            right = column.name in money or column.name.endswith("total")
            table.add_column(
                column.head, justify="right" if right else "left", width=width, overflow="fold"
            )
        return table

    def _widths(self) -> list[int]:
        """What each column needs, and of what is left, letter by letter, whoever wants most."""
        columns = list(self.columns.values())
        widths = [each.need for each in columns]
        for _ in range(self.width - _breadth(widths)):
            wanting = [each.want - width for each, width in zip(columns, widths, strict=True)]
            if max(wanting) <= 0:
                break
            widths[wanting.index(max(wanting))] += 1
        return widths


def _breadth(widths: "Iterator[int] | list[int]") -> int:
    """Columns beside each other, and the gaps between them."""
    some = list(widths)
    return sum(some) + GAP * (len(some) - 1)


def _is_of_parts(told: ReportAnswer, name: str, row: dict[str, Any]) -> bool:
    """Whether it is made of several things, for which a line of a terminal has no words."""
    if name in (*told.report.by_spot, "cards", "detail"):
        return False
    return isinstance(row[name], dict | list)


def _inserted(
    columns: dict[str, _Column], column: _Column, order: tuple[str, ...]
) -> dict[str, _Column]:
    """Behind the last of those that the contract has before it."""
    before = order[: order.index(column.name)]
    names = list(columns)
    at = max((n for n, each in enumerate(names, 1) if each in before), default=0)
    names.insert(at, column.name)
    return {each: columns.get(each, column) for each in names}


def days_words(told: ReportAnswer) -> str:
    """The gaming days that a report covers."""
    first, last = (told.narrowed.get(name) for name in ("from", "to"))
    if first or last:
        return f"{first or '…'} to {last or '…'}"
    return told.day or "all days"


def _producer() -> str:
    """Whoever is signed on at this terminal, or at this machine."""
    with suppress(KeyError, OSError):  # in a container an account may be a mere number
        return saved_token().staff or getpass.getuser()
    return f"account {os.getuid()}"


def _shown(told: ReportAnswer, name: str, row: dict[str, Any]) -> Any:
    value = row[name]
    if value is None:  # where it was, if at no coup
        return (row["table"] if name == "coup" else None) or NOTHING
    text = _number(told, name, value)
    return _words(told, name, row) if text is None else text


def _number(told: ReportAnswer, name: str, value: Any) -> str | None:
    """An amount or a ratio; None: it is neither."""
    if name in told.report.money:
        return amount(value, told.house.currency)
    if name in told.report.by_spot:
        return sum_by_spot(value, told.house.currency)
    return percent(value) if name in PERCENT else None


def _words(told: ReportAnswer, name: str, row: dict[str, Any]) -> Any:
    from rich.text import Text

    value = row[name]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "cards":
        return show.lying(each["card"] for each in value)
    if name == "deadlines":
        return deadline_words(row)
    if name == "detail":
        return " ".join((*_detail_words(value, told.house.currency), *_acknowledged_words(row)))
    if name == "outcome":
        return "void" if row["phase"] == "voided" else Text(value, style=show.STYLES[value])
    is_moment = isinstance(value, str) and (name in ("at", "from", "to") or name.endswith("_at"))
    return _moment(name, value) if is_moment else str(value)


def _detail_words(detail: dict[str, Any], currency: str) -> Iterator[str]:
    """An exception as the floor would say it; of a whole command, all that it told."""
    if "recorded_at" in detail:
        yield f"Recorded {_moment('at', detail['recorded_at'])}."
    if "seconds" in detail:
        yield f"{detail['seconds']} s behind."
    yield from detail_words(detail, currency)


def _acknowledged_words(row: dict[str, Any]) -> Iterator[str]:
    """Who acknowledged it and when: a terminal has no room for columns that are mostly empty."""
    if row["acknowledged_at"]:
        text = f": {row['text']}" if row.get("text") else "."
        at = _moment("at", row["acknowledged_at"])
        yield f"Acknowledged {at} by {row['acknowledged_by'] or UNNAMED}{text}"


def _moment(name: str, value: str) -> str:
    """`at` or `from` is all that says which day it was; others stand in a row of one day."""
    return value[5:16].replace("T", " ") if name in ("at", "from") else value[11:19]


def _totals(told: ReportAnswer) -> Totals | None:
    values = {
        name: [told.cell(column, found) for found in told.found]
        for column, name in enumerate(told.report.columns)
        if name in told.report.money
    }
    return totals(told.report, values, told.house.currency)
