"""A table for one gaming day: its people, its chips, its limits."""

from domain.events import base
from domain.rules import addresses
from domain.rules.chips import Chips
from domain.rules.layout import Limits
from domain.rules.seating import Seating, Stay


class Opened(base.Event, topic="table-day.opened", first=True):
    """The table opens for a gaming day, with its opener in the tray."""

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
    continues: str | None  # the table day that was rolled over into this one


class State(base.State):
    """The table at one moment of its day."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.address = addresses.TableDay.parse(f"{opened.table}/{opened.day}")
        self.rules_name = opened.rules
        self.rules_digest = opened.rules_digest
        self.limits = opened.limits
        self.differential = opened.differential
        self.dealer = opened.dealer
        self.supervisor = opened.supervisor
        self.seating = Seating()
        self.as_it_wins: list[str] = []  # the stays that pay commission as they win
        self.tray = opened.opener_total  # its value without wagers and commission
        self.drop: int | None = None
        self.cash_in = 0
        self.cash_out = 0
        self.shoes = 0
        self.shoe: addresses.Shoe | None = None
        self.held_by: list[str] = []  # cases, oldest first
        self.closed = False


class OfSeat(base.Event):
    """About one seat, its patron and stay."""

    seat: int
    patron: str
    stay: str


class PatronSeated(OfSeat, topic="table-day.patron-seated"):
    """A patron took a chair; the first one begins a stay."""

    continues: str | None  # the stay of the day before that was rolled over

    def apply(self, state: State) -> None:
        state.seating.take(self.seat, Stay(self.patron, self.stay), self.timestamp)


class ChairGivenUp(OfSeat, topic="table-day.chair-given-up"):
    """A patron gave up one of several chairs, and stays."""

    def apply(self, state: State) -> None:
        state.seating.give_up(self.seat)


class PatronLeft(OfSeat, topic="table-day.patron-left"):
    """A patron gave up their last chair."""

    why: str  # `left`, `closed`, or `rolled-over`: the stay goes on tomorrow

    def apply(self, state: State) -> None:
        state.seating.give_up(self.seat)


class ShoeBrought(base.Event, topic="table-day.shoe-brought"):
    """The next shoe came to the table."""

    shoe: str

    def apply(self, state: State) -> None:
        state.shoe = addresses.Shoe.parse(self.shoe)
        state.shoes = state.shoe.number


class ShoeTakenOff(base.Event, topic="table-day.shoe-taken-off"):
    """The shoe in play has ended."""

    shoe: str

    def apply(self, state: State) -> None:
        state.shoe = None


class LimitsChanged(base.Event, topic="table-day.limits-changed"):
    """Other limits, from the next coup on."""

    limits: Limits  # all of them, from the next coup on
    differential: int | None

    def apply(self, state: State) -> None:
        state.limits = self.limits
        state.differential = self.differential


class DealerRelieved(base.Event, topic="table-day.dealer-relieved"):
    """Another dealer, from the next coup on."""

    staff: str
    before: str

    def apply(self, state: State) -> None:
        state.dealer = self.staff


class SupervisorRelieved(base.Event, topic="table-day.supervisor-relieved"):
    """Another supervisor, from the next coup on."""

    staff: str
    before: str

    def apply(self, state: State) -> None:
        state.supervisor = self.staff


class PatronMoved(base.Event, topic="table-day.patron-moved"):
    """A patron took another chair; the stay goes along."""

    seat: int
    to: int
    patron: str
    stay: str

    def apply(self, state: State) -> None:
        state.seating.move(self.seat, self.to)


class BoughtIn(OfSeat, topic="table-day.bought-in"):
    """Cash went into the box, and chips to the patron."""

    amount: int

    def apply(self, state: State) -> None:
        state.tray -= self.amount
        state.cash_in += self.amount


class CashedOut(OfSeat, topic="table-day.cashed-out"):
    """Chips went into the tray, and cash to the patron."""

    amount: int

    def apply(self, state: State) -> None:
        state.tray += self.amount
        state.cash_out += self.amount


class Filled(base.Event, topic="table-day.filled"):
    """Chips came from the cage."""

    slip: str
    chips: Chips
    total: int

    def apply(self, state: State) -> None:
        state.tray += self.total


class Credited(base.Event, topic="table-day.credited"):
    """Chips went to the cage."""

    slip: str
    chips: Chips
    total: int

    def apply(self, state: State) -> None:
        state.tray -= self.total


class DropCounted(base.Event, topic="table-day.drop-counted"):
    """The box was opened and counted."""

    amount: int
    before: int | None  # the earlier count; None: this is the first

    def apply(self, state: State) -> None:
        state.drop = self.amount


class EarlierCoupPutRight(base.Event, topic="table-day.earlier-coup-put-right"):
    """A coup of a closed day was corrected."""

    coup: str
    changes_hands: int  # to the patrons; negative: from them
    place: str  # `tray` of the open day; `cage` if none is open

    def apply(self, state: State) -> None:
        if self.place == "tray":
            state.tray -= self.changes_hands


class CommissionRecovered(base.Event, topic="table-day.commission-recovered"):
    """Commission written off at another table, or on an earlier day, was paid into this tray."""

    patron: str
    stay: str  # that owed it
    amount: int  # minor units

    def apply(self, state: State) -> None:
        state.tray += self.amount


class CommissionTimingChosen(base.Event, topic="table-day.commission-timing-chosen"):
    """A stay pays its commission at another time from now on (R-COM-2)."""

    stay: str
    patron: str
    timing: str  # `as-it-wins`: each settlement collects it; or `deferred`, by the rule set

    def apply(self, state: State) -> None:
        if self.timing == "as-it-wins":
            state.as_it_wins.append(self.stay)
        else:
            state.as_it_wins.remove(self.stay)


class Held(base.Event, topic="table-day.held"):
    """A dispute holds the table: no further coup."""

    case: str
    by: str

    def apply(self, state: State) -> None:
        state.held_by.append(self.case)


class Released(base.Event, topic="table-day.released"):
    """This case no longer holds the table; another may still hold it."""

    case: str
    by: str

    def apply(self, state: State) -> None:
        state.held_by.remove(self.case)


class TableClosed(base.Event, topic="table-day.table-closed"):
    """Everybody has left, and the tray was counted."""

    closer: Chips
    closer_total: int  # minor units
    expected: int | None  # the value that the tray should have
    variance: int | None  # counted minus expected
    level: str  # `none`, `report`, or `regulator`
    thresholds: list[int] | None  # over the first: a report; from the second: the regulator's
    wagers_won: int | None  # chips won on wagers, without commission taken at payout
    commission: int | None  # collected in chips
    counted_by: str
    signed_by: str
    why: str  # `closed`, or `rolled-over`

    def apply(self, state: State) -> None:
        state.closed = True
