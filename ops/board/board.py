"""The state of every table of the gaming day now, with what needs a person.

The rows are caught up before they are shown. What is due next comes from the aggregates, on a
casino that stays open between two reads, and loads again only the tables that have new events.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec import Struct, field, to_builtins

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.shoe import coups_within
from domain.rules.house_rules import of
from domain.rules.refusals import NotFound
from domain.rules.spots import SPOTS
from domain.rules.wording import plain
from ops.board.overdue import Upkeep, read_upkeep
from ops.board.rows import Alert, BoardRow, Due, SeatCount
from ops.commands.casino import Casino
from ops.commands.command import Command
from ops.handlers.desk import Desk
from ops.ledger import clock
from ops.ledger.database import Database, LedgerLost
from ops.ledger.growth import tables_changed
from ops.ledger.reading import UnreadableEvent, head_of
from ops.ledger.recorder import Ledger, flush
from ops.reports.follow import catch_up_or_drop
from ops.reports.runner import (
    POLL,
    LedgerNotAsRead,
    Standing,
    hold,
    reading_session,
    require_caught_up,
    standings,
)
from ops.verify.rounds import Round
from ops.words.alerts import overdue_words, stopped_words, unreadable_words
from projections import PROJECTIONS
from projections.alerts import (
    FAILED,
    MISSED,
    MISSING,
    NEVER_PAST,
    OPEN_ALERTS,
    RECOVERED,
)
from projections.passing import BOX_NOT_COUNTED, DISPUTE_DEADLINE, DISPUTE_OPEN, FILL_NEEDED
from projections.ranks import RANKS, SLIP, WRONG
from projections.tables_now import TABLES_OF_THE_DAY

if TYPE_CHECKING:
    import psycopg

    from domain.aggregates.due import NextAct

    Connection = psycopg.Connection[Any]

READ = tuple(
    PROJECTIONS[name]
    for name in (
        *("tables_now", "trays_now", "alerts", "exceptions", "disputes", "boxes"),
        "checkpoints",
    )
)
BEHIND = 10_000  # events; with more, reports have to wait for their projections
CLOCKS = timedelta(seconds=15)  # how old a table's idle time and pace may be, about
FEW = 10  # tables whose clocks are read again at once
BREATH = 0.1  # seconds between two reads, however fast the ledger grows

# The kinds that need a person, the most urgent first: cards or money are missing, the record
# contradicts itself, somebody waits or a deadline nears, a decision is wanted. Typing errors come
# last.
DISAGREEING = (
    *("record unreadable", "projection stopped"),
    *("disagreement on re-adjudication", "order untold"),
)
WAITING = (
    DISPUTE_DEADLINE,
    FILL_NEEDED,
    BOX_NOT_COUNTED,
    "commission owed",
    "no coup",
    "cash over",
    "cash near",
    "little play",
)
PRESSING = ("ledger cut", FAILED, *MISSING, *DISAGREEING, RECOVERED, *WAITING, "number locked")
WANTED = (
    *(DISPUTE_OPEN, "payment disagrees", "commission walked or waived", "coup voided"),
    *("payment corrected", "card corrected", "wager moved", "money corrected", "counted again"),
    *(
        "table reopened",
        "alias separated",
        "names told apart",
        "exposed or foreign card",
        "undue card",
        "slip or serial reused",
    ),
)
URGENT = (*PRESSING, *WANTED)
REFUSED = ("UndueCardRefused", "LateBetRefused")  # the rules held, and nothing was lost
GRAVITIES = ("pressing", "notable", "refused", "past")  # past: of a closed gaming day

LIMITED = ("main", *SPOTS)  # the order in which limits are shown


class Seen(Struct, frozen=True):
    """The whole pit at one moment, at `position`.

    The most urgent tables come first, and last those that are closed.
    """

    house: str
    day: str
    at: datetime  # in the house's zone
    position: int
    currency: str
    tables: list[BoardRow]
    alerts: list[Alert]
    placed: int  # the number of the house's tables, open or not
    only: str | None = None  # the table that was asked for
    verified: Round | None = None  # how far the record is verified in the present round

    @property
    def open_tables(self) -> list[BoardRow]:
        """The tables that are open."""
        return [each for each in self.tables if each.open]

    @property
    def ringing(self) -> frozenset[str]:
        """The names of the alerts that ring."""
        return frozenset(each.alert for each in self.alerts if each.rings)

    def as_dict(self) -> dict[str, Any]:
        """The board as JSON fields."""
        return {
            "property": self.house,
            "gaming_day": self.day,
            "at": self.at.isoformat(timespec="seconds"),
            "position": self.position,
            "currency": self.currency,
            "tables": to_builtins(self.tables, enc_hook=plain),
            "alerts": to_builtins(self.alerts, enc_hook=plain),
            "round": self.verified and self.verified.as_dict(),
        }


class _Rows(Struct):
    """The rows of one moment; `changed`: the tables with events since the last; None: all."""

    position: int = 0
    head: int = 0
    changed: set[str] | None = None
    placed: set[str] = field(default_factory=set)
    tables: list[Any] = field(default_factory=list)
    alerts: list[Any] = field(default_factory=list)
    behind: dict[str, int] = field(default_factory=dict)
    stopped: list[Standing] = field(default_factory=list)
    missing: list[Standing] = field(default_factory=list)
    unreadable: list[tuple[str, int]] = field(default_factory=list)  # table and position
    upkeep: Upkeep = field(default_factory=Upkeep)


class _Remembered(Struct):
    """The rows of tables as they were read last, up to `position`, each at its moment."""

    position: int = 0
    tables: dict[str, Any] = field(default_factory=dict)
    read_at: dict[str, datetime] = field(default_factory=dict)

    def stale(self, now: datetime) -> list[str]:
        """A few of the tables whose clocks are old, so that they never come all at once."""
        old = (code for code in self.tables if now - self.read_at[code] > CLOCKS)
        return list(islice(old, FEW))


class Board:
    """Reads the pit, or one table of it, once or again and again."""

    def __init__(
        self,
        database: Database,
        table: str | None = None,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        self.database = database
        self.table = table
        self.casino = Casino(Ledger(database, "sabot_auditor"))
        self.desk = Desk(self.casino)
        self._now = now or clock.wall_clock
        self._due: dict[str, NextAct | None] = {}
        self._known = 0  # the position up to which `_due` is valid
        self._unreadable: dict[str, int] = {}  # tables, with the position of the event
        self._remembered: _Remembered | None = None
        self._made: dict[str, tuple[Any, NextAct | None, BoardRow]] = {}
        self._flushed = 0  # the last position that was shown and is on disk

    def close(self) -> None:
        """Closes the casino's connection."""
        self.casino.close()

    def once(self) -> Seen:
        """The pit now. Refuses: NotFound. Raises LedgerLost, NotFit."""
        with reading_session(self.database) as (connection, catches_up):
            return self.look(connection, catches_up=catches_up)

    def follow(self) -> Iterator[Seen | LedgerLost]:
        """The pit, again whenever the ledger grows, and every second for the clocks.

        While the ledger cannot be reached: the reason, every second.
        """
        while True:
            try:
                with reading_session(self.database) as (connection, catches_up):
                    connection.execute("LISTEN sabot_ledger")
                    while True:
                        yield self.look(connection, catches_up=catches_up)
                        if list(connection.notifies(timeout=POLL, stop_after=1)):
                            time.sleep(BREATH)  # new events during this time are read together
            except LedgerLost as error:
                self.casino.forget()
                self._due.clear()
                self._unreadable.clear()
                yield error
                time.sleep(POLL)

    def look(
        self, connection: "Connection", *, catches_up: bool = True, changes: bool = False
    ) -> Seen:
        """The pit now; its events are on disk before it is shown. Refuses: NotFound.

        `changes`: only tables with new events are read, and now and then one for its clocks. A
        login that only reads waits for another one to catch the rows up. Raises LedgerLost, NotFit.
        """
        self.casino.begin(Command())
        now = self._now()
        house = self.casino.find(Property, PROPERTY_STREAM, rely=False) or Property.establish(now)
        zone = ZoneInfo(house.zone)
        with suppress(LedgerNotAsRead):  # the board shows an alert for it
            if catches_up:
                catch_up_or_drop(connection, READ, set())
            else:
                require_caught_up(connection, READ)
        today = house.clock.day_of(now)
        rows = _read(connection, now, house, self._remembered if changes else None)
        if changes:
            self._remember(rows, now, today)
        closed_before = min([today, *(each.gaming_day for each in rows.tables)])  # no older ones
        if self.table:
            if self.table not in rows.placed:
                raise NotFound(what=f"table {self.table}")
            rows.tables = [each for each in rows.tables if each.table_code == self.table]
        self._learn_due(connection, rows)
        if rows.position > self._flushed:
            flush(connection)
            self._flushed = rows.position
        recorded = (_alert(each, zone, closed_before) for each in rows.alerts)
        alerts = [*_own_alerts(rows, now.astimezone(zone)), *recorded]
        tables = [self._shown(each, zone) for each in rows.tables]
        if self.table:
            alerts = [each for each in alerts if each.table in (self.table, None)]
        alerts.sort(key=_order)
        return Seen(
            house=house.name,
            day=today.isoformat(),
            at=now.astimezone(zone),
            position=rows.position,
            currency=house.currency,
            tables=_by_need(tables, alerts),
            alerts=alerts,
            placed=len(rows.placed),
            only=self.table,
            verified=rows.upkeep.verified,
        )

    def _remember(self, rows: _Rows, now: datetime, today: date) -> None:
        """Remembers the rows; those of tables that were not read are the ones of before."""
        known = self._remembered or _Remembered()
        read = {each.table_code: each for each in rows.tables}
        tables = read if rows.changed is None else {**known.tables, **read}
        self._remembered = _Remembered(
            rows.position,
            _of_the_day(tables, today),
            {**known.read_at, **dict.fromkeys(read, now)},
        )
        rows.tables = list(self._remembered.tables.values())

    def _learn_due(self, connection: "Connection", rows: _Rows) -> None:
        """Reads what is due at the tables with events since the last read."""
        changed = rows.changed
        if changed is None:
            changed = tables_changed(connection, self._known, rows.head) if self._due else set()
        for row in rows.tables:
            code = row.table_code
            if row.closed_at:
                self._due[code] = None
                self._unreadable.pop(code, None)
            elif code in changed or code not in self._due:
                self._due[code] = self._outlook(code)
        rows.unreadable = sorted(self._unreadable.items())
        self._known = rows.position

    def _outlook(self, code: str) -> "NextAct | None":
        """What is due at a table, or None if its record cannot be read."""
        self._unreadable.pop(code, None)
        try:
            return self.desk.outlook(code)[1]
        except UnreadableEvent as error:
            self._unreadable[code] = error.position
            return None

    def _shown(self, row: Any, zone: ZoneInfo) -> BoardRow:
        """A table's row; the same one again if nothing of it changed."""
        due = self._due[row.table_code]
        known = self._made.get(row.table_code)
        if known and known[0] is row and known[1] is due:
            return known[2]
        made = self._table(row, zone)
        self._made[row.table_code] = row, due, made
        return made

    def _table(self, row: Any, zone: ZoneInfo) -> BoardRow:
        due, last = self._due[row.table_code], row.last_coup_at
        by_seat = dict(sorted(row.seats.items(), key=lambda each: int(each[0])))
        return BoardRow(
            table=row.table_code,
            day=row.gaming_day.isoformat(),
            rules=row.rules,
            limits={each: row.limits[each] for each in LIMITED if each in row.limits},
            differential=row.differential,
            dealer=row.dealer,
            supervisor=row.supervisor,
            seats=SeatCount(len(by_seat), len(of(row.rules, row.rules_digest).seats), by_seat),
            patrons=row.patrons,
            shoe=row.shoe,
            coup=row.coup,
            phase=row.phase,
            cards_left=row.cards_left,
            cut_card_shown=row.cut_card_position is not None,
            coups_to_cut_card=_coups_to_cut_card(row),
            last_coup_of_shoe=row.last_coup,
            hands_per_hour=None if row.closed_at else row.hands_per_hour,
            drop=row.drop,
            win=row.win,
            tray=None if row.closed_at else row.tray,
            owed=row.owed,
            owing=row.owing,
            due=Due(**due.as_dict()) if due else None,
            last_coup_at=last.astimezone(zone).isoformat() if last else None,
            idle_minutes=None if row.closed_at else row.idle_minutes,
            held_by=row.held_by,
            open=row.closed_at is None,
            closed_at=row.closed_at.astimezone(zone).isoformat() if row.closed_at else None,
        )


def _of_the_day(tables: dict[str, Any], today: date) -> dict[str, Any]:
    """The tables of the gaming day, those that are closed last; see TABLES_OF_THE_DAY."""
    opened = [each.gaming_day for each in tables.values() if each.closed_at is None]
    since = min([today, *opened])
    of_day = {
        code: row
        for code, row in tables.items()
        if row.closed_at is None or row.gaming_day >= since
    }
    return dict(sorted(of_day.items(), key=lambda each: (bool(each[1].closed_at), each[0])))


def _read(
    connection: "Connection", now: datetime, house: Property, known: _Remembered | None
) -> _Rows:
    """All rows of one moment; of the tables only those with events since `known`."""
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        hold(connection, READ)
        head = head_of(connection)
        _, standing = standings(connection)
        reached = {each.projection: each.position for each in standing}
        placed = connection.execute("SELECT table_code FROM tables_now")
        today = house.clock.day_of(now)
        changed = tables_changed(connection, known.position, head) if known else None
        if changed and "" in changed:
            changed = None  # the house's own events may be about any table
        tables = None
        if known and changed is not None:
            tables = [*changed, *known.stale(now)]
        asked = {
            "now": now,
            "today": today,
            "idle_minutes": house.idle_minutes,
            "tables": tables,
            "box_hours": house.box_hours,
        }
        return _Rows(
            position=min(reached[each.name] for each in READ),
            head=head,
            changed=changed,
            placed={code for (code,) in placed},
            tables=_rows(connection, TABLES_OF_THE_DAY, asked),
            alerts=_rows(connection, OPEN_ALERTS, asked),
            behind={
                each.projection: each.behind
                for each in standing
                if each.behind is not None and each.behind > BEHIND
            },
            stopped=[each for each in standing if each.stopped_at],
            missing=[each for each in standing if each.missing],
            upkeep=read_upkeep(connection),
        )


def _rows(connection: "Connection", sql: str, asked: dict[str, Any]) -> list[Any]:
    """Rows of the projections, with their columns by name."""
    from psycopg.rows import namedtuple_row

    with connection.cursor(row_factory=namedtuple_row) as cursor:
        return cursor.execute(sql, asked).fetchall()


def _alert(row: Any, zone: ZoneInfo, closed_before: date) -> Alert:
    past = _is_past(row, closed_before)
    return Alert(
        at=row.at.astimezone(zone).isoformat(),
        day=row.day.isoformat(),
        table=row.table or None,
        coup=row.coup,
        kind=row.kind,
        alert=row.alert,
        detail=_detail(row),
        gravity="past" if past else _gravity(row.kind, row.rank, row.detail),
        rank=row.rank,
        acknowledgeable=True,
    )


def _detail(row: Any) -> dict[str, Any] | None:
    """The fields of the event that raised the alert; for a deadline also what was due."""
    if row.kind == DISPUTE_DEADLINE and row.detail:
        return {"why": overdue_words(row.detail), **row.detail}
    detail: dict[str, Any] | None = row.detail
    return detail


def _is_past(row: Any, closed_before: date) -> bool:
    """Whether the alert is of a closed gaming day, unless it is still urgent."""
    if row.kind in NEVER_PAST:
        return False
    since = closed_before - timedelta(days=MISSED if row.kind in MISSING else 0)
    return bool(row.day < since)


def _gravity(kind: str, rank: int, detail: dict[str, Any]) -> str:
    """The gravity of an alert."""
    if rank == WRONG or kind in PRESSING:
        return "pressing"
    return "refused" if rank == SLIP or detail.get("type") in REFUSED else "notable"


def _own_alerts(rows: _Rows, now: datetime) -> Iterator[Alert]:
    """Alerts that the reader of the ledger raises; they end with a repair."""
    for each in rows.missing[:1]:  # the same is missing for the others
        why = str(LedgerNotAsRead(each.missing or ""))
        yield _of_projections("ledger cut", each.position, {"why": why})
    for code, position in rows.unreadable:
        why = unreadable_words(code, position)
        yield _of_projections("record unreadable", position, {"why": why})
    for each in rows.stopped:
        why = stopped_words(each.projection, each.stopped_why or "")
        yield _of_projections("projection stopped", each.stopped_at or 0, {"why": why})
    if rows.behind:
        first_unread = rows.head - max(rows.behind.values()) + 1
        yield _of_projections("projections behind", first_unread, {"behind": rows.behind})
    for kind, position, detail in rows.upkeep.overdue(now):
        yield _of_projections(kind, position, detail)


def _of_projections(kind: str, position: int, detail: dict[str, Any]) -> Alert:
    return Alert(
        kind=kind,
        alert=f"{kind.replace(' ', '-')}/{position}",
        detail=detail,
        gravity=_gravity(kind, RANKS[kind], detail),
        rank=RANKS[kind],
        acknowledgeable=False,
    )


def _order(alert: Alert) -> tuple[bool, int, int, int]:
    """The sort key of alerts: by rank, then by gravity; a projection that is behind comes last."""
    kind = alert.kind
    order = URGENT.index(kind) if kind in URGENT else len(URGENT) + (kind == "projections behind")
    return alert.past, alert.rank, GRAVITIES.index(alert.gravity), order


def _by_need(tables: list[BoardRow], alerts: list[Alert]) -> list[BoardRow]:
    """The tables in order: urgent ones, those held or near their cut card, those with alerts.

    Those that are closed come last.
    """
    pressing = [each for each in alerts if each.presses]
    press = {each.table: n for n, each in reversed(list(enumerate(pressing)))}
    notable = {each.table for each in alerts if each.gravity == "notable"}

    def need(table: BoardRow) -> tuple[int, int, str]:
        code = table.table
        if not table.open:
            return 4, 0, code
        if code in press:
            return 0, press[code], code
        if table.held_by:
            return 1, -1, code
        if table.nears_cut_card:
            return 1, table.coups_to_cut_card or 0, code
        return (2 if code in notable else 3), 0, code

    return sorted(tables, key=need)


def _coups_to_cut_card(row: Any) -> int | None:
    """The number of coups before the cut card, roughly, or None if it shows or without a shoe."""
    if row.cards_left is None or row.cut_card_position is not None:
        return None
    return coups_within(row.cards_left - row.cut_card)
