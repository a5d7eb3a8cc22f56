"""What one patron's stay owes on Banker winnings, until it is collected (R-COM-1 to 5).

The account belongs to the stay, not to the chair. It keeps the exact accrual and the charge
apart, per shoe, and never collects more than is owed.
"""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, Self
from uuid import UUID

from eventsourcing.domain import event

from domain import addresses
from domain.aggregate import Aggregate
from domain.coup import Wager
from domain.house_rules import Commission
from domain.money import decimal_string, major
from domain.refusals import CommissionOwed, NotFound, OverCollected
from domain.settlement import Payment
from domain.table_day import Stay, TableDay


class CommissionAccount(Aggregate):
    """The commission of one stay at one table."""

    TOPIC = "commission-account"

    # Facts: stored for years under TOPIC; add fields, never rename or retype one.
    class Event(Aggregate.Event):
        stay: str
        patron: str

    class Created(Aggregate.Created):
        TOPIC = "commission-account.opened"
        stay: str
        patron: str
        table_day: str
        currency: str
        rate: list[int]
        timing: str
        rounding: str
        unit: int
        minimum: int
        moment: str

    class CommissionAccrued(Event):
        TOPIC = "commission-account.commission-accrued"
        shoe: str
        coup: str
        seat: int
        winnings: int
        exact: str
        charged: int
        due: str  # `deferred`, or `at-payout`: collected in the same act

    class CommissionCollected(Event):
        TOPIC = "commission-account.commission-collected"
        class_version = 2
        amount: int
        by_shoe: dict[str, int]
        how: str  # `patron`, or `at-payout`
        receipt: str  # its number; '' for what was kept back at payout

        @staticmethod
        def upcast_v1_v2(state: dict[str, Any]) -> None:
            """The first version came without a receipt."""
            state["receipt"] = ""

    class ReceiptPrinted(Event):
        TOPIC = "commission-account.receipt-printed"
        receipt: str
        copy: int  # 1: the original, which is printed once; 2 and on: reprints

    # State: what later decisions ask.
    def __init__(self, stay: str, patron: str, table_day: str, currency: str) -> None:
        self.table_day = addresses.TableDay.parse(table_day)
        self.stay = stay
        self.patron = patron
        self.currency = currency
        self.owed_by_shoe: dict[str, int] = {}
        self.collected = 0  # in chips, beside what was kept back at payout
        self.copies: dict[str, int] = {}  # printed of each receipt

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that the facts belong to."""
        return self.table_day.day, self.table_day.table

    @property
    def own_name(self) -> dict[str, str]:
        """Every fact says whose it is."""
        return {"stay": self.stay, "patron": self.patron}

    @staticmethod
    def stream(stay: str, day: addresses.TableDay) -> UUID:
        """Where this stay's commission is."""
        return addresses.stream_id("commission-account", stay, day.day)

    @property
    def owed(self) -> int:
        """Minor units that the stay owes now."""
        return sum(self.owed_by_shoe.values())

    @property
    def next_receipt(self) -> str:
        """The number of the next receipt: the stay's own, so that no two tables wait for one."""
        return f"{self.stay}/receipt-{len(self.copies) + 1}"

    # Commands: decide; refuse, or state a fact.
    @classmethod
    def open(cls, stay: Stay, day: TableDay, *, at: datetime) -> Self:
        """A patron sat down; nothing is owed yet."""
        commission = day.rules.commission
        return cls.begin(
            cls.Created,
            cls.stream(stay.address, day.address),
            at,
            stay=stay.address,
            patron=stay.patron,
            table_day=str(day.address),
            currency=day.rules.currency,
            **_terms(commission),
        )

    def accrue(self, coup: addresses.Coup, wager: Wager, payment: Payment) -> None:
        """A Banker wager won (R-COM-1). Taken at payout, it is collected in the same act."""
        assert payment.commission_due is not None
        shoe = str(coup.shoe)
        self._commission_accrued(
            shoe=shoe,
            coup=str(coup),
            seat=wager.seat,
            winnings=payment.winnings,
            exact=decimal_string(payment.commission_exact),
            charged=payment.commission_charged,
            due=payment.commission_due,
        )
        if payment.commission_due == "at-payout" and payment.commission_charged:
            charged = payment.commission_charged
            self._commission_collected(
                amount=charged, by_shoe={shoe: charged}, how="at-payout", receipt=""
            )

    def collect(self, amount: int) -> None:
        """The patron pays any part, the oldest shoe first (R-COM-2). Refuses: OverCollected."""
        if amount > self.owed:
            said = major(self.owed, self.currency)
            raise OverCollected(
                patron=self.patron,
                owed=said,
                amount=major(amount, self.currency),
                then=f"collect {said} or less" if self.owed else "there is nothing to collect",
            )
        by_shoe, left = {}, amount
        for shoe, owed in self.owed_by_shoe.items():
            part = min(owed, left)
            if part:
                by_shoe[shoe] = part
                left -= part
        self._commission_collected(
            amount=amount, by_shoe=by_shoe, how="patron", receipt=self.next_receipt
        )

    def print_receipt(self, receipt: str) -> int:
        """Which copy it is: 1 is the original, the others are reprints. Refuses: NotFound."""
        if receipt not in self.copies:
            raise NotFound(what=f"receipt {receipt}")
        self._receipt_printed(receipt=receipt, copy=self.copies[receipt] + 1)
        return self.copies[receipt]

    # Changes: run again at every replay, so no rule, clock, id or I/O.
    @event(CommissionAccrued)
    def _commission_accrued(
        self,
        shoe: str,
        coup: str,
        seat: int,
        winnings: int,
        exact: str,
        charged: int,
        due: str,
    ) -> None:
        self.owed_by_shoe[shoe] = self.owed_by_shoe.get(shoe, 0) + charged

    @event(CommissionCollected)
    def _commission_collected(
        self, amount: int, by_shoe: dict[str, int], how: str, receipt: str
    ) -> None:
        for shoe, part in by_shoe.items():
            self.owed_by_shoe[shoe] -= part
        if how == "patron":
            self.collected += amount
        self._give_number(receipt)

    @event(ReceiptPrinted)
    def _receipt_printed(self, receipt: str, copy: int) -> None:
        self.copies[receipt] = copy

    def _give_number(self, receipt: str) -> None:
        """The number is used; nothing is printed of it yet."""
        if receipt:
            self.copies[receipt] = 0


def require_settled(accounts: Iterable[CommissionAccount]) -> None:
    """A shoe does not end, and a seat is not vacated, while these owe. Refuses: CommissionOwed."""
    owing = [account for account in accounts if account.owed]
    if owing:
        balances = ", ".join(
            f"{account.patron} {major(account.owed, account.currency)}" for account in owing
        )
        raise CommissionOwed(balances=balances)


def _terms(commission: Commission) -> dict[str, object]:
    """The terms that this stay's commission is reckoned by."""
    rounding = commission.rounding
    return {
        "rate": list(commission.rate),
        "timing": commission.timing,
        "rounding": rounding.mode,
        "unit": rounding.unit,
        "minimum": rounding.minimum,
        "moment": rounding.moment,
    }
