"""The commission of a stay: the debt for each shoe, and how it was settled."""

from fractions import Fraction
from typing import Any, ClassVar

from domain.events import base
from domain.rules.money import Rounding
from domain.rules.tab import Tab


class Opened(base.OpenedForStay, topic="commission-account.opened", first=True):
    """A patron sat down; nothing is owed yet."""

    rate: list[int]
    timing: str
    rounding: str
    unit: int
    minimum: int
    moment: str


class State(base.StateOfStay):
    """The debt of the stay now, by shoe."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        mode: Any = opened.rounding
        moment: Any = opened.moment
        self.rounding = Rounding(mode=mode, unit=opened.unit, minimum=opened.minimum, moment=moment)
        self.tabs: dict[str, Tab] = {}  # by shoe, the oldest first
        self.collected = 0  # in chips; without commission taken at payout
        self.copies: dict[str, int] = {}  # printed of each receipt
        self.collections: dict[str, dict[str, int]] = {}  # by receipt that holds: parts by shoe
        self.replaced: dict[str, str] = {}  # by wrong receipt: the number that replaced it


class Accrual(base.OfStay):
    """A change in the commission for one wager."""

    shoe: str
    coup: str
    seat: int
    winnings: int  # of the wager; after a correction, the corrected ones
    exact: str  # the exact change; negative: less
    charged: (
        int  # the change in what is owed; rounded on collection it may be 0, or more than exact
    )
    due: str  # `deferred`, or `at-payout`: collected in the same act

    def apply(self, state: State) -> None:
        tab = state.tabs.setdefault(self.shoe, Tab())
        alone = self.due == "at-payout"
        tab.add(f"{self.coup} {self.seat}", Fraction(self.exact), self.charged, alone=alone)


class CommissionAccrued(Accrual, topic="commission-account.commission-accrued"):
    """A Banker wager won (R-COM-1)."""


class CommissionCorrected(Accrual, topic="commission-account.commission-corrected"):
    """A coup was voided, or a payment corrected (R-IRR-5)."""


class CommissionCollected(base.OfStay, topic="commission-account.commission-collected"):
    """Commission was paid."""

    amount: int
    by_shoe: dict[str, int]
    how: str  # `patron`, `elsewhere`: in another tray; `settlement`; `at-payout`
    receipt: str  # its number; '' if it was not paid in chips

    def apply(self, state: State) -> None:
        for shoe, part in self.by_shoe.items():
            state.tabs[shoe].pay(part)
        if self.how == "patron":
            state.collected += self.amount
        if self.receipt:
            state.copies[self.receipt] = 0  # the number is used; nothing is printed of it yet
            state.collections[self.receipt] = dict(self.by_shoe)


class CommissionRefunded(base.OfStay, topic="commission-account.commission-refunded"):
    """Commission was given back, before its charge is taken off; in a settlement, after it."""

    coup: str | None  # of the corrected wager; None: in a settlement
    seat: int | None
    amount: int
    by_shoe: dict[str, int]
    how: str  # `patron`, `settlement`, or `at-payout`
    receipt: str

    def apply(self, state: State) -> None:
        for shoe, part in self.by_shoe.items():
            state.tabs[shoe].owed += part
        if self.how == "patron":
            state.collected -= self.amount
        if self.receipt:
            state.copies[self.receipt] = 0  # the number is used; nothing is printed of it yet


class CollectionCorrected(base.OfStay, topic="commission-account.collection-corrected"):
    """A payment of commission was typed wrong: another amount, or it never was."""

    position: int  # in the ledger, of the payment
    moved_at: str  # when it was paid, by the house's clock
    wrong_receipt: str  # its number, or that of the last correction of it
    receipt: str  # the number that replaces it; '' if it never was
    amount: int  # what was paid; 0: it never was
    by_shoe: dict[str, int]
    amount_before: int
    by_shoe_before: dict[str, int]
    reason: str
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        for shoe, part in self.by_shoe_before.items():
            state.tabs[shoe].take_back(part)
        for shoe, part in self.by_shoe.items():
            state.tabs[shoe].pay(part)
        state.collected += self.amount - self.amount_before
        del state.collections[self.wrong_receipt]
        state.replaced[self.wrong_receipt] = self.receipt
        if self.receipt:
            state.copies[self.receipt] = 0
            state.collections[self.receipt] = dict(self.by_shoe)


class CommissionOwedAgain(base.OfStay, topic="commission-account.commission-owed-again"):
    """Commission that was waived or written off is owed again."""

    coup: str | None  # of the corrected wager; None: the patron came back and pays
    seat: int | None
    amount: int
    by_shoe: dict[str, int]
    was: str  # `waived`, or `walked`

    def apply(self, state: State) -> None:
        for shoe, part in self.by_shoe.items():
            state.tabs[shoe].owed += part
            state.tabs[shoe].let_go[self.was] -= part


class CommissionLeftOpen(base.OfStay, topic="commission-account.commission-left-open"):
    """A correction left commission open with a patron who is not at the table."""

    coup: str | None  # that was corrected; None: a payment of commission was
    seat: int | None
    balance: int  # what the stay owes now; less than 0: the house owes it


class Forward(base.OfStay):
    """Commission that goes from one stay of a patron to the next (R-COM-4)."""

    amount: int  # less than 0: the house owes it
    by_shoe: dict[str, int]


class CommissionCarriedForward(Forward, topic="commission-account.commission-carried-forward"):
    """This stay owes it no longer: another stay of the patron does."""

    to_stay: str

    def apply(self, state: State) -> None:
        for shoe, part in self.by_shoe.items():
            state.tabs[shoe].pay(part)


class CommissionBroughtForward(Forward, topic="commission-account.commission-brought-forward"):
    """This stay owes it now, in place of another stay of the patron."""

    from_stay: str

    def apply(self, state: State) -> None:
        for shoe, part in self.by_shoe.items():
            state.tabs.setdefault(shoe, Tab()).take_back(part)


class ReceiptPrinted(base.OfStay, topic="commission-account.receipt-printed"):
    """A receipt was printed."""

    receipt: str
    copy: int  # 1: the original, which is printed once; 2 and on: reprints

    def apply(self, state: State) -> None:
        state.copies[self.receipt] = self.copy


class LetGo(base.OfStay):
    """Commission written off, wholly or in part."""

    HOW: ClassVar[str]
    amount: int
    owed_before: int
    by_shoe: dict[str, int]
    reason: str
    by: str
    approved_by: str

    def apply(self, state: State) -> None:
        for shoe, part in self.by_shoe.items():
            state.tabs[shoe].pay(part)
            state.tabs[shoe].let_go[self.HOW] += part


class CommissionWaived(LetGo, topic="commission-account.commission-waived"):
    """The house waived it (R-COM-4)."""

    HOW = "waived"


class CommissionWalked(LetGo, topic="commission-account.commission-walked"):
    """The patron left without paying it (R-COM-4)."""

    HOW = "walked"
