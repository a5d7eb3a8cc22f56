"""Shoes and patrons of evenings that nobody records."""

from collections.abc import Iterator
from itertools import count
from random import Random

from domain.rules.house_rules import HouseRules
from ops.simulation.evening import DealtShoe

DECKS = 8
STAKES = (100_00, 200_00, 500_00)
LONGEST = 1_500  # coups of a patron who cheats
HONEST_COUPS = 70  # of one who does not


def fair(random: Random) -> Iterator[DealtShoe]:
    """Shoes that were shuffled."""
    for number in count(1):
        yield DealtShoe.shuffled(f"K-{number}", DECKS, random)


def dealt(shoe: DealtShoe, rules: HouseRules) -> Iterator[list[str]]:
    """The coups after the burn, until the cut card is out."""
    left = len(shoe.cards) - 4
    for cards, _ in shoe.coups(4):
        if left <= rules.cut_card:
            return
        yield cards
        left -= len(cards)
