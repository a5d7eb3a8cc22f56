"""The columns of a report on a screen, and their widths: no value is ever broken in two."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from textwrap import fill
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops.reports.ask import ReportAnswer, Row
from ops.reports.cells import words_of
from ops.words import coups, language, show
from ops.words.columns import heading_here, headings_here
from ops.words.language import _, commas, shown
from ops.words.pages import TOTAL, VOID
from ops.words.values import PERCENT, Totals, amount, below_total, marked

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    Cell = str | Text

GAP = 2  # letters between two columns
SHORT = 16  # letters: a text up to this length is a name or a moment, even with a blank
LONGEST_WORD = 30  # longer words are broken
# The blank between day and time of a moment: a break there would read as two things.
IN_A_MOMENT = re.compile(r"((?<=\d[-/]\d\d)|(?<=\d日)) (?=\d\d:\d\d\b)")
_EMPTY: tuple[object, ...] = (None, "", [])
_GIVE_WAY = ("day", "table")  # left out for amounts, if every row has the same
_ADDRESSES = ("shoe", "stay", "coup")  # these contain the day and the table


class Column(Struct, frozen=True, dict=True):
    """The cells of a column, with the widths in letters that it wants and needs."""

    name: str
    cells: "list[Cell]"
    total: str

    @property
    def head(self) -> str:
        """The column's heading."""
        return heading_here(self.name)

    @cached_property
    def texts(self) -> list[str]:
        """The cells without their colours."""
        return [*map(str, self.cells), self.total]

    @cached_property
    def want(self) -> int:
        """The width at which nothing is wrapped."""
        return max(map(_wide, [self.head, *self.texts]))

    @cached_property
    def fit(self) -> int:
        """The width at which only the heading is wrapped."""
        return max(self._longest_of_head, *map(_wide, self.texts))

    @property
    def _longest_of_head(self) -> int:
        return max(map(_wide, self.head.split()))

    @cached_property
    def need(self) -> int:
        """The width at which no value is broken, and text only between words."""
        head = self._longest_of_head
        whole = max(map(_wide, self.texts))
        if whole <= SHORT or not any(" " in text for text in self.texts):
            return max(head, whole)
        words = (_wide(word) for text in self.texts for word in re.split("[ \n]+", _bound(text)))
        return max(head, min(max(words, default=0), LONGEST_WORD))

    def cell(self, n: int, width: int) -> "Cell":
        """A cell at that width: a moment among words stays in one line."""
        cell = self.cells[n]
        if not isinstance(cell, str) or _bound(cell) == cell or _wide(cell) <= width:
            return cell
        return fill(_bound(cell), width, break_on_hyphens=False).replace("\xa0", " ")


class Sheet(Struct, frozen=True, dict=True):
    """The rows of a report on a screen of that width."""

    answer: ReportAnswer
    rows: Sequence[Row]
    adding_up: Totals | None
    width: int

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The columns that fit, in the report's order.

        First the report's `shown` columns and every summand that is not 0. To make room, a day or
        table that all rows have in common is left out. If that is not enough, the shown columns may
        be wrapped, and the last ones are left out. Then all other columns that fit.
        """
        columns = self._with_summands() or self._as_many_as_fit()
        room = self.width - _breadth(each.fit for each in columns.values())
        others = ((name,) for name in self._others(columns))
        unused = tuple(name for name in self.answer.report.summands if name not in columns)
        for names in (*others, unused):
            some = [self._column(name) for name in names]
            needed = sum(GAP + each.fit for each in some)
            if needed <= room:
                room -= needed
                columns = self._with(columns, some)
        return columns

    def _with_summands(self) -> dict[str, Column] | None:
        """The shown columns with the summands that are not 0, or None if none is, or none fits."""
        columns = self._shown
        summands = [
            self._column(name)
            for name in self.answer.report.summands
            if name not in columns and any(_is_amount(row[name]) for row in self.rows)
        ]
        for gone in ((), *self._common_ones(columns)) if summands else ():
            fewer = {name: each for name, each in columns.items() if name not in gone}
            wide = [each.fit for each in (*fewer.values(), *summands)]
            if _breadth(wide) <= self.width:
                return self._with(fewer, summands)
        return None

    def _as_many_as_fit(self) -> dict[str, Column]:
        """The shown columns that fit: without a common day or table, then without the last.

        Of those that the report drops first, the ones in which nothing is go before the others.
        """
        columns = dict(self._shown)
        dropped = self.answer.report.dropped_first
        empty = [name for name in dropped if all(row[name] in _EMPTY for row in self.rows)]
        common = [gone[-1] for gone in self._common_ones(columns)]
        going = [*common, *empty, *dropped, *reversed(columns)]
        for name in dict.fromkeys(going):
            fits = _breadth(each.need for each in columns.values()) <= self.width
            if fits or len(columns) <= 2:
                break
            del columns[name]
        return columns

    @cached_property
    def _shown(self) -> dict[str, Column]:
        return {name: self._column(name) for name in self.answer.report.shown}

    def _common_ones(self, columns: Mapping[str, Column]) -> list[tuple[str, ...]]:
        """The steps of leaving out day and table: each that all rows share or an address has."""
        rest = list(columns)[1:]  # the first one heads the total
        names = [name for name in _GIVE_WAY if name in rest and self._is_common(name, columns)]
        return [tuple(names[: n + 1]) for n in range(len(names))]

    def _is_common(self, name: str, columns: Iterable[str]) -> bool:
        return self._is_in_an_address(columns) or len({row[name] for row in self.rows}) == 1

    def _is_in_an_address(self, columns: Iterable[str]) -> bool:
        return any(
            address in columns and all(row[address] for row in self.rows) for address in _ADDRESSES
        )

    def _others(self, columns: Mapping[str, Column]) -> Iterator[str]:
        """The names of other columns that may be shown."""
        for name in self._possible:
            if name in (*columns, *self.answer.report.summands):
                continue
            if not any(_has_parts(self.answer, name, row) for row in self.rows):
                yield name

    def above(self) -> str:
        """The day and the table that every row has in common, if they have no column."""
        if self._is_in_an_address(self.columns) or not self.rows:
            return ""
        gone = [each for each in _GIVE_WAY if each in self._shown and each not in self.columns]
        row = self.rows[0]
        named = [
            f"{heading_here(name)} {_cell(self.answer, name, row)}" for name in gone if row[name]
        ]
        return _("All rows: {columns}.", columns=commas(named)) if named else ""

    def pieces(self) -> "Iterator[Table | str]":
        """The rows as tables, each followed by its amounts without a column; the total is last."""
        table = self._table(headed=True)
        widths = self._widths()
        for n, row in enumerate(self.rows):
            columns = zip(self.columns.values(), widths, strict=True)
            table.add_row(*(each.cell(n, width) for each, width in columns))
            if below := self._amounts({name: row[name] for name in self._without_column}):
                yield table
                yield below
                table = self._table(headed=False)
        if self.adding_up:
            _, *rest = self.columns.values()
            table.add_row(shown(TOTAL), *(each.total for each in rest))
        if table.row_count or not self.rows:
            yield table
        if self.adding_up:
            sums = {name: self.adding_up.sums[name] for name in self._without_column}
            if below := self._amounts(sums):
                yield below

    def below(self) -> Iterator[str]:
        """The rows that are in no total, and the columns that are not on the screen."""
        if words := below_total(self.answer.report, self.rows, self.adding_up):
            yield words
        there = (*self.columns, *self._may_be_below, *(_GIVE_WAY if self._gives_way else ()))
        if left_out := [name for name in self._possible if name not in there]:
            yield _(
                "No room for: {columns}. --json, --csv and --pdf have them.",
                columns=headings_here(left_out),
            )

    @property
    def _gives_way(self) -> bool:
        return bool(self.above()) or self._is_in_an_address(self.columns)

    def _column(self, name: str) -> Column:
        cells = [_cell(self.answer, name, row) for row in self.rows]
        if name == self._first and self.adding_up and self.adding_up.left_out:
            marks = [marked(self.answer.report, row) for row in self.rows]
            cells = [each + mark for each, mark in zip(cells, marks, strict=True)]
        total = self.adding_up.texts.get(name, "") if self.adding_up else ""
        return Column(
            name, cells, shown(TOTAL) if self.adding_up and name == self._first else total
        )

    @property
    def _first(self) -> str:
        """The column that heads the total."""
        return self.answer.report.shown[0]

    @property
    def _possible(self) -> list[str]:
        """The columns that a terminal may have; proofs are shown within other columns."""
        report = self.answer.report
        in_detail = (
            ("acknowledged_by", "acknowledged_at", "text") if "detail" in report.shown else ()
        )
        return [
            name for name in report.columns if name not in in_detail and not name.endswith("proved")
        ]

    @property
    def _may_be_below(self) -> list[str]:
        """The columns that may go below their row: summands, and any beside a very long name."""
        report = self.answer.report
        amounts = [name for name in report.shown if name in report.money]
        return [*(name for name in amounts if name not in report.summands), *report.summands]

    @cached_property
    def _without_column(self) -> list[str]:
        return [name for name in self._may_be_below if name not in self.columns]

    def _amounts(self, values: Mapping[str, Any]) -> str:
        """The amounts that are not 0, each with its heading, or '' if there are none."""
        currency = self.answer.house.currency
        parts = [
            f"{heading_here(name)} {amount(value, currency)}".replace(" ", "\xa0")
            for name, value in values.items()
            if _is_amount(value)
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
        money = (*self.answer.report.money, *self.answer.report.by_spot, *PERCENT)
        for column, width in zip(self.columns.values(), self._widths(), strict=True):
            right = column.name in money or column.name.endswith("total")
            table.add_column(
                column.head, justify="right" if right else "left", width=width, overflow="fold"
            )
        return table

    def _widths(self) -> list[int]:
        """The columns' widths; free room goes, bit by bit, to values, then to headings."""
        columns = list(self.columns.values())
        widths = [each.need for each in columns]
        for wanted in ([each.fit for each in columns], [each.want for each in columns]):
            for _bit in range(self.width - _breadth(widths)):
                lacking = [want - width for want, width in zip(wanted, widths, strict=True)]
                if max(lacking) <= 0:
                    break
                widths[lacking.index(max(lacking))] += 1
        return widths

    def _with(self, columns: dict[str, Column], more: Iterable[Column]) -> dict[str, Column]:
        """The columns with more of them inserted, in the report's order."""
        for column in more:
            order = self.answer.report.columns
            before = order[: order.index(column.name)]
            names = list(columns)
            at = max((n for n, each in enumerate(names, 1) if each in before), default=0)
            names.insert(at, column.name)
            columns = {each: columns.get(each, column) for each in names}
        return columns


def _cell(answer: ReportAnswer, name: str, row: Row) -> "Cell":
    """A value of a row: cards and outcomes in their colours."""
    coloured = _COLOURED.get(name) if row[name] is not None else None
    return coloured(row) if coloured else words_of(answer, name, row, _at)


def _outcome(row: Row) -> "Cell":
    from rich.text import Text

    if row["phase"] == "voided":
        return shown(VOID)
    return Text(coups.spot_name(row["outcome"]), style=show.STYLES[row["outcome"]])


_COLOURED: "Mapping[str, Callable[[Row], Cell]]" = {
    "burn_card": lambda row: show.card_text(row["burn_card"]),
    "card": lambda row: show.card_text(row["card"]),
    "cards": lambda row: show.lying(each["card"] for each in row["cards"]),
    "outcome": _outcome,
}


def _at(at: datetime, with_day: bool) -> str:
    return language.short_moment(at) if with_day else language.clock(at)


def _wide(text: str) -> int:
    """The width of a text on a screen in letters; a Chinese letter is two."""
    from rich.cells import cell_len

    return cell_len(text)


def _bound(text: str) -> str:
    """The text with unbreakable blanks inside moments."""
    return IN_A_MOMENT.sub("\xa0", text)


def _is_amount(value: Any) -> bool:
    """Whether the amount is known, and not 0."""
    return value is not None and bool(Decimal(str(value)))


def _breadth(widths: Iterable[int]) -> int:
    """The width of columns side by side, with the gaps between them."""
    some = list(widths)
    return sum(some) + GAP * (len(some) - 1)


def _has_parts(answer: ReportAnswer, name: str, row: Row) -> bool:
    """Whether a value has several parts, which have no words for one line."""
    if name in (*answer.report.by_spot, "cards", "detail", "put_right"):
        return False
    return isinstance(row[name], dict | list)
