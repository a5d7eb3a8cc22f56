"""The cards that a coup is dealt from: full decks, or whatever is left of them."""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property, lru_cache

from msgspec import Struct

from domain.rules.cards import DECK, points

LARGEST_COUP = 6  # cards; with fewer left no coup begins


class Pack(Struct, frozen=True, dict=True):
    """How many there are of each card, in the order of `DECK`."""

    counts: tuple[int, ...]

    @classmethod
    def of(cls, cards: Iterable[str]) -> "Pack":
        """These cards.

        >>> Pack.of(["KS", "KS", "9H"]).values
        (2, 0, 0, 0, 0, 0, 0, 0, 0, 1)
        """
        counts = Counter(cards)
        return cls(tuple(counts[card] for card in DECK))

    @cached_property
    def size(self) -> int:
        """How many cards there are."""
        return sum(self.counts)

    @cached_property
    def by_card(self) -> dict[str, int]:
        """How many there are of each card, by name."""
        return dict(zip(DECK, self.counts, strict=True))

    @cached_property
    def values(self) -> tuple[int, ...]:
        """How many cards count 0, 1, … 9."""
        values = [0] * 10
        for card, many in self.by_card.items():
            values[points(card)] += many
        return tuple(values)

    @cached_property
    def even(self) -> bool:
        """Whether there are as many of each card, so that no value or suit is like no other."""
        return len(set(self.counts)) == 1

    def without(self, cards: Iterable[str]) -> "Pack":
        """What is left of them. Raises ValueError if one was never there."""
        gone = Counter(cards)
        counts = tuple(many - gone[card] for card, many in self.by_card.items())
        if min(counts) < 0 or not gone.keys() <= self.by_card.keys():
            raise ValueError(dict(gone))
        return Pack(counts)


@lru_cache(maxsize=16)
def whole(decks: int) -> Pack:
    """Full decks."""
    return Pack((decks,) * len(DECK))
