"""Whether a shoe was dealt in the order of new decks, shuffled too little or not at all.

A new deck comes suit by suit, up or down. Which suit comes first, and where it turns, differs by
maker, so what is looked for is any suit from ace to king or from king to ace. In 2012 a New Jersey
table dealt 41 straight winners from decks that nobody had shuffled (R-SHOE-1).
"""

from collections import Counter

from domain.review.protection.following import Gambler
from domain.rules.cards import DECK, RANKS

_SUITS = sorted({card[1] for card in DECK})
_UP = {f"{suit} up": [rank + suit for rank in RANKS] for suit in _SUITS}
ORDERS = {**_UP, **{f"{name[0]} down": order[::-1] for name, order in _UP.items()}}


def new_deck(decks: int) -> Gambler:
    """A gambler who guesses that cards leave a shoe in the order of new decks."""
    return Gambler(Counter(DECK * decks), ORDERS)
