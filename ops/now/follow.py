"""Follows a table through the ledger: reads its events in order, and folds them as they come.

What is shown is the table at one position of the ledger, and is on disk before it is shown.
"""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from msgspec.structs import replace

from domain.aggregates.base import Aggregate
from domain.aggregates.commission import CommissionAccount
from domain.aggregates.coup import Coup
from domain.aggregates.game_account import GameAccount
from domain.aggregates.shoe import Shoe
from domain.aggregates.table import Table
from domain.aggregates.table_day import TableDay
from domain.events import table_day as table_day_events
from domain.rules import addresses, house_rules
from domain.rules.refusals import SENSELESS
from ops.commands import rule_book
from ops.commands.house_events import house
from ops.ledger.chain import Recorded
from ops.ledger.mapper import UnknownEvent, event_of
from ops.ledger.reading import UnreadableEvent, head_of, read_house, read_streams, read_table
from ops.ledger.recorder import flush
from ops.now.meters_followed import TOPICS as OF_METERS
from ops.now.meters_followed import MetersFollowed
from ops.now.slips_now import TOPICS as OF_SLIPS
from ops.now.slips_now import under_way
from ops.now.table_now import TableNow, table_now
from ops.now.tray_followed import SETTINGS, TrayFollowed
from ops.now.tray_followed import TOPICS as OF_TRAYS

if TYPE_CHECKING:
    import psycopg

    from domain.events.slip_book import Slip

    Connection = psycopg.Connection[Any]

OF_THE_HOUSE = (*OF_SLIPS, *SETTINGS, *OF_METERS)  # topics that may be about any table
_SHOWN: dict[str, type[Aggregate]] = {
    "table": Table,
    "table-day": TableDay,
    "shoe": Shoe,
    "coup": Coup,
    "commission-account": CommissionAccount,
    "game-account": GameAccount,
}


class Follower:
    """One table from its open gaming day on; for one connection, in one thread."""

    def __init__(self, connection: "Connection", table: str) -> None:
        self._connection = connection
        self._table = table
        self._aggregates: dict[UUID, Any] = {}
        self._slips: dict[str, Slip] = {}
        self._tray = TrayFollowed(table)
        self._meters = MetersFollowed(connection, table)
        self._opened = 0  # position of the day's opening
        self.position = 0  # of the last event that was folded
        self.changed = True  # whether the last events that were taken changed what is shown
        with connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            self.read = head_of(connection)  # position up to which everything was read
            self._house = house(connection)  # its currency is that of a table that never opened
            for streams in self._streams():
                self._fold(read_streams(connection, streams))
            self._fold(self._slips_so_far())
            self._tray.fold(self._trays_so_far())
        flush(connection)

    def _streams(self) -> Iterator[list[UUID]]:
        """The streams to read; what is read in one names those of the next."""
        yield [Table.stream(self._table)]
        address = self._day_address
        if address is None:
            return
        yield [TableDay.stream(address)]
        day = self._day
        if day is None:
            return
        yield [CommissionAccount.stream(stay) for stay in _stays(day)]
        if day.rules.accounts:
            yield [GameAccount.stream(stay) for stay in _stays(day)]
        if day.shoe:
            yield [Shoe.stream(day.shoe)]
            yield [Coup.stream(each) for each in self._coup_addresses]

    def _slips_so_far(self) -> list[Recorded]:
        """The events of this day's slips; a table may open on the evening before its day."""
        if self._day_address is None:
            return []
        since = self._day_address.day - timedelta(days=1)
        return self._ours(read_house(self._connection, OF_SLIPS, since, self.read))

    def _trays_so_far(self) -> list[Recorded]:
        """The events that moved this day's tray, and the settings by which it is judged."""
        if not self._opened:
            return []
        settings = read_house(self._connection, SETTINGS, date.min, self.read)
        moves = read_table(
            self._connection, self._table, self._opened - 1, self.read, topics=OF_TRAYS
        )
        return sorted([*settings, *moves], key=lambda each: each.position)

    def _read_table(self, after: int, until: int) -> list[Recorded]:
        """The events of the table, and those of the house that are about it."""
        return self._ours(read_table(self._connection, self._table, after, until, OF_THE_HOUSE))

    def _ours(self, events: Iterable[Recorded]) -> list[Recorded]:
        """These events without those of other tables' slips."""
        return [event for event in events if event.topic not in OF_SLIPS or self._is_ours(event)]

    def _is_ours(self, event: Recorded) -> bool:
        table_day: str = _event_of(event).table_day
        return table_day.partition("/")[0] == self._table

    def catch_up(self) -> list[Recorded]:
        """The table's new events. Raises UnreadableEvent, and when the connection breaks."""
        head = head_of(self._connection)
        if head == self.read:
            self.changed = False
            return []
        news = self._read_table(self.read, head)
        if news:
            flush(self._connection)
        return self.take(news, head)

    def take(self, news: Iterable[Recorded], until: int) -> list[Recorded]:
        """The table's events among these, folded. Raises UnreadableEvent.

        They are on disk, and all that the table and the house have up to `until`.
        """
        new = (each for each in news if each.position > self.read)
        own = self._ours(
            each
            for each in new
            if each.table_code == self._table
            or (each.topic in OF_THE_HOUSE and each.topic not in OF_METERS)
            or self._meters.takes(each)
        )
        self._fold(own)
        of_meters = self._meters.fold(own)
        self._tray.fold(own)
        self.changed = of_meters or any(each.topic not in OF_METERS for each in own)
        self.read = max(self.read, until)
        return _of_the_table(own)

    def news_since(self, position: int) -> list[Recorded]:
        """The table's events after a position, up to the last that was read."""
        return _of_the_table(self._read_table(position, self.read))

    @property
    def now(self) -> TableNow:
        """The table at this position."""
        now = table_now(
            self._table,
            self.position,
            self._day,
            self._shoe,
            self.coups,
            self._accounts(),
            self._house.currency,
            self._house.clock,
            self._slips,
            self._balances(),
            self._tray.now,
        )
        return replace(now, meters=self._meters.of(now.rules)) if now.rules else now

    @property
    def coups(self) -> list[Coup]:
        """Every coup of the shoe that is on the table, in order."""
        return [self._aggregates[Coup.stream(each)] for each in self._coup_addresses]

    def stay_at(self, seat: int) -> str | None:
        """The address of the stay at a seat, or None if nobody sits there."""
        day = self._day
        stay = day.seats.get(seat) if day else None
        return stay.address if stay else None

    @property
    def _day_address(self) -> addresses.TableDay | None:
        table: Table | None = self._aggregates.get(Table.stream(self._table))
        if table is None or table.last_day is None:
            return None
        return addresses.TableDay(self._table, addresses.parse_day(table.last_day))

    @property
    def _day(self) -> TableDay | None:
        address = self._day_address
        return self._aggregates.get(TableDay.stream(address)) if address else None

    @property
    def _shoe(self) -> Shoe | None:
        """The shoe on the table, or None."""
        day = self._day
        return self._aggregates.get(Shoe.stream(day.shoe)) if day and day.shoe else None

    @property
    def _coup_addresses(self) -> list[addresses.Coup]:
        """Every coup of the shoe that is on the table."""
        shoe = self._shoe
        return [addresses.Coup(shoe.address, n + 1) for n in range(shoe.coup)] if shoe else []

    def _accounts(self) -> dict[str, CommissionAccount]:
        """The commission accounts of everybody who was here on this day, by stay."""
        day = self._day
        if day is None:
            return {}
        streams = {stay: CommissionAccount.stream(stay) for stay in _stays(day)}
        return {stay: self._aggregates[stream] for stay, stream in streams.items()}

    def _balances(self) -> dict[str, int]:
        """The minor units on each game account of this day, by stay."""
        day = self._day
        stays = _stays(day) if day and day.rules.accounts else []
        streams = {stay: GameAccount.stream(stay) for stay in stays}
        return {
            stay: self._aggregates[stream].balance
            for stay, stream in streams.items()
            if stream in self._aggregates
        }

    def _fold(self, news: Iterable[Recorded]) -> None:
        """Folds events onto their aggregates; streams that are not shown are left out."""
        for recorded in news:
            known = recorded.originator_id in self._aggregates
            slip = recorded.topic in OF_SLIPS
            shown = recorded.topic.partition(".")[0] in _SHOWN
            if not slip and not (shown and (known or recorded.originator_version == 1)):
                continue
            event = _event_of(recorded)
            if slip:
                self._slips = under_way(self._slips, event)
            else:
                self._fold_onto(recorded, event)
            self.position = max(self.position, recorded.position)

    def _fold_onto(self, recorded: Recorded, event: Any) -> None:
        try:
            self._learn_rules_of(event)
            kind = _SHOWN[recorded.topic.partition(".")[0]]
            aggregate = kind.project(self._aggregates.get(recorded.originator_id), [event])
        except UnknownEvent:
            raise
        except SENSELESS as error:
            raise UnreadableEvent(recorded.position) from error
        self._aggregates[recorded.originator_id] = aggregate
        if isinstance(aggregate, TableDay) and recorded.topic == table_day_events.Opened.TOPIC:
            self._opened = recorded.position
            self._forget_earlier_days(aggregate)
        elif recorded.topic == table_day_events.ShoeTakenOff.TOPIC:
            self._forget_shoe(addresses.Shoe.parse(event.shoe))

    def _forget_earlier_days(self, day: TableDay) -> None:
        """Forgets all but the table, this day, which has just opened, and the shoe in play."""
        keep = {Table.stream(self._table), TableDay.stream(day.address)}
        keep.update(self._streams_of(day.shoe) if day.shoe else ())
        self._slips = {}
        self._aggregates = {
            stream: each for stream, each in self._aggregates.items() if stream in keep
        }

    def _forget_shoe(self, address: addresses.Shoe) -> None:
        """Forgets a shoe and its coups, which no screen shows once it is off the table."""
        for stream in self._streams_of(address):
            self._aggregates.pop(stream, None)

    def _streams_of(self, address: addresses.Shoe) -> list[UUID]:
        """The streams of a shoe and its coups."""
        shoe: Shoe | None = self._aggregates.get(Shoe.stream(address))
        coups = range(1, (shoe.coup if shoe else 0) + 1)
        of_coups = (Coup.stream(addresses.Coup(address, number)) for number in coups)
        return [Shoe.stream(address), *of_coups]

    def _learn_rules_of(self, event: Any) -> None:
        name, digest = getattr(event, "rules", ""), getattr(event, "rules_digest", "")
        if digest and not house_rules.known(name, digest):
            rule_book.learn(self._connection, name, digest)


def _of_the_table(events: list[Recorded]) -> list[Recorded]:
    """These events without settings and meters, which are in no message of a table."""
    return [each for each in events if each.topic not in (*SETTINGS, *OF_METERS)]


def _event_of(event: Recorded) -> Any:
    """An event with its fields. Raises UnreadableEvent."""
    try:
        return event_of(event)
    except UnknownEvent:
        raise
    except SENSELESS as error:
        raise UnreadableEvent(event.position) from error


def _stays(day: TableDay) -> list[str]:
    return [f"{day.address}/stay-{number}" for number in range(1, day.stays + 1)]
