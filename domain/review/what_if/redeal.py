"""A coup dealt again from given cards, by the tableau or against it.

R-DEAL-1, R-DRAW-1 to 4, R-WIN-1. A coup at the table always follows the tableau; only a what-if
deals against it. Pure.

>>> dealt = redeal(["9C", "5S", "7C", "QD", "9S"], {"banker": False})
>>> dealt.result.outcome, dealt.result.banker_total, dealt.left_over
('player', 5, ('9S',))
>>> dealt.decisions[1].why
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
from domain.rules.wording import N_, Words

Forced = Mapping[Hand, bool]  # whether a hand has a third card, whatever the tableau says
# By hand, and whether it has a third card against the tableau.
_AGAINST = {
    ("player", True): N_("Player has a third card, against {rule}: {why}"),
    ("player", False): N_("Player has no third card, against {rule}: {why}"),
    ("banker", True): N_("Banker has a third card, against {rule}: {why}"),
    ("banker", False): N_("Banker has no third card, against {rule}: {why}"),
}


class Decision(Struct, frozen=True):
    """The tableau's decision on a third card, and the one taken."""

    step: Step
    draws: bool

    @property
    def hand(self) -> Hand:
        """The hand of the third card."""
        return "player" if self.step.position == "player-third" else "banker"

    @property
    def forced(self) -> bool:
        """Whether it goes against the tableau."""
        return self.draws != self.step.draws

    @property
    def why(self) -> str:
        """The reason, with the rule that is broken, if any."""
        if not self.forced:
            return self.step.why
        return Words(_AGAINST[self.hand, self.draws], rule=self.step.rule, why=self.step.why)


class Redealt(Struct, frozen=True):
    """A coup made of its cards. `due`: the card that it still needs, if they ran out."""

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
    """Deals the cards, from the first on, until the coup is complete."""
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
    """The decisions: none before the fourth card, one until Player's third card, then both."""
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
    """The next card, or None if none is due."""
    if len(values) < 4:
        return next_due(values)
    draw = [Due(each.hand, each.step.rule) for each in _decisions(values, forced) if each.draws]
    thirds = len(values) - 4
    return draw[thirds] if thirds < len(draw) else None
