"""Bets after the first four cards: when these offer one, and which odds may still come (R-BET-8).

>>> four = ("5C", "2D", "KS", "4H")  # Player has 5, Banker 6
>>> are_so("first two player cards make 5", four)
True
>>> are_so("first two banker cards make 0 to 5", four)
False
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from domain.rules.cards import RANKS, SUITS, points
from domain.rules.conditions import Condition, condition
from domain.rules.hands import Result, next_due, play
from domain.rules.wagers import PUSH, PayLine, PayTable, judge

FOUR = 4  # cards, two of each hand
PLACES = frozenset((0, 1, 3, 4))  # where these cards lie, in the words of conditions


def are_so(when: str, cards: Sequence[str]) -> bool:
    """Whether a condition on the first four cards is so of these."""
    hands = (cards[0], cards[2]), (cards[1], cards[3])
    return condition(when).holds(Result("tie", 0, 0, 2, 2, hands))


def goes_on(cards: Sequence[str]) -> bool:
    """Whether four cards lie there and a third card is due, so that a bet may still be decided."""
    return len(cards) == FOUR and next_due([points(card) for card in cards]) is not None


def looks_beyond(when: Condition) -> bool:
    """Whether a condition asks for more than the first four cards."""
    return any(not fact.places or fact.places - PLACES for fact in when.facts)


@lru_cache(maxsize=256)
def may_decide(table: PayTable, cards: tuple[str, ...]) -> tuple[PayLine, ...]:
    """The lines that may still win after these four cards, in the order of the pay table."""
    facts = [fact for line in table for fact in condition(line.when).facts]
    suits = SUITS if any(fact.suits for fact in facts) else SUITS[:1]
    decided = {judge(table, ended) for ended in _endings(cards, suits)}
    return tuple(line for line in table if line in decided and line.pays != PUSH)


def _endings(cards: tuple[str, ...], suits: str) -> Iterator[Result]:
    """How a coup may end that began with these cards, with third cards of these suits."""
    hands = play(cards)
    if hands.result:
        yield hands.result
        return
    for rank in RANKS:
        for suit in suits:
            yield from _endings((*cards, rank + suit), suits)
