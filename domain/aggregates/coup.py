"""One coup: the betting, the wagers, the cards, the outcome, the payments.

R-BET-1 to 5, R-DEAL-1 to 3 and 5, R-DRAW, R-WIN-1, R-PAY; irregularities R-IRR-2, 4 and 5.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Self
from uuid import UUID

from domain.aggregates.corrections import Change, require_two
from domain.aggregates.coup_over_coups import BetsOverCoups
from domain.aggregates.coup_state import BOTH_HANDS
from domain.aggregates.shoe import Shoe
from domain.aggregates.table_day import TableDay
from domain.aggregates.tray import Signed
from domain.events import coup as events
from domain.events import coup_wagers
from domain.rules import addresses, refusals
from domain.rules.layout import Wager
from domain.rules.must_hit import Standing
from domain.rules.pro_rata import NO_METERS
from domain.rules.seating import Stay
from domain.rules.settlement import Payment, pay_to
from domain.rules.spots import spot_label
from domain.rules.wording import Words


class Coup(BetsOverCoups):
    """One coup of one shoe."""

    @staticmethod
    def stream(address: addresses.Coup) -> UUID:
        """The stream of a coup."""
        return addresses.stream_id("coup", str(address), address.shoe.table_day.day)

    # Commands: decide; refuse, or record an event.
    @classmethod
    def open(
        cls,
        address: addresses.Coup,
        day: TableDay,
        shoe: Shoe,
        *,
        at: datetime,
        before: "Coup | None" = None,
    ) -> Self:
        """Opens a coup for bets, under the limits that the table has now.

        `before`: the coup of the shoe before it.
        """
        free_hands = before.free_hands if before else 0
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
                cards_to_cut=shoe.cards_to_cut if shoe.rules.asks_for_the_cut_card else None,
                free_hands=free_hands if shoe.rules.free_hands else None,
            ),
            cls.stream(address),
            at,
        )

    def leave_unused(self) -> None:
        """Ends a coup in which nothing happened. Refuses: CoupNotFinished."""
        self.require_finished()
        self.record(events.LeftUnused())

    def bet(self, seat: int, stay: Stay, spot: str, amount: int, *, leave: str = "") -> None:
        """Places a wager, which replaces the one on the spot (R-BET-1 to 3, 6 and 8).

        `leave`: who lets the patron bet on both sides, where the rule set asks for somebody.
        Refuses: BettingClosed, SpotNotOffered, NotAnIncrement, UnderMinimum, OverMaximum,
        BothSides, SecondPersonNeeded, OnlyBeside, OverPart, SpotNotAtSeat, SpotNotInCoup,
        SpotNotOnCards.
        """
        self._require_betting(stay, (seat, spot, amount))
        self.require_none_carried(seat, spot)
        self.layout.require(self.rules, seat, spot, amount)
        self._require_one_side(seat, stay, spot, leave)
        leave = leave if self.rules.both_sides == "with-leave" else ""
        self.layout.require_taken(self.rules, seat, spot, amount)
        self.require_no_coupon_against(seat, stay, spot)
        self.record(
            coup_wagers.WagerPlaced(**stay.bets(seat, spot), amount=amount, approved_by=leave)
        )
        self.take_back_coupons_alone()

    def enter_late(
        self,
        seat: int,
        stay: Stay,
        spot: str,
        amount: int,
        *,
        placed_at: datetime,
        second: str,
        by: str = "",
    ) -> list[Change]:
        """Enters a wager that was placed while bets on its spot were taken (R-BET-5).

        It is in play whole, or at its limit, as the rule set's policy says. In a settled coup it
        is paid or taken at once; then the result is its payment, and those of others that share
        the most that its spot wins with it. `by`: who enters it.
        Refuses: BettingClosed, BadValue, SecondPersonNeeded, SpotNotOffered, NotAnIncrement,
        BothSides.
        """
        too_late = not self.took(spot, placed_at) or (self.over and spot in self.rules.over_coups)
        if self.phase in ("voided", "unused") or self.dummy or too_late:
            self._require_betting(stay, (seat, spot, amount))
        if not second:
            raise refusals.SecondPersonNeeded(
                rule="R-BET-5",
                act=Words("Entering a wager after the first card"),
                who=Words("a supervisor"),
            )
        self.layout.require_possible(self.rules, spot, amount)
        self._require_one_side(seat, stay, spot, second)
        self.require_no_coupon_against(seat, stay, spot)
        entered = self.layout.at(seat, spot)
        if entered and (self.over or entered.run or amount <= entered.stake):
            raise self._is_entered(entered)
        before, shared = entered.stake if entered else 0, self._sharing()
        self.record(
            coup_wagers.WagerFound(
                **stay.bets(seat, spot), amount=amount, approved_by=second, amount_before=before
            )
        )
        self._state_broken_limits(self.layout.at(seat, spot))
        self.follow_cards("wagers")
        wager = self.layout.at(seat, spot)
        if wager is None or not self.over:
            return []
        signed = Signed("a bet that shares the most with it was entered late", by or second, second)
        return self.settle_late(wager, shared, signed)

    def _is_entered(self, wager: Wager) -> refusals.BadValue:
        """The refusal of a bet entered late, where one as large lies already or one was paid."""
        return refusals.BadValue(
            rule="R-BET-5",
            message=Words(
                "Seat {seat} already has {entered} on {spot}. Put the stake right with "
                "`correct` and `--stake`.",
                seat=wager.seat,
                entered=self._amount(wager.stake),
                spot=spot_label(wager.spot),
            ),
        )

    def withdraw(self, seat: int, stay: Stay, spot: str | None = None) -> None:
        """Takes back a seat's wager, or all of its wagers, while bets on the spot are taken.

        With it go those that are taken only beside it (R-BET-6).
        Refuses: BettingClosed, NoWager.
        """
        back = [
            (wager.seat, wager.spot, wager.stake)
            for wager in self.wagers()
            if wager.seat == seat and spot in (None, wager.spot) and wager.run is None
        ]
        if spot is None and self.took_coupon_back(seat) and not back:
            return
        if spot or not back:
            self.require_none_carried(seat, spot)
        if spot is None and self.takes_second_bets:  # the others stay
            back = [each for each in back if self.takes(each[1])] or back
        if not back or self.over:
            if spot:
                raise refusals.NoWager(seat=seat, spot=spot_label(spot))
            raise refusals.NoWager(message=Words("Seat {seat} has no bet to take back.", seat=seat))
        self._require_betting(stay, *back, act="withdraw")
        if spot:
            alone = self.layout.left_alone(self.rules, seat, spot)
            back += [(seat, wager.spot, wager.stake) for wager in alone]
        for _, on, stake in back:
            self.record(coup_wagers.WagerWithdrawn(**stay.bets(seat, on), amount=stake))
        self.take_back_coupons_alone()

    def close_betting(self) -> None:
        """Closes the betting, or the bets after the first four cards (R-BET-8).

        Refuses: UnderMinimum (a Tie alone), DifferentialExceeded, OverPart, CoupNotFinished,
        CoupOver.
        """
        if self.over:
            raise refusals.CoupOver(coup=self.address)
        if self.takes_second_bets:
            if refusal := self.why_second_bets_stay_open:
                raise refusal
            self.record(events.SecondBetsClosed(by="dealer"))
            return
        if self.phase != "betting":
            raise refusals.CoupNotFinished(
                message=Words(
                    "Betting is already closed on {coup}, which is not finished: {why}.",
                    coup=self.address,
                    why=self._unfinished(),
                )
            )
        refusal = self.why_betting_stays_open
        if refusal:
            raise refusal
        self._close(by="dealer")

    def take_first_card(self) -> None:
        """Closes the betting because a card is leaving the shoe (R-DEAL-2, R-BET-4).

        Limits that would have stopped `close_betting` are recorded as broken.
        """
        self._state_broken_limits()
        self._close(by="first-card")

    def _close(self, by: str) -> None:
        """Closes the betting; in a squeeze the hands go to the largest bettors (R-DEAL-3)."""
        self.take_back_coupons_alone()
        self.record(events.BettingClosed(by=by))
        if self.rules.dealing == "squeeze":
            both = self.rules.squeeze == "both-bettors"
            banker = self._largest_bettor("banker") if both else "dealer"
            self.record(events.HandsGiven(player=self._largest_bettor("player"), banker=banker))

    def take_no_bets(self) -> None:
        """Closes the betting of a dummy coup, which is dealt without wagers (R-IRR-1)."""
        self._close(by="dummy")

    def settle(
        self,
        stated: Mapping[int, int] | None = None,
        as_it_wins: Collection[str] = (),
        meters: Mapping[str, Standing] = NO_METERS,
    ) -> list[tuple[Wager, Payment]]:
        """Pays and takes every wager; `stated`: what each seat was paid, as its chips were read.

        `as_it_wins`: the stays whose commission is taken off their payments (R-COM-2). `meters`:
        what the meter of each spot stands at, with the share of this coup (R-PROG-3).
        The dealer turns cards that are still face down first.
        Refuses: CoupNotFinished, CoupOver, PaymentDisagrees.
        """
        self._require_resulted()
        result = self.hands.result
        assert result is not None
        by_the_cards = self.by_the_cards(result, as_it_wins, meters)
        payments = [
            (wager, by_the_cards[wager.seat, wager.spot])
            for wager in self.wagers()
            if not self.goes_on(wager, result)
        ]
        coupons = self.coupons_by_the_cards(result)
        self.require_agreement(payments, coupons, stated)
        for wager, payment in payments:
            self.record(
                coup_wagers.WagerSettled(**wager.whose, stake=wager.stake, **payment.as_recorded())
            )
        self.settle_coupons(coupons)
        self.leave_undecided(result)
        self.record(
            events.Settled(
                stakes=sum(wager.stake for wager, _ in payments),
                paid=sum(payment.paid for _, payment in payments),
                as_it_wins=sorted({wager.stay for wager in self.wagers()} & set(as_it_wins)),
            )
        )
        return payments

    def mark_irregular(self, why: str) -> None:
        """Records that the cards already dealt are invalid: the coup must be voided (R-IRR-4)."""
        if self.cards and self.phase in ("dealing", "resulted") and not self.irregular:
            self.record(events.FoundIrregular(why=why))

    def void(self, reason: str, requested_by: str, approved_by: str) -> list[Change]:
        """Returns every wager, and takes back every payment (R-IRR-4, R-IRR-5).

        Refuses: SecondPersonNeeded, CoupOver (it is already void).
        """
        require_two(Words("Voiding a coup"), requested_by, approved_by)
        self._require_not_void()
        self._turn_all()
        self.state_result()
        if self.phase != "settled":
            self.leave_undecided(None)
        changes = [self._return(wager) for wager in self.wagers()]
        coupons = self.return_coupons()
        self.record(
            events.Voided(
                reason=reason,
                requested_by=requested_by,
                approved_by=approved_by,
                phase=self.phase,
                changes_hands=sum(each.after.paid - each.before.paid for each in changes if each),
            )
        )
        return [*filter(None, changes), *coupons]

    def _return(self, wager: Wager) -> Change | None:
        """Returns a stake, less the payment of a wager that was settled."""
        before = self.settled.get((wager.seat, wager.spot))
        self.record(
            coup_wagers.WagerReturned(
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
        """Refuses wagers (seat, spot, amount) that come too late, each with an event of its own.

        Where patrons click, only the first at a spot has one: a thousand more say nothing new.
        """
        if all(self.takes(spot) for _, spot, _ in wagers):
            return
        self._require_after_four(spot for _, spot, _ in wagers)
        for seat, spot, amount in wagers:
            if not (self.rules.accounts and (seat, spot, act) in self.late):
                self.record(
                    coup_wagers.LateBetRefused(**stay.bets(seat, spot), amount=amount, act=act)
                )
        raise refusals.BettingClosed(
            coup=self.address,
            why=self._why_closed(wagers[0][1]),
            then=Words("The chips go back; bet on the next coup")
            if act == "bet"
            else Words("The wager stays until the coup is settled"),
        )

    def _require_after_four(self, spots: Iterable[str]) -> None:
        """Refuses bets before the first four cards, or that these do not offer: SpotNotOnCards."""
        for spot in spots:
            if spot in self.rules.after_four and not self.over and not self.takes(spot):
                if len(self.cards) < BOTH_HANDS or self.to_turn:
                    raise refusals.SpotNotOnCards(
                        message=Words(
                            "{spot} takes bets after the first four cards only. Bet on it then.",
                            spot=spot_label(spot),
                        )
                    )
                if spot not in self.offered:
                    raise refusals.SpotNotOnCards(spot=spot_label(spot))

    def _why_closed(self, spot: str) -> Words:
        if self.cards and spot not in self.rules.after_four:
            return Words("the first card is out")
        if len(self.cards) > BOTH_HANDS:
            return Words("the third card is out")
        return Words("no more bets was called")

    def _require_resulted(self) -> None:
        self._require_not_over()
        self.require_regular()
        if self.hands.result:
            self.turn_rest()
        if self.phase != "resulted":
            raise refusals.CoupNotFinished(coup=self.address, why=self._unfinished())

    def _state_broken_limits(self, entered_late: Wager | None = None) -> None:
        """Records limits that are broken while a card is out; the policy may reduce wagers.

        One by one, so that an amount that goes back does not count against the next limit.
        """
        if entered_late is None and (refusal := self.why_not_free):
            self._record_broken(refusal)
        for broken in self.layout.broken(self.rules, entered_late):
            self._state_broken(broken)
