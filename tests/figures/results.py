"""Patrons whom the dealer signals a Tie, and who are lucky; and dealers at whose table they are."""

from collections.abc import Iterator
from functools import partial
from random import Random

from domain.review.protection.results import AgainstTheory, Bet, result_of
from domain.rules.hands import Result as Ended
from domain.rules.house_rules import named
from domain.rules.protection_levels import DEALER_LOSES, SELDOM, WINS_WITH
from domain.rules.settlement import pay
from ops.simulation.cheats import SIGNALLING
from tests.figures.evenings import DECKS, LONGEST, STAKES, fair

RULES = named("pairs@1")
HONEST_COUPS = 1_000  # of a patron with one dealer, or of a dealer
PATRONS = 4


def _bets(random: Random, ended: Ended, told: float) -> Iterator[Bet]:
    """What a patron bets on a coup: the sides, at times beside it a Tie or a pair."""
    yield _bet(random.choice(("player", "banker")), random.choice(STAKES), ended)
    if told and ended.outcome == "tie" and random.random() < told:
        yield _bet("tie", max(STAKES), ended)
    elif random.random() < 0.2:
        yield _bet(random.choice(("tie", "pair-player", "pair-banker")), min(STAKES), ended)


def _bet(spot: str, stake: int, ended: Ended) -> Bet:
    paid = pay(RULES, spot, stake, ended)
    won = {"win": paid.winnings - float(paid.commission_exact), "push": 0.0, "lose": -stake}
    return Bet(spot, stake, won[paid.result])


def _seen_after(seed: int, most: int, told: float = 0.0, patrons: int = 1) -> int | None:
    """After how many coups so many patrons, the first of whom is told, win beyond chance."""
    random, beside, coups = Random(seed), AgainstTheory(), 0
    for shoe in fair(random):
        for _, ended in shoe.coups(4):
            coups += 1
            tells = (told, *(0.0 for _ in range(patrons - 1)))
            bets = [bet for each in tells for bet in _bets(random, ended, each)]
            beside.add(result_of(RULES, DECKS, bets))
            if beside.held >= SELDOM:
                return coups
            if coups >= most:
                return None
    raise AssertionError


def _signalled(told: float, seed: int) -> int | None:
    return _seen_after(seed, LONGEST, told)


CHEATS = {name: partial(_signalled, told) for name, (_, told) in SIGNALLING.items()}
HONEST = {
    WINS_WITH: lambda seed: _seen_after(seed, HONEST_COUPS) is not None,
    DEALER_LOSES: lambda seed: _seen_after(seed, HONEST_COUPS, patrons=PATRONS) is not None,
}
