"""Patrons who count, and what there is to be made of it."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from random import Random

from domain.review.protection.cards_left import CardsLeft
from domain.review.protection.counting import (
    OnSpot,
    all_after,
    coup_before,
    edge_by_count,
    held,
    sides_after,
)
from domain.review.protection.worth import worth
from domain.rules.house_rules import HouseRules, named
from domain.rules.protection_levels import COUNTS, SELDOM
from ops.simulation.cheats import COUNTING
from tests.figures.evenings import DECKS, HONEST_COUPS, LONGEST, STAKES, dealt, fair

Bets = Callable[[list[str]], dict[str, int]]  # the stakes by the cards that were seen


class Seated:
    """A patron at a table, and what is held against chance beside them, coup by coup."""

    def __init__(self, rules: HouseRules) -> None:
        self.rules = rules
        self.beside: dict[str, OnSpot] = {}

    def shoes(self, random: Random, bets: Bets) -> Iterator[float]:
        """What is held after each coup."""
        for shoe in fair(random):
            gone = CardsLeft([shoe.cards[0], None, None, None], [""] * 4)
            left, numbers = gone.left, gone.numbers
            for coup, cards in enumerate(dealt(shoe, self.rules), 1):
                staked = bets([card for card in left if card])
                before = coup_before(gone, coup, DECKS)
                sides = sides_after(before, self.rules, {**self.beside, **staked})
                self.beside = all_after(self.beside, staked, sides) if staked else self.beside
                left += cards
                numbers += [f"{coup}/{n}" for n in range(1, len(cards) + 1)]
                yield held(self.beside)


def _cheat(cheat: str, seed: int) -> int | None:
    """After how many coups one is seen who counts a spot, and bets a little on Player meanwhile."""
    name, spot = COUNTING[cheat]
    rules = named(name)

    def bets(seen: list[str]) -> dict[str, int]:
        favoured = edge_by_count(rules, spot, DECKS, seen) > 0
        staked = {"player": min(STAKES)}
        return staked | ({spot: max(STAKES)} if favoured else {})

    coups = islice(Seated(rules).shoes(Random(seed), bets), LONGEST)
    return next((n for n, each in enumerate(coups, 1) if each >= SELDOM), None)


def _as_counter(seed: int) -> bool:
    random, rules = Random(seed), named("ez@1")

    def bets(_: list[str]) -> dict[str, int]:
        spots = random.sample(sorted(rules.spots), k=random.randint(0, 3))
        return {spot: random.choice(STAKES) for spot in spots}

    coups = islice(Seated(rules).shoes(random, bets), HONEST_COUPS)
    return any(each >= SELDOM for each in coups)


def worth_of(name: str, shoes: int = 160) -> Iterator[str]:
    """What a perfect counter makes in a shoe, on each spot, in stakes."""
    rules, made, above, random = named(name), Counter[str](), Counter[str](), Random(2)
    for shoe in islice(fair(random), shoes):
        left: list[str | None] = [shoe.cards[0], None, None, None]
        numbers = [""] * 4
        for coup, cards in enumerate(dealt(shoe, rules), 1):
            left += cards
            numbers += [f"{coup}/{n}" for n in range(1, len(cards) + 1)]
        for each in worth(rules, DECKS, left, numbers):
            made[each.spot] += float(each.made)
            above[each.spot] += each.coups
    for spot in rules.spots:
        yield f"| {spot} | {above[spot] / shoes:.2f} | {made[spot] / shoes:.4f} |"


CHEATS = {name: partial(_cheat, name) for name in COUNTING}
HONEST = {COUNTS: _as_counter}
