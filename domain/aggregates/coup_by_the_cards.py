"""What the cards of a coup pay each wager, which may share what a spot wins at most."""

from collections.abc import Collection, Mapping

from domain.aggregates.coup_state import CoupState
from domain.rules.hands import Result
from domain.rules.layout import Wager
from domain.rules.must_hit import Standing
from domain.rules.pro_rata import Place, Share, shares
from domain.rules.progressives import Staked, staked
from domain.rules.settlement import Payment, pay


class CoupByTheCards(CoupState):
    """The payments of one coup, by a result and the wagers as they lie."""

    def counts_on(self, wager: Wager) -> str:
        """The spot by which a wager is paid: where it lies, unless a correction named another."""
        return self.paid_as.get((wager.seat, wager.spot), wager.spot)

    @property
    def lots(self) -> dict[Place, tuple[str, int]]:
        """The spot by which each wager is paid, and its stake."""
        return {
            (each.seat, each.spot): (self.counts_on(each), each.stake) for each in self.wagers()
        }

    def shares(
        self,
        result: Result,
        instead: Mapping[Place, tuple[str, int]] | None = None,
        meters: Mapping[str, Standing] | None = None,
    ) -> dict[Place, Share]:
        """What wagers win that share the most that their spot wins in one coup, or its meter.

        `instead`: the spot and the stake that a wager should have been. `meters`: what each stands
        at; None: as when the coup was settled.
        """
        lots = {**self.lots, **(instead or {})}
        return shares(self.rules, lots, result, self.stood if meters is None else meters)

    @property
    def stood(self) -> dict[str, Standing]:
        """By spot, what its meter stood at when it paid the coup."""
        return {spot: each.stood for spot, each in self.meters.items()}

    def staked(self, meters: Mapping[str, Standing]) -> dict[str, Staked]:
        """By spot with a meter, what lay on it and what the meter paid; none if it is void."""
        if self.phase != "settled":
            return {}
        won = {place: payment.winnings for place, payment in self.settled.items()}
        return staked(self.rules, self.lots, won, self.hands.result, meters)

    def lying_on_meters(self, spots: Collection[str] = ()) -> dict[str, int]:
        """By spot with a meter, what lies on it before the coup is settled."""
        lay = dict.fromkeys((spot for spot in spots if spot in self.rules.progressives), 0)
        for spot, stake in self.lots.values():
            if spot in self.rules.progressives:
                lay[spot] = lay.get(spot, 0) + stake
        return lay

    def waits_for_its_meter(self, wager: Wager, payment: Payment) -> bool:
        """Whether a wager wins of a meter, or may, and only the settled coup shows how much."""
        may_win = payment.by_meter or self.rules.must_be_won(self.counts_on(wager))
        return may_win and self.phase != "settled"

    def by_the_cards(
        self,
        result: Result,
        as_it_wins: Collection[str] | None = None,
        meters: Mapping[str, Standing] | None = None,
    ) -> dict[Place, Payment]:
        """The payment of each wager by a result, as the wagers lie now.

        `as_it_wins`: the stays that pay commission so; `meters`: what each stands at. None: as when
        the coup was settled.
        """
        stays = self.as_it_wins if as_it_wins is None else as_it_wins
        shared = self.shares(result, meters=meters)
        return {
            place: pay(
                self.rules.for_stay(wager.stay, stays),
                self.counts_on(wager),
                wager.stake,
                result,
                share=shared.get(place),
                run=wager.run,
            )
            for wager in self.wagers()
            for place in [(wager.seat, wager.spot)]
        }
