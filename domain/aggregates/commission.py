"""What one patron's stay owes on Banker winnings, until it is collected (R-COM-1 to 5).

The account belongs to the stay, not to the chair. It keeps the exact accrual and the charge
apart, per shoe, and never collects more than is owed. A coup that is voided or paid otherwise
takes its commission along, whether it was collected or not.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from fractions import Fraction
from typing import Any, Self
from uuid import UUID

from eventsourcing.domain import event

from domain.aggregates.base import Aggregate
from domain.aggregates.table_day import Stay, TableDay
from domain.rules import addresses
from domain.rules.house_rules import Commission
from domain.rules.layout import Wager
from domain.rules.money import Rounding, decimal_string, major
from domain.rules.refusals import CommissionOwed, NotFound, OverCollected
from domain.rules.settlement import Payment

LET_GO = ("walked", "waived")  # without being paid; the first is taken back first


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
        charged: int  # by how much more is owed; rounded on collection, it may be 0, or over
        due: str  # `deferred`, or `at-payout`: collected in the same act

    class CommissionCollected(Event):
        TOPIC = "commission-account.commission-collected"
        class_version = 2
        amount: int
        by_shoe: dict[str, int]
        how: str  # `patron`, `at-payout`, or `correction`: in the payment that was put right
        receipt: str  # its number; '' for what was not paid in chips

        @staticmethod
        def upcast_v1_v2(state: dict[str, Any]) -> None:
            """The first version came without a receipt."""
            state["receipt"] = ""

    class CommissionRefunded(Event):
        TOPIC = "commission-account.commission-refunded"  # before what it was paid for goes
        coup: str  # whose wager came to something else
        seat: int
        amount: int
        by_shoe: dict[str, int]
        how: str  # as it was collected
        receipt: str

    class CommissionOwedAgain(Event):
        TOPIC = "commission-account.commission-owed-again"  # before the charge for it goes
        coup: str | None  # whose wager came to something else; None: the patron pays after all
        seat: int | None
        amount: int
        by_shoe: dict[str, int]
        was: str  # `waived`, or `walked`

    class ReceiptPrinted(Event):
        TOPIC = "commission-account.receipt-printed"
        receipt: str
        copy: int  # 1: the original, which is printed once; 2 and on: reprints

    class CommissionCorrected(Event):
        TOPIC = "commission-account.commission-corrected"  # a coup was voided, or paid otherwise
        shoe: str
        coup: str
        seat: int
        winnings: int  # what the wager has won after all
        exact: str  # by how much more, or less, exactly
        charged: int  # by how much more, or less, is owed
        due: str  # as it was accrued, or would have been

    class CommissionWaived(Event):
        TOPIC = "commission-account.commission-waived"
        amount: int
        by_shoe: dict[str, int]
        reason: str
        by: str
        approved_by: str

    class CommissionWalked(Event):
        TOPIC = "commission-account.commission-walked"  # the patron is gone
        amount: int
        by_shoe: dict[str, int]
        reason: str
        by: str
        approved_by: str

    # State: what later decisions ask.
    def __init__(
        self,
        stay: str,
        patron: str,
        table_day: str,
        currency: str,
        rounding: str,
        unit: int,
        minimum: int,
        moment: str,
    ) -> None:
        self.table_day = addresses.TableDay.parse(table_day)
        self.stay = stay
        self.patron = patron
        self.currency = currency
        terms = Rounding(mode=rounding, unit=unit, minimum=minimum, moment=moment)  # type: ignore[arg-type]
        self.rounding = terms
        self.tabs: dict[str, Tab] = {}  # by shoe, the oldest first
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
        return sum(tab.owed for tab in self.tabs.values())

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
        shoe, win = str(coup.shoe), _win(coup, wager)
        alone = payment.commission_due == "at-payout"
        exact = payment.commission_exact
        charged = self._tab(shoe).charge_of(win, exact, self.rounding, alone=alone)
        self._commission_accrued(
            shoe=shoe,
            coup=str(coup),
            seat=wager.seat,
            winnings=payment.winnings,
            exact=decimal_string(exact),
            charged=charged,
            due=payment.commission_due,
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
                self._commission_owed_again(
                    coup=str(coup), seat=wager.seat, amount=part, by_shoe={shoe: part}, was=was
                )
                back -= part
        if back > 0:
            receipt = self.next_receipt if how == "patron" else ""
            self._commission_refunded(
                coup=str(coup),
                seat=wager.seat,
                amount=back,
                by_shoe={shoe: back},
                how=how,
                receipt=receipt,
            )
        self._commission_corrected(
            shoe=shoe,
            coup=str(coup),
            seat=wager.seat,
            winnings=after.winnings,
            exact=decimal_string(exact),
            charged=charged,
            due="at-payout" if at_payout else "deferred",
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
                self._commission_owed_again(
                    coup=None, seat=None, amount=part, by_shoe={shoe: part}, was="walked"
                )

    def waive(self, amount: int | None, reason: str, by: str, approved_by: str) -> None:
        """The house asks no more for it (R-COM-4); no amount: for all. Refuses: OverCollected."""
        amount, by_shoe = self._all_or(amount, "waive")
        self._commission_waived(
            amount=amount, by_shoe=by_shoe, reason=reason, by=by, approved_by=approved_by
        )

    def walk(self, amount: int | None, reason: str, by: str, approved_by: str) -> None:
        """The patron is gone with it (R-COM-4); no amount: with all. Refuses: OverCollected."""
        amount, by_shoe = self._all_or(amount, "record")
        self._commission_walked(
            amount=amount, by_shoe=by_shoe, reason=reason, by=by, approved_by=approved_by
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
        self._commission_collected(amount=amount, by_shoe=by_shoe, how=how, receipt=receipt)

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
        self._accrued(shoe, f"{coup} {seat}", exact, charged, due)

    def _accrued(self, shoe: str, win: str, exact: str, charged: int, due: str) -> None:
        tab = self.tabs.setdefault(shoe, Tab())
        tab.add(win, Fraction(exact), charged, alone=due == "at-payout")

    @event(CommissionCollected)
    def _commission_collected(
        self, amount: int, by_shoe: dict[str, int], how: str, receipt: str
    ) -> None:
        self._clear(by_shoe)
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

    @event(CommissionRefunded)
    def _commission_refunded(
        self, coup: str, seat: int, amount: int, by_shoe: dict[str, int], how: str, receipt: str
    ) -> None:
        for shoe, part in by_shoe.items():
            self.tabs[shoe].owed += part
        if how == "patron":
            self.collected -= amount
        self._give_number(receipt)

    @event(CommissionOwedAgain)
    def _commission_owed_again(
        self, coup: str | None, seat: int | None, amount: int, by_shoe: dict[str, int], was: str
    ) -> None:
        for shoe, part in by_shoe.items():
            self.tabs[shoe].owed += part
            self.tabs[shoe].let_go[was] -= part

    @event(CommissionCorrected)
    def _commission_corrected(
        self, shoe: str, coup: str, seat: int, winnings: int, exact: str, charged: int, due: str
    ) -> None:
        self._accrued(shoe, f"{coup} {seat}", exact, charged, due)

    @event(CommissionWaived)
    def _commission_waived(
        self, amount: int, by_shoe: dict[str, int], reason: str, by: str, approved_by: str
    ) -> None:
        self._clear(by_shoe, "waived")

    @event(CommissionWalked)
    def _commission_walked(
        self, amount: int, by_shoe: dict[str, int], reason: str, by: str, approved_by: str
    ) -> None:
        self._clear(by_shoe, "walked")

    def _clear(self, by_shoe: dict[str, int], let_go: str | None = None) -> None:
        for shoe, part in by_shoe.items():
            self.tabs[shoe].pay(part)
            if let_go:
                self.tabs[shoe].let_go[let_go] += part


@dataclass
class Tab:
    """What a stay owes of one shoe.

    Rounded on collection, what accrued since the last time that nothing was owed is rounded as
    one sum; a part payment in between does not round it a second time. What was taken at payout
    was collected `alone`, so it is in no sum with others.
    """

    owed: int = 0
    sums: list[Fraction] = field(default_factory=lambda: [Fraction(0)])  # exact, each one sum
    wins: dict[str, tuple[int | None, Fraction]] = field(default_factory=dict)  # sum, how much
    let_go: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LET_GO, 0))

    def charge_of(
        self, win: str, more: Fraction, rounding: Rounding, *, alone: bool = False
    ) -> int:
        """By how much the charge changes when this win accrues so much more, or less."""
        which, so_far = self._of(win, alone=alone)
        by_itself = which is None or rounding.moment == "per-win"
        before = so_far if by_itself else self.sums[which or 0]
        return rounding.charge(before + more) - rounding.charge(before)

    def add(self, win: str, more: Fraction, charged: int, *, alone: bool = False) -> None:
        """This win accrued so much more, or less."""
        which, so_far = self._of(win, alone=alone)
        self.wins[win] = which, so_far + more
        if which is not None:
            self.sums[which] += more
        self.owed += charged

    def _of(self, win: str, *, alone: bool) -> tuple[int | None, Fraction]:
        """In which sum a win is, and with how much; a new one begins in the last, or alone."""
        return self.wins.get(win, (None if alone else len(self.sums) - 1, Fraction(0)))

    def pay(self, part: int) -> None:
        """Collected, waived or walked; once nothing is owed, a new sum begins."""
        self.owed -= part
        if self.owed == 0:
            self.sums.append(Fraction(0))


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
