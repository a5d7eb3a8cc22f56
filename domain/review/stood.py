"""What held in a coup before a line of its record: cards, stakes, payments."""

from collections.abc import Mapping, Sequence
from typing import Self

from msgspec import Struct

from domain.events import coup
from domain.rules.hands import Result, played
from domain.rules.over_coups import Run
from domain.rules.pro_rata import Lots, Place
from domain.rules.refusals import CardNotDue
from domain.rules.settlement import Payment

Runs = Mapping[Place, Run | None]


class Stood(Struct, frozen=True):
    """What held before a line: the cards, each stake and its latest payment."""

    cards: Sequence[str]
    paid: Mapping[tuple[int, str], Payment]
    stakes: Mapping[Place, int]
    paid_as: Mapping[Place, str]
    runs: Runs  # of bets that were placed in earlier coups (R-BET-9)

    @classmethod
    def now(cls, state: coup.State) -> Self:
        """What holds in a coup as it is now."""
        stakes: dict[Place, int] = {}
        runs: dict[Place, Run | None] = {}
        for each in (*state.undecided.values(), *state.layout.wagers()):
            stakes[each.seat, each.spot] = each.stake
            runs[each.seat, each.spot] = each.run
        return cls(tuple(state.cards), dict(state.settled), stakes, dict(state.paid_as), runs)

    @property
    def lots(self) -> Lots:
        """The spot that each wager counted on, and its stake."""
        return lots_of(self.stakes, self.paid_as)

    @property
    def result(self) -> Result | None:
        """The result by these cards, or None while a card is due or is too many."""
        return result_of(self.cards)


def lots_of(stakes: Mapping[Place, int], paid_as: Mapping[Place, str]) -> Lots:
    """The spot that each wager counts on, and its stake."""
    return {place: (paid_as.get(place, place[1]), stake) for place, stake in stakes.items()}


def result_of(cards: Sequence[str]) -> Result | None:
    """The result of these cards by today's rules, or None while a card is due or is too many."""
    try:
        return played(tuple(cards)).result
    except CardNotDue:
        return None
