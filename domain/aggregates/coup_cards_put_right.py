"""What two people put right of a coup's cards, and the payments that change with them (R-IRR-5)."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from domain.aggregates.corrections import (
    CardChange,
    Change,
    require_two,
)
from domain.aggregates.coup_wagers_put_right import WagersPutRight
from domain.aggregates.tray import Signed
from domain.events import coup as events
from domain.rules import refusals
from domain.rules.after_four import are_so
from domain.rules.cards import points
from domain.rules.hands import Dealt, Hands, Result, next_due, played
from domain.rules.layout import Broken
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


class CardsPutRight(WagersPutRight):
    """The corrections of a coup's cards."""

    def correct_card(
        self,
        n: int,
        card: str,
        after: str | None,
        signed: Signed,
        *,
        then: Sequence[str] = (),
        gone: Collection[str] = (),
    ) -> CardChange:
        """Records that the card of that number was another one, and corrects what was paid.

        `after`: whether cards typed after it that were not due then `stay`, as drawn when none was
        due (R-IRR-1), or were `untyped`, by mistake. `then`: the cards on the felt after those of
        a settled coup, which were never typed. A payment that two people set stays, and that of a
        coupon which has `gone` on to another coup.
        Refuses: SecondPersonNeeded, NotFound, BadValue, MissingField, CoupNotFinished.
        """
        require_two(Words("Correcting a card"), signed.requested_by, signed.approved_by)
        before = self._dealt_wrong(n, card)
        dealt, beyond = self._due_with(n, card, after)
        hands, was = played(tuple(dealt)), self.hands.result
        stood = None if self.has_face_down else was
        felt = self._on_the_felt(dealt, then, card)
        result = hands.result
        untyped, undue = (beyond, []) if after == "untyped" else ([], beyond)
        self._record_right(
            events.CardCorrected(
                n=n,
                was=before.card,
                card=card,
                cards=[[each.card, each.hand, each.rule] for each in hands.dealt],
                untyped=untyped,
                undue=undue,
                phase=self.phase,
                natural=result.natural if result else None,
                **_totals(result),
                **{f"{name}_before": value for name, value in _totals(stood).items()},
                **signed.fields,
            )
        )
        for number, each in enumerate(felt.dealt[len(dealt) :], len(dealt) + 1):
            self._deal_late(number, each)
        if then and felt.result:
            self._record_result(felt.result)
        settled = self.phase == "settled" and was is not None and felt.result is not None
        changes = list(self._pay_again(was, felt.result, signed, gone)) if settled else []
        return CardChange(before.card, untyped, undue, changes, then, first_then=len(dealt) + 1)

    def _not_offered(self) -> list[Broken]:
        """The bets after the first four cards that these do not offer, as they are now."""
        terms = self.rules.terms
        lie = (each for each in self.wagers() if each.spot in self.rules.after_four)
        return [
            Broken(refusals.SpotNotOnCards(spot=spot_label(each.spot)), each, each.stake, 0)
            for each in lie
            if not are_so(terms[each.spot].after_four, self.cards)
        ]

    def _record_right(self, corrected: events.CardCorrected) -> None:
        """Records the correction, and each bet that it leaves without its offer (R-BET-8)."""
        before = {each.place for each in self._not_offered()}
        self.record(corrected)
        self.follow_cards()
        for broken in self._not_offered():
            if broken.place not in before:
                self._state_broken(broken, paid=self.phase == "settled")

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
        self, was: Result | None, result: Result | None, signed: Signed, gone: Collection[str]
    ) -> Iterator[Change]:
        """Pays by the new result every wager and coupon that was paid by the old one.

        A bet on several coups is counted anew with all of them.
        """
        assert was is not None
        assert result is not None
        by_the_cards, by_these = self.by_the_cards(was), self.by_the_cards(result)
        for wager in self.wagers():
            if wager.spot in self.rules.over_coups:
                continue
            spot, place = self.counts_on(wager), (wager.seat, wager.spot)
            before, after = self.settled[place], by_these[place]
            paid_so = before.as_recorded() == by_the_cards[place].as_recorded()
            if paid_so and after.as_recorded() != before.as_recorded():
                as_spot = None if spot == wager.spot else spot
                self._correct_payment(wager, before, after, as_spot, signed)
                yield Change(wager, before, after, as_spot)
        yield from self.pay_coupons_again(result, signed, gone)


def _totals(result: Result | None) -> dict[str, Any]:
    """The outcome and both totals, as an event has them; None while a card is due."""
    names = ("outcome", "player_total", "banker_total")
    return {name: getattr(result, name) if result else None for name in names}


def _as_due(cards: Sequence[str]) -> tuple[list[str], list[str]]:
    """The cards that are due one after the other, and those that are not."""
    for n in range(len(cards)):
        if next_due([points(card) for card in cards[:n]]) is None:
            return list(cards[:n]), list(cards[n:])
    return list(cards), []
