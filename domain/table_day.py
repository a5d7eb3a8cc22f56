"""One table for one gaming day: its rules and limits, who sits where, which shoe is in play."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Self
from uuid import UUID

from eventsourcing.domain import event

from domain import addresses
from domain.aggregate import Aggregate
from domain.house_rules import HouseRules, Limit, named
from domain.money import LARGEST_AMOUNT
from domain.property import Property
from domain.refusals import (
    BadValue,
    SeatEmpty,
    SeatTaken,
    ShoeStepOutOfOrder,
    TableClosed,
    UnknownSeat,
)

Chips = dict[str, int]  # denomination in minor units, as text, to how many
Limits = dict[str, list[int]]  # spot (or `main`) to minimum and maximum


@dataclass(frozen=True)
class Stay:
    """A patron's time at this table: who pays what it owes, whichever chair they have."""

    patron: str
    address: str


def total(chips: Chips) -> int:
    """What the chips are worth, in minor units."""
    return sum(int(denomination) * count for denomination, count in chips.items())


def _require_countable(field: str, chips: Chips) -> None:
    if total(chips) > LARGEST_AMOUNT:
        raise BadValue(field=field, value="worth so much", why="it is more than 2^53 minor units")


class TableDay(Aggregate):
    """One table, one gaming day."""

    TOPIC = "table-day"

    # Facts: stored for years under TOPIC; add fields, never rename or retype one.
    class Created(Aggregate.Created):
        TOPIC = "table-day.opened"
        table: str
        day: str
        house: str
        currency: str
        zone: str
        day_begins: str
        day_ends: str
        rules: str
        rules_digest: str
        limits: Limits
        differential: int | None
        opener: Chips
        opener_total: int  # minor units
        dealer: str
        supervisor: str

    class PatronSeated(Aggregate.Event):
        TOPIC = "table-day.patron-seated"
        seat: int
        patron: str
        stay: str

    class PatronLeft(Aggregate.Event):
        TOPIC = "table-day.patron-left"
        seat: int
        patron: str
        stay: str

    class ShoeBrought(Aggregate.Event):
        TOPIC = "table-day.shoe-brought"
        shoe: str

    class ShoeTakenOff(Aggregate.Event):
        TOPIC = "table-day.shoe-taken-off"
        shoe: str

    class TableClosed(Aggregate.Event):
        TOPIC = "table-day.table-closed"
        closer: Chips
        closer_total: int  # minor units

    # State: what later decisions ask.
    def __init__(
        self,
        table: str,
        day: str,
        rules: str,
        limits: Limits,
        differential: int | None,
        dealer: str,
        supervisor: str,
    ) -> None:
        self.address = addresses.TableDay.parse(f"{table}/{day}")
        self.rules_name = rules
        self.limits = limits
        self.differential = differential
        self.dealer = dealer
        self.supervisor = supervisor
        self.seats: dict[int, Stay] = {}
        self.stays = 0
        self.shoes = 0
        self.shoe: addresses.Shoe | None = None
        self.closed = False

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that the facts belong to."""
        return self.address.day, self.address.table

    @staticmethod
    def stream(address: addresses.TableDay) -> UUID:
        """Where this table day's facts are."""
        return addresses.stream_id("table-day", str(address), address.day)

    @property
    def rules(self) -> HouseRules:
        """The rule set that this table day was opened under."""
        return named(self.rules_name)

    # Commands: decide; refuse, or state a fact.
    @classmethod
    def open(
        cls,
        address: addresses.TableDay,
        house: Property,
        rules: HouseRules,
        opener: Chips,
        *,
        at: datetime,
        dealer: str,
        supervisor: str,
    ) -> Self:
        """Opens the table for a gaming day, with its opener in the tray."""
        _require_countable("opener", opener)
        begins, ends = house.clock.bounds(address.day)
        return cls.begin(
            cls.Created,
            cls.stream(address),
            at,
            table=address.table,
            day=address.day.isoformat(),
            house=house.name,
            currency=rules.currency,
            zone=house.zone,
            day_begins=begins.isoformat(),
            day_ends=ends.isoformat(),
            rules=rules.name,
            rules_digest=rules.digest,
            limits=_limits(rules),
            differential=rules.differential,
            opener=opener,
            opener_total=total(opener),
            dealer=dealer,
            supervisor=supervisor,
        )

    def require_open(self) -> None:
        """Refuses: TableClosed."""
        if self.closed:
            raise TableClosed(what=str(self.address))

    def seat(self, seat: int, patron: str) -> Stay:
        """A patron takes a chair, which begins a stay. Refuses: UnknownSeat, SeatTaken."""
        self.require_open()
        self._require_seat(seat)
        for chair, stay in self.seats.items():
            if chair == seat:
                raise SeatTaken(seat=seat, patron=stay.patron, then="choose another seat")
            if stay.patron == patron:
                raise SeatTaken(seat=chair, patron=patron, then="one patron has one seat")
        self._patron_seated(seat=seat, patron=patron, stay=f"{self.address}/stay-{self.stays + 1}")
        return self.seats[seat]

    def stay_at(self, seat: int) -> Stay:
        """Whose chair this is. Refuses: UnknownSeat, SeatEmpty."""
        self._require_seat(seat)
        if seat not in self.seats:
            raise SeatEmpty(seat=seat)
        return self.seats[seat]

    def leave(self, seat: int) -> None:
        """The patron goes; what the stay owes was asked before. Refuses: UnknownSeat, SeatEmpty."""
        self.require_open()
        stay = self.stay_at(seat)
        self._patron_left(seat=seat, patron=stay.patron, stay=stay.address)

    def bring_shoe(self) -> addresses.Shoe:
        """The next shoe of the day comes to the table. Refuses: ShoeStepOutOfOrder."""
        self.require_open()
        if self.shoe is not None:
            raise ShoeStepOutOfOrder(
                shoe=f"Shoe {self.shoes + 1}", step="loaded", why=f"end {self.shoe} first"
            )
        self._shoe_brought(shoe=str(addresses.Shoe(self.address, self.shoes + 1)))
        assert self.shoe is not None
        return self.shoe

    def take_shoe_off(self) -> None:
        """The shoe in play has ended."""
        assert self.shoe is not None
        self._shoe_taken_off(shoe=str(self.shoe))

    def close(self, closer: Chips) -> None:
        """Everybody leaves and the tray is counted. Refuses: TableClosed, ShoeStepOutOfOrder."""
        self.require_open()
        if self.shoe is not None:
            raise ShoeStepOutOfOrder(
                shoe=str(self.shoe), step="left on the table", why="end the shoe, then close"
            )
        _require_countable("closer", closer)
        for seat in sorted(self.seats):
            self.leave(seat)
        self._table_closed(closer=closer, closer_total=total(closer))

    def _require_seat(self, seat: int) -> None:
        if seat not in self.rules.seats:
            seats = ", ".join(map(str, self.rules.seats))
            raise UnknownSeat(table=self.address.table, seat=seat, seats=seats)

    # Changes: run again at every replay, so no rule, clock, id or I/O.
    @event(PatronSeated)
    def _patron_seated(self, seat: int, patron: str, stay: str) -> None:
        self.seats[seat] = Stay(patron, stay)
        self.stays += 1

    @event(PatronLeft)
    def _patron_left(self, seat: int, patron: str, stay: str) -> None:
        del self.seats[seat]

    @event(ShoeBrought)
    def _shoe_brought(self, shoe: str) -> None:
        self.shoe = addresses.Shoe.parse(shoe)
        self.shoes = self.shoe.number

    @event(ShoeTakenOff)
    def _shoe_taken_off(self, shoe: str) -> None:
        self.shoe = None

    @event(TableClosed)
    def _table_closed(self, closer: Chips, closer_total: int) -> None:
        self.closed = True


def _limits(rules: HouseRules) -> Limits:
    """The limits in force when the table opens: the rule set's own."""
    stated: dict[str, Limit] = {"main": rules.main} | {
        spot: each.limit for spot, each in rules.spots.items() if each.limit
    }
    return {spot: [limit.minimum, limit.maximum] for spot, limit in stated.items()}
