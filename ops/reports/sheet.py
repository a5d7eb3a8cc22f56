"""Which columns of a report a screen shows, and how wide: no value is ever broken in two."""

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cached_property
from textwrap import fill
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops.reports.ask import ReportAnswer
from ops.reports.cells import cell
from ops.words.columns import heading, headings
from ops.words.values import PERCENT, Totals, amount

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    Cell = str | Text

GAP = 2  # letters between two columns
SHORT = 16  # letters: a text up to that length is a name or a moment, though it has a blank
TOTAL = "total"  # in the first column of the last row
LONGEST_WORD = 30  # longer words are broken
# Between the day and the time of a moment; wrapped there, it would be read as two things.
IN_A_MOMENT = re.compile(r"(?<=\b\d\d-\d\d) (?=\d\d:\d\d\b)")
_GIVE_WAY = ("day", "table")  # to amounts, where every row has the same
_ADDRESSES = ("shoe", "stay", "coup")  # which have the day and the table in them


class Column(Struct, frozen=True, dict=True):
    """The cells of a column, and the width that it wants and needs, in letters."""

    name: str
    cells: "list[Cell]"
    total: str

    @property
    def head(self) -> str:
        """Its heading."""
        return heading(self.name)

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
        """The width at which nothing is wrapped but the heading."""
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
    rows: list[dict[str, Any]]
    adding_up: Totals | None
    width: int

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The columns that there is room for, in the contract's order among the others.

        First those that a terminal has, with every amount of a sum that is not 0; for those a day
        or table gives way that all rows have in common. Without room for them, the columns of a
        terminal may be wrapped, and the last ones are left out. Then all others that fit.
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
        """The columns of a terminal with the summands that are not 0; None: none is, or no room."""
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
        """The columns of a terminal, without what all rows have in common, or without the last."""
        columns = dict(self._shown)
        common = [gone[-1] for gone in self._common_ones(columns)]
        going = [*common, *self.answer.report.spare, *reversed(columns)]
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
        """The day, then the table with it: those that every row has in common, or an address."""
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
        """What else may be shown, one by one."""
        for name in self._possible:
            if name in (*columns, *self.answer.report.summands):
                continue
            if not any(_has_parts(self.answer, name, row) for row in self.rows):
                yield name

    def above(self) -> str:
        """The day and the table that every row has in common, where they have no column."""
        if self._is_in_an_address(self.columns) or not self.rows:
            return ""
        gone = [each for each in _GIVE_WAY if each in self._shown and each not in self.columns]
        named = ", ".join(f"{heading(name)} {self.rows[0][name]}" for name in gone)
        return f"All rows: {named}." if gone else ""

    def pieces(self) -> "Iterator[Table | str]":
        """The rows as tables, with amounts that have no column between them; the total is last."""
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
            table.add_row(TOTAL, *(each.total for each in rest))
        if table.row_count or not self.rows:
            yield table
        if self.adding_up:
            sums = {name: self.adding_up.sums[name] for name in self._without_column}
            if below := self._amounts(sums):
                yield below

    def below(self) -> Iterator[str]:
        """Which rows are in no total, and which columns are not on the screen."""
        if self.adding_up and self.adding_up.words:
            yield self.adding_up.words
        there = (*self.columns, *self._may_be_below, *(_GIVE_WAY if self._gives_way else ()))
        if left_out := [name for name in self._possible if name not in there]:
            yield f"No room for: {headings(left_out)}. --json, --csv and --pdf have them."

    @property
    def _gives_way(self) -> bool:
        return bool(self.above()) or self._is_in_an_address(self.columns)

    def _column(self, name: str) -> Column:
        cells = [cell(self.answer, name, row) for row in self.rows]
        total = self.adding_up.texts.get(name, "") if self.adding_up else ""
        return Column(name, cells, TOTAL if self.adding_up and name == self._first else total)

    @property
    def _first(self) -> str:
        """The column that heads the total."""
        return self.answer.report.shown[0]

    @property
    def _possible(self) -> list[str]:
        """The columns that a terminal may have; how things are proved is in other columns."""
        report = self.answer.report
        in_detail = (
            ("acknowledged_by", "acknowledged_at", "text") if "detail" in report.shown else ()
        )
        return [
            name for name in report.columns if name not in in_detail and not name.endswith("proved")
        ]

    @property
    def _may_be_below(self) -> list[str]:
        """Amounts for which there may be no room: summands, and any beside a very long name."""
        report = self.answer.report
        amounts = [name for name in report.shown if name in report.money]
        return [*(name for name in amounts if name not in report.summands), *report.summands]

    @cached_property
    def _without_column(self) -> list[str]:
        return [name for name in self._may_be_below if name not in self.columns]

    def _amounts(self, values: Mapping[str, Any]) -> str:
        """Those that are not 0, each beside its heading; '' when there is none."""
        currency = self.answer.house.currency
        parts = [
            f"{heading(name)} {amount(value, currency)}".replace(" ", "\xa0")
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
        """What each column needs; what is left, bit by bit, for values, then for headings."""
        columns = list(self.columns.values())
        widths = [each.need for each in columns]
        for wanted in ([each.fit for each in columns], [each.want for each in columns]):
            for _ in range(self.width - _breadth(widths)):
                lacking = [want - width for want, width in zip(wanted, widths, strict=True)]
                if max(lacking) <= 0:
                    break
                widths[lacking.index(max(lacking))] += 1
        return widths

    def _with(self, columns: dict[str, Column], more: Iterable[Column]) -> dict[str, Column]:
        """With further columns, each behind the last of those that the contract has before it."""
        for column in more:
            order = self.answer.report.columns
            before = order[: order.index(column.name)]
            names = list(columns)
            at = max((n for n, each in enumerate(names, 1) if each in before), default=0)
            names.insert(at, column.name)
            columns = {each: columns.get(each, column) for each in names}
        return columns


def _wide(text: str) -> int:
    """How many letters wide a text is on a screen; a Chinese letter is two."""
    from rich.cells import cell_len

    return cell_len(text)


def _bound(text: str) -> str:
    """With nothing between the day and the time of a moment at which lines may be broken."""
    return IN_A_MOMENT.sub("\xa0", text)


def _is_amount(value: Any) -> bool:
    """Whether it is known, and not 0."""
    return value is not None and bool(Decimal(str(value)))


def _breadth(widths: Iterable[int]) -> int:
    """Columns beside each other, and the gaps between them."""
    some = list(widths)
    return sum(some) + GAP * (len(some) - 1)


def _has_parts(answer: ReportAnswer, name: str, row: dict[str, Any]) -> bool:
    """Whether a value has several parts, for which a line of a terminal has no words."""
    if name in (*answer.report.by_spot, "cards", "detail"):
        return False
    return isinstance(row[name], dict | list)
