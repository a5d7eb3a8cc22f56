"""A game account: the money of one stay at positions that bet without chips (R-ACC-1).

Every movement has an amount and two places, so all places together always come to zero.
"""

from collections import Counter

from domain.events import base

PLACES = ("cash", "ticket", "hand", "account", "cloth", "house", "cage")
Wager = tuple[str, int, str]  # coup, seat, spot


class Opened(base.OpenedForStay, topic="game-account.opened", first=True):
    """A position can bet without chips; the account is empty."""

    seat: int


class State(base.StateOfStay):
    """The minor units at each place, and the wagers that lie on the cloth."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.seat = opened.seat
        self.places: Counter[str] = Counter()
        self.staked: dict[Wager, int] = {}  # on the cloth now
        self.decided: set[Wager] = set()  # were settled out of this account
        # Where its cash came from or went, by its place in the stream of the table day.
        self.cash: dict[int, str] = {}
        self.tickets = 0  # issued to this stay
        self.short = 0  # what corrections could not take back, which the house bears


class Movement(base.OfStay):
    """Money went from one place to another."""

    seat: int
    amount: int  # minor units
    out_of: str  # one of PLACES, as `into` is
    into: str
    balance: int  # of the account, after it

    def apply(self, state: State) -> None:
        state.places[self.out_of] -= self.amount
        state.places[self.into] += self.amount


class AtTheTable(Movement):
    """Money came to the table, or left it."""

    entry: int  # its place in the stream of the table day

    def apply(self, state: State) -> None:
        super().apply(state)
        place = self.out_of if self.into == "account" else self.into
        if place != "ticket":
            state.cash[self.entry] = place


class PaidIn(AtTheTable, topic="game-account.paid-in"):
    """An attendant put cash or a ticket on the account."""

    ticket: str | None


class PaidOut(AtTheTable, topic="game-account.paid-out"):
    """The patron was paid in cash or with a ticket."""

    ticket: str | None

    def apply(self, state: State) -> None:
        super().apply(state)
        state.tickets += self.ticket is not None


class HandPaid(AtTheTable, topic="game-account.hand-paid"):
    """Two people paid the patron by hand."""

    reason: str
    requested_by: str
    approved_by: str


class OfWager(Movement):
    """For one wager."""

    coup: str
    spot: str

    @property
    def wager(self) -> Wager:
        """The coup, the seat and the spot."""
        return self.coup, self.seat, self.spot


class Wagered(OfWager, topic="game-account.wagered"):
    """A wager was placed or raised."""

    def apply(self, state: State) -> None:
        super().apply(state)
        state.staked[self.wager] = state.staked.get(self.wager, 0) + self.amount


class WagerReleased(OfWager, topic="game-account.wager-released"):
    """A wager, or a part of it, went back before it was decided."""

    def apply(self, state: State) -> None:
        super().apply(state)
        state.staked[self.wager] -= self.amount
        if not state.staked[self.wager]:
            del state.staked[self.wager]


class Decided(OfWager):
    """The coup was settled."""

    def apply(self, state: State) -> None:
        super().apply(state)
        state.decided.add(self.wager)
        state.staked.pop(self.wager, None)


class StakeReturned(Decided, topic="game-account.stake-returned"):
    """The stake of a wager that did not lose came back."""


class StakeLost(Decided, topic="game-account.stake-lost"):
    """The stake of a wager, or a part of it, went to the house."""


class WinningsCredited(Decided, topic="game-account.winnings-credited"):
    """The winnings of a wager came from the house."""


class PaymentFollowed(OfWager, topic="game-account.payment-followed"):
    """A settled wager was paid a different amount, or its coup voided (R-IRR-5)."""


class FoundShort(Movement, topic="game-account.found-short"):
    """A correction takes back more than is on the account; the house bears the rest (R-IRR-5).

    The correction itself follows, in full.
    """

    coup: str | None  # None: cash was corrected

    def apply(self, state: State) -> None:
        super().apply(state)
        state.short += self.amount


class LeftOnAccount(base.OfStay, topic="game-account.left-on-account"):
    """A correction left money on the account of a patron who is not at the table."""

    seat: int
    balance: int


class SettledAtCage(Movement, topic="game-account.settled-at-cage"):
    """The cage, or a tray, paid what was left with a patron who is gone; or that never was."""


class CashPutRight(AtTheTable, topic="game-account.cash-put-right"):
    """Cash had been typed wrong; the account is corrected by the difference (R-IRR-5)."""

    position: int  # in the ledger, of what was wrong
    was: str  # `in`, or `out`
    reason: str
    requested_by: str
    approved_by: str
