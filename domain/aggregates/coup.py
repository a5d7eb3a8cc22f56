"""One coup: the betting window, the wagers, the cards, the outcome, what is paid.

R-BET-1 to 5, R-DEAL-1 to 3 and 5, R-DRAW, R-WIN-1, R-PAY; what goes wrong in it, R-IRR-2, 4 and 5.
"""

from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.aggregates.corrections import Change, paid_rightly, require_payable_as, require_two
from domain.aggregates.coup_state import BOTH_HANDS, HANDS, CoupState
from domain.aggregates.shoe import Shoe
from domain.aggregates.table_day import TableDay
from domain.events import coup as events
from domain.rules import addresses, refusals
from domain.rules.cards import points
from domain.rules.layout import NOBODYS, Wager
from domain.rules.seating import Stay
from domain.rules.settlement import Payment, pay, pay_to


class Coup(Aggregate, CoupState):
    """One coup of one shoe."""

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that the events belong to."""
        return self.address.shoe.table_day.day, self.address.shoe.table_day.table

    @staticmethod
    def stream(address: addresses.Coup) -> UUID:
        """Where this coup's events are."""
        return addresses.stream_id("coup", str(address), address.shoe.table_day.day)

    # Commands: decide; refuse, or record an event.
    @classmethod
    def open(cls, address: addresses.Coup, day: TableDay, shoe: Shoe, *, at: datetime) -> Self:
        """Bets may be placed, under the limits that the table has now."""
        return cls.begin(
            events.Opened(
                coup=str(address),
                shoe=str(address.shoe),
                table_day=str(day.address),
                rules=day.rules_name,
                rules_digest=day.rules_digest,
                limits={spot: list(limit) for spot, limit in day.limits.items()},
                differential=day.differential,
                dealer=day.dealer,
                supervisor=day.supervisor,
                shoe_holder=shoe.holder,
            ),
            cls.stream(address),
            at,
        )

    def bet(self, seat: int, stay: Stay, spot: str, amount: int) -> None:
        """What lies on the spot from now on (R-BET-1 to 3).

        Refuses: BettingClosed, SpotNotOffered, NotAnIncrement, UnderMinimum, OverMaximum,
        BothSides.
        """
        self._require_betting(stay, (seat, spot, amount))
        self.layout.require(self.rules, seat, spot, amount)
        self._require_one_side(seat, stay, spot)
        self.record(events.WagerPlaced(**stay.bets(seat, spot), amount=amount))

    def find_wager(
        self, seat: int, stay: Stay, spot: str, amount: int, *, lay_at: datetime, second: str
    ) -> None:
        """A wager that lay there before the first card and was not entered (R-BET-5).

        It is in play, within its limits or not: the rule set's policy says what of it.
        Refuses: BettingClosed, BadValue, SecondPersonNeeded, SpotNotOffered, NotAnIncrement,
        BothSides.
        """
        too_late = self.first_card_at and lay_at >= self.first_card_at
        if self.over or self.dummy or too_late:
            self._require_betting(stay, (seat, spot, amount))
        if not second:
            raise refusals.SecondPersonNeeded(
                rule="R-BET-5",
                act="Entering a wager that was found after the first card",
                who="a supervisor",
                but="",
            )
        self.layout.require_possible(self.rules, spot, amount)
        self._require_one_side(seat, stay, spot)
        entered = self.layout.at(seat, spot)
        if entered and amount <= entered.stake:
            why = f"{self._say(entered.stake)} were entered; a payment is put right with correct"
            raise refusals.BadValue(
                rule="R-BET-5", field="amount", value=self._say(amount), why=why
            )
        self.record(events.WagerFound(**stay.bets(seat, spot), amount=amount, approved_by=second))
        self._state_broken_limits(self.layout.at(seat, spot))

    def withdraw(self, seat: int, stay: Stay, spot: str | None = None) -> None:
        """The wager goes back before the first card; no `spot`: all that the seat has.

        Refuses: BettingClosed, NoWager.
        """
        back = [
            (wager.seat, wager.spot, wager.stake)
            for wager in self.wagers()
            if wager.seat == seat and spot in (None, wager.spot)
        ]
        if not back or self.over:
            raise refusals.NoWager(seat=seat, spot=spot or "any spot")
        self._require_betting(stay, *back, act="withdraw")
        for _, lay_on, stake in back:
            self.record(events.WagerWithdrawn(**stay.bets(seat, lay_on), amount=stake))

    def close_betting(self) -> None:
        """No more bets.

        Refuses: UnderMinimum (a Tie alone), DifferentialExceeded, CoupNotFinished, CoupOver.
        """
        if self.over:
            then = "Betting opens with the first wager of the next coup"
            raise refusals.CoupOver(coup=self.address, why=f"was {self.phase}. {then}")
        if self.phase != "betting":
            why = f"its betting is closed already; {self._unfinished()}"
            raise refusals.CoupNotFinished(coup=self.address, why=why)
        refusal = self.not_to_close
        if refusal:
            raise refusal
        self._close(by="dealer")

    def take_first_card(self) -> None:
        """A card is about to leave the shoe, which closes the betting (R-DEAL-2, R-BET-4).

        What would have stopped `close_betting` cannot stop the card; it is stated as found.
        """
        self._state_broken_limits()
        self._close(by="first-card")

    def _close(self, by: str) -> None:
        """No more bets; in a squeeze it is settled now who looks at which hand (R-DEAL-3)."""
        self.record(events.BettingClosed(by=by))
        if self.rules.dealing == "squeeze":
            both = self.rules.squeeze == "both-bettors"
            banker = self._largest_bettor("banker") if both else "dealer"
            self.record(events.HandsGiven(player=self._largest_bettor("player"), banker=banker))

    def take_no_bets(self) -> None:
        """A coup that a card began when none was due is dealt without wagers (R-IRR-1)."""
        self._close(by="dummy")

    def deal(self, card: str, *, carried: bool = False, unseen: bool = False) -> None:
        """The card that left the shoe, now or before the coup, goes where it is due.

        `unseen`: a shoe told it, and nobody has turned it yet; else it is typed as it is turned.
        """
        self.turn_rest()
        due = self.due
        assert due is not None, "the shoe refuses a card that is not due"
        assert self.phase == "dealing", "betting closes before the first card"
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
        self._state_result()

    def _state_result(self) -> None:
        """What the cards came to, as soon as all are out and lie open."""
        result = self.hands.result
        if result is None or self.face_down or self.phase != "dealing":
            return
        self.record(
            events.Resulted(
                outcome=result.outcome,
                natural=result.natural,
                player_total=result.player_total,
                banker_total=result.banker_total,
            )
        )

    def move(self, n: int, hand: str) -> None:
        """The last card lay on the wrong hand and is where it belongs now (R-IRR-2).

        Refuses: NotFound, CoupOver, BadValue (another came since, or it belongs elsewhere).
        """
        self._require_not_over()
        dealt = self._dealt(n)
        if n != len(self.cards):
            why = "another card was drawn since; void the coup if it cannot be put right"
            raise refusals.BadValue(rule="R-IRR-2", field="n", value=n, why=why)
        if dealt.hand != hand:
            why = f"card {n} is {dealt.hand.title()}'s ({dealt.rule})"
            raise refusals.BadValue(rule="R-IRR-2", field="hand", value=hand, why=why)
        self.record(events.CardMoved(n=n, card=dealt.card, hand=dealt.hand))

    def turn(self, hand: str, n: int | None = None) -> None:
        """Cards that lay face down are turned, the Player's first; no `n`: all of the hand.

        By the dealer, to whom the hand is given back first; by the bettor who holds it, where
        the rule set lets both largest bettors turn.
        Refuses: NotFound, CoupOver, BadValue (R-DEAL-3).
        """
        self._require_not_over()
        if self.rules.dealing == "face-up":
            raise self._not_turned("hand", hand, f"{self.rules_name} deals face up")
        if n is not None and (dealt := self._dealt(n)).hand != hand:
            raise self._not_turned("n", n, f"card {n} is {dealt.hand.title()}'s")
        if len(self.cards) < BOTH_HANDS:
            raise self._not_turned("hand", hand, "the first four cards are not all out")
        if hand == "banker" and self.to_turn == "player":
            raise self._not_turned("hand", hand, "the Player's hand is turned first")
        down = self._face_down_of(hand)
        numbers = [each for each in down if n in (None, each)]
        if not numbers:
            raise self._not_turned("n" if n else "hand", n or hand, "no card of it lies face down")
        self._turn(hand, numbers, by=self._who_turns(hand))
        self._state_result()

    def turn_rest(self) -> None:
        """Before a third card, and before the payment, the dealer turns what lies face down.

        The Player's hand first (R-DEAL-3).
        """
        if self.to_turn:
            self._turn_all()
            self._state_result()

    def _turn_all(self) -> None:
        for hand in HANDS:
            if numbers := self._face_down_of(hand):
                self._turn(hand, numbers, by="dealer")

    def _turn(self, hand: str, numbers: list[int], by: str) -> None:
        """What the dealer turns was given back first, if somebody held it."""
        cards = {each.n: each.card for each in self.hands.dealt if each.hand == hand}
        holder = self.holds.get(hand)
        if holder and by == "dealer" and len(cards) > 1:
            self.record(events.HandGivenBack(hand=hand, by=holder))
        down = self.face_down - set(numbers)
        shows = sum(points(card) for n, card in cards.items() if n not in down) % 10
        turned = [cards[n] for n in numbers]
        self.record(events.HandTurned(hand=hand, numbers=numbers, cards=turned, shows=shows, by=by))

    def settle(
        self, stated: Mapping[int, int] | None = None, as_it_wins: Collection[str] = ()
    ) -> list[tuple[Wager, Payment]]:
        """Pays and takes every wager; `stated`: seat to what its chips say it was paid.

        `as_it_wins`: the stays whose commission is taken of what they are paid (R-COM-2).
        Nothing is paid over cards that lie face down: the dealer turns them.
        Refuses: CoupNotFinished, CoupOver, PaymentDisagrees.
        """
        self._require_resulted()
        result = self.hands.result
        assert result is not None
        payments = [
            (
                wager,
                pay(self.rules.for_stay(wager.stay, as_it_wins), wager.spot, wager.stake, result),
            )
            for wager in self.wagers()
        ]
        self._require_agreement(payments, stated)
        for wager, payment in payments:
            self.record(
                events.WagerSettled(**wager.whose, stake=wager.stake, **payment.as_recorded())
            )
        self.record(
            events.Settled(
                stakes=sum(wager.stake for wager, _ in payments),
                paid=sum(payment.paid for _, payment in payments),
                as_it_wins=sorted({wager.stay for wager in self.wagers()} & set(as_it_wins)),
            )
        )
        return payments

    def find_irregular(self, why: str) -> None:
        """Cards that are out already may not stand: from now on it can only be voided (R-IRR-4)."""
        if self.cards and self.phase in ("dealing", "resulted") and not self.irregular:
            self.record(events.FoundIrregular(why=why))

    def void(self, reason: str, requested_by: str, approved_by: str) -> list[Change]:
        """Every wager is returned, and what was paid goes back (R-IRR-4, R-IRR-5).

        Refuses: SecondPersonNeeded, CoupOver (it is void already).
        """
        require_two("Voiding a coup", requested_by, approved_by)
        self._require_not_void()
        self._turn_all()
        self._state_result()
        changes = [self._return(wager) for wager in self.wagers()]
        self.record(
            events.Voided(
                reason=reason,
                requested_by=requested_by,
                approved_by=approved_by,
                phase=self.phase,
                changes_hands=sum(each.after.paid - each.before.paid for each in changes if each),
            )
        )
        return [each for each in changes if each]

    def correct(
        self,
        seat: int,
        spot: str,
        to: int | None,
        *,
        as_spot: str | None = None,
        reason: str,
        requested_by: str,
        approved_by: str,
    ) -> Change:
        """A wager is paid otherwise after all: `to` in all, or what the cards say (R-IRR-5).

        `as_spot`: where it should have lain; it is paid as that, with that spot's commission, and
        stays entered where it was.
        Refuses: SecondPersonNeeded, CoupNotFinished, CoupOver, NotFound, SpotNotOffered, BadValue.
        """
        require_two("Correcting a payment", requested_by, approved_by)
        self._require_not_void()
        if self.phase != "settled":
            raise refusals.CoupNotFinished(coup=self.address, why=self._unfinished())
        wager = self.layout.at(seat, spot)
        if wager is None:
            raise refusals.NotFound(what=f"wager of seat {seat} on {spot} in {self.address}")
        as_spot = None if as_spot == spot else as_spot
        if as_spot:
            require_payable_as(self, wager, as_spot)
        before, after = self.settled[seat, spot], paid_rightly(self, wager, as_spot or spot, to)
        if before.as_recorded() == after.as_recorded():
            said = "left out" if to is None else self._say(to)
            why = f"{self._say(before.paid)} is what was paid already; say what it should have been"
            raise refusals.BadValue(field="to", value=said, why=why)
        self.record(
            events.PaymentCorrected(
                **wager.whose,
                stake=wager.stake,
                **after.as_recorded(),
                paid_before=before.paid,
                changes_hands=after.paid - before.paid,
                commission_before=before.commission_charged,
                reason=reason,
                requested_by=requested_by,
                approved_by=approved_by,
                as_spot=as_spot,
            )
        )
        return Change(wager, before, after, as_spot)

    def _return(self, wager: Wager) -> Change | None:
        """The stake goes back; of a wager that was settled, what it was paid is taken off."""
        before = self.settled.get((wager.seat, wager.spot))
        self.record(
            events.WagerReturned(
                **wager.whose,
                stake=wager.stake,
                paid_before=before.paid if before else None,
                changes_hands=wager.stake - before.paid if before else 0,
                commission_before=before.commission_charged if before else 0,
            )
        )
        returned = pay_to(self.rules, wager.spot, wager.stake, wager.stake)
        return Change(wager, before, returned) if before else None

    def _require_betting(self, stay: Stay, *wagers: tuple[int, str, int], act: str = "bet") -> None:
        """Each of the wagers (seat, spot, amount) that come too late is an event of its own."""
        if self.phase == "betting":
            return
        for seat, spot, amount in wagers:
            self.record(events.LateBetRefused(**stay.bets(seat, spot), amount=amount, act=act))
        raise refusals.BettingClosed(
            coup=self.address,
            why="the first card is out" if self.cards else "no more bets was called",
            then="The chips go back; bet on the next coup"
            if act == "bet"
            else "The wager stays until the coup is settled",
        )

    def _require_resulted(self) -> None:
        self._require_not_over()
        self.require_regular()
        if self.hands.result:
            self.turn_rest()
        if self.phase != "resulted":
            raise refusals.CoupNotFinished(coup=self.address, why=self._unfinished())

    def _require_agreement(
        self, payments: list[tuple[Wager, Payment]], stated: Mapping[int, int] | None
    ) -> None:
        """An overpayment or an untaken losing wager stops the game."""
        if stated is None:
            return
        owed = dict.fromkeys((*self.layout.placed, *stated), 0)
        for wager, payment in payments:
            owed[wager.seat] += payment.paid
        differing = [seat for seat in sorted(owed) if stated.get(seat, 0) != owed[seat]]
        for seat in differing:
            self.record(
                events.PaymentDisagreed(seat=seat, stated=stated.get(seat, 0), owed=owed[seat])
            )
        if differing:
            told = [
                f"seat {seat} is owed {self._say(owed[seat])}, not {self._say(stated.get(seat, 0))}"
                for seat in differing
            ]
            raise refusals.PaymentDisagrees(coup=self.address, differences="; ".join(told))

    def _state_broken_limits(self, found: Wager | None = None) -> None:
        """What does not hold though a card is out: stated, and settled as the policy says.

        One by one: what goes back for one limit is not counted against the next.
        """
        for broken in self.layout.broken(self.rules, found):
            wager = broken.wager
            self.record(
                events.LimitFoundBroken(
                    refusal=broken.refusal.error,
                    rule=broken.refusal.rule or "",
                    **(wager.whose if wager else NOBODYS),
                    amount=broken.amount,
                    allowed=broken.allowed,
                    detail=None,
                )
            )
            if self.rules.outside_limits == "at-limit" and broken.amount > broken.allowed:
                for each, back in self.layout.excess(broken):
                    left, limit = each.stake - back, broken.refusal.error
                    self.record(
                        events.WagerReduced(**each.whose, amount=left, returned=back, limit=limit)
                    )
