"""The state of a coup: what its cards, wagers and rule set mean, and what they do not allow.

Nothing here changes the coup.
"""

from collections.abc import Iterator
from datetime import datetime

from domain.aggregates.coup_second_bets import SecondBets
from domain.aggregates.seats import chair
from domain.rules import refusals
from domain.rules.hands import Due, Hand, Hands, played
from domain.rules.layout import Wager
from domain.rules.seating import Stay
from domain.rules.spot_terms import may_be_free
from domain.rules.spots import spot_label
from domain.rules.wording import N_, Amount, Moment, Words

HANDS: tuple[Hand, ...] = ("player", "banker")  # in the order in which they are turned
BOTH_HANDS = 4  # cards, before any of them is turned
_DUE = {
    "player": N_("Player's card is due ({rule})"),
    "banker": N_("Banker's card is due ({rule})"),
}
_DRAW_IT = {
    "player": N_("{coup} is not finished: Player's card is due ({rule}). Draw it."),
    "banker": N_("{coup} is not finished: Banker's card is due ({rule}). Draw it."),
}
_OVER = {
    "settled": N_("{coup} is already settled. To change a payment, use `correct`."),
    "voided": N_("{coup} is void, and stays void."),
    "unused": N_("{coup} ended without a bet and without a card. Nothing in it can be put right."),
}


class CoupState(SecondBets):
    """The phase of a coup, and what it allows."""

    @property
    def hands(self) -> Hands:
        """The hands that the cards make so far."""
        return played(tuple(self.cards))

    @property
    def due(self) -> Due | None:
        """The next card, or None if the coup has all its cards."""
        return self.hands.due if self.phase in ("betting", "dealing") else None

    @property
    def to_turn(self) -> Hand | None:
        """The hand to turn before anything else, the Player's first, or None."""
        if len(self.cards) < BOTH_HANDS or self.phase != "dealing":
            return None
        hands = {each.hand for each in self.hands.dealt if each.n in self.face_down}
        return next((hand for hand in HANDS if hand in hands), None)

    @property
    def only_to_void(self) -> bool:
        """Whether the cards dealt are invalid, so that the coup must be voided (R-IRR-4)."""
        return bool(self.irregular) and self.phase in ("dealing", "resulted")

    @property
    def why_betting_stays_open(self) -> refusals.Refusal | None:
        """Why the betting cannot be closed: a Tie alone, or the differential; None if it can."""
        broken = next((broken.refusal for broken in self.layout.broken(self.rules)), None)
        return broken or self.why_not_free

    @property
    def why_not_free(self) -> refusals.FreeHand | None:
        """Why it is not dealt without a bet; None if it may be, or if it has one (R-BET-7)."""
        rules = self.rules
        if rules.free_hands is None or self.has_bets:
            return None
        if may_be_free(rules, self.layout.nth):
            return None
        return refusals.FreeHand(coup=self.address, n=rules.free_hands.in_a_row)

    @property
    def free_hands(self) -> int:
        """How many coups in a row, up to this one, were dealt without a bet."""
        before = self.layout.nth.free_hands or 0
        if self.dummy or not self.cards:
            return before
        return 0 if self.has_bets or self.undecided else before + 1

    @property
    def has_bets(self) -> bool:
        """Whether it has a wager, or a coupon alone."""
        return bool(self.coupons) or any(self.wagers())

    def wagers(self) -> Iterator[Wager]:
        """Every wager, by seat and then in the order of SPOTS."""
        return self.layout.wagers()

    def both_sides(self, wager: Wager) -> refusals.BothSides:
        """The refusal of a bet against this wager (R-BET-1); later than betting it stays there."""
        spot = spot_label(wager.spot)
        if self.phase == "betting":
            amount = self._amount(wager.stake)
            return refusals.BothSides(seat=wager.seat, spot=spot, amount=amount)
        return refusals.BothSides(
            message=Words(
                "Seat {seat} has a wager on {spot} in this coup, and nobody bets on both sides. If "
                "two wagers were each other's, put each right where it is, with `correct`: `as` "
                "for the spot, `stake` for the amount.",
                seat=wager.seat,
                spot=spot,
            )
        )

    def require_regular(self) -> None:
        """Refuses a coup that must be voided: CoupNotFinished."""
        if self.only_to_void:
            why = self._unfinished()
            raise refusals.CoupNotFinished(rule="R-IRR-4", coup=self.address, why=why)

    def require_no_card_due(self) -> None:
        """Refuses a misdraw while a card is due: CoupNotFinished."""
        if self.to_turn and not self.only_to_void:
            raise refusals.CoupNotFinished(coup=self.address, why=self._unfinished())
        if self.takes_second_bets:
            raise refusals.CoupNotFinished(coup=self.address, why=self._unfinished())
        if self.due is not None and not self.only_to_void:
            due = self.due
            raise refusals.CoupNotFinished(
                message=Words(_DRAW_IT[due.hand], coup=self.address, rule=due.rule)
            )

    def require_over_by(self, moment: datetime) -> None:
        """Refuses a moment before the end of this coup for the next one: BadValue."""
        assert self.over_at is not None, "no coup opens while one is in play"
        if moment < self.over_at:
            raise refusals.BadValue(
                rule="R-SHOE-1",
                message=Words(
                    "{coup} was in play until {ended}, after {at}. Give a later moment.",
                    coup=self.address,
                    ended=Moment(self.over_at),
                    at=Moment(moment),
                ),
            )

    def require_finished(self) -> None:
        """Refuses a coup in play: CoupNotFinished. One without a bet and a card is not.

        Bets that are there from the coups before are none of its own (R-BET-9).
        """
        own = self.coupons or not all(each.run for each in self.wagers())
        not_begun = self.phase == "betting" and not own
        if not self.over and not not_begun:
            raise refusals.CoupNotFinished(coup=self.address, why=self._unfinished())

    def require_no_wager_of(self, seat: int) -> None:
        """Refuses that a patron leaves a wager behind: CoupNotFinished."""
        if not self.over and seat in self.coupons:
            raise refusals.CoupNotFinished(
                message=Words(
                    "Seat {seat} has a coupon on {coup}. Settle the coup, or take the coupon back "
                    "before the first card.",
                    seat=seat,
                    coup=self.address,
                )
            )
        going_on = (
            self.undecided.values() if self.over else self.layout.placed.get(seat, {}).values()
        )
        for wager in going_on:
            if wager.seat == seat and wager.run:
                raise refusals.CoupNotFinished(
                    rule="R-BET-9",
                    message=Words(
                        "Seat {seat}'s bet on {spot} from coup {n} is not decided yet. The seat is "
                        "free once it is, or when the shoe ends.",
                        seat=seat,
                        spot=spot_label(wager.spot),
                        n=wager.run.placed_in,
                    ),
                )
        if not self.over and self.layout.placed.get(seat):
            raise refusals.CoupNotFinished(
                message=Words(
                    "Seat {seat} has a wager on {coup}. Settle the coup, or take the wager back "
                    "before the first card.",
                    seat=seat,
                    coup=self.address,
                )
            )

    def _require_one_side(self, seat: int, stay: Stay, spot: str, second: str) -> None:
        """Refuses bets of a seat or a stay on both hands (R-BET-1): BothSides, SecondPersonNeeded.

        `second`: who gives leave for it, where the rule set asks for somebody.
        """
        for wager in self.layout.opposite(spot):
            if wager.seat == seat or wager.stay == stay.address:
                self.require_leave(wager, second)

    def require_leave(self, wager: Wager, second: str) -> str:
        """Who gives leave for a bet against this wager; '' where the rule set asks for nobody.

        Refuses: BothSides, SecondPersonNeeded.
        """
        match self.rules.both_sides:
            case "free":
                return ""
            case "with-leave" if second:
                return second
            case "with-leave":
                raise refusals.SecondPersonNeeded(
                    rule="R-BET-1",
                    act=Words("Betting on Player and on Banker"),
                    who=Words("a supervisor"),
                )
        raise self.both_sides(wager)

    def _require_not_over(self) -> None:
        if self.over:
            raise refusals.CoupOver(message=self._why_over())

    def _require_not_void(self) -> None:
        """Refuses a void coup, which stays void, and one left unused: CoupOver (R-IRR-5)."""
        if self.over and self.phase != "settled":
            raise refusals.CoupOver(rule="R-IRR-5", message=self._why_over())

    def _why_over(self) -> Words:
        return Words(_OVER[self.phase], coup=self.address)

    def _unfinished(self) -> Words:
        """What the coup still needs, as a clause."""
        if self.only_to_void:
            return Words("a foreign card was found in the shoe, so void the coup")
        if self.phase == "resulted":
            return Words("it has its result, so settle it")
        if self.to_turn:
            return Words("its cards are face down, so turn them")
        if self.takes_second_bets:
            return Words("bets are still taken, so close them with `no-more-bets`")
        due = self.due
        assert due is not None
        return Words(_DUE[due.hand], rule=due.rule)

    def _amount(self, amount: int) -> Amount:
        return Amount(amount, self.rules.currency)

    def _largest_bettor(self, spot: str) -> str:
        """The seat with the largest wager on a hand, the lower of equal ones, or the dealer."""
        stakes = [(wager.stake, -wager.seat) for wager in self.layout.on(spot)]
        return chair(-max(stakes)[1]) if stakes else "dealer"
