"""The wagers of a coup and their payments, and how both are put right."""

from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from domain.events.coup import Event, State
from domain.rules.layout import Wager
from domain.rules.over_coups import Run, Score
from domain.rules.settlement import Payment


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
    approved_by: Annotated[
        str,
        Meta(description="Who let the patron bet on both sides; where nobody did, it is left out."),
    ] = ""

    LEFT_OUT = frozenset({"approved_by"})

    def apply(self, state: State) -> None:
        state.last_bet_at = self.timestamp  # no card may come before it (R-DEAL-2)
        state.first_bet_at = state.first_bet_at or self.timestamp
        state.layout.place(self.seat, self.patron, self.stay, self.spot, self.amount)


class WagerWithdrawn(OfWager, topic="coup.wager-withdrawn"):
    """A wager was taken back before the first card."""

    amount: int

    def apply(self, state: State) -> None:
        state.layout.take_back(self.seat, self.spot)
        if not any(state.layout.placed.values()) and not state.coupons:
            state.first_bet_at = None


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


class WagerReturned(OfWager, topic="coup.wager-returned"):
    """The stake of a wager was returned, because the coup is void."""

    stake: int
    paid_before: int | None  # None: it was not settled
    changes_hands: int  # beside the stake, to the patron; negative: from them
    commission_before: int

    def apply(self, state: State) -> None:
        state.ran_out.discard((self.seat, self.spot))


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


class Counted(OfWager):
    """A bet on several coups, and how it is doing (R-BET-9)."""

    placed_in: int  # the number of the coup in its shoe
    counted: int  # coups
    won: int  # of these
    in_a_row: int  # won, from the first one on

    @property
    def score(self) -> Score:
        """How it is doing."""
        return Score(self.counted, self.won, self.in_a_row)


def as_counted(score: Score) -> dict[str, Any]:
    """The fields of how a bet on several coups is doing."""
    return {
        "counted": score.counted,
        "won": score.won,
        "in_a_row": score.in_a_row,
    }


class WagerCarried(Counted, topic="coup.wager-carried"):
    """A bet of an earlier coup, which was not decided, is in this one now."""

    amount: int  # minor units

    def apply(self, state: State) -> None:
        run = Run(self.placed_in, self.score)
        state.layout.place(self.seat, self.patron, self.stay, self.spot, self.amount, run)


class WagerUndecided(Counted, topic="coup.wager-undecided"):
    """The coup is over and did not decide a bet, which goes on in the next one."""

    stake: int

    def apply(self, state: State) -> None:
        state.layout.take_back(self.seat, self.spot)
        run = Run(self.placed_in, self.score)
        wager = Wager(self.seat, self.spot, self.stake, self.patron, self.stay, run=run)
        state.undecided[self.seat, self.spot] = wager


class WagerRecounted(Counted, topic="coup.wager-recounted"):
    """A bet on several coups was counted anew, because one of them was put right (R-IRR-5)."""

    because: str  # the coup that was put right, or void
    until: int  # the number of the last coup that had been dealt: later ones never count
    reason: str
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        place = self.seat, self.spot
        if wager := state.undecided.get(place):
            run = Run(self.placed_in, self.score)
            state.undecided[place] = replace(wager, run=run)
        elif place in state.settled:
            was = state.layout.placed[self.seat][self.spot].run
            before = was.before if was else Score()
            run = Run(self.placed_in, before, self.score, self.until)
            state.layout.recount(*place, run)
        else:
            state.layout.recount(*place, Run(self.placed_in, self.score))


class WagerRanOut(Paid, topic="coup.wager-ran-out"):
    """No coup comes any more that could decide a bet, which is returned or lost (R-BET-9)."""

    why: str  # `shoe-ended`, or `rolled-over`

    def apply(self, state: State) -> None:
        place = self.seat, self.spot
        state.ran_out.add(place)
        wager = state.undecided.pop(place, None)
        if wager:
            state.layout.place(self.seat, self.patron, self.stay, self.spot, self.stake, wager.run)
        run = state.layout.placed[self.seat][self.spot].run
        assert run is not None
        state.layout.recount(*place, Run(run.placed_in, run.before, run.before))
        super().apply(state)
        state.won += self.stake - self.paid
