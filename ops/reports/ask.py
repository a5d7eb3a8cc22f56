"""Answers a report: catches its projections up, then reads its rows.

Rows are plain values under the column keys: money in minor units, moments in ISO 8601 with the
house's offset.
"""

import time
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from datetime import date, datetime
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar
from zoneinfo import ZoneInfo

from msgspec import Struct, convert
from msgspec.structs import replace

from domain.rules import addresses
from domain.rules.wording import Words
from ops.commands import rule_book
from ops.commands.house_events import House, house
from ops.ledger import clock
from ops.ledger.database import Database, NotFit
from ops.ledger.fit import DISK_FULL
from ops.ledger.growth import position_at
from ops.ledger.reading import head_of, last_day_of
from ops.ledger.recorder import flush_to_show
from ops.ledger.schema.declared import changed
from ops.ledger.standby import is_standby
from ops.reports.batch import EVERY_DAY, Days
from ops.reports.beside import computed_together
from ops.reports.computed import COMPUTED, DealtBy
from ops.reports.counted import Counted, counted_at
from ops.reports.listing import Listing, Wanted, read_listing
from ops.reports.moments import Typed, in_the_past
from ops.reports.names import meant_by
from ops.reports.parameters import parameters, ranged
from ops.reports.readable import readable
from ops.reports.rebuild import Progress, bring_up, temporary_rows
from ops.reports.runner import (
    PATIENCE,
    SLOW,
    hold,
    positions_of,
    reading_session,
    require_caught_up,
)
from ops.reports.stored import IN_WORDS, Cell, cell_of
from ops.reports.together import Session
from projections import PROJECTIONS, Projection, Report
from projections.money.trays_now import TRAYS_BELOW_ZERO

if TYPE_CHECKING:
    import psycopg


CURRENCY = "currency"
_TIMED = (datetime.isoformat, date.isoformat)  # what makes the values of a day and of a moment

Row = Mapping[str, Any]  # of a report, by its columns; or what one of its columns holds
R = TypeVar("R", bound=Struct)  # a type of rows


class ReportAnswer(Struct, frozen=True, dict=True):
    """A report's answer, which holds for `position` only."""

    report: Report
    house: House
    position: int
    narrowed: Mapping[str, str | None]
    as_of: str | None  # the moment asked for; None: now
    raw: list[tuple[Any, ...]]  # rows as read from the database
    cells: list[Cell | None]  # by column, the function that makes its values; None: unchanged
    below_zero: list[tuple[str, date, int]] = []  # trays: table, gaming day, and what they hold
    may_be_lost: Words | None = None  # why the newest of it may be lost
    counted: Counted | None = None  # how far the rows are, on a standby or while they are counted
    listing: Listing | None = None  # of one page, whose rows `raw` has
    unnamed: int = 0  # rows that `raw` lacks, because chance explains them
    is_sorted: bool = False  # by a column that a reader chose

    @property
    def day(self) -> str | None:
        """The gaming day that was asked for, or None if it was not a single day."""
        return self.narrowed.get("day")

    @property
    def in_reading_order(self) -> list[tuple[Any, ...]]:
        """Rows in the order for reading, on a screen and on paper."""
        return self.raw[::-1] if self.report.newest_first and not self.is_sorted else self.raw

    def reordered(self, order: Sequence[int]) -> "ReportAnswer":
        """The same rows in another order, which a reader chose."""
        other = replace(self, raw=[self.raw[n] for n in order], is_sorted=True)
        if "rows" in vars(self):  # what was computed of them, while it could be
            vars(other)["rows"] = [self.rows[n] for n in order]
        return other

    def cell(self, column: int, raw: tuple[Any, ...]) -> Any:
        """One value of a row, as in JSON and CSV."""
        cell, value = self.cells[column], raw[column]
        return value if cell is None or value is None else cell(value)

    def row(self, raw: tuple[Any, ...]) -> tuple[Any, ...]:
        """A whole row, as in JSON and CSV."""
        return tuple(self.cell(column, raw) for column in range(len(raw)))

    @property
    def amounts(self) -> list[Row]:
        """The money of every row, by its column."""
        places = {name: self.report.columns.index(name) for name in self.report.money}
        return [{name: self.cell(place, raw) for name, place in places.items()} for raw in self.raw]

    @property
    def beside(self) -> Mapping[str, str]:
        """What stands beside every row in files: the house's currency, unless a row has its own."""
        return {} if CURRENCY in self.report.columns else {CURRENCY: self.house.currency}

    @cached_property
    def timed(self) -> frozenset[str]:
        """The columns that hold days or moments."""
        beside = zip(self.report.columns, self.cells, strict=False)  # no cells, if nothing was read
        return frozenset(name for name, cell in beside if cell in _TIMED)

    def to_read(self, raw: tuple[Any, ...]) -> Row:
        """A row for people: what has words for them is as it is stored, not as in JSON."""
        names = self.report.columns
        as_stored = {name: raw[n] for n, name in enumerate(names) if name in IN_WORDS}
        return dict(zip(names, self.row(raw), strict=True)) | as_stored

    @cached_property
    def rows(self) -> list[Row]:
        """Every row under the column keys."""
        names = self.report.columns
        if not any(self.cells):
            return [dict(zip(names, raw, strict=True)) for raw in self.raw]
        with readable():
            return [dict(zip(names, self.row(raw), strict=True)) for raw in self.raw]

    def rows_as(self, kind: type[R]) -> list[R]:
        """Every row as a type whose fields are some of the columns."""
        return convert(self.rows, list[kind])  # type: ignore[valid-type]

    def as_dict(self) -> dict[str, object]:
        """The answer as JSON fields: the question, the position and the rows."""
        body: dict[str, object] = {
            "report": self.report.name,
            "property": self.house.name,
            "gaming_day": self.day,
            "as_of": self.as_of,
            "position": self.position,
            "currency": self.house.currency,
            "rows": self.rows,
        }
        return body | (self.counted.as_dict() if self.counted else {})


def ask(
    database: Database,
    report: Report,
    as_of: Typed | None = None,
    progress: Progress = lambda _: None,
    *,
    counted: Counted | None = None,
    wanted: Wanted | None = None,
    session: Session | None = None,
    or_behind: bool = False,
    **narrowed: str | None,
) -> ReportAnswer:
    """The report's answer, at the ledger's end; everything in it is on disk.

    `as_of`: the report as it was at that moment, in the house's time if it has no offset. Its rows
    are computed in temporary tables, and `progress` is called with each position. `counted`: how
    far the rows are while somebody else counts the rest; then they are read as they are. `wanted`:
    one page, of a report that `has_pages`. `session`: of several answers. `or_behind`: on a full
    disk rows are read as they are, too; the answer has how far they go. Refuses: BadValue.
    Raises LedgerLost, ProjectionStopped, LedgerNotAsRead; NotFit for a login that may only read
    while projections are behind.
    """
    import psycopg

    with ExitStack() as stack:
        own = session or Session(*stack.enter_context(reading_session(database)))
        connection, catches_up = own.connection, own.catches_up
        meant = _meant(connection, narrowed)
        if as_of:
            if not catches_up:
                _require_no_temporary_rows(report)
            return _ask_as_of(connection, report, as_of, meant, progress, wanted)
        if counted:
            return _as_they_are(connection, report, meant, counted, wanted)
        ready = _catch_up_together if catches_up else require_caught_up
        there = own.ready.issuperset(report.projections)
        try:
            return ask_on(connection, report, meant, ready, wanted, is_ready=there)
        except psycopg.errors.DiskFull:
            if not or_behind:
                raise
            return _without_room(connection, report, meant, wanted)


def _meant(
    connection: "psycopg.Connection[Any]", narrowed: Mapping[str, str | None]
) -> Mapping[str, str | None]:
    """What is asked for, with a patron's name as it is on record."""
    patron = narrowed.get("patron")
    return {**narrowed, "patron": meant_by(connection, patron)} if patron else narrowed


_Ready = Callable[["psycopg.Connection[Any]", list[Projection]], None]


def _catch_up_together(
    connection: "psycopg.Connection[Any]", projections: list[Projection]
) -> None:
    bring_up(connection, *projections)


def _require_no_temporary_rows(report: Report) -> None:
    """Raises NotFit: a login that only reads cannot create the tables for a past moment."""
    if report.projections:
        raise NotFit(
            "--as-of makes temporary tables, which only the application's login may, and not on a "
            "standby. Leave --as-of out, or ask with that login at the leader."
        )


def ask_on(
    connection: "psycopg.Connection[Any]",
    report: Report,
    narrowed: Mapping[str, str | None],
    ready: _Ready = _catch_up_together,
    wanted: Wanted | None = None,
    *,
    is_ready: bool = False,
) -> ReportAnswer:
    """The rows, once all projections of the report are at one position."""
    answer, gives_up = None, time.monotonic() + PATIENCE
    while answer is None:  # another process may move one of them meanwhile
        if not is_ready:
            ready(connection, _projections(report))
        is_ready = False
        answer = _read_at_one(connection, report, narrowed, wanted)
        if answer is None and is_standby(connection):
            _wait_for_one_position(gives_up)
    if is_standby(connection):
        counted = counted_at(connection, answer.position, ZoneInfo(answer.house.zone))
        answer = replace(answer, counted=counted)
    return replace(answer, may_be_lost=flush_to_show(connection))


def _as_they_are(
    connection: "psycopg.Connection[Any]",
    report: Report,
    narrowed: Mapping[str, str | None],
    counted: Counted,
    wanted: Wanted | None,
) -> ReportAnswer:
    """The rows that there are; none while its projections, without slow ones, are apart."""
    answer = _read_at_one(connection, report, narrowed, wanted, apart=SLOW)
    if answer is None:
        owner = house(connection)
        answer = ReportAnswer(report, owner, counted.position, dict(narrowed), None, [], [])
    may_be_lost = flush_to_show(connection)
    return replace(answer, may_be_lost=may_be_lost, counted=counted)


def _without_room(
    connection: "psycopg.Connection[Any]",
    report: Report,
    narrowed: Mapping[str, str | None],
    wanted: Wanted | None,
) -> ReportAnswer:
    """The rows that there are, which a full disk keeps from being caught up. Raises NotFit."""
    answer = _read_at_one(connection, report, narrowed, wanted)
    if answer is None:
        raise NotFit(
            "The rows of this report are at several positions, and cannot be caught up: "
            f"{DISK_FULL}, and ask again."
        )
    zone = ZoneInfo(answer.house.zone)
    counted = counted_at(connection, answer.position, zone, disk_full=True)
    return replace(answer, may_be_lost=flush_to_show(connection), counted=counted)


def _wait_for_one_position(gives_up: float) -> None:
    """Waits until the leader may have brought the projections to one position. Raises NotFit."""
    if time.monotonic() > gives_up:
        raise NotFit(
            "The rows of this report are at several positions, and a standby cannot catch them up: "
            "start `sabot projections run` at the leader, and ask again."
        )
    time.sleep(0.05)


def _ask_as_of(
    connection: "psycopg.Connection[Any]",
    report: Report,
    as_of: Typed,
    narrowed: Mapping[str, str | None],
    progress: Progress,
    wanted: Wanted | None,
) -> ReportAnswer:
    """The rows as they were then, from temporary tables."""
    moment = in_the_past(as_of, house(connection).clock, clock.record_clock(connection))
    position = position_at(connection, moment)
    days = _days(connection, narrowed) if report.days_independent else EVERY_DAY
    past = temporary_rows(connection, _projections(report), position, days, progress)
    with past if report.projections else nullcontext():
        answer = _read_at_one(connection, report, narrowed, wanted, moment)
    assert answer is not None  # no other process moves these
    may_be_lost = flush_to_show(connection)
    return replace(answer, as_of=moment.isoformat(), position=position, may_be_lost=may_be_lost)


def _days(connection: "psycopg.Connection[Any]", narrowed: Mapping[str, str | None]) -> Days:
    """The gaming days that are asked about; a shoe may come along with its table to later ones."""
    asked = ranged(narrowed)
    if narrowed.get("shoe"):
        shoe = addresses.Shoe.parse(str(narrowed["shoe"]))
        return shoe.table_day.day, last_day_of(connection, shoe)
    first, last = asked["from"], asked["to"]
    return first and date.fromisoformat(first), last and date.fromisoformat(last)  # type: ignore[return-value]


def _projections(report: Report) -> list[Projection]:
    return [PROJECTIONS[name] for name in report.projections]


def _read_at_one(
    connection: "psycopg.Connection[Any]",
    report: Report,
    narrowed: Mapping[str, str | None],
    wanted: Wanted | None,
    moment: datetime | None = None,
    apart: Container[str] = (),
) -> ReportAnswer | None:
    """None: its projections are at several positions, also without those that are `apart`."""
    with connection.transaction():  # rows and position of the same moment
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        hold(connection, _projections(report))
        reached = positions_of(connection, _projections(report))
        together = {at for name, at in reached.items() if name not in apart}
        if len(together) > 1 or changed(connection, _projections(report)):
            return None
        position = min(reached.values()) if reached else head_of(connection)
        owner = house(connection, position)
        _made_ready(connection, owner)
        zone = ZoneInfo(owner.zone)
        asked = parameters(connection, report, narrowed, owner, moment)
        dealt_by = cache(partial(rule_book.dealt_by, connection))
        listing, rows, kinds = _read(connection, report, asked, wanted, dealt_by)
        with readable():
            below = connection.execute(TRAYS_BELOW_ZERO, asked) if report.warns_of_trays else ()
        cells = [
            cell_of(name, kind, zone, dealt_by)
            for name, kind in zip(report.columns, kinds, strict=True)
        ]
        answer = ReportAnswer(
            report, owner, position, dict(narrowed), None, rows, cells, [*below], listing=listing
        )
        if any(name in COMPUTED for name in report.columns):
            _ = answer.rows  # computed now, while the rule sets can be read
    return answer


def _read(
    connection: "psycopg.Connection[Any]",
    report: Report,
    asked: Mapping[str, Any],
    wanted: Wanted | None,
    dealt_by: DealtBy,
) -> tuple[Listing | None, list[tuple[Any, ...]], list[int]]:
    """The rows, with the types of their columns. Refuses: BadValue. Raises RowsUnreadable."""
    if wanted:
        return read_listing(connection, report, asked, wanted)
    with readable():
        result = connection.execute(report.sql, asked)
        kinds = [column.type_code for column in result.description or ()]
        return None, computed_together(report, result.fetchall(), dealt_by), kinds


def _made_ready(connection: "psycopg.Connection[Any]", owner: House) -> None:
    """Sets the connection's time zone to the house's, with memory for sorting."""
    connection.execute(
        "SELECT set_config('timezone', %s, true), set_config('work_mem', '128MB', true)",
        (owner.zone,),
    )
