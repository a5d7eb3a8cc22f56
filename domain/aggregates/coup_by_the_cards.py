"""What the cards of a coup pay each wager, which may share what a spot wins at most."""

from collections.abc import Collection, Mapping

from domain.aggregates.coup_state import CoupState
from domain.rules.hands import Result
from domain.rules.layout import Wager
from domain.rules.pro_rata import Place, shares
from domain.rules.settlement import Payment, pay


class CoupByTheCards(CoupState):
    """The payments of one coup, by a result and the wagers as they lie."""

    def counts_on(self, wager: Wager) -> str:
        """The spot by which a wager is paid: where it lies, unless a correction named another."""
        return self.paid_as.get((wager.seat, wager.spot), wager.spot)

    def shares(
        self, result: Result, instead: Mapping[Place, tuple[str, int]] | None = None
    ) -> dict[Place, int]:
        """What wagers win that share the most that their spot wins in one coup (R-PAY-6).

        `instead`: the spot and the stake that a wager should have been.
        """
        lots = {
            (each.seat, each.spot): (self.counts_on(each), each.stake) for each in self.wagers()
        }
        return shares(self.rules, {**lots, **(instead or {})}, result)

    def by_the_cards(
        self, result: Result, as_it_wins: Collection[str] | None = None
    ) -> dict[Place, Payment]:
        """The payment of each wager by a result, as the wagers lie now.

        `as_it_wins`: the stays that pay commission so; None: as when the coup was settled.
        """
        stays, shared = self.as_it_wins if as_it_wins is None else as_it_wins, self.shares(result)
        return {
            place: pay(
                self.rules.for_stay(wager.stay, stays),
                self.counts_on(wager),
                wager.stake,
                result,
                share=shared.get(place),
            )
            for wager in self.wagers()
            for place in [(wager.seat, wager.spot)]
        }
