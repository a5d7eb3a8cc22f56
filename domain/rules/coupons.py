"""Coupons: promotional stakes that are not money (R-PROMO-1 to 4).

A match play is laid beside a bet of at least its worth, a free bet alone. What a coupon wins is
paid in chips; the coupon itself is worth nothing, so its worth never comes with it.

>>> from domain.rules.hands import play
>>> from domain.rules.house_rules import CouponTerms, named
>>> banker_wins = play(["2C", "9S", "KC", "QD"]).result
>>> net = CouponTerms(spots=("banker",), commission="taken-off")
>>> settled(named("dragon-bonus@1"), net, "banker", 25_00, banker_wins).paid
2375
"""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict

from domain.rules.hands import Result
from domain.rules.house_rules import CouponTerms, HouseRules
from domain.rules.money import share
from domain.rules.refusals import CouponRefused
from domain.rules.spots import OPPOSITE, spot_label
from domain.rules.wagers import judge, odds_text, verdict, winnings
from domain.rules.wording import Amount, Words, either

MATCH_PLAY = "match-play"
KINDS = (MATCH_PLAY, "free-bet")


class Lying(Struct, frozen=True):
    """A coupon on the layout: whose it is, and on which spot."""

    seat: int
    patron: str
    stay: str
    spot: str
    coupon: str
    kind: str
    worth: int  # minor units

    @property
    def fields(self) -> dict[str, Any]:
        """The fields that every event about it has."""
        return asdict(self)

    @classmethod
    def of(cls, event: Any) -> "Lying":
        """The coupon that an event is about."""
        return cls(*(getattr(event, name) for name in cls.__struct_fields__))


class CouponPaid(Struct, frozen=True):
    """What a coupon was paid. `paid` goes to the patron in chips.

    `used`: the dealer keeps it; else it goes back and may be laid again.
    """

    ended: Literal["win", "lose", "push", "withdrawn"]  # the last: it never lay there
    odds: str | None
    winnings: int
    taken_off: int  # commission, which no account has
    paid: int
    used: bool

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of an event that settles or corrects it."""
        return asdict(self)

    @classmethod
    def of(cls, event: Any) -> "CouponPaid":
        """The payment in such an event."""
        return cls(*(getattr(event, name) for name in cls.__struct_fields__))


NEVER_LAID = CouponPaid("withdrawn", None, 0, 0, 0, used=False)


def settled(
    rules: HouseRules, terms: CouponTerms, spot: str, worth: int, result: Result
) -> CouponPaid:
    """What a coupon wins on a spot, and whether it is used then (R-PROMO-2, R-PROMO-3)."""
    table = rules.spots[spot].pays
    line = judge(table, result)
    ends = verdict(line)
    won = winnings(worth, line.pays) if line and ends == "win" else 0
    odds = odds_text(table, line)
    if terms.pays == "even-money":
        won, odds = worth if ends == "win" else 0, "1:1"
    takes = spot == "banker" and won and terms.commission == "taken-off"
    commission = rules.commission
    taken = commission.rounding.charge(share(won, commission.rate)) if takes else 0
    used = ends != "push" or terms.on_push == "used"
    return CouponPaid(ends, odds, won, taken, rules.payable(max(won - taken, 0)), used)


def against(rules: HouseRules, lying: Lying, stakes: dict[str, int]) -> Iterator[CouponRefused]:
    """The reasons not to take a coupon there; `stakes`: those of its seat, by spot (R-PROMO-1)."""
    terms, worth = rules.coupons.get(lying.kind), Amount(lying.worth, rules.currency)
    if terms is None:
        why = Words("{rules} takes none of its kind", rules=rules.name)
        yield _refused(lying, why)
        return
    if lying.spot not in terms.spots:
        spots = either(map(spot_label, terms.spots))
        why = Words("it is taken only on {spots}", spots=spots)
        yield _refused(lying, why, Words("Lay it there, or give it back"))
    if lying.worth != rules.payable(lying.worth) or lying.worth <= 0:
        chip = Amount(min(rules.chips), rules.currency)
        yield _refused(lying, Words("chips of {chip} cannot make {worth}", chip=chip, worth=worth))
    if lying.kind == MATCH_PLAY and stakes.get(lying.spot, 0) < lying.worth:
        spot = spot_label(lying.spot)
        why = Words("it is taken beside a bet of {worth} or more on {spot}", worth=worth, spot=spot)
        yield _refused(lying, why, Words("Place that bet first"))
    if OPPOSITE.get(lying.spot) in stakes and rules.both_sides == "forbidden":
        why = Words("seat {seat} bets on the other hand", seat=lying.seat)
        yield _refused(lying, why)


def _refused(lying: Lying, why: Words, then: Words | None = None) -> CouponRefused:
    then = then or Words("Give it back")
    return CouponRefused(coupon=lying.coupon, why=why, then=then)
