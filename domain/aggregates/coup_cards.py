"""The cards of a coup: dealt, moved to their hand, turned, until the result (R-DEAL-2, 3 and 5)."""

from datetime import datetime

from domain.aggregates.base import OfTableDay
from domain.aggregates.coup_by_the_cards import CoupByTheCards
from domain.aggregates.coup_state import BOTH_HANDS, HANDS
from domain.events import coup as events
from domain.rules import refusals
from domain.rules.cards import points
from domain.rules.hands import Dealt, Result
from domain.rules.spots import spot_label
from domain.rules.wording import N_, Moment, Words, counted

_OTHER_HAND = {
    "player": N_("Card {n} is Player's. Turn it with the Player hand."),
    "banker": N_("Card {n} is Banker's. Turn it with the Banker hand."),
}
_ON_HAND = {
    "player": N_(
        "Card {n} belongs to Player ({rule}). If it lay on the Banker hand, move it to Player; "
        "else nothing is to be moved."
    ),
    "banker": N_(
        "Card {n} belongs to Banker ({rule}). If it lay on the Player hand, move it to Banker; "
        "else nothing is to be moved."
    ),
}
_MOVED = {
    "player": N_("Card {n} was moved to Player's hand before. Nothing is to be moved."),
    "banker": N_("Card {n} was moved to Banker's hand before. Nothing is to be moved."),
}


class CoupCards(OfTableDay, CoupByTheCards):
    """The cards of one coup."""

    @property
    def has_face_down(self) -> bool:
        """Whether a card was not turned yet, so that no display may show the result."""
        return bool(self.face_down)

    def is_face_up(self, n: int) -> bool:
        """Whether everybody sees a card (R-DEAL-3, R-DEAL-5)."""
        return n not in self.face_down

    @property
    def turning_rule(self) -> str:
        """The rule by which the cards are turned."""
        return "R-DEAL-5" if self.rules.dealing == "face-down" else "R-DEAL-3"

    def deal(self, card: str, *, carried: bool = False, unseen: bool = False) -> None:
        """Deals a card to the hand that it is due to.

        `carried`: it left the shoe before the coup. `unseen`: a shoe reported it and nobody has
        turned it; a card that is typed is typed when it is turned.
        """
        self.turn_rest()
        due = self.due
        assert due is not None, "the shoe refuses a card that is not due"
        assert self.phase == "dealing", "betting closes before the first card"
        assert not self.takes_second_bets, "no third card comes before these are closed"
        self._require_after_bets(self.happens_at)
        self.record(
            events.CardDealt(
                n=len(self.cards) + 1,
                card=card,
                hand=due.hand,
                rule=due.rule,
                face_down=self._is_dealt_face_down(len(self.cards) + 1, unseen=unseen),
                carried=carried,
            )
        )
        self.follow_cards()

    def move(self, n: int, hand: str) -> None:
        """Records that the last card was on the wrong hand, and is on its own now (R-IRR-2).

        Refuses: NotFound, CoupOver, BadValue (another card came since, it is the other hand's, or
        it was moved before).
        """
        self._require_not_over()
        dealt = self._dealt(n)
        if n != len(self.cards):
            raise refusals.BadValue(
                rule="R-IRR-2",
                message=Words(
                    "Card {n} cannot be moved: another card was drawn since. If it is wrong, void "
                    "the coup.",
                    n=n,
                ),
            )
        if dealt.hand != hand:
            why = Words(_ON_HAND[dealt.hand], n=n, rule=dealt.rule)
            raise refusals.BadValue(rule="R-IRR-2", message=why)
        if n in self.moved:
            why = Words(_MOVED[hand], n=n)
            raise refusals.BadValue(rule="R-IRR-2", message=why)
        self.record(events.CardMoved(n=n, card=dealt.card, hand=dealt.hand))

    def turn(self, hand: str, n: int | None = None) -> None:
        """Turns one card of a hand, or all of them, the Player's hand first.

        The dealer turns them, after the hand was given back; or the bettor who has the hand, where
        the rule set lets both largest bettors turn.
        Refuses: NotFound, CoupOver, BadValue (R-DEAL-3).
        """
        self._require_not_over()
        if self.rules.dealing == "face-up":
            raise self._not_turned(
                Words("{rules} deals face up: no card is turned.", rules=self.rules_name)
            )
        if n is not None and (dealt := self._dealt(n)).hand != hand:
            raise self._not_turned(Words(_OTHER_HAND[dealt.hand], n=n))
        if len(self.cards) < BOTH_HANDS:
            raise self._not_turned(
                Words("No hand is turned before the first four cards are out. Draw the next card.")
            )
        if hand == "banker" and self.to_turn == "player":
            raise self._not_turned(Words("Turn the Player hand first."))
        down = self._face_down_of(hand)
        numbers = [each for each in down if n in (None, each)]
        if not numbers:
            raise self._not_turned(
                Words("Card {n} is already face up.", n=n)
                if n
                else Words("No card of the {hand} hand is face down.", hand=spot_label(hand))
            )
        self._turn(hand, numbers, by=self._who_turns(hand))
        self.follow_cards()

    def turn_rest(self) -> None:
        """Turns the cards that are face down before a third card, or before the payment (R-DEAL-3).

        The dealer turns them, the Player's hand first.
        """
        if self.to_turn:
            self._turn_all()
            self.follow_cards()

    def _turn_all(self) -> None:
        for hand in HANDS:
            if numbers := self._face_down_of(hand):
                self._turn(hand, numbers, by="dealer")

    def _turn(self, hand: str, numbers: list[int], by: str) -> None:
        """Turns cards; a hand that the dealer turns is given back first."""
        cards = {each.n: each.card for each in self.hands.dealt if each.hand == hand}
        holder = self.holds.get(hand)
        if holder and by == "dealer" and len(cards) > 1:
            self.record(events.HandGivenBack(hand=hand, by=holder))
        down = self.face_down - set(numbers)
        shows = sum(points(card) for n, card in cards.items() if n not in down) % 10
        turned = [cards[n] for n in numbers]
        self.record(events.HandTurned(hand=hand, numbers=numbers, cards=turned, shows=shows, by=by))

    def follow_cards(self, put_right: str = "cards") -> None:
        """Records what the cards face up mean: bets after the first four, or the result.

        Bets that were opened are closed if a card or a wager was put right and they are offered no
        more. `put_right`: which of them, `cards` or `wagers`.
        """
        deals = self.phase == "dealing" and not self.face_down and not self.dummy
        offered = self.layout.offered(self.rules, self.cards) if deals else ()
        if self.takes_second_bets and not offered:
            self.record(events.SecondBetsClosed(by=put_right))
        self.state_result()
        if offered and offered != self.offered and not self.irregular:
            player, banker = self.hands.player_total, self.hands.banker_total
            assert player is not None
            assert banker is not None
            self.record(
                events.SecondBetsOpened(
                    offered=list(offered), player_total=player, banker_total=banker
                )
            )

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

    def _dealt(self, n: int) -> Dealt:
        """The card of that number. Refuses: NotFound."""
        if not 1 <= n <= len(self.cards):
            raise refusals.NotFound(
                message=counted(
                    len(self.cards),
                    "{coup} has no card {card}: it has {n} card.",
                    "{coup} has no card {card}: it has {n} cards.",
                    coup=self.address,
                    card=n,
                )
            )
        return self.hands.dealt[n - 1]

    def _not_turned(self, message: Words) -> refusals.BadValue:
        return refusals.BadValue(rule=self.turning_rule, message=message)

    def _who_turns(self, hand: str) -> str:
        """The dealer, or the bettor who has the hand if the rule set lets both turn."""
        both = self.rules.squeeze == "both-bettors"
        return self.holds.get(hand, "dealer") if both else "dealer"

    def _face_down_of(self, hand: str) -> list[int]:
        """The numbers of a hand's cards that are face down."""
        dealt = self.hands.dealt
        return [each.n for each in dealt if each.hand == hand and each.n in self.face_down]

    def _is_dealt_face_down(self, n: int, *, unseen: bool) -> bool:
        """Whether a card is dealt face down: all in a squeeze, else the first four (R-DEAL-5)."""
        if self.rules.dealing == "face-down":
            return unseen and n <= BOTH_HANDS
        return self.rules.dealing == "squeeze"

    def _require_after_bets(self, moment: datetime) -> None:
        """Refuses a first or third card before the last bet: BadValue (R-DEAL-2, R-BET-8)."""
        bet_at = self.last_bet_at or self.created_on
        if len(self.cards) in (0, BOTH_HANDS) and moment < bet_at:
            raise refusals.BadValue(
                rule="R-DEAL-2",
                message=Words(
                    "A bet was taken at {bet_at}, after {at}. No card can have come before it.",
                    bet_at=Moment(bet_at),
                    at=Moment(moment),
                ),
            )
