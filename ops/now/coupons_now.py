"""The coupon of a seat, as its terminal shows it (R-PROMO-1)."""

from msgspec import Struct

from domain.aggregates.coup import Coup
from domain.rules.coupons import CouponPaid


class CouponNow(Struct, frozen=True):
    """A coupon on a spot; `payment`, to be paid or paid, as soon as it may be shown."""

    coupon: str
    kind: str
    spot: str
    worth: int  # minor units; no money
    payment: CouponPaid | None = None

    @property
    def paid(self) -> int | None:
        """The chips that it is paid; None while that may not be shown."""
        return self.payment.paid if self.payment else None


def coupon_now(coup: Coup, seat: int, stay: str) -> CouponNow | None:
    """The coupon of a stay at a seat; None without one, and in a void coup."""
    lying = coup.coupons.get(seat)
    if lying is None or lying.stay != stay or coup.phase == "voided":
        return None
    payment, result = coup.coupons_paid.get(seat), coup.hands.result
    if payment is None and coup.phase == "resulted" and result:
        payment = coup.coupons_by_the_cards(result)[seat]
    return CouponNow(lying.coupon, lying.kind, lying.spot, lying.worth, payment)


def taken_back(coup: Coup, seat: int, stay: str) -> int:
    """What a void coup takes back of what the coupon of a stay was paid."""
    lying, payment = coup.coupons.get(seat), coup.coupons_paid.get(seat)
    return payment.paid if lying and payment and lying.stay == stay else 0
