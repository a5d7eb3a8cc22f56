"""Coupons follow their coups: used, or with the patron again (R-PROMO-3)."""

from collections.abc import Iterable

from domain.aggregates.coup import Coup
from domain.aggregates.coupon import Coupon
from domain.events import coup_coupons as events
from domain.rules import addresses
from ops.handlers.desk import Desk


def gone_on(desk: Desk, coup: Coup) -> set[str]:
    """The coupons of a coup that went back then, and on to another coup since, or are void."""
    laid = {lying.coupon: _coupon(desk, lying.coupon) for lying in coup.coupons.values()}
    return {number for number, coupon in laid.items() if not coupon.is_of(coup.address)}


def follow_coupons(desk: Desk, recorded: Iterable[events.OfCoupon]) -> None:
    """Has each coupon follow what happened to it on a coup."""
    for event in recorded:
        coup = addresses.Coup.parse(event.coup)
        coupon = _coupon(desk, event.coupon)
        match event:
            case events.CouponWithdrawn() | events.CouponReturned():
                coupon.go_back(coup)
            case events.CouponSettled() if event.used:
                coupon.collect(coup)
            case events.CouponCorrected() if event.used:
                if not event.used_before:
                    coupon.collect(coup)
            case events.CouponSettled() | events.CouponCorrected():
                coupon.go_back(coup)


def _coupon(desk: Desk, number: str) -> Coupon:
    coupon = desk.casino.find(Coupon, Coupon.stream(number))
    assert coupon is not None
    return coupon
