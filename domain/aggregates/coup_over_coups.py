"""Bets on several coups, as one coup of theirs has them (R-BET-9).

Such a bet is on the layout of one coup at a time. A coup that does not decide it hands it to the
next one: `coup.wager-undecided` there, `coup.wager-carried` here. The coup that decides it settles
it like any other bet, so that replay, reports, tray and accounts count its stake and its payment
once, and in one place. A stream of its own for each bet would have made all of these read two
kinds of bets. What a coup before decided may be put right later: then the bet is counted anew
where it lies now, or where it was paid.
"""

from collections.abc import Iterator

from domain.aggregates.corrections import Change
from domain.aggregates.coup_cards_put_right import CardsPutRight
from domain.aggregates.coup_state import CoupState
from domain.aggregates.tray import Signed
from domain.events import coup_wagers
from domain.rules import refusals
from domain.rules.hands import Result
from domain.rules.layout import Wager
from domain.rules.over_coups import Score, judge_coups, line_at_end, score_with
from domain.rules.settlement import Payment, pay_by
from domain.rules.spots import spot_label
from domain.rules.wording import Words


class BetsOverCoups(CardsPutRight):
    """What becomes of a coup's bets that it does not decide."""

    def bring(self, before: CoupState | None) -> None:
        """Takes over the bets that the coup before did not decide."""
        for wager in before.undecided.values() if before else ():
            run = wager.run
            assert run is not None
            self.record(
                coup_wagers.WagerCarried(
                    **wager.whose,
                    amount=wager.stake,
                    placed_in=run.placed_in,
                    **coup_wagers.as_counted(run.before),
                )
            )

    def leave_undecided(self, result: Result | None) -> None:
        """Takes off each bet that is not decided yet; it goes on. `result`: None if it is void."""
        for wager in list(self.wagers()):
            now = self.goes_on(wager, result)
            if now is not None:
                self.record(
                    coup_wagers.WagerUndecided(
                        **wager.whose,
                        stake=wager.stake,
                        placed_in=wager.run.placed_in if wager.run else self.address.number,
                        **coup_wagers.as_counted(now),
                    )
                )

    def goes_on(self, wager: Wager, result: Result | None) -> Score | None:
        """How a bet on several coups is doing after this one; None if it is decided, or on one.

        A void coup does not count, and a bet that was placed in it is returned; nor does a dummy.
        """
        over = self.rules.over_coups.get(wager.spot)
        if over is None or (result is None and wager.run is None):
            return None
        if result is None or self.dummy:
            return wager.run.before if wager.run else Score()
        now = score_with(over, result, wager.run)
        return None if judge_coups(over, self.rules.spots[wager.spot].pays, now) else now

    def run_out(self, why: str) -> None:
        """Returns, or takes, each bet of which no coup comes any more.

        `why`: `shoe-ended`, or `rolled-over`.
        """
        for wager in [*self.undecided.values()] if self.over else [*self.wagers()]:
            assert wager.run is not None, "a coup with bets of its own is not left"
            payment = self._by_count(wager, wager.run.before)
            self.record(
                coup_wagers.WagerRanOut(
                    **wager.whose, stake=wager.stake, **payment.as_recorded(), why=why
                )
            )

    def _by_count(self, wager: Wager, now: Score) -> Payment:
        """What a bet is paid if no coup comes any more."""
        table = self.rules.spots[wager.spot].pays
        line = line_at_end(self.rules.over_coups[wager.spot], table, now)
        return pay_by(line, self.rules, wager.spot, wager.stake)

    def count_again(
        self,
        wager: Wager,
        now: Score,
        because: str,
        signed: Signed,
        was: Result | None,
        *,
        until: int,
    ) -> Iterator[Change]:
        """Counts a bet anew, because a coup of its was put right, and pays it by that (R-IRR-5).

        `until`: the number of the last coup that is counted, which stays so.
        `was`: the result of this coup before, if it is the one. A payment that two people set
        stays.
        """
        place, run = (wager.seat, wager.spot), wager.run
        before = self.settled.get(place) if place not in self.undecided else None
        counted = self._counted(wager, was) if before or run is None else run.before
        by_count, after = self._by_count(wager, counted), self._by_count(wager, now)
        if counted == now or (before and by_count.as_recorded() == after.as_recorded()):
            return
        self.record(
            coup_wagers.WagerRecounted(
                **wager.whose,
                **coup_wagers.as_counted(now),
                placed_in=run.placed_in if run else self.address.number,
                because=because,
                until=until,
                **signed.fields,
            )
        )
        if before and before.as_recorded() == by_count.as_recorded():
            self._correct_payment(wager, before, after, None, signed)
            yield Change(wager, before, after)

    def _counted(self, wager: Wager, was: Result | None) -> Score:
        """The count by which a bet was decided here."""
        if wager.run and wager.run.recounted:
            return wager.run.recounted
        result = was or self.hands.result
        assert result is not None
        return score_with(self.rules.over_coups[wager.spot], result, wager.run)

    def require_none_carried(self, seat: int, spot: str | None) -> None:
        """Refuses to replace, or take back, a bet from an earlier coup: BadValue.

        `spot`: None for any bet of the seat.
        """
        for wager in self.layout.placed.get(seat, {}).values() if not self.over else ():
            if wager.run is None or spot not in (None, wager.spot):
                continue
            raise refusals.BadValue(
                rule="R-BET-9",
                message=Words(
                    "Seat {seat}'s bet of {stake} on {spot} from coup {n} is not decided yet, and "
                    "stays until it is. Bet on it again after that.",
                    seat=seat,
                    stake=self._amount(wager.stake),
                    spot=spot_label(wager.spot),
                    n=wager.run.placed_in,
                ),
            )
