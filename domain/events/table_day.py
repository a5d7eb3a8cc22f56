"""A table for one gaming day: its people, its limits, its shoe, what stops it."""

from domain.events import base
from domain.events.table_money import OfSeat, TrayState
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
    shoe: str | None  # the shoe in play that came along from that day


class State(TrayState):
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
        self.shoes = 0  # that were brought on this day
        self.continues = addresses.TableDay.parse(opened.continues) if opened.continues else None
        self.came_along = addresses.Shoe.parse(opened.shoe) if opened.shoe else None
        self.shoe = self.came_along  # in play
        self.held_by: list[str] = []  # cases, oldest first
        self.locked_up = ""  # why; '': it is not
        self.unlocked: dict[str, str] = {}  # how two people decided a coup, by its address
        self.begin_session(opened, opened.opener, opened.opener_total)


class PatronSeated(OfSeat, topic="table-day.patron-seated"):
    """A patron took a chair; the first one begins a stay."""

    continues: str | None  # the stay of the day before that was rolled over

    def apply(self, state: State) -> None:
        state.seating.take(self.seat, Stay(self.patron, self.stay), self.timestamp)


class ChairGivenUp(OfSeat, topic="table-day.chair-given-up"):
    """A patron gave up one of several chairs, and stays."""

    def apply(self, state: State) -> None:
        state.seating.give_up(self.seat, self.timestamp)


class PatronLeft(OfSeat, topic="table-day.patron-left"):
    """A patron gave up their last chair."""

    why: str  # `left`, `closed`, or `rolled-over`: the stay goes on tomorrow

    def apply(self, state: State) -> None:
        state.seating.give_up(self.seat, self.timestamp)


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
    limits_before: Limits
    differential_before: int | None

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
        state.seating.move(self.seat, self.to, self.timestamp)


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


class LockedUp(base.Event, topic="table-day.locked-up"):
    """The table failed, or was stopped: nobody bets, and no card is drawn (R-IRR-6)."""

    why: str  # `operator`: somebody stopped it; `gap`: a step was too late
    coup: str  # in play; '': none was
    reason: str
    by: str

    def apply(self, state: State) -> None:
        state.locked_up = self.why


class Unlocked(base.Event, topic="table-day.unlocked"):
    """Two people decided the coup, and the table goes on."""

    how: str  # `settle`: by the cards that were drawn; `return`: every stake
    coup: str  # '': none was in play
    reason: str
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.locked_up = ""
        if self.coup:
            state.unlocked[self.coup] = self.how


class Reopened(base.Event, topic="table-day.reopened"):
    """The table opened again on the same gaming day, with an opener of its own."""

    session: int  # the openers of the day, this one included
    opener: Chips
    opener_total: int  # minor units
    dealer: str
    supervisor: str
    wagers_won: int  # the chips won on wagers before it, in the whole day
    commission: int  # collected in chips before it, in the whole day
    reason: str

    def apply(self, state: State) -> None:
        state.closed = False
        state.dealer, state.supervisor = self.dealer, self.supervisor
        state.before_session = self.wagers_won, self.commission
        state.begin_session(self, self.opener, self.opener_total)
