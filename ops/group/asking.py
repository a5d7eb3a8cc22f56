"""Answers a question over the houses of a group: DuckDB adds up the facts of each house's log.

The sums of a house's facts are the rows that it has itself.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Self

from msgspec import Struct
from msgspec.structs import replace

from domain.rules.addresses import parse_day
from ops.commands.house_events import House, settled
from ops.group import parquet
from ops.group.counting import Progress, count, counted, is_far
from ops.group.facts import DAY, POSITION, Kind, known
from ops.group.folded import reading
from ops.group.members import Member
from ops.group.questions import GroupReport
from ops.group.rates import InOne, in_one
from ops.ledger import clock
from ops.ledger.chain import read_canonical
from ops.reports.moments import Typed, in_the_past

if TYPE_CHECKING:
    import duckdb


class OfHouse(Struct, frozen=True):
    """Up to which event a house is in an answer, of how many that are held, and how it is.

    `stopped`: why the events after that one are not counted, or nothing more of it is pulled.
    """

    property: str
    name: str
    currency: str
    position: int
    held: int
    stopped: str = ""


class Answer(Struct, frozen=True):
    """The answer of a report, with the houses that are in it. Amounts are minor units.

    `in_one`: its sums in one currency too, at named rates, where that was asked for.
    """

    report: GroupReport
    per: tuple[str, ...]
    as_of: str | None
    houses: list[OfHouse]
    rows: list[dict[str, object]]
    in_one: InOne | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of a row's values."""
        return (*self.per, "currency", *self.report.columns)

    def is_number(self, column: str) -> bool:
        """Whether a column has amounts, or how many there are."""
        return column in self.report.columns and column not in self.report.days

    def sums(self) -> list[dict[str, object]]:
        """The sums over all rows, currency by currency; in place of what divides them, `all`."""
        of: dict[object, Counter[str]] = {}
        for row in self.rows:
            numbers = filter(self.is_number, self.report.columns)
            known = {each: row[each] for each in numbers if row[each] is not None}
            of.setdefault(row["currency"], Counter()).update(known)
        first = dict.fromkeys(self.per[:1], "all")
        return [{**first, "currency": each, **of[each]} for each in sorted(of, key=str)]

    def converted(self, into: str, rate: str) -> Self:
        """It, with its sums in one currency at the rates of this name. Refuses: BadValue.

        Raises NoRate.
        """
        money = [each for each in self.columns if self.is_number(each)]
        money = [each for each in money if each not in self.report.counts]
        return replace(self, in_one=in_one(rate, into, self.sums(), money))

    def as_dict(self) -> dict[str, object]:
        """The answer as JSON fields."""
        return {
            "report": f"group {self.report.name}",
            "as_of": self.as_of,
            "houses": self.houses,
            "rows": self.rows,
            **({"in_one": self.in_one} if self.in_one else {}),
        }


class Narrowed(Struct, frozen=True):
    """Of which days, both ends included, and of which table."""

    first: date | None = None
    last: date | None = None
    table: str | None = None

    @classmethod
    def of(cls, typed: Mapping[str, str | None]) -> Self:
        """From what was typed: `day`, or `from` and `to`, and `table`."""
        first, last = (typed.get("day") or typed.get(each) for each in ("from", "to"))
        return cls(first and parse_day(first), last and parse_day(last), typed.get("table"))  # type: ignore[arg-type]


EVERYTHING = Narrowed()


def ask(
    report: GroupReport,
    houses: Sequence[Member],
    per: Sequence[str] | None = None,
    narrowed: Narrowed = EVERYTHING,
    as_of: Typed | None = None,
    progress: Progress = lambda _: None,
    at_most: int | None = None,
) -> Answer:
    """The answer over what is held of these houses, each counted to its end before.

    `at_most`: a house with more events to count is in it as far as it is counted. `as_of`: what
    each had recorded by then, by its own clock if it has no offset. Raises WithoutParquet. Refuses:
    BadValue.
    """
    every = [_counted(each, as_of, progress, at_most) for each in houses]
    of = [each for each, _ in every]
    per = report.usually if per is None else tuple(per)
    rows = rows_of(report, of, per, narrowed)
    return Answer(report, per, _as_of_words(as_of, {at for _, at in every}), of, rows)


def _as_of_words(as_of: Typed | None, moments: set[datetime | None]) -> str | None:
    """The moment of all houses; as it was typed, if it is another one at another house."""
    if as_of is None:
        return None
    [moment, *others] = moments or [None]
    return (
        str(as_of.date_and_time or as_of.time_of_day)
        if others or not moment
        else moment.isoformat()
    )


def _counted(
    of: Member, as_of: Typed | None, progress: Progress, at_most: int | None
) -> tuple[OfHouse, datetime | None]:
    """How far a house is in the answer, and by which moment."""
    far = at_most is not None and is_far(of, at_most)
    how = counted(of) if far else count(of, progress)
    standing = of.standing
    stopped = how.stopped or (standing.stopped if standing else "")
    position, moment = how.position, None
    with reading(of.folded) as folded:
        house = settled(folded.settings(position))
        if as_of:
            newest = [recorded_at(of, position)] if position else []
            moment = in_the_past(as_of, house.clock, max([clock.wall_clock(), *newest]))
            position = _position_at(of, moment, position)
            house = settled(folded.settings(position))
    return _of_house(of, house, position, stopped), moment


def _of_house(of: Member, house: House, position: int, stopped: str) -> OfHouse:
    held = of.held.size if of.held else 0
    return OfHouse(of.name, house.name, house.currency, position, held, stopped)


def _position_at(of: Member, moment: datetime, size: int) -> int:
    """The last event that was recorded by then, of so many; 0 for none. Moments are in order."""
    low, high = 0, size
    while low < high:
        middle = (low + high + 1) // 2
        if recorded_at(of, middle) <= moment:
            low = middle
        else:
            high = middle - 1
    return low


def recorded_at(of: Member, position: int) -> datetime:
    """When an event of a house was recorded, by its clock."""
    [entry] = of.entries(position - 1, position)
    return read_canonical(entry)[0].recorded_at


def rows_of(
    report: GroupReport, houses: Sequence[OfHouse], per: tuple[str, ...], narrowed: Narrowed
) -> list[dict[str, object]]:
    """The rows over houses, each at its position, in the order of what they are divided by."""
    asked: dict[str, object] = {}
    tables = ", ".join(_table(each, houses, narrowed, asked) for each in report.kinds)
    keys = ", ".join(f'{report.per[each]} AS "{each}"' for each in per)
    values = ", ".join(f'{sql} AS "{name}"' for name, sql in report.columns.items())
    order = ", ".join(str(n) for n in range(1, len(per) + 2))
    sql = (
        f"WITH {tables} SELECT {keys + ', ' if keys else ''}currency, {values} "  # noqa: S608
        f"FROM {report.rows} AS counted GROUP BY {order} ORDER BY {order}"
    )
    with _connected() as connection:
        result = connection.execute(sql, asked)
        names = [column[0] for column in result.description]
        return [
            {name: _plain(value) for name, value in zip(names, row, strict=True)}
            for row in result.fetchall()
        ]


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, date) else value


def _connected() -> "duckdb.DuckDBPyConnection":
    try:
        import duckdb
    except ImportError as error:
        raise parquet.WithoutParquet from error
    return duckdb.connect()


def _table(
    kind: Kind, houses: Sequence[OfHouse], narrowed: Narrowed, asked: dict[str, object]
) -> str:
    """The SQL that names the rows of all houses as their own table is called."""
    narrowed = narrowed if kind.dated else EVERYTHING
    parts = [*filter(None, (_of(kind, each, narrowed, asked) for each in houses))]
    return f"{kind.name} AS ({' UNION ALL '.join(parts or [_nothing(kind)])})"


def _nothing(kind: Kind) -> str:
    """The SQL for no row."""
    types = {"text": "VARCHAR", "day": "DATE", "number": "HUGEINT"}
    columns = {"property": "text", "currency": "text", **kind.columns}
    names = ("property", "currency", *([DAY] if kind.dated else []), *kind.names, *kind.sums)
    values = (f"NULL::{types[columns[each]]} AS {each}" for each in names)
    return f"SELECT {', '.join(values)} WHERE false"


def _of(kind: Kind, house: OfHouse, narrowed: Narrowed, asked: dict[str, object]) -> str:
    """The SQL for the rows of a house, as they were at its position; '' if it has no facts.

    The values that it needs are added to `asked`.
    """
    n, conditions = len(asked), ["true"]
    rows = _read(kind, house, narrowed, asked)
    if not rows:
        return ""
    asked |= {f"p{n}": house.property, f"c{n}": house.currency}
    for name, column, sign in (
        ("first", DAY, ">="),
        ("last", DAY, "<="),
        ("table", "table_code", "="),
    ):
        if (value := getattr(narrowed, name)) is not None:
            conditions.append(f"{column} {sign} $a_{name}")
            asked[f"a_{name}"] = value
    names = ", ".join((*([DAY] if kind.dated else []), *kind.names))
    values = ", ".join((names, *(_sum(kind, each) for each in kind.sums)))
    return (
        f"SELECT $p{n} AS property, $c{n} AS currency, {values} FROM ({rows})"  # noqa: S608
        f" WHERE {' AND '.join(conditions)} GROUP BY {names} HAVING sum(rows) > 0"
    )


def _read(kind: Kind, house: OfHouse, narrowed: Narrowed, asked: dict[str, object]) -> str:
    """The SQL for what adds up to the rows of a house at its position; '' without any."""
    n = len(asked)
    files: dict[bool, list[str]] = {}
    for month in _months(kind, house.property, narrowed):
        file, is_sums = parquet.file_of(kind.name, house.property, month, house.position)
        files.setdefault(is_sums, []).append(str(file))
    parts = []
    for is_sums, each in files.items():
        name = f"{'s' if is_sums else 'f'}{n}"
        asked[name] = each
        columns = ", ".join((DAY, *kind.names, *kind.numbers))
        part = f"SELECT {columns} FROM read_parquet(${name}, hive_partitioning = false)"  # noqa: S608
        parts.append(part if is_sums else f"{part} WHERE {POSITION} <= $n{n}")
        asked |= {} if is_sums else {f"n{n}": house.position}
    return " UNION ALL ".join(parts)


def _sum(kind: Kind, column: str) -> str:
    if column not in kind.may_lack:
        return f"sum({column}) AS {column}"
    return f"CASE WHEN sum({known(column)}) > 0 THEN sum({column}) END AS {column}"


def _months(kind: Kind, house: str, narrowed: Narrowed) -> Iterator[str]:
    """The months that are asked for, as their directories are called."""
    for file in sorted(parquet.place_of(kind.name, house).glob(f"month=*/{parquet.FACTS}")):
        month = file.parent.name.partition("=")[2]
        if narrowed.first and month < parquet.month_of(narrowed.first):
            continue
        if narrowed.last and month > parquet.month_of(narrowed.last):
            continue
        yield file.parent.name
