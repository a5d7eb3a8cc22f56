"""A coup's value to each seat on record, and in a what-if (R-PAY, R-COM-3).

A patron gets the payment, less the stake, less the commission owed beside it; commission taken at
payout is already off the payment. The house loses what patrons gain.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Self

from msgspec import Struct, field

from domain.events.coup import Phase
from domain.review.replay import Replay
from domain.rules import addresses
from domain.rules.hands import Result
from domain.rules.house_rules import HouseRules
from domain.rules.layout import Wager
from domain.rules.must_hit import Standing
from domain.rules.pro_rata import Share, shares
from domain.rules.settlement import Payment, pay, pay_to
from domain.rules.spots import in_order


class Paid(Struct, frozen=True):
    """A wager and its payment under a rule set."""

    wager: Wager
    payment: Payment
    rules: HouseRules

    @property
    def commission_exact(self) -> Fraction:
        """The commission owed beside the payment, before rounding."""
        deferred = self.payment.commission_due == "deferred"
        return self.payment.commission_exact if deferred else Fraction(0)

    @property
    def commission(self) -> int:
        """The commission owed beside the payment.

        Where it is rounded on collection, it is rounded here as if it were collected alone.
        """
        rounding = self.rules.commission.rounding
        if rounding.moment == "on-collection":
            return rounding.charge(self.commission_exact)
        deferred = self.payment.commission_due == "deferred"
        return self.payment.commission_charged if deferred else 0


class Difference(Struct, frozen=True):
    """A seat's change in stake, payment and commission, in minor units."""

    seat: int
    patron: str  # '': unknown
    staked: int
    paid: int
    commission: int
    commission_exact: Fraction

    @property
    def net(self) -> int:
        """The patron's gain."""
        return self.paid - self.staked - self.commission


class Played(Struct, frozen=True):
    """A coup on record.

    `final`: the payment of each wager in the end, after corrections and a void; None: not paid yet.
    """

    address: str
    rules: HouseRules
    phase: Phase
    wagers: tuple[Wager, ...]
    cards: tuple[str, ...]
    final: tuple[Paid, ...] | None
    as_it_wins: tuple[str, ...] = ()  # the stays that pay commission so (R-COM-2)
    paid_as: Mapping[tuple[int, str], str] = field(default_factory=dict)  # by seat and spot
    meters: Mapping[str, Standing] = field(default_factory=dict)  # by spot, what each stood at
    undecided: tuple[Wager, ...] = ()  # bets on several coups that went on (R-BET-9)
    has_coupons: bool = False

    @classmethod
    def of(cls, address: addresses.Coup, replay: Replay) -> Self:
        """A coup as its record tells it."""
        rules, held = replay.rules, replay.state
        wagers = tuple(held.layout.wagers())
        final = None
        if held.phase == "voided":
            final = settled(rules, wagers, None)
        elif held.phase == "settled":
            final = tuple(
                Paid(
                    each,
                    held.settled[each.seat, each.spot],
                    rules.for_stay(each.stay, held.as_it_wins),
                )
                for each in wagers
                if (each.seat, each.spot) in held.settled
            )
        return cls(
            address=str(address),
            rules=rules,
            phase=held.phase,
            wagers=wagers,
            cards=tuple(held.cards),
            final=final,
            as_it_wins=tuple(held.as_it_wins),
            paid_as=dict(held.paid_as),
            meters={spot: each.stood for spot, each in held.meters.items()},
            undecided=tuple(held.undecided.values()),
            has_coupons=bool(held.coupons),
        )

    @property
    def void(self) -> bool:
        """Whether every stake was returned."""
        return self.phase == "voided"


def settled(
    rules: HouseRules,
    wagers: Iterable[Wager],
    result: Result | None,
    recorded: Played | None = None,
) -> tuple[Paid, ...]:
    """The payment of each wager; without a result, or on a spot not offered, the stake returns.

    `recorded`: who pays commission as it wins, which wagers are paid as on another spot, and what
    the meters stood at.
    """
    by_seat = sorted(wagers, key=lambda each: (each.seat, in_order(each.spot)))
    as_it_wins, paid_as = (recorded.as_it_wins, recorded.paid_as) if recorded else ((), {})
    counts_on = {(each.seat, each.spot): each.spot for each in by_seat} | dict(paid_as)
    lots = {
        (each.seat, each.spot): (counts_on[each.seat, each.spot], each.stake) for each in by_seat
    }
    meters = recorded.meters if recorded else {}
    shared = shares(rules, lots, result, meters) if result else {}
    return tuple(
        _settled(
            rules.for_stay(each.stay, as_it_wins),
            each,
            counts_on[each.seat, each.spot],
            result,
            shared.get((each.seat, each.spot)),
        )
        for each in by_seat
    )


def _settled(
    rules: HouseRules, wager: Wager, spot: str, result: Result | None, share: Share | None
) -> Paid:
    payment = (
        pay(rules, spot, wager.stake, result, share=share, run=wager.run)
        if result and spot in rules.spots
        else pay_to(rules, spot, wager.stake, wager.stake)
    )
    return Paid(wager, payment, rules)


def differences(before: Iterable[Paid], after: Iterable[Paid]) -> tuple[Difference, ...]:
    """The change for every seat that has a wager in either, by seat."""
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
    """The gain of the house, which is the patrons' loss."""
    return -sum(each.net for each in rows)


class PatronTotal(Struct, frozen=True):
    """The total for one patron."""

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
