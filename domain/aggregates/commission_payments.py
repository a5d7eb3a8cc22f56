"""How commission that a stay owes is paid, written off, or carried to another stay (R-COM-2, 4).

No more is collected than is owed, and the oldest shoe is paid first. Each payment in chips has a
receipt, and is corrected under a new one.
"""

from collections.abc import Mapping

from domain.aggregates.base import AccountOfStay
from domain.aggregates.tray import Signed
from domain.events import commission_account as events
from domain.rules import addresses
from domain.rules.refusals import BadValue, NotFound, OverCollected
from domain.rules.wording import N_, Amount, Words

_TOO_MUCH = {
    "collect": N_("{patron} owes {owed}, less than {amount}. Collect {owed} or less."),
    "waive": N_("{patron} owes {owed}, less than {amount}. Waive {owed} or less."),
    "write off": N_("{patron} owes {owed}, less than {amount}. Write off {owed} or less."),
}


class CommissionPayments(AccountOfStay, events.State):
    """The payments of one stay's commission."""

    NOUN = "commission-account"

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

    def collect_before(self, now: "CommissionPayments", amount: int) -> None:
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

    def print_receipt(self, receipt: str) -> int:
        """Prints a receipt and returns the copy's number, 1 for the original. Refuses: NotFound."""
        if receipt not in self.copies:
            raise NotFound(what=Words("receipt {receipt}", receipt=receipt))
        self.record(events.ReceiptPrinted(receipt=receipt, copy=self.copies[receipt] + 1))
        return self.copies[receipt]

    def waive(self, amount: int | None, reason: str, by: str, approved_by: str) -> None:
        """Waives an amount, or all that is owed (R-COM-4). Refuses: OverCollected."""
        self._let_go(events.CommissionWaived, "waive", amount, reason, by, approved_by)

    def walk(self, amount: int | None, reason: str, by: str, approved_by: str) -> None:
        """Writes off an amount, or all, of a patron who left (R-COM-4). Refuses: OverCollected."""
        self._let_go(events.CommissionWalked, "write off", amount, reason, by, approved_by)

    def _let_go(
        self,
        kind: type[events.LetGo],
        act: str,
        amount: int | None,
        reason: str,
        by: str,
        approved_by: str,
    ) -> None:
        some = amount or self.owed or 1  # where nothing is owed, even 1 is too much
        self.record(
            kind(
                amount=some,
                owed_before=self.owed,
                by_shoe=self._parts(some, act),
                reason=reason,
                by=by,
                approved_by=approved_by,
            )
        )

    def carry_forward(self, to: "CommissionPayments", shoe: str | None = None) -> None:
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

    def _parts(self, amount: int, act: str) -> dict[str, int]:
        """An amount by shoe, the oldest first. Refuses: OverCollected."""
        if amount > self.owed:
            raise OverCollected(message=self._too_much(amount, act))
        return self._parts_with(amount, {})

    def _parts_with(self, amount: int, back: dict[str, int]) -> dict[str, int]:
        """An amount by shoe, the oldest first, when `back` is owed again."""
        owed = {shoe: tab.owed + back.get(shoe, 0) for shoe, tab in self.tabs.items()}
        return _shared(owed, amount)

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

    def _pay(self, amount: int, by_shoe: dict[str, int], how: str) -> None:
        """Records a payment, with a receipt if it was in chips."""
        receipt = "" if how == "at-payout" else self.next_receipt
        self.record(
            events.CommissionCollected(amount=amount, by_shoe=by_shoe, how=how, receipt=receipt)
        )

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


def _shared(owed: Mapping[str, int], amount: int) -> dict[str, int]:
    """An amount by shoe, the oldest first, each with no more than it has."""
    by_shoe: dict[str, int] = {}
    for shoe, most in owed.items():
        part = min(most, amount - sum(by_shoe.values()))
        if part > 0:
            by_shoe[shoe] = part
    return by_shoe
