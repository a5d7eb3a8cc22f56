"""The state of every table of the gaming day now, with what needs a person.

The rows are caught up before they are shown. What is due next comes from the aggregates, on a
casino that stays open between two reads, and loads again only the tables that have new events.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.shoe import coups_within
from domain.rules.house_rules import of
from domain.rules.spots import in_order
from ops.backup.watched import Watched
from ops.board.alerts import alert_of, by_need, order, own_alerts, seen_by
from ops.board.meters import meters_of
from ops.board.paces import paces
from ops.board.readable import require_words
from ops.board.reading import READ, Remembered, Rows, TableOfTheDay, of_the_day, read
from ops.board.rows import Alert, BoardRow, Due, Play, SeatCount, Seen
from ops.commands import rule_book
from ops.commands.casino import Casino
from ops.commands.command import Command
from ops.commands.rights import rights_of_reader
from ops.handlers.desk import Desk
from ops.handlers.regimes import regime_of
from ops.ledger import clock
from ops.ledger.chain import Fields
from ops.ledger.database import Database, LedgerLost
from ops.ledger.growth import tables_changed
from ops.ledger.mapper import UnknownEvent
from ops.ledger.reading import UnreadableEvent
from ops.ledger.recorder import Ledger, flush_to_show
from ops.ledger.standby import is_standby, listen
from ops.reports.counted import Counted, counted_at
from ops.reports.follow import catch_up_or_drop
from ops.reports.readable import readable
from ops.reports.runner import (
    POLL,
    LedgerNotAsRead,
    reading_session,
    require_caught_up,
)
from ops.words.record_alerts import unknown_words, unreadable_words

if TYPE_CHECKING:
    import psycopg

    from domain.aggregates.due import NextAct
    from domain.rules.play_time import Rest
    from domain.rules.wording import Words

    Connection = psycopg.Connection[Any]

BREATH = 0.1  # seconds between two reads, however fast the ledger grows


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
        self._backups = Watched(database)
        self._now = now or clock.wall_clock
        self._due: dict[str, NextAct | None] = {}
        self._known = 0  # the position up to which `_due` is valid
        self._unreadable: dict[str, tuple[int, Words]] = {}  # tables, with a position and why
        self._remembered: Remembered | None = None
        self._made: dict[str, tuple[Any, NextAct | None, BoardRow]] = {}
        self._in_words: dict[str, Alert] = {}  # those that were shown last, by name
        self._flushed = 0  # the last position that was shown and is on disk

    def close(self) -> None:
        """Closes the casino's connection."""
        self.casino.close()

    def once(self) -> Seen:
        """The pit now, for whoever reads. Refuses: NotFound. Raises LedgerLost, NotFit."""
        with reading_session(self.database) as (connection, catches_up):
            return self._shown_now(connection, catches_up=catches_up)

    def _shown_now(self, connection: "Connection", *, catches_up: bool) -> Seen:
        return seen_by(rights_of_reader(), self.look(connection, catches_up=catches_up))

    def follow(self) -> Iterator[Seen | LedgerLost]:
        """The pit for whoever reads, again as the ledger grows, and every second for the clocks.

        While the ledger cannot be reached: the reason, every second.
        """
        while True:
            try:
                yield from self._looks()
            except LedgerLost as error:
                self.casino.forget()
                self._due.clear()
                self._unreadable.clear()
                yield error
                time.sleep(POLL)

    def _looks(self) -> Iterator[Seen]:
        with reading_session(self.database) as (connection, catches_up):
            follows = not listen(connection)
            while follows == is_standby(connection):  # once it is promoted, rows are caught up
                yield self._shown_now(connection, catches_up=catches_up)
                if list(connection.notifies(timeout=POLL, stop_after=1)):
                    time.sleep(BREATH)  # new events during this time are read together

    def look(
        self,
        connection: "Connection",
        *,
        catches_up: bool = True,
        changes: bool = False,
        counted: Counted | None = None,
    ) -> Seen:
        """The pit now, whoever asks; its events are on disk before it is shown. Refuses: NotFound.

        `changes`: only tables with new events are read, and now and then one for its clocks. A
        login that only reads waits for another one to catch the rows up. `counted`: how far they
        are while somebody else counts, so that nobody waits. Raises LedgerLost, NotFit.
        """
        with readable():
            full = counted is None and not _caught_up(connection, catches_up=catches_up)
            seen = self._look(connection, changes=changes, counted=counted, full=full)
            every = [*seen.alerts, *seen.unsettled]
            require_words((each for each in every if self._in_words.get(each.alert) != each), seen)
            self._in_words = {each.alert: each for each in every}
        return seen

    def _look(
        self, connection: "Connection", *, changes: bool, counted: Counted | None, full: bool
    ) -> Seen:
        self.casino.begin(Command())
        now = self._now()
        house = self.casino.find(Property, PROPERTY_STREAM, rely=False) or Property.establish(now)
        zone = ZoneInfo(house.zone)
        today = house.clock.day_of(now)
        known = self._remembered if changes else None
        rows = read(connection, now, house, self._rests_on, known)
        if changes:
            self._remember(rows, now, today)
        if self.table:
            rows.keep(self.table)
        self._complete(connection, rows)
        here = now.astimezone(zone)
        recorded = (alert_of(each, zone) for each in rows.alerts)
        alerts = sorted([*own_alerts(rows, here), *paces(rows.tables), *recorded], key=order)
        seen = Seen(
            house=house.name,
            day=today.isoformat(),
            at=here,
            position=rows.position,
            currency=house.currency,
            tables=by_need([self._shown(each, zone) for each in rows.tables], alerts),
            alerts=alerts,
            past=rows.past,
            placed={code: day.isoformat() for code, day in rows.placed.items()},
            verified=rows.upkeep.verified,
            counted=_counted(connection, rows.position, zone, full=full) or counted,
            unlikely=rows.unlikely,
            aml_due=rows.aml_due,
            not_shown=rows.not_shown,
            pauses=rows.paused.pauses if rows.paused else [],
            meters=meters_of(connection, rows.tables),
            unsettled=[alert_of(each, zone) for each in rows.unsettled],
            incidents=rows.incidents,
            day_before=rows.day_before.isoformat() if rows.day_before else "",
        )
        return seen.about(self.table) if self.table else seen

    def _complete(self, connection: "Connection", rows: Rows) -> None:
        """Adds what is due at the tables and how the backups are; the rows are on disk then."""
        for row in rows.tables:
            rule_book.learn(connection, row.rules, row.rules_digest)
        self._learn_due(connection, rows)
        self._flush(connection, rows)
        rows.backups = self._backups.look()

    def _rests_on(self, day: date) -> "Sequence[Rest]":
        return regime_of(self.desk, day).rests

    def _flush(self, connection: "Connection", rows: Rows) -> None:
        """Has what is new on disk before it is shown."""
        if rows.position > self._flushed:
            rows.may_be_lost = flush_to_show(connection)
            self._flushed = self._flushed if rows.may_be_lost else rows.position

    def _remember(self, rows: Rows, now: datetime, today: date) -> None:
        """Remembers the rows; those of tables that were not read are the ones of before."""
        known = self._remembered or Remembered()
        read = {each.table_code: each for each in rows.tables}
        tables = read if rows.changed is None else {**known.tables, **read}
        self._remembered = Remembered(
            rows.position,
            of_the_day(tables, today),
            {**known.read_at, **dict.fromkeys(read, now)},
            rows.paused,
        )
        rows.tables = list(self._remembered.tables.values())

    def _learn_due(self, connection: "Connection", rows: Rows) -> None:
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
                self._due[code] = self._outlook(code, rows.head)
        rows.unreadable = [why for _, why in sorted(self._unreadable.items())]
        self._known = rows.position

    def _outlook(self, code: str, head: int) -> "NextAct | None":
        """What is due at a table, or None if its record cannot be read."""
        self._unreadable.pop(code, None)
        try:
            return self.desk.outlook(code)[1]
        except UnreadableEvent as error:
            self._unreadable[code] = error.position, unreadable_words(code, error.position)
        except UnknownEvent as error:
            self._unreadable[code] = head, unknown_words(code, error.topic)
        return None

    def _shown(self, row: TableOfTheDay, zone: ZoneInfo) -> BoardRow:
        """A table's row; the same one again if nothing of it changed."""
        due = self._due[row.table_code]
        known = self._made.get(row.table_code)
        if known and known[0] is row and known[1] is due:
            return known[2]
        made = self._table(row, zone)
        self._made[row.table_code] = row, due, made
        return made

    def _table(self, row: TableOfTheDay, zone: ZoneInfo) -> BoardRow:
        due, last = self._due[row.table_code], row.last_coup_at
        return BoardRow(
            table=row.table_code,
            day=row.gaming_day.isoformat(),
            rules=row.rules,
            limits={each: row.limits[each] for each in sorted(row.limits, key=_limited)},
            differential=row.differential,
            dealer=row.dealer,
            supervisor=row.supervisor,
            seats=_seats(row, zone),
            patrons=row.patrons,
            shoe=row.shoe,
            coup=row.coup,
            phase=row.phase,
            cards_left=row.cards_left,
            cut_card_shown=row.cut_card_position is not None,
            coups_to_cut_card=_coups_to_cut_card(row),
            last_coup_of_shoe=row.last_coup,
            hands_per_hour=None if row.closed_at else row.hands_per_hour,
            target_pace=None if row.closed_at else of(row.rules, row.rules_digest).pace,
            drop=row.drop,
            win=row.win,
            win_estimated=row.win_estimated,
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


def _caught_up(connection: "Connection", *, catches_up: bool) -> bool:
    """Catches the rows up, or waits for it; False: the disk is full."""
    import psycopg

    with suppress(LedgerNotAsRead):  # the board shows an alert for it
        try:
            if catches_up:
                catch_up_or_drop(connection, READ, set())
            else:
                require_caught_up(connection, READ)
        except psycopg.errors.DiskFull:
            return False
    return True


def _counted(
    connection: "Connection", position: int, zone: ZoneInfo, *, full: bool
) -> Counted | None:
    """How far the rows are where nobody can catch them up: on a standby, or on a full disk."""
    if not full and not is_standby(connection):
        return None
    return counted_at(connection, position, zone, disk_full=full)


def _seats(row: TableOfTheDay, zone: ZoneInfo) -> SeatCount:
    """The seats in dealing order, and how each stay plays."""
    by_seat = dict(sorted(row.seats.items(), key=lambda each: int(each[0])))
    plays = {seat: row.plays[seat] for seat in by_seat if seat in row.plays}
    return SeatCount(
        taken=len(by_seat),
        total=len(of(row.rules, row.rules_digest).seats),
        by=by_seat,
        plays={seat: _play(each, zone) for seat, each in plays.items()},
    )


def _play(play: Fields, zone: ZoneInfo) -> Play:
    since = datetime.fromisoformat(play["since"]).astimezone(zone)
    return Play(since.isoformat(), play["coups"], play["average_wager"])


def _coups_to_cut_card(row: TableOfTheDay) -> int | None:
    """The number of coups before the cut card, roughly, or None if it shows or without a shoe."""
    if row.cards_left is None or row.cut_card is None or row.cut_card_position is not None:
        return None
    return coups_within(row.cards_left - row.cut_card)


def _limited(name: str) -> tuple[bool, tuple[int, str]]:
    """The order in which limits are shown: of main bets first."""
    return name != "main", in_order(name)
