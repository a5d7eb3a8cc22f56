"""A table for one gaming day: its people, its chips, its limits."""

from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.events import base
from domain.rules import addresses
from domain.rules.chips import Chips, added
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


# Into the tray, or out of it.
SIGN = {
    "opener": 1,
    "buy-in": -1,
    "cash-out": 1,
    "ticket-in": -1,
    "ticket-out": 1,
    "fill": 1,
    "credit": -1,
    "colour-change": 1,
}


class Movement(Struct, frozen=True):
    """Cash or chips that moved at the table, as last corrected; minor units."""

    kind: str  # a key of SIGN
    amount: int  # 0: it never was
    at: datetime
    session: int
    slip: str = ""
    chips: Chips | None = None
    seat: int = 0
    patron: str = ""
    stay: str = ""


class Session(Struct):
    """The time from an opener to its closer; minor units."""

    began: datetime
    tray: int = 0  # its value without wagers and commission
    wagers_won: int = 0
    commission: int = 0
    closer: int | None = None  # None: not counted yet
    closer_chips: Chips | None = None

    @property
    def expected(self) -> int:
        """The value that the tray should have when the session ends."""
        return self.tray + self.wagers_won + self.commission


class ShiftCount(Struct):
    """A count of the tray at the end of a shift; minor units."""

    entry: int  # its place in the stream
    at: datetime
    session: int
    total: int
    expected: int  # with everything that was put right since


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
        self.moved: dict[int, Movement] = {}  # by place in the stream
        self.sessions: list[Session] = []  # one, or more if the table was reopened
        self.opener: Chips = {}  # of this session
        self.chips: Chips = {}  # as counted last, with slips and colour changes since
        self.counted_at = 0  # the place of that count in the stream
        self.before_session = (0, 0)  # won on wagers, and commission collected, by then
        self.drop: int | None = None
        self.boxes_awaited: list[str] = []  # drop boxes whose cash is not counted yet
        self.boxes = 0  # drop boxes that were counted
        self.boxes_cash = 0  # what they held
        self.shift_counts: dict[str, ShiftCount] = {}  # the last count of each shift
        self.cash_in = 0
        self.cash_out = 0
        self.shoes = 0  # that were brought on this day
        self.continues = addresses.TableDay.parse(opened.continues) if opened.continues else None
        self.came_along = addresses.Shoe.parse(opened.shoe) if opened.shoe else None
        self.shoe = self.came_along  # in play
        self.held_by: list[str] = []  # cases, oldest first
        self.locked_up = ""  # why; '': it is not
        self.unlocked: dict[str, str] = {}  # how two people decided a coup, by its address
        self.closed = False
        self.why_closed = ""
        self.begin_session(opened)

    @property
    def tray(self) -> int:
        """The value of the tray without wagers and commission, in minor units."""
        return self.sessions[-1].tray

    def begin_session(self, opened: "Opened | Reopened") -> None:
        """Begins a session with its opener."""
        self.sessions.append(Session(opened.timestamp))
        self.opener = opened.opener
        self.count_chips(opened.originator_version, opened.opener)
        self.enter_movement(opened, "opener", opened.opener_total, chips=opened.opener)

    def count_chips(self, entry: int, chips: Chips) -> None:
        """Knows which chips the tray has; `entry`: the count's place in the stream."""
        self.chips, self.counted_at = chips, entry

    def enter_movement(self, event: base.Event, kind: str, amount: int, **whose: Any) -> None:
        """Moves cash or chips; the event's place in the stream is the entry."""
        session, entry = len(self.sessions), event.originator_version
        movement = Movement(kind=kind, amount=amount, at=event.timestamp, session=session, **whose)
        self.moved[entry] = movement
        self._count(movement, 1)
        for count in self.shift_counts.values():
            if count.session == session and count.at >= event.timestamp:  # it is entered late
                count.expected += SIGN[kind] * amount
        if movement.chips and entry > self.counted_at:
            self.chips = added(self.chips, movement.chips, SIGN[kind])

    def replace_movement(self, entry: int, **rightly: Any) -> None:
        """Replaces a movement by what really moved."""
        before = self.moved[entry]
        after = self.moved[entry] = replace(before, **rightly)
        self._count(before, -1)
        self._count(after, 1)
        self._exchange(entry, before, after)
        for count in self.shift_counts.values():
            if count.session == after.session and count.entry > entry:
                count.expected += SIGN[after.kind] * (after.amount - before.amount)

    def _exchange(self, entry: int, before: Movement, after: Movement) -> None:
        """Has these chips move instead of those before, if they moved since the last count."""
        if after.kind == "opener" and after.session == len(self.sessions):
            self.opener = after.chips or {}
        if entry >= self.counted_at:
            sign = SIGN[after.kind]
            without = added(self.chips, before.chips or {}, -sign)
            self.chips = added(without, after.chips or {}, sign)

    def _count(self, movement: Movement, times: int) -> None:
        amount = times * movement.amount
        self.sessions[movement.session - 1].tray += SIGN[movement.kind] * amount
        if movement.kind == "buy-in":
            self.cash_in += amount
        elif movement.kind == "cash-out":
            self.cash_out += amount


class OfSeat(base.Event):
    """About one seat, its patron and stay."""

    seat: int
    patron: str
    stay: str

    @property
    def whose(self) -> dict[str, Any]:
        """Its seat, patron and stay."""
        return {"seat": self.seat, "patron": self.patron, "stay": self.stay}


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


class BoughtIn(OfSeat, topic="table-day.bought-in"):
    """Cash went into the box, and chips to the patron."""

    amount: int

    def apply(self, state: State) -> None:
        state.enter_movement(self, "buy-in", self.amount, **self.whose)


class CashedOut(OfSeat, topic="table-day.cashed-out"):
    """Chips went into the tray, and cash to the patron."""

    amount: int

    def apply(self, state: State) -> None:
        state.enter_movement(self, "cash-out", self.amount, **self.whose)


class TicketIn(OfSeat, topic="table-day.ticket-in"):
    """A ticket was put on a game account; the cage answers for it."""

    amount: int
    ticket: str

    def apply(self, state: State) -> None:
        state.enter_movement(self, "ticket-in", self.amount, **self.whose)


class TicketOut(OfSeat, topic="table-day.ticket-out"):
    """A game account was paid out with a ticket; the cage answers for it."""

    amount: int
    ticket: str

    def apply(self, state: State) -> None:
        state.enter_movement(self, "ticket-out", self.amount, **self.whose)


class Filled(base.Event, topic="table-day.filled"):
    """Chips came from the cage."""

    slip: str
    chips: Chips
    total: int

    def apply(self, state: State) -> None:
        state.enter_movement(self, "fill", self.total, slip=self.slip, chips=self.chips)


class Credited(base.Event, topic="table-day.credited"):
    """Chips went to the cage."""

    slip: str
    chips: Chips
    total: int

    def apply(self, state: State) -> None:
        state.enter_movement(self, "credit", self.total, slip=self.slip, chips=self.chips)


class TrayExceeded(base.Event, topic="table-day.tray-exceeded"):
    """More was paid out or sent to the cage than the tray should hold; two people agreed."""

    act: str  # `cash-out` or `credit`
    amount: int  # minor units
    holds: int  # by the record, before it


class ColourChanged(base.Event, topic="table-day.colour-changed"):
    """Chips were changed for chips of the same worth (a colour change)."""

    taken: Chips  # into the tray
    given: Chips
    total: int  # minor units, of either

    def apply(self, state: State) -> None:
        net = added(self.taken, self.given, -1)
        state.enter_movement(self, "colour-change", 0, chips=net)


class DropCounted(base.Event, topic="table-day.drop-counted"):
    """The box was opened and counted, or counted again."""

    amount: int
    before: int | None  # the earlier count; None: this is the first
    reason: str  # why it was counted again; '' the first time
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.drop = self.amount


class BoxAwaited(base.Event, topic="table-day.box-awaited"):
    """A drop box takes the cash of this day, and is to be counted."""

    box: str

    def apply(self, state: State) -> None:
        state.boxes_awaited.append(self.box)


class BoxOpened(base.Event, topic="table-day.box-opened"):
    """A drop box of this day was opened and its cash counted."""

    box: str
    amount: int

    def apply(self, state: State) -> None:
        state.boxes_awaited.remove(self.box)
        state.boxes_cash += self.amount
        state.boxes += 1


class BoxesCounted(base.Event, topic="table-day.boxes-counted"):
    """The last drop box of the day was counted, and compared with the table's own figure."""

    boxes: int
    total: int  # cash of all boxes, in minor units
    table_figure: int  # chips bought with cash at the table
    difference: int  # total minus the table's figure
    drop_before: int | None  # a drop that was entered before; None: there was none


class ShiftCounted(base.Event, topic="table-day.shift-counted"):
    """The tray was counted at the end of a shift; no money moved."""

    shift: str
    chips: Chips
    total: int  # minor units
    expected: int  # the value that the tray should have
    variance: int  # counted minus expected
    level: str  # `none`, `report`, or `regulator`
    thresholds: list[int]  # over the first: a report; from the second: the regulator's
    before: int | None  # an earlier count of this shift; None: this is the first
    counted_by: str  # who hands the table over
    signed_by: str  # who takes it over

    def apply(self, state: State) -> None:
        state.count_chips(self.originator_version, self.chips)
        state.shift_counts[self.shift] = ShiftCount(
            entry=self.originator_version,
            at=self.timestamp,
            session=len(state.sessions),
            total=self.total,
            expected=self.expected,
        )


class EarlierCoupPutRight(base.Event, topic="table-day.earlier-coup-put-right"):
    """A coup of a closed day was corrected."""

    coup: str
    changes_hands: int  # to the patrons; negative: from them
    place: str  # `tray` of the open day; `cage` if none is open

    def apply(self, state: State) -> None:
        if self.place == "tray":
            state.sessions[-1].tray -= self.changes_hands


class ChipsLeftOpen(base.Event, topic="table-day.chips-left-open"):
    """Chips for a coup of this day did not move, because the patron has left."""

    coup: str
    changes_hands: int  # to the patron, once it is settled; negative: from them

    def apply(self, state: State) -> None:
        state.sessions[-1].tray += self.changes_hands


class OpenMoneyMoved(base.Event, topic="table-day.open-money-moved"):
    """What was left open with a patron was settled with this tray; or was not, after all."""

    stay: str
    patron: str
    amount: int  # into the tray; less than 0: out of it
    session: Annotated[int, Meta(description="The session in which it was settled, from 1.")]
    moved_at: str  # when it was settled, by the house's clock

    def apply(self, state: State) -> None:
        state.sessions[self.session - 1].tray += self.amount
        then = datetime.fromisoformat(self.moved_at)
        for count in state.shift_counts.values():
            if count.session == self.session and then <= count.at:
                count.expected += self.amount


class CommissionRecovered(base.Event, topic="table-day.commission-recovered"):
    """Commission written off at another table, or on an earlier day, was paid into this tray."""

    patron: str
    stay: str  # that owed it
    amount: int  # minor units

    def apply(self, state: State) -> None:
        state.sessions[-1].tray += self.amount


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
    session: int  # the openers of the day so far

    def apply(self, state: State) -> None:
        state.closed = True
        state.why_closed = self.why
        session = state.sessions[-1]
        session.wagers_won, session.commission = self.wagers_won or 0, self.commission or 0
        session.closer, session.closer_chips = self.closer_total, self.closer


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
        state.begin_session(self)


class OpenerDiffered(base.Event, topic="table-day.opener-differed"):
    """A session began with other chips than the closer before it had."""

    of: str  # the table day of the closer
    session: int  # of the opener
    closer: Chips
    closer_total: int  # minor units
    opener: Chips
    opener_total: int
    difference: int  # opener minus closer


class Correction(base.Event):
    """Something that was typed wrong, put right by two people (R-IRR-5)."""

    position: int  # in the ledger, of the event that was wrong
    entry: int  # its place in the stream
    moved_at: str  # when it happened, by the house's clock
    reason: str
    requested_by: str
    approved_by: str


class CashCorrected(Correction, topic="table-day.cash-corrected"):
    """A buy-in or a cash-out was typed wrong."""

    kind: str  # `buy-in` or `cash-out`
    seat: int
    patron: str
    stay: str
    amount: int  # 0: it never was
    patron_before: str
    stay_before: str
    amount_before: int

    def apply(self, state: State) -> None:
        whose = {"seat": self.seat, "patron": self.patron, "stay": self.stay}
        state.replace_movement(self.entry, amount=self.amount, **whose)


class ChipsCorrected(Correction, topic="table-day.chips-corrected"):
    """The chips of an opener, a fill, a credit or a colour change were typed wrong.

    Of a colour change they are those taken, less those given.
    """

    kind: str  # `opener`, `fill`, `credit` or `colour-change`
    slip: str  # '' for one without a slip
    session: int
    chips: Chips
    total: int  # 0: it never was
    chips_before: Chips
    total_before: int

    def apply(self, state: State) -> None:
        state.replace_movement(self.entry, amount=self.total, chips=self.chips)


class Reckoned(base.Event):
    """The variance of a closed session."""

    session: int
    closer_total: int
    expected: int
    variance: int  # counted minus expected
    level: str  # `none`, `report`, or `regulator`
    thresholds: list[int]


class CloserRecounted(Reckoned, topic="table-day.closer-recounted"):
    """The tray of a closed session was counted again."""

    closer: Chips
    before: int  # the count before, in minor units
    counted_by: str
    signed_by: str
    reason: str

    def apply(self, state: State) -> None:
        session = state.sessions[self.session - 1]
        session.closer, session.closer_chips = self.closer_total, self.closer


class VarianceChanged(Reckoned, topic="table-day.variance-changed"):
    """A closed session should have had another tray, because money of it was corrected."""

    variance_before: int
    wagers_won: int  # in the session, in chips
    commission: int  # collected in the session, in chips
    more: int  # by how much more of both came in it than was recorded

    def apply(self, state: State) -> None:
        session = state.sessions[self.session - 1]
        more = self.commission - session.commission
        won_more = self.wagers_won - session.wagers_won
        session.wagers_won, session.commission = self.wagers_won, self.commission
        if self.session < len(state.sessions):
            won, collected = state.before_session
            state.before_session = won + won_more, collected + more


class ShiftVarianceChanged(base.Event, topic="table-day.shift-variance-changed"):
    """The tray should have held more or less after a shift, because money was corrected."""

    shift: str
    total: int  # minor units, as counted
    expected: int
    variance: int  # counted minus expected
    level: str  # `none`, `report`, or `regulator`
    thresholds: list[int]
    variance_before: int

    def apply(self, state: State) -> None:
        state.shift_counts[self.shift].expected = self.expected
