"""What two people put right in a coup: a card, a payment, whose wager it was (R-IRR-5)."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from domain.aggregates.base import OfTableDay
from domain.aggregates.corrections import (
    CardChange,
    Change,
    Rightly,
    paid_rightly,
    require_payable_as,
    require_two,
)
from domain.aggregates.coup_state import CoupState
from domain.aggregates.tray import Signed
from domain.events import coup as events
from domain.rules import refusals
from domain.rules.cards import points
from domain.rules.hands import Dealt, Hands, Result, next_due, played
from domain.rules.layout import Wager
from domain.rules.money import decimal_string
from domain.rules.seating import Stay
from domain.rules.settlement import NO_PAYMENT, Payment, pay
from domain.rules.spots import spot_label
from domain.rules.wording import N_, Words

AFTER = ("stay", "untyped")  # what became of cards that would not have been due
_NOT_DEALT = {
    "player": N_(
        "With {card} another card of Player's would have been due ({rule}). Name the cards that "
        "are on the felt after it with `then`, or void the coup, or open a dispute."
    ),
    "banker": N_(
        "With {card} another card of Banker's would have been due ({rule}). Name the cards that "
        "are on the felt after it with `then`, or void the coup, or open a dispute."
    ),
}


class PutRight(OfTableDay, CoupState):
    """The corrections of a coup."""

    def state_result(self) -> None:
        """Records the result as soon as all cards are out and face up."""
        result = self.hands.result
        if result and not self.face_down and self.phase == "dealing":
            self._record_result(result)

    def _record_result(self, result: Result) -> None:
        self.record(
            events.Resulted(
                outcome=result.outcome,
                natural=result.natural,
                player_total=result.player_total,
                banker_total=result.banker_total,
            )
        )

    def correct_card(
        self, n: int, card: str, after: str | None, signed: Signed, *, then: Sequence[str] = ()
    ) -> CardChange:
        """Records that the card of that number was another one, and corrects what was paid.

        `after`: whether cards typed after it that were not due then `stay`, as drawn when none was
        due (R-IRR-1), or were `untyped`, by mistake. `then`: the cards on the felt after those of
        a settled coup, which were never typed. A payment that two people set stays.
        Refuses: SecondPersonNeeded, NotFound, BadValue, MissingField, CoupNotFinished.
        """
        require_two(Words("Correcting a card"), signed.requested_by, signed.approved_by)
        before = self._dealt_wrong(n, card)
        dealt, beyond = self._due_with(n, card, after)
        hands, was = played(tuple(dealt)), self.hands.result
        stood = None if self.has_face_down else was
        felt = self._on_the_felt(dealt, then, card)
        result = hands.result
        untyped = beyond if after == "untyped" else []
        undue = beyond if after == "stay" else []
        self.record(
            events.CardCorrected(
                n=n,
                was=before.card,
                card=card,
                cards=[[each.card, each.hand, each.rule] for each in hands.dealt],
                untyped=untyped,
                undue=undue,
                phase=self.phase,
                outcome=result.outcome if result else None,
                natural=result.natural if result else None,
                player_total=result.player_total if result else None,
                banker_total=result.banker_total if result else None,
                outcome_before=stood.outcome if stood else None,
                player_total_before=stood.player_total if stood else None,
                banker_total_before=stood.banker_total if stood else None,
                **signed.fields,
            )
        )
        self.state_result()
        for number, each in enumerate(felt.dealt[len(dealt) :], len(dealt) + 1):
            self._deal_late(number, each)
        if then and felt.result:
            self._record_result(felt.result)
        settled = self.phase == "settled" and was is not None and felt.result is not None
        changes = list(self._pay_again(was, felt.result, signed)) if settled else []
        return CardChange(before.card, untyped, undue, changes, then, first_then=len(dealt) + 1)

    def _dealt_wrong(self, n: int, card: str) -> Dealt:
        """The card of that number on record. Refuses one face down, and the same card: BadValue."""
        before = self._dealt(n)
        if not self.is_face_up(n):
            raise self._not_turned(Words("Card {n} is still face down. Turn it first.", n=n))
        if before.card == card:
            raise refusals.BadValue(
                message=Words(
                    "Card {n} is {card} on record. Name the card that it really was.",
                    n=n,
                    card=card,
                )
            )
        return before

    def _due_with(self, n: int, card: str, after: str | None) -> tuple[list[str], list[str]]:
        """The cards that are due with this one in its place, and those beyond them.

        Refuses: MissingField.
        """
        dealt, beyond = _as_due([*self.cards[: n - 1], card, *self.cards[n:]])
        if beyond and after not in AFTER:
            raise refusals.MissingField(
                rule="R-IRR-1",
                message=Words(
                    "With {card} no card was due after card {n}. Say whether {cards} came to the "
                    "table (`stay`) or were typed by mistake (`untyped`).",
                    card=card,
                    n=len(dealt),
                    cards=" ".join(beyond),
                ),
            )
        return dealt, beyond

    def _on_the_felt(self, dealt: Sequence[str], then: Sequence[str], card: str) -> Hands:
        """The cards on the felt. Refuses: BadValue, and a settled coup that lacks one."""
        if then and self.phase != "settled":
            raise refusals.BadValue(
                message=Words(
                    "{coup} is not settled. Put the card right first; then enter the cards that "
                    "follow it, one by one.",
                    coup=self.address,
                )
            )
        due, beyond = _as_due([*dealt, *then])
        hands = played(tuple(due))
        if then and beyond:
            raise refusals.BadValue(
                rule=hands.steps[-1].rule,
                message=Words(
                    "With {card} no card was due after card {n}. Leave out {cards}.",
                    card=card,
                    n=len(due),
                    cards=" ".join(beyond),
                ),
            )
        if self.phase == "settled" and hands.due:
            raise refusals.CoupNotFinished(
                rule=hands.due.rule,
                message=Words(_NOT_DEALT[hands.due.hand], card=card, rule=hands.due.rule),
            )
        return hands

    def _deal_late(self, n: int, card: Dealt) -> None:
        """Records a card on the felt of a settled coup, which was never typed."""
        self.record(
            events.CardDealt(
                n=n,
                card=card.card,
                hand=card.hand,
                rule=card.rule,
                face_down=False,
                carried=False,
            )
        )

    def _pay_again(
        self, was: Result | None, result: Result | None, signed: Signed
    ) -> Iterator[Change]:
        """Pays by the new result every wager that was paid by the old one."""
        assert was is not None
        assert result is not None
        for wager in self.wagers():
            spot = self.counts_on(wager)
            before = self.settled[wager.seat, wager.spot]
            rules = self.rules.for_stay(wager.stay, self.as_it_wins)
            by_the_cards = pay(rules, spot, wager.stake, was)
            after = pay(rules, spot, wager.stake, result)
            paid_so = before.as_recorded() == by_the_cards.as_recorded()
            if paid_so and after.as_recorded() != before.as_recorded():
                as_spot = None if spot == wager.spot else spot
                self._correct_payment(wager, before, after, as_spot, signed)
                yield Change(wager, before, after, as_spot)

    def set_by_hand(self) -> Iterator[tuple[Wager, Payment]]:
        """The settled wagers that are not paid by the cards, because two people set it."""
        result = self.hands.result
        for wager in self.wagers() if self.phase == "settled" and result else ():
            assert result is not None
            spot = self.paid_as.get((wager.seat, wager.spot), wager.spot)
            rules = self.rules.for_stay(wager.stay, self.as_it_wins)
            payment = self.settled[wager.seat, wager.spot]
            if payment.as_recorded() != pay(rules, spot, wager.stake, result).as_recorded():
                yield wager, payment

    def correct(self, rightly: Rightly, signed: Signed) -> Change | None:
        """Pays a settled wager a different amount: `to` in all, or by the cards (R-IRR-5).

        `as_spot`: the spot that it should have been on; it is paid as on that one, with its
        commission, and stays entered where it was. `stake`: what really lay there; before the
        payment too, and then nothing is paid yet.
        Refuses: SecondPersonNeeded, CoupNotFinished, CoupOver, NotFound, SpotNotOffered,
        NotAnIncrement, BadValue.
        """
        require_two(Words("Correcting a payment"), signed.requested_by, signed.approved_by)
        self._require_not_void()
        assert rightly.seat is not None
        assert rightly.spot is not None
        seat, spot, stake = rightly.seat, rightly.spot, rightly.stake
        if self.phase != "settled" and stake is None:
            raise self._not_settled_yet()
        was = self._wager_at(seat, spot)
        if stake is not None:
            self._require_other_stake(was, stake)
            if self.phase != "settled":
                self._correct_stake(was, rightly, signed)
                return None
        wager = replace(was, stake=was.stake if stake is None else stake)
        as_spot = self._paid_as(rightly)
        if as_spot:
            require_payable_as(self, wager, as_spot)
        before, after = (
            self.settled[seat, spot],
            paid_rightly(self, wager, as_spot or spot, rightly.to),
        )
        if stake is None and before.as_recorded() == after.as_recorded():
            raise refusals.BadValue(
                message=Words(
                    "Seat {seat} was already paid {paid} on {spot}. Give the amount that is right.",
                    seat=seat,
                    paid=self._amount(before.paid),
                    spot=spot_label(spot),
                )
            )
        self._correct_payment(wager, before, after, as_spot, signed, stake_before=was.stake)
        return Change(wager, before, after, as_spot, None if stake is None else was.stake)

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
            raise refusals.BadValue(
                rule="R-ACC-1",
                message=Words(
                    "Seat {seat}'s wager on {spot} is from a game account, which has every wager "
                    "as it was placed. Correct its payment, or void the coup.",
                    seat=wager.seat,
                    spot=spot_label(wager.spot),
                ),
            )
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
        self.record(
            events.StakeCorrected(
                **wager.whose,
                stake=rightly.stake or 0,
                stake_before=wager.stake,
                **signed.fields,
            )
        )

    def settle_late(self, wager: Wager, second: str) -> Change:
        """Pays or takes a wager that was entered after the coup was settled."""
        result = self.hands.result
        assert result is not None
        payment = pay(
            self.rules.for_stay(wager.stay, self.as_it_wins), wager.spot, wager.stake, result
        )
        self.record(
            events.WagerSettledLate(
                **wager.whose, stake=wager.stake, **payment.as_recorded(), approved_by=second
            )
        )
        return Change(wager, replace(NO_PAYMENT, paid=wager.stake), payment)

    def move_wager(
        self, seat: int, spot: str, to_seat: int, stay: Stay, signed: Signed
    ) -> list[Change]:
        """Moves a wager to the seat and the stay whose it was, with its payment.

        Refuses: SecondPersonNeeded, CoupOver, NotFound, BadValue, BothSides.
        """
        require_two(Words("Moving a wager"), signed.requested_by, signed.approved_by)
        self._require_not_void()
        wager = self._wager_at(seat, spot)
        if (seat, wager.stay) == (to_seat, stay.address):
            raise refusals.BadValue(
                message=Words(
                    "The wager on {spot} is already seat {seat}'s. Name whose it really was.",
                    spot=spot_label(spot),
                    seat=seat,
                )
            )
        self._require_room(seat, spot, to_seat, stay)
        payment = self.settled.get((seat, spot))
        self.record(
            events.WagerMoved(
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
        moved = self._wager_at(to_seat, spot)
        if payment is None:
            return []
        nothing = replace(NO_PAYMENT, paid=payment.paid)
        return [Change(wager, payment, nothing), Change(moved, nothing, payment)]

    def _require_room(self, seat: int, spot: str, to_seat: int, stay: Stay) -> None:
        """Refuses to move a wager onto another one, or opposite to one: BadValue, BothSides."""
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
                raise self.both_sides(other)

    def _wager_at(self, seat: int, spot: str) -> Wager:
        """The wager of a seat on a spot. Refuses: NotFound."""
        wager = self.layout.at(seat, spot)
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
            events.PaymentCorrected(
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


def _as_due(cards: Sequence[str]) -> tuple[list[str], list[str]]:
    """The cards that are due one after the other, and those that are not."""
    for n in range(len(cards)):
        if next_due([points(card) for card in cards[:n]]) is None:
            return list(cards[:n]), list(cards[n:])
    return list(cards), []
