"""Money that corrections leave open with a stay whose patron has left, and how it is settled.

Amounts are minor units. What the patron owes is more than 0, and what the house owes is less.
"""

from typing import Annotated

from msgspec import Meta

from domain.events import base


class Opened(base.OpenedForStay, topic="open-money.opened", first=True):
    """Money of the stay is left open for the first time; nothing yet."""


class State(base.StateOfStay):
    """What is open of the stay's bets, and the settlements that hold."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.balance = 0  # of bets; commission and a game account have their own
        self.settlements = 0
        self.settled: dict[int, LeftOpenSettled] = {}  # by number


class BetLeftOpen(base.OfStay, topic="open-money.bet-left-open"):
    """A correction left the chips of a bet open with a patron who is not at the table."""

    coup: str | None  # that was corrected; None: a settlement was
    seat: int | None
    spot: str | None
    amount: int  # what this correction left open
    balance: int

    def apply(self, state: State) -> None:
        state.balance += self.amount


class LeftOpenSettled(base.OfStay, topic="open-money.left-open-settled"):
    """Two people settled what was left open, or a part of it."""

    number: int  # of the stay's settlements
    how: str  # `received` from the patron, `paid` to them; `written-off`, `unclaimed`
    place: str  # `cage`, or the table day whose tray had it
    session: Annotated[
        int, Meta(description="The session of that day, from 1; 0 for the cage.")
    ] = 0
    amount: int  # between patron and house
    bets: int  # the part of bets; less than 0: owed to the patron
    commission: dict[str, int]  # the parts of commission, by shoe
    account: int  # the part of the game account
    balance: int
    reason: str
    requested_by: str
    approved_by: str

    @property
    def into_house(self) -> int:
        """What came to the house in money; less than 0: it paid so much."""
        return {"received": self.amount, "paid": -self.amount}.get(self.how, 0)

    def apply(self, state: State) -> None:
        state.balance -= self.bets
        state.settlements = self.number
        state.settled[self.number] = self


class SettlementTakenBack(base.OfStay, topic="open-money.settlement-taken-back"):
    """A settlement had been typed wrong, and never was; a right one may follow."""

    position: int  # in the ledger, of the settlement
    moved_at: str  # when it was settled, by the house's clock
    number: int
    how: str
    place: str
    amount: int
    bets: int
    balance: int
    reason: str
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.balance += self.bets
        del state.settled[self.number]
