"""A coup dealt from cards that are there, as the tableau says or as somebody decided against it.

R-DEAL-1, R-DRAW-1 to 4, R-WIN-1. The coup at the table never goes against the tableau; what
would have come of it if it had is asked here. Pure.

>>> told = redeal(["9C", "5S", "7C", "QD", "9S"], {"banker": False})
>>> told.result.outcome, told.result.banker_total, told.left_over
('player', 5, ('9S',))
>>> told.decisions[1].why
'Banker has no third card, against R-DRAW-3: Banker draws on 5: Player stood'
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from domain.rules.cards import points
from domain.rules.hands import (
    Dealt,
    Due,
    Hand,
    Result,
    Step,
    banker_third,
    next_due,
    result_of,
    third_cards,
)

Forced = Mapping[Hand, bool]  # does this hand have a third card, whatever the tableau says


class Decision(Struct, frozen=True):
    """What the tableau says of a third card, and what was done."""

    step: Step
    draws: bool

    @property
    def hand(self) -> Hand:
        """Whose third card it is."""
        return "player" if self.step.position == "player-third" else "banker"

    @property
    def forced(self) -> bool:
        """Whether it goes against the tableau."""
        return self.draws != self.step.draws

    @property
    def why(self) -> str:
        """In words; which rule it breaks, when it breaks one."""
        if not self.forced:
            return self.step.why
        has = "has a third card" if self.draws else "has no third card"
        return f"{self.hand.title()} {has}, against {self.step.rule}: {self.step.why}"


class Redealt(Struct, frozen=True):
    """A coup as it comes out of its cards. `due`: what it still needs, when they ran out."""

    dealt: tuple[Dealt, ...]
    decisions: tuple[Decision, ...]
    due: Due | None
    left_over: tuple[str, ...]

    @property
    def result(self) -> Result | None:
        """None while a card is due."""
        return None if self.due else result_of(self.dealt)

    @property
    def forced(self) -> frozenset[Hand]:
        """The hands whose third card went against the tableau."""
        return frozenset(each.hand for each in self.decisions if each.forced)


def redeal(cards: Sequence[str], forced: Forced | None = None) -> Redealt:
    """Deals as many of these cards, from the first, as the coup takes."""
    against = forced or {}
    values: list[int] = []
    dealt: list[Dealt] = []
    totals: dict[Hand, int] = {}
    due = _due(values, against)
    for n, card in enumerate(cards, 1):
        if due is None:
            break
        hand, rule = due.hand, due.rule
        values.append(points(card))
        totals[hand] = (totals.get(hand, 0) + values[-1]) % 10
        due = _due(values, against)
        dealt.append(Dealt(n, card, hand, rule, totals["player"], totals.get("banker"), due))
    return Redealt(tuple(dealt), _decisions(values, against), due, tuple(cards[len(dealt) :]))


def _decisions(values: Sequence[int], forced: Forced) -> tuple[Decision, ...]:
    """None before the fourth card; one while Player's third card is awaited; then both."""
    if len(values) < 4:
        return ()
    first, *natural = third_cards(values[:4])
    player = Decision(first, forced.get("player", first.draws))
    if player.draws and len(values) == 4:
        return (player,)
    if first.rule == "R-DRAW-1":
        (second,) = natural
    else:
        second = banker_third((values[1] + values[3]) % 10, values[4] if player.draws else None)
    return player, Decision(second, forced.get("banker", second.draws))


def _due(values: Sequence[int], forced: Forced) -> Due | None:
    """Whose card comes next; None: no card."""
    if len(values) < 4:
        return next_due(values)
    draw = [Due(each.hand, each.step.rule) for each in _decisions(values, forced) if each.draws]
    thirds = len(values) - 4
    return draw[thirds] if thirds < len(draw) else None
