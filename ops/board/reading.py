"""The rows that the board shows, all of one moment."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, field

from domain.aggregates.property import Property
from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.backup.standing import Backups
from ops.board.overdue import Upkeep, read_upkeep
from ops.board.pauses import Law, pauses_soon
from ops.board.rows import AmlDue, NotShown, OpenIncident, PastAlerts, PauseSoon, Unlikely
from ops.ledger.chain import Fields
from ops.ledger.growth import tables_changed
from ops.ledger.reading import head_of
from ops.reports.runner import Standing, hold, standings
from projections import PROJECTIONS
from projections.attention.aml_cases import DUE_NOW
from projections.attention.ids_not_shown import NOT_SHOWN_NOW
from projections.attention.not_settled import NOT_SETTLED, OPEN_INCIDENTS
from projections.attention.open_alerts import OPEN_ALERTS, PAST_ALERTS
from projections.attention.protection import SEEN_NOW
from projections.game.tables_now import TableNow
from projections.game.tables_of_the_day import TABLES_OF_THE_DAY

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[Any]

T = TypeVar("T")  # the kind of a row
READ = tuple(
    PROJECTIONS[name]
    for name in (
        *("tables_now", "trays_now", "alerts", "exceptions", "disputes", "boxes"),
        *("protection", "checkpoints", "progressives", "aml_cases", "ids_not_shown"),
        *("play_limits", "ratings", "patrons", "incidents", "table_win"),
    )
)
BEHIND = 10_000  # events; with more, reports have to wait for their projections
CLOCKS = timedelta(seconds=15)  # how old a table's idle time and pace may be, about
PAUSES = timedelta(seconds=15)  # how old the limits and rests at the seats may be
FEW = 10  # tables whose clocks are read again at once


class TableOfTheDay(TableNow):
    """A row of TABLES_OF_THE_DAY; amounts are minor units."""

    seats: dict[str, str]  # by seat: who sits there
    plays: dict[str, Fields]  # by seat: since when, coups, and average_wager
    patrons: int
    owed: int
    owing: int  # stays that owe
    hands_per_hour: int | None
    steady: bool  # whether a whole hour was dealt without a pause
    idle_minutes: int | None
    drop: int
    win: int
    win_estimated: bool
    tray: int | None


class OpenAlert(Struct, frozen=True):
    """A row of OPEN_ALERTS or NOT_SETTLED; `detail`: the event that raised it."""

    at: datetime
    day: date
    table: str
    coup: str | None
    kind: str
    alert: str
    rank: int
    detail: Fields


class Paused(Struct, frozen=True):
    """Whose play should pause soon, as it was read at a moment."""

    at: datetime
    pauses: list[PauseSoon]


class Rows(Struct):
    """The rows of one moment; `changed`: the tables with events since the last; None: all."""

    position: int = 0
    head: int = 0
    changed: set[str] | None = None
    placed: dict[str, date] = field(default_factory=dict)  # by table: the day it was opened last
    tables: list[TableOfTheDay] = field(default_factory=list)
    alerts: list[OpenAlert] = field(default_factory=list)
    past: list[PastAlerts] = field(default_factory=list)
    unlikely: list[Unlikely] = field(default_factory=list)
    aml_due: list[AmlDue] = field(default_factory=list)
    not_shown: list[NotShown] = field(default_factory=list)
    unsettled: list[OpenAlert] = field(default_factory=list)
    incidents: list[OpenIncident] = field(default_factory=list)
    paused: "Paused | None" = None
    behind: dict[str, int] = field(default_factory=dict)
    stopped: list[Standing] = field(default_factory=list)
    missing: list[Standing] = field(default_factory=list)
    unreadable: list[tuple[int, Words]] = field(default_factory=list)  # position, and why
    upkeep: Upkeep = field(default_factory=Upkeep)
    may_be_lost: Words | None = None  # why the newest of it may be lost
    backups: Backups = field(default_factory=Backups)
    day_before: date | None = None  # the last gaming day before today's on which a table was open

    def keep(self, table: str) -> None:
        """Keeps one table alone. Refuses: NotFound."""
        if table not in self.placed:
            raise NotFound(what=f"table {table}")
        self.tables = [each for each in self.tables if each.table_code == table]


class Remembered(Struct):
    """The rows of tables as they were read last, up to `position`, each at its moment."""

    position: int = 0
    tables: dict[str, TableOfTheDay] = field(default_factory=dict)
    read_at: dict[str, datetime] = field(default_factory=dict)
    paused: Paused | None = None

    def stale(self, now: datetime) -> list[str]:
        """A few of the tables whose clocks are old, so that they never come all at once."""
        old = (code for code in self.tables if now - self.read_at[code] > CLOCKS)
        return list(islice(old, FEW))


def of_the_day(tables: dict[str, TableOfTheDay], today: date) -> dict[str, TableOfTheDay]:
    """The tables of the gaming day, those that are closed last; see TABLES_OF_THE_DAY."""
    opened = [each.gaming_day for each in tables.values() if each.closed_at is None]
    since = min([today, *opened])
    of_day = {
        code: row
        for code, row in tables.items()
        if row.closed_at is None or row.gaming_day >= since
    }
    return dict(sorted(of_day.items(), key=lambda each: (bool(each[1].closed_at), each[0])))


def read(
    connection: "Connection", now: datetime, house: Property, law: Law, known: Remembered | None
) -> Rows:
    """All rows of one moment; of the tables only those with events since `known`."""
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        hold(connection, READ)
        head = head_of(connection)
        _, standing = standings(connection)
        placed = connection.execute("SELECT table_code, gaming_day FROM tables_now ORDER BY 1")
        today = house.clock.day_of(now)
        changed = _changed(connection, known, head)
        tables = [*changed, *known.stale(now)] if known and changed is not None else None
        asked = {
            "now": now,
            "today": today,
            "idle_minutes": house.idle_minutes,
            "tables": tables,
            "box_hours": house.box_hours,
        }
        return Rows(
            position=_reached(standing),
            head=head,
            changed=changed,
            placed=dict(placed.fetchall()),
            tables=_rows(connection, TableOfTheDay, TABLES_OF_THE_DAY, asked),
            alerts=_rows(connection, OpenAlert, OPEN_ALERTS, asked),
            past=_rows(connection, PastAlerts, PAST_ALERTS, asked),
            unlikely=_rows(connection, Unlikely, SEEN_NOW, asked),
            aml_due=_rows(connection, AmlDue, DUE_NOW, asked),
            not_shown=_rows(connection, NotShown, NOT_SHOWN_NOW, asked),
            unsettled=_rows(connection, OpenAlert, NOT_SETTLED, asked),
            incidents=_rows(connection, OpenIncident, OPEN_INCIDENTS, asked),
            paused=_paused(now, known)
            or Paused(now, pauses_soon(connection, asked, house.clock, law)),
            behind=_behind(standing),
            stopped=[each for each in standing if each.stopped_at],
            missing=[each for each in standing if each.missing],
            upkeep=read_upkeep(connection),
            day_before=_day_before(connection, today),
        )


def _day_before(connection: "Connection", today: date) -> date | None:
    row = connection.execute(
        "SELECT max(gaming_day) FROM table_wins WHERE gaming_day < %s", (today,)
    ).fetchone()
    return row and row[0]


def _changed(connection: "Connection", known: Remembered | None, head: int) -> set[str] | None:
    """The tables with events since they were read last; None: it may be any table."""
    changed = tables_changed(connection, known.position, head) if known else None
    return None if changed and "" in changed else changed  # '': the house's own events


def _reached(standing: list[Standing]) -> int:
    """How far every projection is that is read."""
    reached = {each.projection: each.position for each in standing}
    return min(reached[each.name] for each in READ)


def _paused(now: datetime, known: Remembered | None) -> Paused | None:
    """Whose play should pause soon, as it was read a few seconds ago."""
    paused = known and known.paused
    return paused if paused and timedelta(0) <= now - paused.at < PAUSES else None


def _behind(standing: list[Standing]) -> dict[str, int]:
    """The projections that are far behind, and by how many events."""
    behind = {each.projection: each.behind for each in standing}
    return {name: many for name, many in behind.items() if many is not None and many > BEHIND}


def _rows(
    connection: "Connection", kind: type[T], sql: str, asked: Mapping[str, object]
) -> list[T]:
    """Rows of the projections, each with its columns as fields."""
    from psycopg.rows import class_row

    with connection.cursor(row_factory=class_row(kind)) as cursor:
        return cursor.execute(sql, asked).fetchall()
