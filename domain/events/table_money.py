"""The money of a table day: chips and cash that move, and how they are put right.

Amounts are minor units.
"""

from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.events import base
from domain.rules import addresses
from domain.rules.chips import Chips, added

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


class TrayState(base.State):
    """The tray at one moment of the day, with what was counted."""

    address: addresses.TableDay
    rules_name: str
    rules_digest: str

    def __init__(self, opened: Any) -> None:
        super().__init__(opened)
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
        self.closed = False
        self.why_closed = ""

    @property
    def tray(self) -> int:
        """The value of the tray without wagers and commission, in minor units."""
        return self.sessions[-1].tray

    def begin_session(self, began: base.Event, opener: Chips, opener_total: int) -> None:
        """Begins a session with its opener."""
        self.sessions.append(Session(began.timestamp))
        self.opener = opener
        self.count_chips(began.originator_version, opener)
        self.enter_movement(began, "opener", opener_total, chips=opener)

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


class BoughtIn(OfSeat, topic="table-day.bought-in"):
    """Cash went into the box, and chips to the patron."""

    amount: int

    def apply(self, state: TrayState) -> None:
        state.enter_movement(self, "buy-in", self.amount, **self.whose)


class CashedOut(OfSeat, topic="table-day.cashed-out"):
    """Chips went into the tray, and cash to the patron."""

    amount: int

    def apply(self, state: TrayState) -> None:
        state.enter_movement(self, "cash-out", self.amount, **self.whose)


class TicketIn(OfSeat, topic="table-day.ticket-in"):
    """A ticket was put on a game account; the cage answers for it."""

    amount: int
    ticket: str

    def apply(self, state: TrayState) -> None:
        state.enter_movement(self, "ticket-in", self.amount, **self.whose)


class TicketOut(OfSeat, topic="table-day.ticket-out"):
    """A game account was paid out with a ticket; the cage answers for it."""

    amount: int
    ticket: str

    def apply(self, state: TrayState) -> None:
        state.enter_movement(self, "ticket-out", self.amount, **self.whose)


class Filled(base.Event, topic="table-day.filled"):
    """Chips came from the cage."""

    slip: str
    chips: Chips
    total: int

    def apply(self, state: TrayState) -> None:
        state.enter_movement(self, "fill", self.total, slip=self.slip, chips=self.chips)


class Credited(base.Event, topic="table-day.credited"):
    """Chips went to the cage."""

    slip: str
    chips: Chips
    total: int

    def apply(self, state: TrayState) -> None:
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

    def apply(self, state: TrayState) -> None:
        net = added(self.taken, self.given, -1)
        state.enter_movement(self, "colour-change", 0, chips=net)


class EarlierCoupPutRight(base.Event, topic="table-day.earlier-coup-put-right"):
    """A coup of a closed day was corrected."""

    coup: str
    changes_hands: int  # to the patrons; negative: from them
    place: str  # `tray` of the open day; `cage` if none is open

    def apply(self, state: TrayState) -> None:
        if self.place == "tray":
            state.sessions[-1].tray -= self.changes_hands


class ChipsLeftOpen(base.Event, topic="table-day.chips-left-open"):
    """Chips for a coup of this day did not move, because the patron has left."""

    coup: str
    changes_hands: int  # to the patron, once it is settled; negative: from them

    def apply(self, state: TrayState) -> None:
        state.sessions[-1].tray += self.changes_hands


class OpenMoneyMoved(base.Event, topic="table-day.open-money-moved"):
    """What was left open with a patron was settled with this tray; or was not, after all."""

    stay: str
    patron: str
    amount: int  # into the tray; less than 0: out of it
    session: Annotated[int, Meta(description="The session in which it was settled, from 1.")]
    moved_at: str  # when it was settled, by the house's clock

    def apply(self, state: TrayState) -> None:
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

    def apply(self, state: TrayState) -> None:
        state.sessions[-1].tray += self.amount


class IncidentChipsMoved(base.Event, topic="table-day.incident-chips-moved"):
    """Chips came into the tray, or left it, because of an incident."""

    incident: str
    amount: int  # into the tray; less than 0: out of it

    def apply(self, state: TrayState) -> None:
        state.sessions[-1].tray += self.amount


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

    def apply(self, state: TrayState) -> None:
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

    def apply(self, state: TrayState) -> None:
        state.replace_movement(self.entry, amount=self.total, chips=self.chips)
