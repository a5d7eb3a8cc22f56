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
domain.rules.refusals.CardNotDue: 2H is not due: the coup has all its cards. Put it aside, and \
call the supervisor.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from domain.rules.cards import points
from domain.rules.refusals import CardNotDue
from domain.rules.tableau import TABLEAU, Tableau
from domain.rules.wording import N_, Words

Hand = Literal["player", "banker"]
Outcome = Literal["player", "banker", "tie"]


class Due(Struct, frozen=True):
    """The next card: the hand that it goes to, and the rule that says so."""

    hand: Hand
    rule: str


class Step(Struct, frozen=True):
    """One decision of the tableau: whether a third card is drawn, by which rule, and why."""

    position: Literal["player-third", "banker-third"]
    rule: str
    draws: bool
    why: Words


class Result(Struct, frozen=True):
    """A finished coup for the pay tables: totals 0-9, two or three cards a hand."""

    outcome: Outcome
    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    hands: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # Player's cards, Banker's

    @property
    def player_pair(self) -> bool:
        """Whether Player's first two cards are of one rank (R-PAY-3)."""
        return _is_pair(self.hands[0])

    @property
    def banker_pair(self) -> bool:
        """Whether Banker's first two cards are of one rank (R-PAY-3)."""
        return _is_pair(self.hands[1])

    @property
    def natural(self) -> bool:
        """Whether either hand has 8 or 9 on two cards (R-DRAW-1)."""
        return (self.player_cards == 2 and self.player_total >= 8) or (
            self.banker_cards == 2 and self.banker_total >= 8
        )

    @property
    def margin(self) -> int:
        """The points by which the winning hand won; 0 on a tie."""
        return abs(self.player_total - self.banker_total)


def _is_pair(cards: tuple[str, ...]) -> bool:
    return len(cards) > 1 and cards[0][0] == cards[1][0]


class Dealt(Struct, frozen=True):
    """The `n`-th card of a coup (from 1): its hand and rule, then the totals and the next card."""

    n: int
    card: str
    hand: Hand
    rule: str
    player_total: int
    banker_total: int | None
    due: Due | None


class Hands(Struct, frozen=True):
    """The meaning of the cards so far. `result` is None while a card is due."""

    dealt: tuple[Dealt, ...]
    due: Due | None
    steps: tuple[Step, ...]
    result: Result | None

    def cards(self, hand: Hand) -> list[str]:
        """The cards of one hand, in the order of dealing."""
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
    """The next card after cards of these point values, in deal order, or None if none is due."""
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
    """The decisions on third cards: none before the fourth card, at most two after."""
    if len(values) < 4:
        return ()
    player = (values[0] + values[2]) % 10
    banker = (values[1] + values[3]) % 10
    if player >= 8 or banker >= 8:
        why = _natural(player, banker)
        return (
            Step("player-third", "R-DRAW-1", draws=False, why=why),
            Step("banker-third", "R-DRAW-1", draws=False, why=why),
        )
    player_draws = tableau.player_draws(player)
    why = Words(
        N_("Player draws on {total}") if player_draws else N_("Player stands on {total}"),
        total=player,
    )
    first = Step("player-third", "R-DRAW-2", player_draws, why)
    if player_draws and len(values) == 4:
        return (first,)
    return first, banker_third(banker, values[4] if player_draws else None, tableau)


def banker_third(total: int, third: int | None, tableau: Tableau = TABLEAU) -> Step:
    """Banker's decision on 0-7; `third`: the value of Player's third card, None if Player stood."""
    draws = tableau.banker_draws(total, third)
    rule = "R-DRAW-3" if third is None else "R-DRAW-4"
    return Step(
        "banker-third",
        rule,
        draws,
        Words(_BANKER_THIRD[draws, third is None], total=total, third=third),
    )


# By whether Banker draws, and whether Player stood.
_BANKER_THIRD = {
    (True, True): N_("Banker draws on {total}: Player stood"),
    (False, True): N_("Banker stands on {total}: Player stood"),
    (True, False): N_("Banker draws on {total}: Player's third card counts {third}"),
    (False, False): N_("Banker stands on {total}: Player's third card counts {third}"),
}


def _natural(player: int, banker: int) -> Words:
    """The reason why no third card is drawn: one natural, or two."""
    if player >= 8 and banker >= 8:
        return Words(
            "no third cards: Player has a natural {player} and Banker has a natural {banker}",
            player=player,
            banker=banker,
        )
    if player >= 8:
        return Words("no third cards: Player has a natural {total}", total=player)
    return Words("no third cards: Banker has a natural {total}", total=banker)


def play(cards: Sequence[str], tableau: Tableau = TABLEAU) -> Hands:
    """The hands that these cards make, in deal order. Refuses: CardNotDue."""
    values = [points(card) for card in cards]
    due = next_due((), tableau)
    dealt: list[Dealt] = []
    totals: dict[Hand, int] = {}
    for n, (card, value) in enumerate(zip(cards, values, strict=True), 1):
        if due is None:
            raise CardNotDue(
                message=Words(
                    "{card} is not due: the coup has all its cards. Put it aside, and call the "
                    "supervisor.",
                    card=card,
                )
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
    """`play` with a cache, because a coup asks several times a command."""
    return play(cards)


def outcome_of(player_total: int, banker_total: int) -> Outcome:
    """Nearer nine wins; equal totals tie (R-WIN-1)."""
    if player_total == banker_total:
        return "tie"
    return "player" if player_total > banker_total else "banker"


def result_of(dealt: Sequence[Dealt]) -> Result:
    """The result of these cards, when no other card is due."""
    cards: dict[Hand, list[str]] = {"player": [], "banker": []}
    for each in dealt:
        cards[each.hand].append(each.card)
    player, banker = cards["player"], cards["banker"]
    player_total, banker_total = dealt[-1].player_total, dealt[-1].banker_total
    assert banker_total is not None
    return Result(
        outcome=outcome_of(player_total, banker_total),
        player_total=player_total,
        banker_total=banker_total,
        player_cards=len(player),
        banker_cards=len(banker),
        hands=(tuple(player), tuple(banker)),
    )
