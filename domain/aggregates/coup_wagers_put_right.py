"""What two people put right of a coup's wagers: stakes, payments, whose they were (R-IRR-5)."""

from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from domain.aggregates.corrections import (
    Change,
    Rightly,
    paid_rightly,
    require_payable_as,
    require_two,
)
from domain.aggregates.coup_coupons import CoupCoupons
from domain.aggregates.tray import Signed
from domain.events import coup as events
from domain.events import coup_wagers
from domain.rules import refusals
from domain.rules.layout import NOBODYS, Broken, Wager, of_an_account
from domain.rules.money import decimal_string
from domain.rules.must_hit import Standing
from domain.rules.pro_rata import Place
from domain.rules.progressives import Brought, Refilled, as_recorded
from domain.rules.seating import Stay
from domain.rules.settlement import NO_PAYMENT, Payment, pay_to
from domain.rules.spots import spot_label
from domain.rules.wording import Words


class WagersPutRight(CoupCoupons):
    """The corrections of a coup's wagers and payments."""

    def set_by_hand(self) -> Iterator[tuple[Wager, Payment]]:
        """The settled wagers that are not paid by the cards, because two people set it."""
        result = self.hands.result
        if self.phase != "settled" or result is None:
            return
        by_the_cards = self.by_the_cards(result)
        for wager in self.wagers():
            place = wager.seat, wager.spot
            payment = self.settled[place]
            if payment.as_recorded() != by_the_cards[place].as_recorded():
                yield wager, payment

    def correct(self, rightly: Rightly, signed: Signed) -> list[Change]:
        """Pays a settled wager a different amount: `to` in all, or by the cards (R-IRR-5).

        Who shares the most that its spot wins is then paid anew (R-PAY-6).
        `as_spot`: the spot that it should have been on; it is paid as on that one, with its
        commission, and stays entered where it was. `stake`: what really lay there; before the
        payment too, and then nothing is paid yet.
        Refuses: SecondPersonNeeded, CoupNotFinished, CoupOver, NotFound, SpotNotOffered,
        NotAnIncrement, BadValue.
        """
        require_two(Words("Correcting a payment"), signed.requested_by, signed.approved_by)
        assert rightly.seat is not None
        assert rightly.spot is not None
        seat, spot, stake = rightly.seat, rightly.spot, rightly.stake
        if (seat, spot) in self.ran_out and self.phase != "settled":
            return [self._correct_ran_out(seat, spot, rightly.to, signed)]
        self._require_not_void()
        if self.phase != "settled" and stake is None:
            raise self._not_settled_yet()
        was = self._wager_at(seat, spot)
        if stake is not None:
            self._require_other_stake(was, stake)
            if self.phase != "settled":
                self._correct_stake(was, rightly, signed)
                return []
        wager = replace(was, stake=was.stake if stake is None else stake)
        as_spot = self._paid_as(rightly)
        if as_spot:
            require_payable_as(self, wager, as_spot)
        before, after = (
            self.settled[seat, spot],
            paid_rightly(self, wager, as_spot or spot, rightly.to),
        )
        if stake is None and before.as_recorded() == after.as_recorded():
            raise self._is_paid_so(was, before)
        shared = self._sharing()
        self._correct_payment(wager, before, after, as_spot, signed, stake_before=was.stake)
        change = Change(wager, before, after, as_spot, None if stake is None else was.stake)
        return [change, *self._share_again(shared, signed, but=(seat, spot))]

    def _correct_ran_out(self, seat: int, spot: str, to: int | None, signed: Signed) -> Change:
        """Pays a bet on several coups that ran out on a coup without a result (R-BET-9)."""
        if to is None:
            raise refusals.BadValue(
                rule="R-BET-9",
                message=Words(
                    "No coup decided seat {seat}'s bet on {spot}. Give what it is paid in all, "
                    "with `to`.",
                    seat=seat,
                    spot=spot_label(spot),
                ),
            )
        wager, before = self._wager_at(seat, spot), self.settled[seat, spot]
        after = pay_to(self.rules, spot, wager.stake, to)
        if before.as_recorded() == after.as_recorded():
            raise self._is_paid_so(wager, before)
        self._correct_payment(wager, before, after, None, signed)
        return Change(wager, before, after)

    def follow_meter(
        self, spot: str, meter: str, stood: Standing, brought: Brought, refilled: Refilled
    ) -> None:
        """Records what the meter of a spot did because of the coup (R-PROG-2 to 4)."""
        done = as_recorded(stood, brought, refilled)
        self.record(events.MeterFollowed(spot=spot, meter=meter, **done))

    def _is_paid_so(self, wager: Wager, payment: Payment) -> refusals.BadValue:
        """The refusal of the payment that a wager has."""
        return refusals.BadValue(
            message=Words(
                "Seat {seat} was already paid {paid} on {spot}. Give the amount that is right.",
                seat=wager.seat,
                paid=self._amount(payment.paid),
                spot=spot_label(wager.spot),
            )
        )

    def _sharing(self) -> dict[Place, Payment]:
        """The payment of each wager by the cards, where bets share the most that a spot wins."""
        result = self.hands.result
        return self.by_the_cards(result) if result and self.rules.shares_wins else {}

    def _share_again(
        self, before: Mapping[Place, Payment], signed: Signed, *, but: Place | None = None
    ) -> Iterator[Change]:
        """Pays anew each wager that was paid by the cards and whose share is another one now.

        `before`: how each was to be paid before another one was put right (R-PAY-6).
        """
        after = self._sharing()
        for wager in list(self.wagers()) if before else ():
            place = wager.seat, wager.spot
            was, paid, now = before.get(place), self.settled.get(place), after[place]
            if place == but or was is None or paid is None or now.winnings == was.winnings:
                continue
            if paid.as_recorded() == was.as_recorded():
                as_spot = self.paid_as.get(place)
                self._correct_payment(wager, paid, now, as_spot, signed)
                yield Change(wager, paid, now, as_spot)

    def _not_settled_yet(self) -> refusals.CoupNotFinished:
        """A payment, or the spot it is paid on, is put right after it was made."""
        return refusals.CoupNotFinished(
            message=Words(
                "{coup} is not finished: {why}. Settle it first, then type this again.",
                coup=self.address,
                why=self._unfinished(),
            )
        )

    def _paid_as(self, rightly: Rightly) -> str | None:
        """The other spot that it is paid as; with another stake or amount that stays as it was."""
        another = rightly.stake is not None or rightly.to is not None
        if rightly.as_spot is None and another and rightly.seat and rightly.spot:
            return self.paid_as.get((rightly.seat, rightly.spot))
        return None if rightly.as_spot == rightly.spot else rightly.as_spot

    def _require_other_stake(self, wager: Wager, stake: int) -> None:
        """Refuses a stake that cannot have lain there, or that is on record."""
        if self.rules.accounts:
            raise of_an_account(wager.seat, wager.spot)
        self.layout.require_possible(self.rules, wager.spot, stake)
        if stake == wager.stake:
            raise refusals.BadValue(
                message=Words(
                    "Seat {seat} has {stake} on {spot} on record. Give the stake that really lay "
                    "there.",
                    seat=wager.seat,
                    stake=self._amount(stake),
                    spot=spot_label(wager.spot),
                )
            )

    def _correct_stake(self, wager: Wager, rightly: Rightly, signed: Signed) -> None:
        """Puts a stake right before it is paid. Refuses: BadValue while bets are taken."""
        if self.phase == "betting":
            raise refusals.BadValue(
                message=Words("Bets are still taken on {coup}. Bet again.", coup=self.address)
            )
        if rightly.to is not None or rightly.as_spot is not None:
            raise self._not_settled_yet()
        before = {each.place for each in self.layout.not_taken(self.rules)}
        self.record(
            coup_wagers.StakeCorrected(
                **wager.whose,
                stake=rightly.stake or 0,
                stake_before=wager.stake,
                **signed.fields,
            )
        )
        self._record_newly_broken(before)
        self.follow_cards("wagers")

    def settle_late(
        self, wager: Wager, shared: Mapping[Place, Payment], signed: Signed
    ) -> list[Change]:
        """Pays or takes a wager that was entered after the coup was settled.

        `shared`: how the others were to be paid without it.
        """
        result = self.hands.result
        assert result is not None
        place = wager.seat, wager.spot
        payment = self.by_the_cards(result)[place]
        self.record(
            coup_wagers.WagerSettledLate(
                **wager.whose,
                stake=wager.stake,
                **payment.as_recorded(),
                approved_by=signed.approved_by,
            )
        )
        late = Change(wager, replace(NO_PAYMENT, paid=wager.stake), payment)
        return [late, *self._share_again(shared, signed, but=place)]

    def move_wager(
        self, seat: int, spot: str, to_seat: int, stay: Stay, signed: Signed
    ) -> list[Change]:
        """Moves a wager to the seat and the stay whose it was, with its payment.

        Refuses: SecondPersonNeeded, CoupOver, NotFound, BadValue, BothSides.
        """
        require_two(Words("Moving a wager"), signed.requested_by, signed.approved_by)
        self._require_not_void()
        wager = self._wager_at(seat, spot)
        self._require_room(wager, to_seat, stay, signed.approved_by)
        payment, shared = self.settled.get((seat, spot)), self._sharing()
        before = {each.place for each in self.layout.not_taken(self.rules)}
        self.record(
            coup_wagers.WagerMoved(
                **wager.whose,
                stake=wager.stake,
                to_seat=to_seat,
                to_patron=stay.patron,
                to_stay=stay.address,
                paid=payment.paid if payment else None,
                commission_exact=decimal_string(payment.commission_exact) if payment else "0",
                commission_charged=payment.commission_charged if payment else 0,
                **signed.fields,
            )
        )
        self._record_newly_broken(before)
        self.take_back_coupons_alone()
        self.follow_cards("wagers")
        moved = self._wager_at(to_seat, spot)
        if payment is None:
            return []
        nothing = replace(NO_PAYMENT, paid=payment.paid)
        if shared:
            shared[to_seat, spot] = shared.pop((seat, spot))
        changes = [Change(wager, payment, nothing), Change(moved, nothing, payment)]
        return [*changes, *self._share_again(shared, signed)]

    def _require_on_one_coup(self, spot: str) -> None:
        """Refuses to move a bet on several coups: BadValue."""
        if spot in self.rules.over_coups:
            raise refusals.BadValue(
                rule="R-BET-9",
                message=Words(
                    "A bet on several coups stays whose it was when it was placed. Once it is "
                    "decided, correct the payment with `correct` and `to`, or open a dispute."
                ),
            )

    def _record_newly_broken(self, before: Collection[Place | None]) -> None:
        """Records each wager that breaks the terms of its spot and did not before."""
        for broken in self.layout.not_taken(self.rules):
            if broken.place not in before:
                self._state_broken(broken, paid=self.phase == "settled")

    def _state_broken(self, broken: Broken, *, paid: bool = False) -> None:
        """Records what is broken; what is over it goes back if the rule set says so (R-BET-5).

        A bet that was `paid` stays paid.
        """
        self._record_broken(broken.refusal, broken)
        over = self.rules.outside_limits == "at-limit" and broken.amount > broken.allowed
        for each, back in self.layout.excess(broken) if over and not paid else ():
            left, limit = each.stake - back, broken.refusal.error
            self.record(
                coup_wagers.WagerReduced(**each.whose, amount=left, returned=back, limit=limit)
            )

    def _record_broken(self, refusal: refusals.Refusal, broken: Broken | None = None) -> None:
        """Records an exception of the coup: what its wagers break (R-BET-5).

        Without `broken` it is the coup that has no bet, and must have one (R-BET-7).
        """
        wager = broken.wager if broken else None
        self.record(
            coup_wagers.LimitFoundBroken(
                refusal=refusal.error,
                rule=refusal.rule or "",
                **(wager.whose if wager else NOBODYS),
                amount=broken.amount if broken else None,
                allowed=broken.allowed if broken else None,
                detail=None,
            )
        )

    def _require_room(self, wager: Wager, to_seat: int, stay: Stay, second: str) -> None:
        """Refuses to move a wager onto another one, or opposite to one: BadValue, BothSides."""
        seat, spot = wager.seat, wager.spot
        if (seat, wager.stay) == (to_seat, stay.address):
            raise refusals.BadValue(
                message=Words(
                    "The wager on {spot} is already seat {seat}'s. Name whose it really was.",
                    spot=spot_label(spot),
                    seat=seat,
                )
            )
        self._require_on_one_coup(spot)
        self.require_no_coupon_against(to_seat, stay, spot)
        if to_seat != seat and self.layout.at(to_seat, spot):
            raise refusals.BadValue(
                message=Words(
                    "Seat {seat} has a wager of its own on {spot}. Correct the payments instead, "
                    "with `correct`.",
                    seat=to_seat,
                    spot=spot_label(spot),
                )
            )
        for other in self.layout.opposite(spot):
            if other.seat == to_seat != seat or other.stay == stay.address:
                self.require_leave(other, second)

    def _wager_at(self, seat: int, spot: str) -> Wager:
        """The wager of a seat on a spot. Refuses: NotFound."""
        wager = self.layout.at(seat, spot)
        if wager is None and (seat, spot) in self.undecided:
            raise refusals.BadValue(
                rule="R-BET-9",
                message=Words(
                    "{coup} did not decide seat {seat}'s bet on {spot}. Name the coup after it: "
                    "the one that has it now, or that decided it.",
                    seat=seat,
                    spot=spot_label(spot),
                    coup=self.address,
                ),
            )
        if wager is None:
            raise refusals.NotFound(
                what=Words(
                    "wager of seat {seat} on {spot} in {coup}",
                    seat=seat,
                    spot=spot_label(spot),
                    coup=self.address,
                )
            )
        return wager

    def _correct_payment(
        self,
        wager: Wager,
        before: Payment,
        after: Payment,
        as_spot: str | None,
        signed: Signed,
        *,
        stake_before: int | None = None,
    ) -> None:
        was = wager.stake if stake_before is None else stake_before
        self.record(
            coup_wagers.PaymentCorrected(
                **wager.whose,
                stake=wager.stake,
                stake_before=was,
                **after.as_recorded(),
                paid_before=before.paid,
                changes_hands=after.paid - before.paid - (wager.stake - was),
                commission_before=before.commission_charged,
                **signed.fields,
                as_spot=as_spot,
            )
        )
