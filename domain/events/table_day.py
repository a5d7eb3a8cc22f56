"""A table for one gaming day: who sits, deals and supervises there, its chips, its limits."""

from dataclasses import dataclass
from datetime import datetime

from domain.events import base
from domain.rules import addresses
from domain.rules.chips import Chips
from domain.rules.layout import Limits


class Opened(base.Event):
    """The table opens for a gaming day, with its opener in the tray."""

    TOPIC = "table-day.opened"
    FIRST = True
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


@dataclass(frozen=True)
class Stay:
    """A patron's time at this table: who pays what it owes, whichever chair they have."""

    patron: str
    address: str


class State(base.State):
    """The table as it is at this moment of its day."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.address = addresses.TableDay.parse(f"{opened.table}/{opened.day}")
        self.rules_name = opened.rules
        self.rules_digest = opened.rules_digest
        self.limits = opened.limits
        self.differential = opened.differential
        self.dealer = opened.dealer
        self.supervisor = opened.supervisor
        self.seats: dict[int, Stay] = {}
        self.stays = 0
        self.began: dict[str, datetime] = {}  # when each stay did
        self.as_it_wins: list[str] = []  # the stays that pay commission as they win
        self.tray = opened.opener_total  # what its chips are worth, but for wagers and commission
        self.drop: int | None = None
        self.cash_in = 0
        self.cash_out = 0
        self.shoes = 0
        self.shoe: addresses.Shoe | None = None
        self.held_by: list[str] = []  # cases, the first one first
        self.closed = False


class OfSeat(base.Event):
    """About one seat: who has it, and in which stay."""

    seat: int
    patron: str
    stay: str


class PatronSeated(OfSeat):
    """A patron took a chair; the first one begins a stay."""

    TOPIC = "table-day.patron-seated"
    continues: str | None  # the stay of the table day before, which nobody ended

    def apply(self, state: State) -> None:
        # A stay begins with its first chair
        state.began.setdefault(self.stay, self.timestamp)
        if self.stay not in {each.address for each in state.seats.values()}:
            state.stays += 1
        state.seats[self.seat] = Stay(self.patron, self.stay)


class ChairGivenUp(OfSeat):
    """A patron gave up one of several chairs, and stays."""

    TOPIC = "table-day.chair-given-up"

    def apply(self, state: State) -> None:
        del state.seats[self.seat]


class PatronLeft(OfSeat):
    """A patron gave up their last chair."""

    TOPIC = "table-day.patron-left"
    why: str  # `left`, `closed`, or `rolled-over`: the stay goes on tomorrow

    def apply(self, state: State) -> None:
        del state.seats[self.seat]


class ShoeBrought(base.Event):
    """The next shoe came to the table."""

    TOPIC = "table-day.shoe-brought"
    shoe: str

    def apply(self, state: State) -> None:
        state.shoe = addresses.Shoe.parse(self.shoe)
        state.shoes = state.shoe.number


class ShoeTakenOff(base.Event):
    """The shoe in play has ended."""

    TOPIC = "table-day.shoe-taken-off"
    shoe: str

    def apply(self, state: State) -> None:
        state.shoe = None


class LimitsChanged(base.Event):
    """Other limits, from the next coup on."""

    TOPIC = "table-day.limits-changed"
    limits: Limits  # all of them, as they are from the next coup on
    differential: int | None

    def apply(self, state: State) -> None:
        state.limits = self.limits
        state.differential = self.differential


class DealerRelieved(base.Event):
    """Another dealer, from the next coup on."""

    TOPIC = "table-day.dealer-relieved"
    staff: str
    before: str

    def apply(self, state: State) -> None:
        state.dealer = self.staff


class SupervisorRelieved(base.Event):
    """Another supervisor, from the next coup on."""

    TOPIC = "table-day.supervisor-relieved"
    staff: str
    before: str

    def apply(self, state: State) -> None:
        state.supervisor = self.staff


class PatronMoved(base.Event):
    """A patron took another chair; the stay goes along."""

    TOPIC = "table-day.patron-moved"
    seat: int
    to: int
    patron: str
    stay: str

    def apply(self, state: State) -> None:
        state.seats[self.to] = state.seats.pop(self.seat)


class BoughtIn(OfSeat):
    """Cash went into the box, and chips to the patron."""

    TOPIC = "table-day.bought-in"
    amount: int

    def apply(self, state: State) -> None:
        state.tray -= self.amount
        state.cash_in += self.amount


class CashedOut(OfSeat):
    """Chips went into the tray, and cash to the patron."""

    TOPIC = "table-day.cashed-out"
    amount: int

    def apply(self, state: State) -> None:
        state.tray += self.amount
        state.cash_out += self.amount


class Filled(base.Event):
    """Chips came from the cage."""

    TOPIC = "table-day.filled"
    slip: str
    chips: Chips
    total: int

    def apply(self, state: State) -> None:
        state.tray += self.total


class Credited(base.Event):
    """Chips went to the cage."""

    TOPIC = "table-day.credited"
    slip: str
    chips: Chips
    total: int

    def apply(self, state: State) -> None:
        state.tray -= self.total


class DropCounted(base.Event):
    """The box was opened and counted."""

    TOPIC = "table-day.drop-counted"
    amount: int
    before: int | None  # what an earlier count said; None: this is the first

    def apply(self, state: State) -> None:
        state.drop = self.amount


class EarlierCoupPutRight(base.Event):
    """A coup of a day that is closed was put right."""

    TOPIC = "table-day.earlier-coup-put-right"
    coup: str
    changes_hands: int  # to the patrons; less than 0: from them
    place: str  # `tray` of the day that is open; `cage`, when none is

    def apply(self, state: State) -> None:
        if self.place == "tray":
            state.tray -= self.changes_hands


class CommissionTimingChosen(base.Event):
    """When a stay pays its commission from now on (R-COM-2)."""

    TOPIC = "table-day.commission-timing-chosen"
    stay: str
    patron: str
    timing: str  # `as-it-wins`: each settlement collects it; or `deferred`, as the rules say

    def apply(self, state: State) -> None:
        if self.timing == "as-it-wins":
            state.as_it_wins.append(self.stay)
        else:
            state.as_it_wins.remove(self.stay)


class Held(base.Event):
    """No further coup, for a dispute's sake."""

    TOPIC = "table-day.held"
    case: str
    by: str

    def apply(self, state: State) -> None:
        state.held_by.append(self.case)


class Released(base.Event):
    """This case holds the table no more; another may hold it still."""

    TOPIC = "table-day.released"
    case: str
    by: str

    def apply(self, state: State) -> None:
        state.held_by.remove(self.case)


class TableClosed(base.Event):
    """Everybody has left, and the tray was counted."""

    TOPIC = "table-day.table-closed"
    closer: Chips
    closer_total: int  # minor units
    expected: int | None  # what the chips in the tray should be worth
    variance: int | None  # what was counted, less what was expected
    level: str  # `none`, `report`, or `regulator`
    thresholds: list[int] | None  # over the first it is reported, from the second regulator's
    wagers_won: int | None  # what the house won on wagers, less what it took at payout
    commission: int | None  # collected in chips
    counted_by: str
    signed_by: str
    why: str  # `closed`, or `rolled-over`

    def apply(self, state: State) -> None:
        state.closed = True
