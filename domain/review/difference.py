"""What a coup is worth to each seat as it stands, and as it would have been (R-PAY, R-COM-3).

A patron comes away with what is paid, less what was staked, less the commission that is owed
beside it; commission taken at payout is in the payment. What patrons have more, the house has less.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import Struct

from domain.events.coup import Phase
from domain.rules.hands import Result
from domain.rules.house_rules import HouseRules
from domain.rules.layout import Wager
from domain.rules.settlement import Payment, pay, pay_to
from domain.rules.spots import SPOTS


class Paid(Struct, frozen=True):
    """A wager, and what it came to under a rule set."""

    wager: Wager
    payment: Payment
    rules: HouseRules

    @property
    def commission_exact(self) -> Fraction:
        """What accrues beside the payment, before it is rounded."""
        deferred = self.payment.commission_due == "deferred"
        return self.payment.commission_exact if deferred else Fraction(0)

    @property
    def commission(self) -> int:
        """What is owed beside the payment.

        Rounded on collection, nobody knows what it is collected with: it is told as if by itself.
        """
        rounding = self.rules.commission.rounding
        if rounding.moment == "on-collection":
            return rounding.charge(self.commission_exact)
        deferred = self.payment.commission_due == "deferred"
        return self.payment.commission_charged if deferred else 0


class Difference(Struct, frozen=True):
    """By how much more a seat staked, was paid and owes, in minor units; less than 0: by less."""

    seat: int
    patron: str  # '': nobody is known to have sat there
    staked: int
    paid: int
    commission: int
    commission_exact: Fraction

    @property
    def net(self) -> int:
        """By how much the patron is better off."""
        return self.paid - self.staked - self.commission


class Played(Struct, frozen=True):
    """A coup as the record has it. `stands`: what each wager came to in the end, corrections and
    a void included; None: nothing was paid yet.
    """

    address: str
    rules: HouseRules
    phase: Phase
    wagers: tuple[Wager, ...]
    cards: tuple[str, ...]
    stands: tuple[Paid, ...] | None
    as_it_wins: tuple[str, ...] = ()  # the stays that pay commission so (R-COM-2)

    @property
    def void(self) -> bool:
        """Whether every stake went back."""
        return self.phase == "voided"


def settled(
    rules: HouseRules,
    wagers: Iterable[Wager],
    result: Result | None,
    as_it_wins: Sequence[str] = (),
) -> tuple[Paid, ...]:
    """What each wager comes to; without a result, and on a spot not offered, the stake returns."""
    in_order = sorted(wagers, key=lambda each: (each.seat, SPOTS.index(each.spot)))
    return tuple(_settled(rules.for_stay(each.stay, as_it_wins), each, result) for each in in_order)


def _settled(rules: HouseRules, wager: Wager, result: Result | None) -> Paid:
    offered = result and wager.spot in rules.spots
    payment = (
        pay(rules, wager.spot, wager.stake, result)
        if result and offered
        else pay_to(rules, wager.spot, wager.stake, wager.stake)
    )
    return Paid(wager, payment, rules)


def differences(before: Iterable[Paid], after: Iterable[Paid]) -> tuple[Difference, ...]:
    """Of every seat that has a wager in either, by seat."""
    rows: dict[tuple[int, str], Difference] = {}
    for sign, lots in ((-1, before), (1, after)):
        for lot in lots:
            wager = lot.wager
            nothing = Difference(wager.seat, wager.patron, 0, 0, 0, Fraction(0))
            so_far = rows.get((wager.seat, wager.patron), nothing)
            rows[wager.seat, wager.patron] = Difference(
                seat=wager.seat,
                patron=wager.patron,
                staked=so_far.staked + sign * wager.stake,
                paid=so_far.paid + sign * lot.payment.paid,
                commission=so_far.commission + sign * lot.commission,
                commission_exact=so_far.commission_exact + sign * lot.commission_exact,
            )
    return tuple(rows[each] for each in sorted(rows))


def house(rows: Iterable[Difference]) -> int:
    """By how much the house is better off: what patrons have less."""
    return -sum(each.net for each in rows)


class PatronTotal(Struct, frozen=True):
    """What all of it comes to for one patron."""

    patron: str
    staked: int
    paid: int
    commission: int
    net: int


def by_patron(rows: Sequence[Difference]) -> tuple[PatronTotal, ...]:
    """The rows of several coups, added for each patron, in the order of their first row."""
    patrons = dict.fromkeys(each.patron for each in rows)
    theirs = {patron: [each for each in rows if each.patron == patron] for patron in patrons}
    return tuple(
        PatronTotal(
            patron,
            staked=sum(each.staked for each in own),
            paid=sum(each.paid for each in own),
            commission=sum(each.commission for each in own),
            net=sum(each.net for each in own),
        )
        for patron, own in theirs.items()
    )
