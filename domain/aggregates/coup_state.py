"""A coup as it is: what its cards, its wagers and its rule set say, and what does not fit that.

Nothing here changes it.
"""

from collections.abc import Iterator
from datetime import datetime

from domain.aggregates.table_day import chair
from domain.events import coup as events
from domain.rules import refusals
from domain.rules.hands import Dealt, Due, Hand, Hands, played
from domain.rules.house_rules import HouseRules, of
from domain.rules.layout import Wager
from domain.rules.money import major
from domain.rules.seating import Stay

HANDS: tuple[Hand, ...] = ("player", "banker")  # in the order in which they are turned
BOTH_HANDS = 4  # cards, before any of them is turned


class CoupState(events.State):
    """How far the coup is, and what that means."""

    @property
    def rules(self) -> HouseRules:
        """The rule set that this coup is dealt and paid under."""
        return of(self.rules_name, self.rules_digest)

    @property
    def hands(self) -> Hands:
        """What the cards so far say."""
        return played(tuple(self.cards))

    @property
    def over(self) -> bool:
        """Whether nothing more is dealt or paid: settled, or void."""
        return self.phase in ("settled", "voided")

    @property
    def due(self) -> Due | None:
        """Whose card comes next; None when the coup has all its cards."""
        return self.hands.due if self.phase in ("betting", "dealing") else None

    @property
    def lies_face_down(self) -> bool:
        """Whether a card of it was not turned yet, so that no display tells what it came to."""
        return bool(self.face_down)

    def lies_open(self, n: int) -> bool:
        """Whether everybody sees a card (R-DEAL-3, R-DEAL-5)."""
        return n not in self.face_down

    @property
    def turning_rule(self) -> str:
        """By which rule its cards are turned."""
        return "R-DEAL-5" if self.rules.dealing == "face-down" else "R-DEAL-3"

    @property
    def to_turn(self) -> Hand | None:
        """The hand that is turned before anything else, the Player's first; None: no hand is."""
        if len(self.cards) < BOTH_HANDS or self.phase != "dealing":
            return None
        hands = {each.hand for each in self.hands.dealt if each.n in self.face_down}
        return next((hand for hand in HANDS if hand in hands), None)

    @property
    def only_to_void(self) -> bool:
        """Whether cards that are out may not stand (R-IRR-4)."""
        return bool(self.irregular) and self.phase in ("dealing", "resulted")

    @property
    def not_to_close(self) -> refusals.Refusal | None:
        """What stands in the way of no more bets: a Tie alone, or the differential."""
        return next((broken.refusal for broken in self.layout.broken(self.rules)), None)

    def wagers(self) -> Iterator[Wager]:
        """Every wager that lies, by seat and then in the order of SPOTS."""
        return self.layout.wagers()

    def both_sides(self, wager: Wager) -> refusals.BothSides:
        """The refusal of a bet on the hand against which this wager lies (R-BET-1)."""
        return refusals.BothSides(seat=wager.seat, spot=wager.spot, amount=self._say(wager.stake))

    def require_regular(self) -> None:
        """Refuses: CoupNotFinished."""
        if self.only_to_void:
            why = self._unfinished()
            raise refusals.CoupNotFinished(rule="R-IRR-4", coup=self.address, why=why)

    def require_no_card_due(self) -> None:
        """A card that comes now was not misdrawn. Refuses: CoupNotFinished."""
        if self.to_turn and not self.only_to_void:
            raise refusals.CoupNotFinished(coup=self.address, why=self._unfinished())
        if self.due is not None and not self.only_to_void:
            why = f"{self._unfinished()}, so draw it"
            raise refusals.CoupNotFinished(coup=self.address, why=why)

    def require_over_by(self, moment: datetime) -> None:
        """A coup opens after the one before it, in time too. Refuses: BadValue."""
        assert self.over_at is not None, "no coup opens while one is in play"
        if moment < self.over_at:
            why = f"{self.address} was in play until {self.over_at.isoformat()}; say a later moment"
            raise refusals.BadValue(rule="R-SHOE-1", field="at", value=moment.isoformat(), why=why)

    def require_finished(self) -> None:
        """Settled, void, or opened and never used. Refuses: CoupNotFinished."""
        unused = self.phase == "betting" and not any(self.wagers())
        if not self.over and not unused:
            raise refusals.CoupNotFinished(coup=self.address, why=self._unfinished())

    def require_no_wager_of(self, seat: int) -> None:
        """A patron does not leave a wager behind. Refuses: CoupNotFinished."""
        if not self.over and self.layout.placed.get(seat):
            why = f"seat {seat} has a wager on it; settle it, or take it back before the first card"
            raise refusals.CoupNotFinished(coup=self.address, why=why)

    def _require_one_side(self, seat: int, stay: Stay, spot: str) -> None:
        """No seat, and no patron over several seats, bets on both hands (R-BET-1)."""
        for wager in self.layout.opposite(spot):
            if wager.seat == seat or wager.stay == stay.address:
                raise self.both_sides(wager)

    def _require_after_bets(self, moment: datetime) -> None:
        """However late it is entered, no card came before a bet (R-DEAL-2). Refuses: BadValue."""
        bet_at = self.last_bet_at or self.created_on
        if not self.cards and moment < bet_at:
            said, why = moment.isoformat(), f"bets were taken at {bet_at.isoformat()}"
            raise refusals.BadValue(rule="R-DEAL-2", field="at", value=said, why=why)

    def _require_not_over(self) -> None:
        if self.over:
            raise refusals.CoupOver(coup=self.address, why=f"was {self.phase}")

    def _require_not_void(self) -> None:
        """What is void stays void (R-IRR-5). Refuses: CoupOver."""
        if self.phase == "voided":
            raise refusals.CoupOver(rule="R-IRR-5", coup=self.address, why="was voided")

    def _dealt(self, n: int) -> Dealt:
        """The card of that number. Refuses: NotFound."""
        if not 1 <= n <= len(self.cards):
            raise refusals.NotFound(what=f"card {n} of {self.address}: it has {len(self.cards)}")
        return self.hands.dealt[n - 1]

    def _not_turned(self, field: str, value: object, why: str) -> refusals.BadValue:
        return refusals.BadValue(rule=self.turning_rule, field=field, value=value, why=why)

    def _unfinished(self) -> str:
        if self.only_to_void:
            return "a card that is not of its shoe was found, void it"
        if self.phase == "resulted":
            return "it has its result, settle it"
        if self.to_turn:
            return "its cards lie face down, turn them"
        due = self.due
        assert due is not None
        return f"{due.hand.title()}'s card is due ({due.rule})"

    def _say(self, amount: int) -> str:
        return major(amount, self.rules.currency)

    def _who_turns(self, hand: str) -> str:
        """The dealer, unless the rule set lets whoever holds the hand turn it."""
        both = self.rules.squeeze == "both-bettors"
        return self.holds.get(hand, "dealer") if both else "dealer"

    def _face_down_of(self, hand: str) -> list[int]:
        """The numbers of the cards of a hand that lie face down."""
        dealt = self.hands.dealt
        return [each.n for each in dealt if each.hand == hand and each.n in self.face_down]

    def _largest_bettor(self, spot: str) -> str:
        """The seat with the largest wager on a hand, of equal ones the lower; else the dealer."""
        stakes = [(wager.stake, -wager.seat) for wager in self.layout.on(spot)]
        return chair(-max(stakes)[1]) if stakes else "dealer"

    def _is_dealt_face_down(self, n: int, *, unseen: bool) -> bool:
        """In a squeeze every card; where the dealer turns them the first four (R-DEAL-5)."""
        if self.rules.dealing == "face-down":
            return unseen and n <= BOTH_HANDS
        return self.rules.dealing == "squeeze"
