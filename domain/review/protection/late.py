"""Whether a patron's wagers that were entered after the first card win more often than chance.

A past-poster bets once cards are out, and the record has it as a bet that was forgotten: entered
late, raised, moved to them from another seat or patron, or taken lower when it is about to lose.

Chance: who placed a wager before the first card knew nothing of the cards, and who enters it later
cannot know the cards to come. So it wins with the spot's exact share among all coups that the cards
left then can deal, and that go on at least as long as this one had when it was entered: of coups
with six cards Player wins 54%. Beside the patron a gambler (`beside.py`) copies what was
changed, by as much as it was changed; where a wager became smaller he bets that it loses.

Only what was entered before the coup was decided is looked at, and only on Player, Banker and Tie,
which no card decides earlier. What comes later is chosen by honest people too: a patron whose bet
was forgotten asks for it when it won, and the dealer takes the chips of one that lost without a
word. Whose those are is asked by `late_wins.py`.
"""

from collections.abc import Sequence

from domain.review.protection.beside import Beside
from domain.review.protection.cards_left import Card, unseen
from domain.rules.hands import play
from domain.rules.house_rules import HouseRules
from domain.rules.odds.tally import fitting
from domain.rules.refusals import CardNotDue
from domain.rules.spots import OPPOSITE
from domain.rules.wagers import PUSH, PayLine

SPOTS = (*OPPOSITE, "tie")
_SHORTER = {4: "the coup has 4 cards", 5: "the coup has at most 5 cards"}  # by the cards out


class Late(Beside):
    """A gambler on one patron's wagers that were entered late; `right`, `wrong`: wagers."""


def is_open(cards: Sequence[Card]) -> bool:
    """Whether the first card of a coup is out, and they do not decide it.

    >>> is_open([]), is_open(["9C", "KD", "2H"]), is_open(["9C", "KD", "KH", "2H"])
    (False, True, False)
    """
    return bool(cards) and decides(cards) is False


def decides(cards: Sequence[Card]) -> bool | None:
    """Whether these cards decide a coup; None: they are not all known, or in another order."""
    named = [card for card in cards if card]
    try:
        return play(named).result is not None if len(named) == len(cards) else None
    except CardNotDue:  # it is to be put right first
        return None


def share_of(
    rules: HouseRules, decks: int, before: Sequence[Card], spot: str, out: int, *, wins: bool
) -> float | None:
    """The share of coups in which a spot wins, or loses, of those that do not return its stake.

    `before`: the cards that had left the shoe before the coup; `out`: how many of its own were out
    and did not decide it. None: it cannot be counted, or there is nothing to bet on.

    >>> from domain.rules.house_rules import named
    >>> pairs = named("pairs@1")
    >>> [round(share_of(pairs, 8, [], "player", out, wins=True), 4) for out in (3, 4, 5)]
    [0.4932, 0.489, 0.5431]
    """
    shorter = [PayLine(_SHORTER[out], PUSH)] if out in _SHORTER else []
    table = (*shorter, *rules.spots[spot].pays)
    won = lost = 0
    for fit, ways in fitting(table, unseen(decks, before)).items():
        if not fit:
            lost += ways
        elif table[fit[0]].pays != PUSH:
            won += ways
    return (won if wins else lost) / (won + lost) if won and lost else None
