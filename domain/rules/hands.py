"""Cards in deal order in; outcome and reasons out (R-DEAL-1, R-DRAW-1 to 4, R-WIN-1).

Pure: the coup at the table, the replay, the adjudicator and the exact odds all ask here.

>>> hands = play(["9C", "5S", "7C", "QD", "9S"])
>>> hands.result.outcome, hands.player_total, hands.banker_total
('player', 6, 4)
>>> [(step.position, step.rule, step.draws) for step in hands.steps]
[('player-third', 'R-DRAW-2', False), ('banker-third', 'R-DRAW-3', True)]
>>> play(["9C", "KS", "KC", "QD", "2H"])
Traceback (most recent call last):
    ...
domain.rules.refusals.CardNotDue: 2H is not due: the coup has all its cards. Put the card aside \
and call the supervisor.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from domain.rules.cards import points
from domain.rules.refusals import CardNotDue
from domain.rules.tableau import TABLEAU, Tableau

Hand = Literal["player", "banker"]
Outcome = Literal["player", "banker", "tie"]


class Due(Struct, frozen=True):
    """The next card belongs to `hand`, because of `rule`."""

    hand: Hand
    rule: str


class Step(Struct, frozen=True):
    """One decision of the tableau: does this third card come, by which rule, and why."""

    position: Literal["player-third", "banker-third"]
    rule: str
    draws: bool
    why: str


class Result(Struct, frozen=True):
    """A finished coup as pay tables see it; totals 0-9, two or three cards a hand."""

    outcome: Outcome
    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    player_pair: bool = False
    banker_pair: bool = False

    @property
    def natural(self) -> bool:
        """Either hand 8 or 9 on two cards (R-DRAW-1)."""
        return (self.player_cards == 2 and self.player_total >= 8) or (
            self.banker_cards == 2 and self.banker_total >= 8
        )

    @property
    def margin(self) -> int:
        """By how many points the winning hand won; 0 on a tie."""
        return abs(self.player_total - self.banker_total)


class Dealt(Struct, frozen=True):
    """The `n`-th card of a coup (from 1), where it went and why, and how things stood after it."""

    n: int
    card: str
    hand: Hand
    rule: str
    player_total: int
    banker_total: int | None
    due: Due | None


class Hands(Struct, frozen=True):
    """Everything the cards so far say. `result` is None while a card is due."""

    dealt: tuple[Dealt, ...]
    due: Due | None
    steps: tuple[Step, ...]
    result: Result | None

    def cards(self, hand: Hand) -> list[str]:
        """The cards of one hand, in the order in which they came."""
        return [dealt.card for dealt in self.dealt if dealt.hand == hand]

    @property
    def player_total(self) -> int | None:
        """Player's total so far, None before the first card."""
        return self.dealt[-1].player_total if self.dealt else None

    @property
    def banker_total(self) -> int | None:
        """Banker's total so far, None before Banker's first card."""
        return self.dealt[-1].banker_total if self.dealt else None


def next_due(values: Sequence[int], tableau: Tableau = TABLEAU) -> Due | None:
    """Whose card comes next after cards of these point values, in deal order; None: no card."""
    count = len(values)
    if count < 4:
        return Due("player" if count % 2 == 0 else "banker", "R-DEAL-1")
    player = (values[0] + values[2]) % 10
    banker = (values[1] + values[3]) % 10
    if count == 6 or player >= 8 or banker >= 8:
        return None
    if tableau.player_draws(player):
        if count == 4:
            return Due("player", "R-DRAW-2")
        return Due("banker", "R-DRAW-4") if tableau.banker_draws(banker, values[4]) else None
    if count == 4 and tableau.banker_draws(banker, None):
        return Due("banker", "R-DRAW-3")
    return None


def third_cards(values: Sequence[int], tableau: Tableau = TABLEAU) -> tuple[Step, ...]:
    """The decisions that these cards allow: none before the fourth, at most two after."""
    if len(values) < 4:
        return ()
    player = (values[0] + values[2]) % 10
    banker = (values[1] + values[3]) % 10
    if player >= 8 or banker >= 8:
        why = " and ".join(
            f"{name} has a natural {total}"
            for name, total in (("Player", player), ("Banker", banker))
            if total >= 8
        )
        return (
            Step("player-third", "R-DRAW-1", draws=False, why=f"no third cards: {why}"),
            Step("banker-third", "R-DRAW-1", draws=False, why=f"no third cards: {why}"),
        )
    player_draws = tableau.player_draws(player)
    verb = "draws" if player_draws else "stands"
    first = Step("player-third", "R-DRAW-2", player_draws, f"Player {verb} on {player}")
    if player_draws and len(values) == 4:
        return (first,)
    return first, banker_third(banker, values[4] if player_draws else None, tableau)


def banker_third(total: int, third: int | None, tableau: Tableau = TABLEAU) -> Step:
    """Banker's decision on 0-7; what Player's third card counts, None: Player stood."""
    draws = tableau.banker_draws(total, third)
    verb = "draws" if draws else "stands"
    because = "Player stood" if third is None else f"Player's third card counts {third}"
    rule = "R-DRAW-3" if third is None else "R-DRAW-4"
    return Step("banker-third", rule, draws, f"Banker {verb} on {total}: {because}")


def play(cards: Sequence[str], tableau: Tableau = TABLEAU) -> Hands:
    """Lays the cards, in deal order, where they belong. Refuses: CardNotDue."""
    values = [points(card) for card in cards]
    due = next_due((), tableau)
    dealt: list[Dealt] = []
    totals: dict[Hand, int] = {}
    for n, (card, value) in enumerate(zip(cards, values, strict=True), 1):
        if due is None:
            raise CardNotDue(
                card=card,
                why="the coup has all its cards",
                then="Put the card aside and call the supervisor",
            )
        hand, rule = due.hand, due.rule
        totals[hand] = (totals.get(hand, 0) + value) % 10
        due = next_due(values[:n], tableau)
        dealt.append(Dealt(n, card, hand, rule, totals["player"], totals.get("banker"), due))
    return Hands(
        dealt=tuple(dealt),
        due=due,
        steps=third_cards(values, tableau),
        result=None if due else result_of(dealt),
    )


@lru_cache(maxsize=1024)
def played(cards: tuple[str, ...]) -> Hands:
    """As `play`, remembered: a coup asks what its cards say several times a command."""
    return play(cards)


def outcome_of(player_total: int, banker_total: int) -> Outcome:
    """Nearer nine wins; equal totals tie (R-WIN-1)."""
    if player_total == banker_total:
        return "tie"
    return "player" if player_total > banker_total else "banker"


def result_of(dealt: Sequence[Dealt]) -> Result:
    """What these cards come to, when no other comes."""
    ranks: dict[Hand, list[str]] = {"player": [], "banker": []}
    for each in dealt:
        ranks[each.hand].append(each.card[0])
    player, banker = dealt[-1].player_total, dealt[-1].banker_total
    assert banker is not None
    return Result(
        outcome=outcome_of(player, banker),
        player_total=player,
        banker_total=banker,
        player_cards=len(ranks["player"]),
        banker_cards=len(ranks["banker"]),
        player_pair=ranks["player"][0] == ranks["player"][1],
        banker_pair=ranks["banker"][0] == ranks["banker"][1],
    )
