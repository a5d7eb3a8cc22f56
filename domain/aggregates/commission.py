"""What one patron's stay owes on Banker winnings, until it is collected (R-COM-1 to 5).

The account belongs to the stay, not to the chair. It keeps the exact accrual and the charge
apart, per shoe, and never collects more than is owed. A coup that is voided or paid otherwise
takes its commission along, whether it was collected or not.
"""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.aggregates.table_day import TableDay
from domain.events import commission_account as events
from domain.rules import addresses
from domain.rules.layout import Wager
from domain.rules.money import decimal_string, major
from domain.rules.refusals import CommissionOwed, NotFound, OverCollected
from domain.rules.seating import Stay
from domain.rules.settlement import Payment
from domain.rules.tab import LET_GO, Tab


class CommissionAccount(Aggregate, events.State):
    """The commission of one stay at one table."""

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that the events belong to."""
        return self.table_day.day, self.table_day.table

    @staticmethod
    def stream(stay: str, day: addresses.TableDay) -> UUID:
        """Where this stay's commission is."""
        return addresses.stream_id("commission-account", stay, day.day)

    @property
    def owed(self) -> int:
        """Minor units that the stay owes now."""
        return sum(tab.owed for tab in self.tabs.values())

    @property
    def next_receipt(self) -> str:
        """The number of the next receipt: the stay's own, so that no two tables wait for one."""
        return f"{self.stay}/receipt-{len(self.copies) + 1}"

    # Commands: decide; refuse, or record an event.
    @classmethod
    def open(cls, stay: Stay, day: TableDay, *, at: datetime) -> Self:
        """A patron sat down; nothing is owed yet."""
        commission = day.rules.commission
        return cls.begin(
            events.Opened(
                stay=stay.address,
                patron=stay.patron,
                table_day=str(day.address),
                currency=day.rules.currency,
                rate=list(commission.rate),
                timing=commission.timing,
                rounding=commission.rounding.mode,
                unit=commission.rounding.unit,
                minimum=commission.rounding.minimum,
                moment=commission.rounding.moment,
            ),
            cls.stream(stay.address, day.address),
            at,
        )

    def accrue(self, coup: addresses.Coup, wager: Wager, payment: Payment) -> None:
        """A Banker wager won (R-COM-1). Taken at payout, it is collected in the same act."""
        assert payment.commission_due is not None
        shoe, win = str(coup.shoe), _win(coup, wager)
        alone = payment.commission_due == "at-payout"
        exact = payment.commission_exact
        charged = self._tab(shoe).charge_of(win, exact, self.rounding, alone=alone)
        self.record(
            events.CommissionAccrued(
                shoe=shoe,
                coup=str(coup),
                seat=wager.seat,
                winnings=payment.winnings,
                exact=decimal_string(exact),
                charged=charged,
                due=payment.commission_due,
            )
        )
        if payment.commission_due == "at-payout" and charged:
            self._pay(charged, {shoe: charged}, "at-payout")

    def correct(
        self, coup: addresses.Coup, wager: Wager, before: Payment, after: Payment, *, at_once: bool
    ) -> int:
        """A wager came to something else after all: it was voided, or paid otherwise (R-IRR-5).

        Before the charge goes, what was let go for it is owed again, and what was collected
        beyond that is given back. What is owed in addition waits like any other charge; `at_once`,
        both go with the payment; what then goes to the patron, or comes from them, is returned.
        """
        shoe, win = str(coup.shoe), _win(coup, wager)
        tab = self._tab(shoe)
        exact = after.commission_exact - before.commission_exact
        at_payout = "at-payout" in (before.commission_due, after.commission_due)
        charged = tab.charge_of(win, exact, self.rounding, alone=at_payout)
        if exact == 0 and charged == 0:
            return 0
        how = "at-payout" if at_payout else "correction" if at_once else "patron"
        # What was taken at payout goes back with the payment, whatever else is owed or let go.
        back = -charged if at_payout else -(tab.owed + charged)
        for was in () if at_payout else LET_GO:
            part = min(back, tab.let_go[was])
            if part > 0:
                self.record(
                    events.CommissionOwedAgain(
                        coup=str(coup), seat=wager.seat, amount=part, by_shoe={shoe: part}, was=was
                    )
                )
                back -= part
        if back > 0:
            receipt = self.next_receipt if how == "patron" else ""
            self.record(
                events.CommissionRefunded(
                    coup=str(coup),
                    seat=wager.seat,
                    amount=back,
                    by_shoe={shoe: back},
                    how=how,
                    receipt=receipt,
                )
            )
        self.record(
            events.CommissionCorrected(
                shoe=shoe,
                coup=str(coup),
                seat=wager.seat,
                winnings=after.winnings,
                exact=decimal_string(exact),
                charged=charged,
                due="at-payout" if at_payout else "deferred",
            )
        )
        if how != "patron" and charged > 0:
            self._pay(charged, {shoe: charged}, how)
        return max(back, 0) - max(charged, 0) if how == "correction" else 0

    def collect(self, amount: int) -> None:
        """The patron pays any part, the oldest shoe first (R-COM-2). Refuses: OverCollected.

        Whoever walked may come back, and pays what is owed again then.
        """
        walked = {shoe: tab.let_go["walked"] for shoe, tab in self.tabs.items()}
        if self.owed < amount <= self.owed + sum(walked.values()):
            self._owe_again(amount - self.owed, walked)
        self._pay(amount, self._parts(amount, "collect"), "patron")

    def _owe_again(self, amount: int, walked: dict[str, int]) -> None:
        for shoe, gone in walked.items():
            part = min(gone, amount)
            amount -= part
            if part:
                self.record(
                    events.CommissionOwedAgain(
                        coup=None, seat=None, amount=part, by_shoe={shoe: part}, was="walked"
                    )
                )

    def waive(self, amount: int | None, reason: str, by: str, approved_by: str) -> None:
        """The house asks no more for it (R-COM-4); no amount: for all. Refuses: OverCollected."""
        amount, by_shoe = self._all_or(amount, "waive")
        self.record(
            events.CommissionWaived(
                amount=amount, by_shoe=by_shoe, reason=reason, by=by, approved_by=approved_by
            )
        )

    def walk(self, amount: int | None, reason: str, by: str, approved_by: str) -> None:
        """The patron is gone with it (R-COM-4); no amount: with all. Refuses: OverCollected."""
        amount, by_shoe = self._all_or(amount, "record")
        self.record(
            events.CommissionWalked(
                amount=amount, by_shoe=by_shoe, reason=reason, by=by, approved_by=approved_by
            )
        )

    def _all_or(self, amount: int | None, act: str) -> tuple[int, dict[str, int]]:
        some = amount or self.owed or 1  # of nothing, even the least is too much
        return some, self._parts(some, act)

    def _parts(self, amount: int, act: str) -> dict[str, int]:
        """An amount by shoe, the oldest first. Refuses: OverCollected."""
        if amount > self.owed:
            said = major(self.owed, self.currency)
            raise OverCollected(
                patron=self.patron,
                owed=said,
                amount=major(amount, self.currency),
                then=f"{act} {said} or less" if self.owed else f"there is nothing to {act}",
            )
        by_shoe, left = {}, amount
        for shoe, tab in self.tabs.items():
            part = min(tab.owed, left)
            if part:
                by_shoe[shoe] = part
                left -= part
        return by_shoe

    def _tab(self, shoe: str) -> "Tab":
        """What is owed of a shoe; a new one is not kept before something is."""
        return self.tabs.get(shoe) or Tab()

    def _pay(self, amount: int, by_shoe: dict[str, int], how: str) -> None:
        """What is paid in chips has a receipt."""
        receipt = self.next_receipt if how == "patron" else ""
        self.record(
            events.CommissionCollected(amount=amount, by_shoe=by_shoe, how=how, receipt=receipt)
        )

    def print_receipt(self, receipt: str) -> int:
        """Which copy it is: 1 is the original, the others are reprints. Refuses: NotFound."""
        if receipt not in self.copies:
            raise NotFound(what=f"receipt {receipt}")
        self.record(events.ReceiptPrinted(receipt=receipt, copy=self.copies[receipt] + 1))
        return self.copies[receipt]


def _win(coup: addresses.Coup, wager: Wager) -> str:
    return f"{coup} {wager.seat}"


def require_settled(accounts: Iterable[CommissionAccount]) -> None:
    """A shoe does not end, and a seat is not vacated, while these owe. Refuses: CommissionOwed."""
    owing = [account for account in accounts if account.owed]
    if owing:
        balances = ", ".join(
            f"{account.patron} {major(account.owed, account.currency)}" for account in owing
        )
        raise CommissionOwed(balances=balances)
