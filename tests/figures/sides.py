"""Patrons whose side knows the winner, or the first card."""

from collections.abc import Callable
from functools import partial
from random import Random

from domain.review.protection.first_card import OnFirstCard, is_good, share_of_good
from domain.review.protection.right import Copied
from domain.rules.protection_levels import FIRST_CARD, RIGHT, SELDOM
from domain.rules.spots import OPPOSITE
from ops.simulation.cheats import EDGE_SORTER, KNOWING
from ops.simulation.evening import by_its_back
from tests.figures.evenings import DECKS, HONEST_COUPS, LONGEST, STAKES, fair

Sides = Callable[[list[str], str], tuple[str, int]]  # side and stake, by cards and winner


def _knowing(knows: float, random: Random) -> Sides:
    """Who knows the winner of so many of the coups, and guesses the others."""

    def bets(_: list[str], winner: str) -> tuple[str, int]:
        if random.random() < knows:
            return winner, max(STAKES)
        return random.choice(tuple(OPPOSITE)), random.choice(STAKES)

    return bets


def _edge_sorting(cards: list[str], _: str) -> tuple[str, int]:
    """Who tells the first card by its back."""
    return by_its_back(cards[0], STAKES)


def _right_after(bets: Sides, random: Random, most: int = LONGEST) -> int | None:
    """After how many coups a patron who bets so is right beyond chance."""
    copied, coups = Copied(), 0
    for shoe in fair(random):
        for cards, result in shoe.coups(4):
            winner = result.outcome
            coups += 1
            if winner == "tie":
                continue
            side, stake = bets(cards, winner)
            right = side == winner
            copied = copied.after(winner, right * stake, (not right) * stake)
            if copied.held >= SELDOM:
                return coups
            if coups >= most:
                return None
    raise AssertionError


def _followed_after(bets: Sides, random: Random, most: int = LONGEST) -> int | None:
    """After how many coups a patron's side follows the first card beyond chance."""
    beside, coups = OnFirstCard(), 0
    for shoe in fair(random):
        seen: list[str | None] = [shoe.cards[0], None, None, None]
        for cards, result in shoe.coups(4):
            coups += 1
            side, stake = bets(cards, result.outcome)
            if side in OPPOSITE:
                on = {"on_player": 0, "on_banker": 0} | {f"on_{side}": stake}
                share = share_of_good(DECKS, seen)
                beside = beside.after(share, good=is_good(cards[0]), **on)
            if beside.held >= SELDOM:
                return coups
            if coups >= most:
                return None
            seen += cards
    raise AssertionError


def _knower(knows: float, seed: int) -> int | None:
    random = Random(seed)
    return _right_after(_knowing(knows, random), random)


def _as_right(seed: int) -> bool:
    random = Random(seed)
    return _right_after(_knowing(0.0, random), random, HONEST_COUPS) is not None


def _as_first_card(seed: int) -> bool:
    random = Random(seed)
    return _followed_after(_knowing(0.0, random), random, HONEST_COUPS) is not None


CHEATS = {name: partial(_knower, knows) for name, knows in KNOWING.items()} | {
    EDGE_SORTER: lambda seed: _followed_after(_edge_sorting, Random(seed))
}
HONEST = {RIGHT: _as_right, FIRST_CARD: _as_first_card}
