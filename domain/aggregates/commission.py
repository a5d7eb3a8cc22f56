"""The commission that one patron's stay owes on Banker winnings (R-COM-1 to 5).

The account belongs to the stay, not to the chair. It has the exact accrual and the charge apart,
per shoe, and never collects more than is owed. If a coup is voided or a payment corrected, its
commission is corrected too, whether it was collected or not. A patron who is not at the table owes
it then, or is owed it, until it is settled.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.aggregates.table_day import TableDay
from domain.aggregates.tray import Signed
from domain.events import commission_account as events
from domain.rules import addresses
from domain.rules.layout import Wager
from domain.rules.money import decimal_string
from domain.rules.refusals import BadValue, CommissionOwed, NotFound, OverCollected
from domain.rules.seating import Stay
from domain.rules.settlement import Payment
from domain.rules.tab import LET_GO, Tab
from domain.rules.wording import N_, Amount, Words, listed

_TOO_MUCH = {
    "collect": N_("{patron} owes {owed}, less than {amount}. Collect {owed} or less."),
    "waive": N_("{patron} owes {owed}, less than {amount}. Waive {owed} or less."),
    "write off": N_("{patron} owes {owed}, less than {amount}. Write off {owed} or less."),
}


class CommissionAccount(Aggregate, events.State):
    """The commission of one stay at one table."""

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that the events belong to."""
        return self.table_day.day, self.table_day.table

    @staticmethod
    def stream(stay: str) -> UUID:
        """The stream of a stay's commission."""
        return addresses.stream_id("commission-account", stay, addresses.day_of_stay(stay).day)

    @property
    def balance(self) -> int:
        """The minor units that the stay owes now; less than 0: the house owes them."""
        return sum(tab.owed for tab in self.tabs.values())

    @property
    def owed(self) -> int:
        """The minor units that the stay owes now, 0 or more."""
        return max(self.balance, 0)

    @property
    def walked(self) -> dict[str, int]:
        """The minor units written off because the patron left, by shoe, the oldest first."""
        return {shoe: tab.let_go["walked"] for shoe, tab in self.tabs.items()}

    @property
    def next_receipt(self) -> str:
        """The number of the next receipt, counted by stay so that no table waits for another."""
        return f"{self.stay}/receipt-{len(self.copies) + 1}"

    # Commands: decide; refuse, or record an event.
    @classmethod
    def open(cls, stay: Stay, day: TableDay, *, at: datetime) -> Self:
        """Opens the account of a patron who sits down."""
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

    def _refund(
        self,
        by_shoe: dict[str, int],
        how: str,
        coup: addresses.Coup | None = None,
        seat: int | None = None,
    ) -> None:
        self.record(
            events.CommissionRefunded(
                coup=str(coup) if coup else None,
                seat=seat,
                amount=sum(by_shoe.values()),
                by_shoe=by_shoe,
                how=how,
                receipt="" if how == "at-payout" else self.next_receipt,
            )
        )

    def leave_open(self, coup: addresses.Coup | None = None, seat: int | None = None) -> None:
        """Notes what a correction leaves open with a patron who is not at the table."""
        if self.balance:
            of = str(coup) if coup else None
            self.record(events.CommissionLeftOpen(coup=of, seat=seat, balance=self.balance))

    def parts_of(self, amount: int) -> dict[str, int]:
        """An amount by shoe, the oldest first; less than 0: of what the house owes."""
        sign = 1 if amount > 0 else -1
        open_now = {shoe: sign * tab.owed for shoe, tab in self.tabs.items()}
        return {shoe: sign * part for shoe, part in _shared(open_now, sign * amount).items()}

    def settle(self, by_shoe: Mapping[str, int]) -> None:
        """Settles these parts, each by its sign, with other money of a settlement."""
        paid = {shoe: part for shoe, part in by_shoe.items() if part > 0}
        back = {shoe: -part for shoe, part in by_shoe.items() if part < 0}
        if paid:
            self._pay(sum(paid.values()), paid, "settlement")
        if back:
            self._refund(back, "settlement")

    def collect(self, amount: int, *, elsewhere: bool = False) -> None:
        """Collects any part, the oldest shoe first (R-COM-2). Refuses: OverCollected.

        A patron who left without paying may come back and pay, which makes it owed again.
        `elsewhere`: into the tray of another table, or of a later day.
        """
        walked = self.walked
        if amount > self.owed + sum(walked.values()):
            raise OverCollected(message=self._too_much(amount, "collect"))
        self._owe_again(amount - self.owed, walked)
        how = "elsewhere" if elsewhere else "patron"
        self._pay(amount, self._parts(amount, "collect"), how)

    def collect_before(self, now: "CommissionAccount", amount: int) -> None:
        """Collects what a roll-over brought forward after it was paid. Refuses: OverCollected.

        `now`: the stay that owes it since, and owes less then.
        """
        owed = {shoe: now.tabs[shoe].owed for shoe in self.tabs if shoe in now.tabs}
        by_shoe = _shared(owed, amount)
        if sum(by_shoe.values()) < amount:
            raise OverCollected(message=now._too_much(amount, "collect"))
        self._pay(amount, by_shoe, "patron")
        self.carry_forward(now)

    def correct_collection(
        self, position: int, moved_at: str, receipt: str, amount: int, signed: Signed
    ) -> None:
        """Corrects what was paid under a receipt; 0: it never was. A new receipt replaces it.

        Refuses: NotFound, OverCollected, BadValue.
        """
        current = self._receipt_now(receipt)
        before = self.collections[current]
        paid = sum(before.values())
        if amount == paid:
            raise BadValue(
                message=Words("That is how it is on record. Give what was wrong as it really was.")
            )
        if amount > self.owed + paid:
            raise OverCollected(
                patron=self.patron,
                owed=Amount(self.owed + paid, self.currency),
                amount=Amount(amount, self.currency),
            )
        self.record(
            events.CollectionCorrected(
                position=position,
                moved_at=moved_at,
                wrong_receipt=current,
                receipt=self.next_receipt if amount else "",
                amount=amount,
                by_shoe=self._parts_with(amount, before),
                amount_before=paid,
                by_shoe_before=before,
                **signed.fields,
            )
        )

    def paid_under(self, receipt: str) -> int:
        """What was paid under a receipt, as last corrected. Refuses: NotFound."""
        return sum(self.collections[self._receipt_now(receipt)].values())

    def _receipt_now(self, receipt: str) -> str:
        """The receipt that replaced this one, or itself. Refuses: NotFound."""
        now = receipt
        while now in self.replaced:
            now = self.replaced[now]
        if now not in self.collections:
            raise NotFound(
                what=Words("payment of commission under receipt {receipt}", receipt=receipt)
            )
        return now

    def _parts_with(self, amount: int, back: dict[str, int]) -> dict[str, int]:
        """An amount by shoe, the oldest first, when `back` is owed again."""
        owed = {shoe: tab.owed + back.get(shoe, 0) for shoe, tab in self.tabs.items()}
        return _shared(owed, amount)

    def _owe_again(self, amount: int, walked: dict[str, int]) -> None:
        for shoe, gone in walked.items():
            part = min(gone, amount)
            if part > 0:
                amount -= part
                self.record(
                    events.CommissionOwedAgain(
                        coup=None, seat=None, amount=part, by_shoe={shoe: part}, was="walked"
                    )
                )

    def waive(self, amount: int | None, reason: str, by: str, approved_by: str) -> None:
        """Waives an amount, or all that is owed (R-COM-4). Refuses: OverCollected."""
        amount, by_shoe = self._all_or(amount, "waive")
        self.record(
            events.CommissionWaived(
                amount=amount,
                owed_before=self.owed,
                by_shoe=by_shoe,
                reason=reason,
                by=by,
                approved_by=approved_by,
            )
        )

    def walk(self, amount: int | None, reason: str, by: str, approved_by: str) -> None:
        """Writes off an amount, or all, of a patron who left (R-COM-4). Refuses: OverCollected."""
        amount, by_shoe = self._all_or(amount, "write off")
        self.record(
            events.CommissionWalked(
                amount=amount,
                owed_before=self.owed,
                by_shoe=by_shoe,
                reason=reason,
                by=by,
                approved_by=approved_by,
            )
        )

    def carry_forward(self, to: "CommissionAccount", shoe: str | None = None) -> None:
        """Passes on what is owed, or of one shoe, to another stay of the patron (R-COM-4).

        A roll-over does so; and a correction of an earlier day's coup, if the patron sits at the
        table. What the house owes is below 0.
        """
        by_shoe = {
            each: tab.owed for each, tab in self.tabs.items() if tab.owed and shoe in (None, each)
        }
        if not by_shoe:
            return
        amount = sum(by_shoe.values())
        self.record(
            events.CommissionCarriedForward(amount=amount, by_shoe=by_shoe, to_stay=to.stay)
        )
        to.record(
            events.CommissionBroughtForward(amount=amount, by_shoe=by_shoe, from_stay=self.stay)
        )

    def _all_or(self, amount: int | None, act: str) -> tuple[int, dict[str, int]]:
        some = amount or self.owed or 1  # where nothing is owed, even 1 is too much
        return some, self._parts(some, act)

    def _parts(self, amount: int, act: str) -> dict[str, int]:
        """An amount by shoe, the oldest first. Refuses: OverCollected."""
        if amount > self.owed:
            raise OverCollected(message=self._too_much(amount, act))
        return self._parts_with(amount, {})

    def _too_much(self, amount: int, act: str) -> Words:
        owed = self.owed + (sum(self.walked.values()) if act == "collect" else 0)
        if not owed:
            return Words("{patron} owes nothing.", patron=self.patron)
        return Words(
            _TOO_MUCH[act],
            patron=self.patron,
            owed=Amount(owed, self.currency),
            amount=Amount(amount, self.currency),
        )

    def _tab(self, shoe: str) -> "Tab":
        """The tab of a shoe; a new one is entered with the first accrual."""
        return self.tabs.get(shoe) or Tab()

    def _pay(self, amount: int, by_shoe: dict[str, int], how: str) -> None:
        """Records a payment, with a receipt if it was in chips."""
        receipt = "" if how == "at-payout" else self.next_receipt
        self.record(
            events.CommissionCollected(amount=amount, by_shoe=by_shoe, how=how, receipt=receipt)
        )

    def print_receipt(self, receipt: str) -> int:
        """Prints a receipt and returns the copy's number, 1 for the original. Refuses: NotFound."""
        if receipt not in self.copies:
            raise NotFound(what=Words("receipt {receipt}", receipt=receipt))
        self.record(events.ReceiptPrinted(receipt=receipt, copy=self.copies[receipt] + 1))
        return self.copies[receipt]


def _shared(owed: Mapping[str, int], amount: int) -> dict[str, int]:
    """An amount by shoe, the oldest first, each with no more than it has."""
    by_shoe: dict[str, int] = {}
    for shoe, most in owed.items():
        part = min(most, amount - sum(by_shoe.values()))
        if part > 0:
            by_shoe[shoe] = part
    return by_shoe


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
