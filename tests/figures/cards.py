"""New decks and kept slugs, by their cards."""

from functools import partial
from random import Random

from domain.review.protection.following import Gambler
from domain.review.protection.new_deck import new_deck
from domain.review.protection.repeated_slug import EARLIER, repeated_slug
from domain.rules.protection_levels import EARLIER_SHOE, NEW_DECK, SELDOM
from ops.simulation.cheats import SHUFFLES, SLUG
from ops.simulation.evening import DealtShoe
from tests.figures.evenings import DECKS, fair


def _seen_after(gambler: Gambler, cards: list[str]) -> int | None:
    """After how many cards."""
    held = (gambler.see_all([card]).odds for card in cards)
    return next((n for n, odds in enumerate(held, 1) if odds >= SELDOM), None)


def _coup_of(shoe: DealtShoe, card: int) -> int:
    """Whether the first, second, … coup has the card with this number."""
    used = 4  # one burned face up, three face down
    for number, (cards, _) in enumerate(shoe.coups(used), 1):
        used += len(cards)
        if card <= used:
            return number
    raise ValueError(card)


def _cheat(cheat: str, seed: int) -> int | None:
    """How many coups of what was not shuffled were dealt when it was seen."""
    random = Random(seed)
    shoes = SHUFFLES[cheat](fair(random), random)
    first = next(shoes)
    if cheat != "false-shuffle":
        card = _seen_after(new_deck(DECKS), first.cards)
        return card and _coup_of(first, card)
    second = next(shoes)
    earlier = {f"shoe {n}": next(fair(random)).cards for n in range(1, EARLIER)}
    card = _seen_after(repeated_slug(DECKS, {"shoe 0": first.cards, **earlier}), second.cards)
    begins = _begin_of(second.cards, first.cards)
    return card and _coup_of(second, card) - _coup_of(second, begins) + 1


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


CHEATS = {name: partial(_cheat, name) for name in SHUFFLES}
HONEST = {NEW_DECK: _as_new_deck, EARLIER_SHOE: _as_earlier_shoe}
