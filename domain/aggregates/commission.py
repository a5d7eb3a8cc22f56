"""The commission that one patron's stay owes on Banker winnings (R-COM-1 to 5).

The account belongs to the stay, not to the chair. It has the exact accrual and the charge apart,
per shoe. If a coup is voided or a payment corrected, its commission is corrected too, whether it
was collected or not. A patron who is not at the table owes it then, or is owed it, until it is
settled.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Self

from domain.aggregates.commission_payments import CommissionPayments
from domain.aggregates.table_day import TableDay
from domain.events import commission_account as events
from domain.rules import addresses
from domain.rules.layout import Wager
from domain.rules.money import decimal_string
from domain.rules.refusals import CommissionOwed
from domain.rules.seating import Stay
from domain.rules.settlement import Payment
from domain.rules.tab import LET_GO, Tab
from domain.rules.wording import Amount, Words, listed


class CommissionAccount(CommissionPayments):
    """The commission of one stay at one table."""

    # Commands: decide; refuse, or record an event.
    @classmethod
    def open(cls, stay: Stay, day: TableDay, *, at: datetime) -> Self:
        """Opens the account of a patron who sits down."""
        commission = day.rules.commission
        return cls.begin(
            events.Opened(
                **day.opens_for(stay),
                rate=list(commission.rate),
                timing=commission.timing,
                rounding=commission.rounding.mode,
                unit=commission.rounding.unit,
                minimum=commission.rounding.minimum,
                moment=commission.rounding.moment,
            ),
            cls.stream(stay.address),
            at,
        )

    def accrue(self, coup: addresses.Coup, wager: Wager, payment: Payment) -> None:
        """Charges the commission of a Banker win; at payout it is collected at once (R-COM-1)."""
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
        self, coup: addresses.Coup, wager: Wager, before: Payment, after: Payment, *, here: bool
    ) -> None:
        """Corrects the commission of a wager that was voided, or paid a different amount (R-IRR-5).

        Before a charge is taken off, the part of it that was waived or written off is owed again,
        and the part that was collected is given back if the patron is `here`, at the table. Else it
        is owed to them. An additional charge is owed like any other.
        """
        shoe, win = str(coup.shoe), _win(coup, wager)
        tab = self._tab(shoe)
        exact = after.commission_exact - before.commission_exact
        at_payout = "at-payout" in (before.commission_due, after.commission_due)
        charged = tab.charge_of(win, exact, self.rounding, alone=at_payout)
        if exact == 0 and charged == 0:
            return
        if at_payout and charged < 0:  # it goes back with the payment, whatever else is owed
            self._refund({shoe: -charged}, "at-payout", coup, wager.seat)
        elif not at_payout:
            self._set_off(coup, wager.seat, -(tab.owed + charged), here=here)
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
        if at_payout and charged > 0:
            self._pay(charged, {shoe: charged}, "at-payout")

    def set_off(self, coup: addresses.Coup, seat: int) -> None:
        """Gives back what a correction at an earlier stay of the patron owes them in this one."""
        self._set_off(coup, seat, -self._tab(str(coup.shoe)).owed, here=True)

    def _set_off(self, coup: addresses.Coup, seat: int, back: int, *, here: bool) -> None:
        """Owes again what was let go, and gives the rest of it back if the patron is here."""
        shoe = str(coup.shoe)
        for was in LET_GO:
            part = min(back, self._tab(shoe).let_go[was])
            if part > 0:
                self.record(
                    events.CommissionOwedAgain(
                        coup=str(coup), seat=seat, amount=part, by_shoe={shoe: part}, was=was
                    )
                )
                back -= part
        if back > 0 and here:
            self._refund({shoe: back}, "patron", coup, seat)

    def leave_open(self, coup: addresses.Coup | None = None, seat: int | None = None) -> None:
        """Notes what a correction leaves open with a patron who is not at the table."""
        if self.balance:
            of = str(coup) if coup else None
            self.record(events.CommissionLeftOpen(coup=of, seat=seat, balance=self.balance))

    def _tab(self, shoe: str) -> "Tab":
        """The tab of a shoe; a new one is entered with the first accrual."""
        return self.tabs.get(shoe) or Tab()


def _win(coup: addresses.Coup, wager: Wager) -> str:
    return f"{coup} {wager.seat}"


def require_settled(accounts: Iterable[CommissionAccount]) -> None:
    """Refuses to end a shoe or to leave a seat while one of these owes: CommissionOwed."""
    owing = [account for account in accounts if account.owed]
    if owing:
        balances = (
            Words(
                "{patron} owes {amount}",
                patron=account.patron,
                amount=Amount(account.owed, account.currency),
            )
            for account in owing
        )
        raise CommissionOwed(balances=listed(balances))
