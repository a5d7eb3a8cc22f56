"""Shoes that somebody shuffled too little, kept together or made short, by their cards."""

from collections.abc import Callable
from functools import partial
from itertools import islice
from random import Random
from typing import Any

from domain.review.protection.clumps import Clumps
from domain.review.protection.looking import Looks
from domain.review.protection.new_deck import new_deck
from domain.review.protection.repeated_slug import EARLIER, repeated_slug
from domain.review.protection.whole_decks import WholeDecks
from domain.rules.protection_levels import CLUMP, EARLIER_SHOE, NEW_DECK, NOT_WHOLE, SELDOM
from ops.simulation.cheats import SHUFFLES, SLUG
from ops.simulation.evening import DealtShoe
from tests.figures.evenings import DECKS, fair

BEHIND = 14  # cards behind the cut card


def _seen_after(looks: Looks[Any], cards: list[str]) -> int | None:
    """After how many cards."""
    held = (looks.see_all([card]).odds for card in cards)
    return next((n for n, odds in enumerate(held, 1) if odds >= SELDOM), None)


def _coup_of(shoe: DealtShoe, card: int) -> int:
    """Whether the first, second, … coup has the card with this number."""
    used = 4  # one burned face up, three face down
    for number, (cards, _) in enumerate(shoe.coups(used), 1):
        used += len(cards)
        if card <= used:
            return number
    raise ValueError(card)


def _shuffled_too_little(looks: Callable[[], Looks[Any]], cheat: str, seed: int) -> int | None:
    """In which coup of the first shoe."""
    random = Random(seed)
    shoe = next(SHUFFLES[cheat](fair(random), random))
    card = _seen_after(looks(), shoe.cards)
    return card and _coup_of(shoe, card)


def _false_shuffle(seed: int) -> int | None:
    """How many coups of the slug were dealt by then."""
    random = Random(seed)
    first, second = islice(SHUFFLES["false-shuffle"](fair(random), random), 2)
    earlier = {f"shoe {n}": next(fair(random)).cards for n in range(1, EARLIER)}
    card = _seen_after(repeated_slug(DECKS, {"shoe 0": first.cards, **earlier}), second.cards)
    begins = _begin_of(second.cards, first.cards)
    return card and _coup_of(second, card) - _coup_of(second, begins) + 1


def _short(seed: int) -> int | None:
    """In which coup, counted from the first of the first short shoe, after a fair one."""
    random = Random(seed)
    earlier, coups = [next(fair(random)).cards], 0
    for shoe in islice(SHUFFLES["short-of-tens"](fair(random), random), EARLIER):
        cards = shoe.cards[:-BEHIND]
        if card := _seen_after(WholeDecks(DECKS, earlier), cards):
            return coups + _coup_of(shoe, card)
        earlier.append(cards)
        coups += _coup_of(shoe, len(cards))
    return None


def _begin_of(cards: list[str], earlier: list[str]) -> int:
    """The number of the card with which the slug begins."""
    slugs = {tuple(earlier[n : n + SLUG]) for n in range(len(earlier))}
    return next(n for n in range(len(cards)) if tuple(cards[n : n + SLUG]) in slugs) + 1


def _as_new_deck(seed: int) -> bool:
    return _seen_after(new_deck(DECKS), next(fair(Random(seed))).cards) is not None


def _as_earlier_shoe(seed: int) -> bool:
    random = Random(seed)
    earlier = {f"shoe {n}": next(fair(random)).cards for n in range(EARLIER)}
    return _seen_after(repeated_slug(DECKS, earlier), next(fair(random)).cards) is not None


def _as_clumped(seed: int) -> bool:
    return _seen_after(Clumps(DECKS), next(fair(Random(seed))).cards) is not None


def _as_not_whole(seed: int) -> bool:
    *earlier, shoe = (each.cards for each in islice(fair(Random(seed)), EARLIER + 1))
    return _seen_after(WholeDecks(DECKS, earlier), shoe) is not None


_NEW = partial(new_deck, DECKS)
_CLUMPS = partial(Clumps, DECKS)
CHEATS = {
    **{
        name: partial(_shuffled_too_little, _NEW, name)
        for name in ("new-decks", "riffled-once", "riffled-twice")
    },
    **{
        name: partial(_shuffled_too_little, _CLUMPS, name)
        for name in ("riffled-four-times", "riffled-five-times", "riffled-six-times")
    },
    "false-shuffle": _false_shuffle,
    "short-of-tens": _short,
}
HONEST = {
    NEW_DECK: _as_new_deck,
    EARLIER_SHOE: _as_earlier_shoe,
    CLUMP: _as_clumped,
    NOT_WHOLE: _as_not_whole,
}
