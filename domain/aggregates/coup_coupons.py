"""The coupons of a coup: laid beside its wagers, paid in chips, never money (R-PROMO-1 to 4)."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec.structs import replace

from domain.aggregates.corrections import Change, require_two
from domain.aggregates.coup_cards import CoupCards
from domain.aggregates.tray import Signed
from domain.events import coup_coupons as events
from domain.events import coup_wagers
from domain.rules import refusals
from domain.rules.coupons import MATCH_PLAY, NEVER_LAID, CouponPaid, Lying, against, settled
from domain.rules.hands import Result
from domain.rules.layout import Wager, require_offered
from domain.rules.seating import Stay
from domain.rules.settlement import NO_PAYMENT, Payment
from domain.rules.spots import OPPOSITE, spot_label
from domain.rules.wording import Words, listed


class CoupCoupons(CoupCards):
    """What is laid, taken back, paid and put right of coupons in one coup."""

    def lay_coupon(self, lying: Lying, *, accepted_by: str = "") -> None:
        """Lays a coupon; `accepted_by`: who took one that was not issued.

        Refuses: BettingClosed, CouponRefused, BothSides.
        """
        self._require_coupons_taken(Words("Give the coupon back, for the next coup"))
        for refusal in against(self.rules, lying, self.layout.stakes_of(lying.seat)):
            raise refusal
        if before := self.coupons.get(lying.seat):
            raise refusals.CouponRefused(
                coupon=lying.coupon,
                why=Words(
                    "seat {seat} has {other} on this coup", seat=lying.seat, other=before.coupon
                ),
                then=Words("Take that back first, with `coupon withdraw`"),
            )
        for wager in self.layout.opposite(lying.spot):
            if wager.stay == lying.stay and self.rules.both_sides == "forbidden":
                raise self.both_sides(wager)
        self.record(events.CouponLaid(**lying.fields, accepted_by=accepted_by))

    def withdraw_coupon(self, seat: int) -> None:
        """Takes a seat's coupon back before the first card. Refuses: NoWager, BettingClosed."""
        lying = self.coupons.get(seat)
        if lying is None:
            raise refusals.NoWager(
                rule="R-PROMO-1",
                message=Words("Seat {seat} has no coupon to take back.", seat=seat),
            )
        self._require_coupons_taken(Words("The coupon stays until the coup is settled"))
        self.record(events.CouponWithdrawn(**lying.fields, why="patron"))

    def took_coupon_back(self, seat: int) -> bool:
        """Takes a seat's coupon back, if it has one and bets are taken; whether it did."""
        if seat not in self.coupons or self.phase != "betting":
            return False
        self.withdraw_coupon(seat)
        return True

    def _require_coupons_taken(self, then: Words) -> None:
        """Refuses a coupon that comes too late; nothing of it is money, so nothing is recorded."""
        if self.phase != "betting":
            why = Words("the first card is out") if self.cards else Words("no more bets was called")
            refusal = refusals.BettingClosed(coup=self.address, why=why, then=then)
            refusal.recorded = False
            raise refusal

    def require_no_coupon_against(self, seat: int, stay: Stay, spot: str) -> None:
        """Refuses a bet against a coupon of the same seat or stay (R-BET-1): BothSides."""
        for lying in self.coupons.values():
            own = lying.seat == seat or lying.stay == stay.address
            if own and OPPOSITE.get(spot) == lying.spot and self.rules.both_sides == "forbidden":
                raise refusals.BothSides(
                    message=Words(
                        "Seat {seat} has coupon {coupon} on {spot}. Take that back first.",
                        seat=lying.seat,
                        coupon=lying.coupon,
                        spot=spot_label(lying.spot),
                    )
                )

    def take_back_coupons_alone(self) -> None:
        """Takes back each match play whose bet went back or is smaller now (R-PROMO-1)."""
        for lying in list(self.coupons.values()) if self.phase == "betting" else ():
            beside = self.layout.stakes_of(lying.seat).get(lying.spot, 0)
            if lying.kind == MATCH_PLAY and beside < lying.worth:
                self.record(events.CouponWithdrawn(**lying.fields, why="bet"))

    # Payment.
    def coupons_by_the_cards(self, result: Result) -> dict[int, CouponPaid]:
        """By seat what its coupon wins by a result."""
        return {seat: self._by_the_cards(lying, result) for seat, lying in self.coupons.items()}

    def _by_the_cards(self, lying: Lying, result: Result) -> CouponPaid:
        terms = self.rules.coupons[lying.kind]
        return settled(self.rules, terms, lying.spot, lying.worth, result)

    def require_agreement(
        self,
        payments: Sequence[tuple[Wager, Payment]],
        coupons: Mapping[int, CouponPaid],
        stated: Mapping[int, int] | None,
    ) -> None:
        """Refuses an overpayment, an underpayment, or a losing wager that was not taken."""
        if stated is None:
            return
        owed = dict.fromkeys((*self.layout.placed, *self.coupons, *stated), 0)
        for wager, payment in payments:
            owed[wager.seat] += payment.paid
        for seat, paid in coupons.items():
            owed[seat] += paid.paid
        differing = [seat for seat in sorted(owed) if stated.get(seat, 0) != owed[seat]]
        for seat in differing:
            self.record(
                coup_wagers.PaymentDisagreed(seat=seat, stated=stated.get(seat, 0), owed=owed[seat])
            )
        if differing:
            differences = (
                Words(
                    "seat {seat} was paid {stated} but is owed {owed}",
                    seat=seat,
                    stated=self._amount(stated.get(seat, 0)),
                    owed=self._amount(owed[seat]),
                )
                for seat in differing
            )
            raise refusals.PaymentDisagrees(coup=self.address, differences=listed(differences))

    def settle_coupons(self, payments: Mapping[int, CouponPaid]) -> None:
        """Records what each coupon was paid, and whether it is used."""
        for seat, payment in sorted(payments.items()):
            self.record(events.CouponSettled(**self.coupons[seat].fields, **payment.fields))

    def return_coupons(self) -> list[Change]:
        """Gives every coupon of a void coup back, and takes back what it was paid."""
        changes = []
        for seat, lying in sorted(self.coupons.items()):
            before = self.coupons_paid.get(seat)
            paid = before.paid if before else 0
            self.record(
                events.CouponReturned(
                    **lying.fields,
                    paid_before=before.paid if before else None,
                    changes_hands=-paid,
                )
            )
            changes += [_change(lying, paid, 0)] if paid else []
        return changes

    # Putting right.
    def pay_coupons_again(
        self, result: Result, signed: Signed, gone: Collection[str]
    ) -> Iterator[Change]:
        """Pays each coupon by another result. `gone`: coupons that went on to another coup."""
        for seat, lying in sorted(self.coupons.items()):
            now = self._by_the_cards(lying, result)
            if lying.coupon not in gone and now != self.coupons_paid[seat]:
                yield self._correct_coupon(lying, lying.spot, now, signed)

    def correct_coupon(
        self, seat: int, spot: str | None, signed: Signed, gone: Collection[str]
    ) -> list[Change]:
        """Pays a settled coupon as on the spot where it lay; None: it never lay there (R-IRR-5).

        Refuses: SecondPersonNeeded, CoupOver, CoupNotFinished, NotFound, BadValue, CouponRefused,
        SpotNotOffered.
        """
        require_two(Words("Correcting a coupon"), signed.requested_by, signed.approved_by)
        self._require_not_void()
        lying, result = self._paid_coupon(seat, spot, gone)
        if spot is None:
            return [self._correct_coupon(lying, lying.spot, NEVER_LAID, signed)]
        require_offered(self.rules, spot)
        rightly = replace(lying, spot=spot)
        for refusal in against(self.rules, rightly, self.layout.stakes_of(seat)):
            raise refusal
        payment = self._by_the_cards(rightly, result)
        return [self._correct_coupon(rightly, lying.spot, payment, signed)]

    def _paid_coupon(
        self, seat: int, spot: str | None, gone: Collection[str]
    ) -> tuple[Lying, Result]:
        """A seat's coupon that is settled, and may be put right as on this spot, or as on none.

        Refuses: NotFound, CoupNotFinished, BadValue.
        """
        lying, result = self.coupons.get(seat), self.hands.result
        if lying is None:
            raise refusals.NotFound(
                what=Words("coupon of seat {seat} in {coup}", seat=seat, coup=self.address)
            )
        if self.phase != "settled" or result is None:
            raise refusals.CoupNotFinished(
                message=Words(
                    "{coup} is not settled. Settle it first, then type this again.",
                    coup=self.address,
                )
            )
        if lying.coupon in gone:
            raise refusals.BadValue(
                rule="R-PROMO-3",
                message=Words(
                    "Coupon {coupon} is void, or went on to another coup. Put that one right "
                    "first.",
                    coupon=lying.coupon,
                ),
            )
        if spot == lying.spot:
            raise refusals.BadValue(
                message=Words(
                    "Coupon {coupon} is on {spot} on record. Give the spot where it lay, or "
                    "`withdrawn`.",
                    coupon=lying.coupon,
                    spot=spot_label(spot),
                )
            )
        return lying, result

    def _correct_coupon(
        self, lying: Lying, spot_before: str, now: CouponPaid, signed: Signed
    ) -> Change:
        before = self.coupons_paid[lying.seat]
        self.record(
            events.CouponCorrected(
                **lying.fields,
                **now.fields,
                spot_before=spot_before,
                paid_before=before.paid,
                used_before=before.used,
                changes_hands=now.paid - before.paid,
                **signed.fields,
            )
        )
        return _change(lying, before.paid, now.paid)


def _change(lying: Lying, before: int, now: int) -> Change:
    """What changes hands of a coupon's payment, as of a bet of nothing."""
    wager = Wager(lying.seat, lying.spot, 0, lying.patron, lying.stay)
    was, is_now = replace(NO_PAYMENT, paid=before), replace(NO_PAYMENT, paid=now)
    return Change(wager, was, is_now, coupon=lying.coupon)
