"""Coups dealt from a shuffled shoe, as many cards as the stranger's script wants."""

from random import Random

from domain.rules.cards import DECK
from tests import VERIFY, module_of

STRANGER = module_of(VERIFY)


def random_coup(random: Random, decks: int = 8) -> list[str]:
    """The cards of a coup, in the order of dealing."""
    cards = random.sample([card for card in DECK for _ in range(decks)], 6)
    many = next(n for n in range(4, 7) if STRANGER.due(cards[:n]) is None)
    return cards[:many]
