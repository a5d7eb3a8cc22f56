"""The coupons on the layout of a coup, which are no money, and what they were paid (R-PROMO-4)."""

from domain.events.coup import Event, State
from domain.rules.coupons import CouponPaid, Lying


class OfCoupon(Event):
    """About one coupon: whose it is, its spot, its number, its kind and its worth."""

    seat: int
    patron: str
    stay: str
    spot: str
    coupon: str
    kind: str
    worth: int


class PaidCoupon(OfCoupon):
    """The payment of a coupon."""

    ended: str  # win, lose, push; withdrawn: it never lay there
    odds: str | None
    winnings: int
    taken_off: int  # commission of it, which no account has
    paid: int  # in chips
    used: bool  # False: it went back, and may be laid again


class CouponLaid(OfCoupon, topic="coup.coupon-laid"):
    """A coupon was laid on a spot."""

    accepted_by: str  # who took, this time, one that was not issued here; '': it was

    def apply(self, state: State) -> None:
        state.last_bet_at = self.timestamp  # no card may come before it (R-DEAL-2)
        state.first_bet_at = state.first_bet_at or self.timestamp
        state.coupons[self.seat] = Lying.of(self)


class CouponWithdrawn(OfCoupon, topic="coup.coupon-withdrawn"):
    """A coupon was taken back before the first card."""

    why: str  # `patron`; `bet`: the bet beside it went back, or was made smaller

    def apply(self, state: State) -> None:
        del state.coupons[self.seat]
        if not any(state.layout.placed.values()) and not state.coupons:
            state.first_bet_at = None


class CouponSettled(PaidCoupon, topic="coup.coupon-settled"):
    """A coupon was paid or collected, or it went back."""

    def apply(self, state: State) -> None:
        state.coupons_paid[self.seat] = CouponPaid.of(self)
        state.promotions += self.paid


class CouponCorrected(PaidCoupon, topic="coup.coupon-corrected"):
    """A coupon was paid a different amount, because a card or the coupon was put right."""

    spot_before: str
    paid_before: int
    used_before: bool
    changes_hands: int  # to the patron; negative: from them
    reason: str
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.promotions += self.changes_hands
        state.coupons[self.seat] = Lying.of(self)
        state.coupons_paid[self.seat] = CouponPaid.of(self)
        if self.ended == "withdrawn":
            del state.coupons[self.seat]


class CouponReturned(OfCoupon, topic="coup.coupon-returned"):
    """A coupon went back, because the coup is void."""

    paid_before: int | None  # None: it was not settled
    changes_hands: int  # negative: what it was paid is taken back

    def apply(self, state: State) -> None:
        state.coupons_back.add(self.seat)
        state.promotions += self.changes_hands
