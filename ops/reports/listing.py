"""One page of a report's rows, which PostgreSQL sorts, counts and adds up: no others are read.

A report is read whole instead if its totals, or a column, are computed here from every row. One
whose columns need more than its own rows is counted without them, and of it are read only the
gaming days of the page.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops.reports.beside import TOGETHER
from ops.reports.computed import COMPUTED
from ops.reports.paging import Part, Place, Turn, place_in, place_words
from ops.reports.places import DAY, PLACE, sorted_parts
from ops.reports.readable import readable
from projections import Report

if TYPE_CHECKING:
    import psycopg

_TEXT, _DATE = 25, 1082  # PostgreSQL's numbers of types
_AS_TEXT = (_TEXT, _DATE)  # keys that a place has as text; all others are integers
_kinds: dict[str, list[int]] = {}  # by SQL: of the columns of a report, then of its keys


class Wanted(Struct, frozen=True):
    """The page of a list that somebody asks for, of at most so many rows."""

    turn: Turn
    most: int


class Listing(Struct, frozen=True):
    """Which rows are on a page, how many rows there are, and their sums."""

    part: Part
    many: int
    whole: int  # of all, the rows that are in the sums
    sums: Mapping[str, Decimal]  # by column of money
    places: Sequence[Place] = ()  # of the rows of the page, rising


def has_pages(report: Report) -> bool:
    """Whether PostgreSQL can make a page of the report."""
    return not COMPUTED.keys() & {*report.summed} and not TOGETHER.keys() & {*report.columns}


def read_listing(
    connection: "psycopg.Connection[Any]",
    report: Report,
    asked: Mapping[str, Any],
    wanted: Wanted,
) -> tuple[Listing, list[tuple[Any, ...]], list[int]]:
    """The listing, the rows of the page in rising order, and the types of their columns.

    Refuses: BadValue. Raises RowsUnreadable.
    """
    rows = _Rows.of(connection, report, asked)
    place = rows.place(wanted.turn)
    with readable():
        return _read(connection, rows, asked, wanted, place)


def _read(
    connection: "psycopg.Connection[Any]",
    rows: "_Rows",
    asked: Mapping[str, Any],
    wanted: Wanted,
    place: Place,
) -> tuple[Listing, list[tuple[Any, ...]], list[int]]:
    report, turn, most = rows.report, wanted.turn, wanted.most
    asked = {**asked, **{f"key_{n}": each for n, each in enumerate(place)}, "most": most}
    later, earlier = ("<", ">") if report.newest_first else (">", "<")  # in the list
    beyond = f"{rows.keys} {later if turn.after else earlier} {rows.asked_keys}" if place else ""
    before = f"NOT ({beyond})" if turn.after else beyond
    counting = f"count(*) FILTER (WHERE {before})" if beyond else "0"
    counts = _select(
        connection, f"count(*), {counting}, {rows.totals}", rows.keyed, asked
    ).fetchone()
    assert counts
    many, start, whole, *sums = counts
    backwards = bool(beyond) and not turn.after
    if backwards and start <= most:  # they fill no page, so it is the first
        backwards, beyond = False, ""
    start = max(0, start - most) if turn.before and not turn.after else start
    falling = report.newest_first != backwards
    where = f" WHERE {beyond}" if beyond else ""
    order = f" ORDER BY {rows.order(falling=falling)} LIMIT %(most)s"
    if report.rows:
        asked = {**asked, **_days(connection, rows.keyed + where + order, asked)}
    page = _select(connection, rows.columns, rows.all + where + order, asked)
    these = page.fetchall()
    rising = these[::-1] if falling else these
    listing = Listing(
        _part(rising[::-1] if report.newest_first else rising, start, many),
        many,
        whole,
        {name: each or Decimal() for name, each in zip(rows.money, sums, strict=True)},
        [tuple(row[-1]) for row in rising],
    )
    kinds = [column.type_code for column in page.description or ()]
    return listing, [row[:-1] for row in rising], kinds[:-1]


def _days(
    connection: "psycopg.Connection[Any]", page: str, asked: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The gaming days of a page, as its report is narrowed to them."""
    days = f"(SELECT {DAY} FROM {page}) AS of_page"  # noqa: S608
    row = _select(connection, f"min({DAY}), max({DAY})", days, asked).fetchone()
    return {"from": row[0], "to": row[1]} if row and row[0] else {}


def _select(
    connection: "psycopg.Connection[Any]", what: str, of: str, asked: Mapping[str, Any]
) -> "psycopg.Cursor[tuple[Any, ...]]":
    """Both are made of what reports declare."""
    return connection.execute(f"SELECT {what} FROM {of}", asked)  # noqa: S608


def _part(in_reading_order: Sequence[tuple[Any, ...]], start: int, many: int) -> Part:
    rows = range(start, start + len(in_reading_order))
    return Part(
        rows,
        before=place_words(in_reading_order[0][-1]) if rows and start else "",
        after=place_words(in_reading_order[-1][-1]) if rows and rows.stop < many else "",
    )


class _Rows(Struct, frozen=True, dict=True):
    """SQL for the rows of a report, under the names of its columns and keys."""

    report: Report
    kinds: list[int]  # of its columns, then of its keys

    @classmethod
    def of(
        cls, connection: "psycopg.Connection[Any]", report: Report, asked: Mapping[str, Any]
    ) -> "_Rows":
        if report.sql not in _kinds:
            parts = sorted_parts(report)
            keys = f"({parts.columns}, {', '.join(parts.keys)} {parts.source}) AS one LIMIT 0"
            described = _select(connection, "*", keys, asked)
            _kinds[report.sql] = [each.type_code for each in described.description or ()]
        return cls(report, _kinds[report.sql])

    def place(self, turn: Turn) -> Place:
        """The place that an address has, or () for the list's first page. Refuses: BadValue."""
        example = tuple("" if kind in _AS_TEXT else 0 for kind in self._of_keys)
        if turn.after:
            return place_in(turn.after, "after", example)
        return place_in(turn.before, "before", example) if turn.before else ()

    @cached_property
    def all(self) -> str:
        """Every row."""
        parts = sorted_parts(self.report)
        keys = ", ".join(parts.keys)
        names = ", ".join(map(_quoted, self.report.columns))
        return (
            f"({parts.columns}, json_build_array({keys}), {keys} {parts.source})"
            f" AS listed ({names}, {PLACE}, {', '.join(self._names)})"
        )

    @property
    def keyed(self) -> str:
        """Every row, with its day and what it is sorted by alone if that needs less."""
        if not self.report.rows:
            return self.all
        keys = ", ".join(sorted_parts(self.report).keys)
        names = ", ".join((DAY, *self._names))
        return f"(SELECT gaming_day, {keys} {self.report.rows}) AS listed ({names})"

    @property
    def columns(self) -> str:
        """The report's columns, and the place."""
        return ", ".join((*map(_quoted, self.report.columns), PLACE))

    @property
    def keys(self) -> str:
        """What a row is sorted by."""
        return f"({', '.join(self._keys)})"

    @property
    def asked_keys(self) -> str:
        """The same of the place that is asked for."""
        return f"({', '.join(f'%({name})s' for name in self._names)})"

    def order(self, *, falling: bool) -> str:
        """The order of the rows."""
        return ", ".join(f"{key}{' DESC' if falling else ''}" for key in self._keys)

    @property
    def money(self) -> tuple[str, ...]:
        """The columns that are added up."""
        return self.report.summed

    @property
    def totals(self) -> str:
        """How many rows are complete, and the sum of each column of money over them."""
        required = [each for each in self.money if each not in self.report.may_lack]
        complete = [f"{_quoted(each)} IS NOT NULL" for each in required]
        whole = f"FILTER (WHERE {' AND '.join(complete) or 'true'})"
        sums = [f"sum({self._number(each)}) {whole}" for each in self.money]
        return ", ".join((f"count(*) {whole}", *sums))

    def _number(self, column: str) -> str:
        """The value of a column of money; exact ones are text. Integers are summed faster."""
        is_text = self.kinds[self.report.columns.index(column)] == _TEXT
        return f"{_quoted(column)}{'::numeric' if is_text else ''}"

    @property
    def _of_keys(self) -> list[int]:
        """The types of its keys."""
        return self.kinds[len(self.report.columns) :]

    @property
    def _names(self) -> list[str]:
        return [f"key_{n}" for n in range(len(self._of_keys))]

    @property
    def _keys(self) -> list[str]:
        """The keys as a place has them; letters are compared by their numbers, as Python does."""
        return [
            f'{name}::text COLLATE "C"' if kind in _AS_TEXT else name
            for name, kind in zip(self._names, self._of_keys, strict=True)
        ]


def _quoted(column: str) -> str:
    return f'"{column}"'
