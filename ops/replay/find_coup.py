"""The coups of a table day, in the order of their opening, to find one by its time."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.aggregates.table import Table
from domain.events import coup as coup_events
from domain.events import table as table_events
from domain.rules.addresses import TABLE_CODE, TableDay, parse_day
from domain.rules.addresses import Coup as Address
from domain.rules.refusals import BadValue, NotFound
from ops.ledger.chain import Recorded
from ops.ledger.reading import last_day_of, read_days
from ops.ledger.streams import lines, read_lines, recorded_until
from ops.reports.moments import Typed

if TYPE_CHECKING:
    import psycopg


class Coups(Struct, frozen=True):
    """Coups of one table, in the order of their opening."""

    addresses: Sequence[Address]
    opened: Sequence[datetime]

    def beside(self, address: Address, steps: int) -> Address | None:
        """The coup after this one, or with -1 before it, or None; this one need not exist."""
        numbers = [_number(each) for each in self.addresses]
        find = bisect_right if steps > 0 else bisect_left
        place = find(numbers, _number(address)) - (steps < 0)
        return self.addresses[place] if 0 <= place < len(numbers) else None

    def at(self, moment: datetime) -> Address | None:
        """The coup opened last by that moment, or None before the first."""
        place = bisect_right(self.opened, moment)
        return self.addresses[place - 1] if place else None

    def after(self, moment: datetime) -> Address | None:
        """The first coup opened after that moment, or None after the last."""
        return next(iter(self.addresses[bisect_right(self.opened, moment) :]), None)


def _number(coup: Address) -> tuple[date, int, int]:
    return coup.shoe.table_day.day, coup.shoe.number, coup.number


def coups_of(
    connection: "psycopg.Connection[Any]", day: TableDay, until: int | None = None
) -> Coups:
    """The coups of a table day whose beginning can be read, up to a position."""
    return _coups(read_days(connection, day.table, day.day, day.day, coup_events.Opened), until)


def coups_around(
    connection: "psycopg.Connection[Any]", coup: Address, until: int | None = None
) -> Coups:
    """The coups of the table days on which a coup's shoe was dealt, up to a position."""
    table, first = coup.shoe.table_day.table, coup.shoe.table_day.day
    last = last_day_of(connection, coup.shoe)
    return _coups(read_days(connection, table, first, last, coup_events.Opened), until)


def _coups(recorded: list[Recorded], until: int | None) -> Coups:
    events = lines(recorded_until(recorded, until))
    opened = [line for line in events if isinstance(line.event, coup_events.Opened)]
    return Coups([Address.parse(line.event.coup) for line in opened], [line.at for line in opened])


def coup_meant(
    connection: "psycopg.Connection[Any]", name: str, at: str | None, zone: ZoneInfo
) -> Address:
    """A coup by its address; or of a table, or a table day, the one at a time, or the last.

    Refuses: BadValue, NotFound.
    """
    a_table = TABLE_CODE.fullmatch(name)
    if not a_table and name.count("/") != 1:
        if at:
            raise BadValue(field="--at", value=repr(at), why=f"{name} names the coup already")
        return Address.parse(name)
    days = _days(connection, name) if a_table else [TableDay.parse(name)]
    typed = Typed.required(at, "--at") if at else None
    dated = typed if typed and typed.date_and_time else None
    coups = _last_coups(connection, days, dated, zone)
    if coups is None:
        raise NotFound(what=f"coup at {days[0]}")
    return _at(coups, typed, zone) if typed else coups.addresses[-1]


def _at(coups: Coups, typed: Typed, zone: ZoneInfo) -> Address:
    """The coup in play at a time of day; before the first one, the first."""
    middle = coups.opened[0] + (coups.opened[-1] - coups.opened[0]) / 2
    return coups.at(typed.near(middle.astimezone(zone))) or coups.addresses[0]


def _last_coups(
    connection: "psycopg.Connection[Any]",
    days: Sequence[TableDay],
    dated: Typed | None,
    zone: ZoneInfo,
) -> Coups | None:
    """The coups of the first of these days that has any; None if no day has.

    With `dated`, a day whose first coup was opened later is passed over, unless no other is left.
    """
    last = None
    for day in days:
        coups = coups_of(connection, day)
        if coups.addresses:
            last = coups
            if dated is None or coups.at(dated.near(coups.opened[0].astimezone(zone))):
                break
    return last


def _days(connection: "psycopg.Connection[Any]", table: str) -> list[TableDay]:
    """The days of a table, the last first. Refuses: NotFound."""
    opened = [line.event for line in read_lines(connection, Table.stream(table))]
    days = [event.day for event in opened if isinstance(event, table_events.DayOpened)]
    if not days:
        raise NotFound(what=f"table {table}")
    return [TableDay(table, parse_day(day)) for day in reversed(days)]
