"""A coup: the wagers, the cards, the outcome, the payments."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta

from domain.events import base
from domain.rules import addresses
from domain.rules.layout import Layout, Limits
from domain.rules.settlement import Payment

Phase = Literal["betting", "dealing", "resulted", "settled", "voided", "unused"]
OVER: tuple[Phase, ...] = ("settled", "voided", "unused")  # nothing more is dealt or paid


class Event(base.Event):
    """About one coup."""

    NAMED_BY = ("coup",)
    coup: str = ""


class Opened(Event, topic="coup.opened", first=True):
    """The coup was opened for bets, under the limits of the table then."""

    shoe: str
    table_day: str
    rules: str
    rules_digest: str
    limits: Limits
    differential: int | None
    dealer: str
    supervisor: str
    shoe_holder: str


class State(base.State):
    """The phase and contents of a coup."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.address = addresses.Coup.parse(opened.coup)
        # The day on which it was opened: a later one than its shoe's after a roll-over
        self.table_day = addresses.TableDay.parse(opened.table_day)
        self.dealer = opened.dealer  # when it was opened
        self.rules_name = opened.rules
        self.rules_digest = opened.rules_digest
        self.layout = Layout(opened.limits, opened.differential)
        self.phase: Phase = "betting"
        self.cards: list[str] = []
        self.last_bet_at: datetime | None = None
        self.first_card_at: datetime | None = None
        self.over_at: datetime | None = None  # when it was settled, or voided unsettled
        self.face_down: set[int] = set()  # the numbers of the cards not turned yet
        self.moved: set[int] = set()  # the numbers of the cards that were moved to their hand
        self.holds: dict[str, str] = {}  # by hand: the seat that has it
        self.dummy = False  # it was never open for bets (R-IRR-1)
        self.irregular = ""  # why the cards dealt are invalid (R-IRR-4)
        self.result: Resulted | CardCorrected | None = None  # as the record has it now
        self.late: dict[tuple[int, str, str], int] = {}  # refused as too late: seat, spot and act
        self.settled: dict[tuple[int, str], Payment] = {}  # the latest payment of each wager
        self.paid_as: dict[tuple[int, str], str] = {}  # wagers paid as on another spot
        self.as_it_wins: list[str] = []  # the stays whose commission was taken off
        self.won = 0  # chips that it brought into the tray; negative: took out


class OfWager(Event):
    """About one wager: its seat, patron, stay and spot."""

    seat: int
    patron: str
    stay: str
    spot: str


class Paid(OfWager):
    """The payment of a wager."""

    stake: int
    result: str
    odds: str | None
    winnings: int
    commission_exact: str
    commission_charged: int
    commission_due: str | None
    paid: int
    paid_up: int  # the part paid because chips make no smaller amount

    def apply(self, state: State) -> None:
        state.settled[self.seat, self.spot] = Payment.of(self)


class WagerPlaced(OfWager, topic="coup.wager-placed"):
    """A bet was placed, or replaced."""

    amount: int  # minor units: the whole wager on the spot

    def apply(self, state: State) -> None:
        state.last_bet_at = self.timestamp  # no card may come before it (R-DEAL-2)
        state.layout.place(self.seat, self.patron, self.stay, self.spot, self.amount)


class WagerWithdrawn(OfWager, topic="coup.wager-withdrawn"):
    """A wager was taken back before the first card."""

    amount: int

    def apply(self, state: State) -> None:
        state.layout.take_back(self.seat, self.spot)


class LateBetRefused(OfWager, topic="coup.late-bet-refused"):
    """A bet or a withdrawal came too late and was refused."""

    amount: int
    act: str  # `bet`, or `withdraw`

    def apply(self, state: State) -> None:
        state.late[self.seat, self.spot, self.act] = self.amount


class WagerFound(OfWager, topic="coup.wager-found"):
    """A wager from before the first card was entered after it (R-BET-5)."""

    amount: int  # minor units: the whole wager on the spot
    approved_by: str
    amount_before: int = 0  # on record there before; 0: nothing

    def apply(self, state: State) -> None:
        state.layout.place(self.seat, self.patron, self.stay, self.spot, self.amount)


class StakeCorrected(OfWager, topic="coup.stake-corrected"):
    """A stake had been typed wrong, and was put right before it was paid (R-IRR-5)."""

    stake: int
    stake_before: int
    reason: str
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.layout.reduce(self.seat, self.spot, self.stake)


class WagerReduced(OfWager, topic="coup.wager-reduced"):
    """A wager was reduced to its limit; the rest went back at once."""

    amount: int  # the wager from now on
    returned: int
    limit: str  # the one that it broke: OverMaximum, or DifferentialExceeded

    def apply(self, state: State) -> None:
        state.layout.reduce(self.seat, self.spot, self.amount)


class BettingClosed(Event, topic="coup.betting-closed"):
    """The betting was closed."""

    by: str  # `dealer`; `first-card`: the card came first; `dummy`: never open

    def apply(self, state: State) -> None:
        state.phase = "dealing"
        state.dummy = self.by == "dummy"


class HandsGiven(Event, topic="coup.hands-given"):
    """Each hand was given to its bettor or the dealer in a squeeze (R-DEAL-3)."""

    player: str  # `seat 5`, or `dealer`
    banker: str

    def apply(self, state: State) -> None:
        given = {"player": self.player, "banker": self.banker}
        state.holds = {hand: who for hand, who in given.items() if who != "dealer"}


class HandGivenBack(Event, topic="coup.hand-given-back"):
    """A hand was given back to the dealer, who turns it."""

    hand: str
    by: str  # `seat 5`

    def apply(self, state: State) -> None:
        del state.holds[self.hand]


class LimitFoundBroken(Event, topic="coup.limit-found-broken"):
    """A limit is broken while a card is out; a reduced wager is another event."""

    refusal: str  # UnderMinimum, or DifferentialExceeded
    rule: str
    seat: int | None  # None: the differential, for all seats together
    patron: str | None
    stay: str | None
    spot: str | None
    amount: int | None  # the wager, or the difference between Player and Banker
    allowed: int | None  # the minimum, or the differential
    detail: str | None  # always None


class CardDealt(Event, topic="coup.card-dealt"):
    """A card was dealt to the hand that it was due to."""

    n: int
    card: str
    hand: str
    rule: str
    face_down: bool  # until it is turned, no display shows it
    carried: bool  # it left the shoe before the coup began (R-IRR-1)

    def apply(self, state: State) -> None:
        if self.n == 1:  # the betting window ends (R-DEAL-2)
            state.first_card_at = self.timestamp
        state.cards.append(self.card)
        if self.face_down:
            state.face_down.add(self.n)


class CardCorrected(Event, topic="coup.card-corrected"):
    """A card had been typed wrong; the cards of the coup are these now (R-IRR-5)."""

    n: int
    was: str
    card: str
    cards: list[list[str]]  # of the coup now, in order: card, hand, rule
    untyped: list[str]  # cards after it that were typed by mistake: back in the shoe
    undue: list[str]  # cards after it that were drawn when none was due (R-IRR-1)
    phase: str  # of the coup then
    outcome: str | None  # now; None while a card is due
    natural: bool | None
    player_total: int | None
    banker_total: int | None
    reason: str
    requested_by: str
    approved_by: str
    outcome_before: Annotated[
        str | None, Meta(description="Before it; null while a card was due, or lay face down.")
    ] = None
    player_total_before: Annotated[int | None, Meta(description="Beside `outcome_before`.")] = None
    banker_total_before: Annotated[int | None, Meta(description="Beside `outcome_before`.")] = None

    def apply(self, state: State) -> None:
        state.cards = [card for card, _, _ in self.cards]
        state.face_down = {n for n in state.face_down if n <= len(state.cards)}
        state.moved = {n for n in state.moved if n <= len(state.cards)}
        if state.phase == "resulted":
            state.phase = "dealing"
        state.result = self if state.phase in OVER and self.outcome else None


class CardMoved(Event, topic="coup.card-moved"):
    """A card was on the wrong hand; it always counted for its own."""

    n: int
    card: str
    hand: str

    def apply(self, state: State) -> None:
        state.moved.add(self.n)


class HandTurned(Event, topic="coup.hand-turned"):
    """Cards of a hand were turned face up: all of them, or one."""

    hand: str
    numbers: list[int]  # of the cards that were turned
    cards: list[str]
    shows: int  # the total of the hand's cards that are face up
    by: str  # `dealer`, or `seat 5`

    def apply(self, state: State) -> None:
        state.face_down -= set(self.numbers)


class Resulted(Event, topic="coup.resulted"):
    """All cards are out and face up."""

    outcome: str
    natural: bool
    player_total: int
    banker_total: int

    def apply(self, state: State) -> None:
        state.result = self
        if state.phase != "settled":  # else a card was put right
            state.phase = "resulted"


class FoundIrregular(Event, topic="coup.found-irregular"):
    """The cards dealt are invalid, so the coup must be voided (R-IRR-4)."""

    why: str  # `foreign-card`

    def apply(self, state: State) -> None:
        state.irregular = self.why


class PaymentDisagreed(Event, topic="coup.payment-disagreed"):
    """A seat was paid a wrong amount; the coup stays unsettled."""

    seat: int
    stated: int
    owed: int


class WagerSettled(Paid, topic="coup.wager-settled"):
    """A wager was paid or taken."""


class WagerSettledLate(Paid, topic="coup.wager-settled-late"):
    """A wager that was entered after the coup was settled was paid or taken."""

    approved_by: str

    def apply(self, state: State) -> None:
        super().apply(state)
        state.won += self.stake - self.paid


class WagerMoved(OfWager, topic="coup.wager-moved"):
    """A wager was somebody else's; it moved with its payment (R-IRR-5)."""

    stake: int
    to_seat: int
    to_patron: str
    to_stay: str
    paid: int | None  # None: not settled then
    commission_exact: str
    commission_charged: int
    reason: str
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        before, after = (self.seat, self.spot), (self.to_seat, self.spot)
        state.layout.take_back(*before)
        state.layout.place(self.to_seat, self.to_patron, self.to_stay, self.spot, self.stake)
        if before in state.settled:
            state.settled[after] = state.settled.pop(before)
        if before in state.paid_as:
            state.paid_as[after] = state.paid_as.pop(before)


class Settled(Event, topic="coup.settled"):
    """Every wager was paid or taken."""

    stakes: int
    paid: int
    as_it_wins: list[str]  # the stays with a wager that pay commission so (R-COM-2)

    def apply(self, state: State) -> None:
        state.over_at = self.timestamp  # no coup opens before it
        state.phase = "settled"
        state.as_it_wins = self.as_it_wins
        state.won = self.stakes - self.paid


class WagerReturned(OfWager, topic="coup.wager-returned"):
    """The stake of a wager was returned, because the coup is void."""

    stake: int
    paid_before: int | None  # None: it was not settled
    changes_hands: int  # beside the stake, to the patron; negative: from them
    commission_before: int


class Voided(Event, topic="coup.voided"):
    """The coup is void; its wagers were returned one by one (R-IRR-4, R-IRR-5)."""

    reason: str
    requested_by: str
    approved_by: str
    phase: str  # before
    changes_hands: int  # of all wagers together

    def apply(self, state: State) -> None:
        state.over_at = state.over_at or self.timestamp  # settled before, it was over then
        state.phase = "voided"
        state.won = 0


class LeftUnused(Event, topic="coup.left-unused"):
    """The coup was opened, and the shoe or its gaming day ended before a bet and before a card."""

    def apply(self, state: State) -> None:
        state.over_at = self.timestamp
        state.phase = "unused"


class PaymentCorrected(Paid, topic="coup.payment-corrected"):
    """A settled wager was paid a different amount (R-IRR-5)."""

    stake_before: int  # another one: it had been typed wrong, and no chips change hands for it
    paid_before: int
    changes_hands: int  # to the patron, less what more was staked; negative: from them
    commission_before: int
    reason: str
    requested_by: str
    approved_by: str
    as_spot: str | None  # paid as a wager on this spot; None: on its own

    def apply(self, state: State) -> None:
        wager = self.seat, self.spot
        state.paid_as.pop(wager, None)
        if self.as_spot:
            state.paid_as[wager] = self.as_spot
        if self.stake != self.stake_before:
            state.layout.reduce(self.seat, self.spot, self.stake)
        super().apply(state)
        state.won -= self.changes_hands
