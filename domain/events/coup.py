"""A coup from the first bet to its end: its phases, its cards, its result."""

from datetime import datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct

from domain.events import base
from domain.rules import addresses
from domain.rules.layout import Layout, Limits, Wager
from domain.rules.must_hit import Standing
from domain.rules.progressives import Brought, Refilled
from domain.rules.spot_terms import Nth

if TYPE_CHECKING:
    from domain.rules.coupons import CouponPaid, Lying
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
    cards_to_cut: Annotated[
        int | None,
        Meta(description="Cards before the cut card; where no bet depends on it, it is left out."),
    ] = None

    free_hands: Annotated[
        int | None,
        Meta(description="Coups without a bet directly before it, where the rule set counts them."),
    ] = None

    LEFT_OUT = frozenset({"cards_to_cut", "free_hands"})


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
        nth = Nth(self.address.number, opened.cards_to_cut, opened.free_hands)
        self.layout = Layout(opened.limits, opened.differential, nth)
        self.phase: Phase = "betting"
        self.cards: list[str] = []
        self.first_bet_at: datetime | None = None  # of those that lie there; None: none does
        self.last_bet_at: datetime | None = None
        self.first_card_at: datetime | None = None
        self.over_at: datetime | None = None  # when it was settled, or voided unsettled
        self.second: Literal["", "open", "closed"] = ""  # bets after the first four cards (R-BET-8)
        self.second_opened_at: datetime | None = None
        self.third_card_at: datetime | None = None  # when they were over
        self.offered: tuple[str, ...] = ()  # the spots on which they were taken
        self.face_down: set[int] = set()  # the numbers of the cards not turned yet
        self.moved: set[int] = set()  # the numbers of the cards that were moved to their hand
        self.holds: dict[str, str] = {}  # by hand: the seat that has it
        self.dummy = False  # it was never open for bets (R-IRR-1)
        self.irregular = ""  # why the cards dealt are invalid (R-IRR-4)
        self.result: Resulted | CardCorrected | None = None  # as the record has it now
        self.late: dict[tuple[int, str, str], int] = {}  # refused as too late: seat, spot and act
        self.settled: dict[tuple[int, str], Payment] = {}  # the latest payment of each wager
        self.undecided: dict[tuple[int, str], Wager] = {}  # when it was over: they go on (R-BET-9)
        self.ran_out: set[tuple[int, str]] = set()  # the bets that no coup decided any more
        self.paid_as: dict[tuple[int, str], str] = {}  # wagers paid as on another spot
        self.as_it_wins: list[str] = []  # the stays whose commission was taken off
        self.meters: dict[str, MeterOfCoup] = {}  # by spot (R-PROG-1)
        self.coupons: dict[int, Lying] = {}  # by seat (R-PROMO-1)
        self.coupons_paid: dict[int, CouponPaid] = {}  # the latest payment of each
        self.coupons_back: set[int] = set()  # the seats whose coupon went back with a void coup
        self.promotions = 0  # chips that coupons were paid
        self.won = 0  # chips that its wagers brought into the tray; negative: took out


class MeterOfCoup(Struct, frozen=True):
    """What a coup was paid by the meter of a spot, and what it brought: all of it together."""

    meter: str
    stood: Standing  # when it paid the coup
    brought: Brought
    refilled: Refilled


class MeterFollowed(Event, topic="coup.meter-followed"):
    """The meter of a spot followed the coup's wagers and payments; less than 0: given back."""

    spot: str
    meter: str
    staked: int
    share: str
    to_reserve: str
    stood: str
    paid: int
    from_reserve: str
    seeded: int
    secret: str = ""  # of the point that it reached (R-PROG-6)
    lowest: int | None = None
    highest: int | None = None

    LEFT_OUT = frozenset({"secret", "lowest", "highest"})

    def apply(self, state: State) -> None:
        before = state.meters.get(self.spot)
        brought = Brought(self.staked, Fraction(self.share), Fraction(self.to_reserve), self.paid)
        refilled = Refilled(Fraction(self.from_reserve), self.seeded)
        state.meters[self.spot] = MeterOfCoup(
            self.meter,
            before.stood if before else Standing.of(self),
            brought.after(before.brought) if before else brought,
            refilled.after(before.refilled) if before else refilled,
        )


class BettingClosed(Event, topic="coup.betting-closed"):
    """The betting was closed."""

    by: str  # `dealer`; `first-card`: the card came first; `dummy`: never open

    def apply(self, state: State) -> None:
        state.phase = "dealing"
        state.dummy = self.by == "dummy"


class SecondBetsOpened(Event, topic="coup.second-bets-opened"):
    """Bets are taken after the first four cards (R-BET-8).

    Again if one of these cards, or a wager beside which they are taken, is put right.
    """

    offered: list[str]  # the spots
    player_total: int
    banker_total: int

    def apply(self, state: State) -> None:
        state.second = "open"
        # A bet that is entered late may open them: not at its own moment, but after the cards.
        opened_at = max(self.timestamp, state.modified_on)
        state.second_opened_at = state.second_opened_at or opened_at
        state.third_card_at = None
        state.offered = tuple(self.offered)


class SecondBetsClosed(Event, topic="coup.second-bets-closed"):
    """The bets after the first four cards were closed."""

    by: str  # `dealer`; `cards` or `wagers`: one was put right, and nothing is offered now

    def apply(self, state: State) -> None:
        state.second = "closed"
        if self.by != "dealer":
            state.offered = ()


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
        elif self.n == 5:  # and the second one (R-BET-8)
            state.third_card_at = self.timestamp
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
