"""What every question about the cards of a shoe has in common: it looks on, card by card."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct, field

from domain.review.protection.cards_left import Card

What = TypeVar("What")


class AgainstChance(Struct, Generic[What], frozen=True):
    """How much was ever won against chance, after which card, and by what.

    By chance alone that much is won in at most one of `odds` shoes.
    """

    odds: float
    card: int
    what: What | None


class Looks(Protocol[What]):
    """Somebody who stakes one unit against chance, and looks at each card of a shoe.

    `seen`: the cards so far, None for one that left the shoe unseen; `most`: the most that they
    held after any of them.
    """

    seen: list[Card]
    most: AgainstChance[What]

    def see(self, card: Card) -> None:
        """The next card."""

    def see_all(self, cards: Iterable[Card]) -> AgainstChance[What]:
        """The next cards, one by one; returns the most that was ever held."""
        for card in cards:
            self.see(card)
        return self.most


ByQuestion = Mapping[str, Looks[Any]]


class _Watch(Struct):
    """Those who look at one shoe, and the cards that all of them saw."""

    looks: ByQuestion
    seen: list[Card] = field(default_factory=list)

    def see_all(self, cards: Sequence[Card]) -> dict[str, AgainstChance[Any]]:
        self.seen += cards
        return {question: each.see_all(cards) for question, each in self.looks.items()}


class Lookout:
    """Those who look go on where they stopped, while the cards that they saw are still the same.

    What is answered depends on the cards alone: one who was forgotten begins again.
    """

    def __init__(self, most: int) -> None:
        self._most = most  # shoes that are remembered
        self._known: dict[Hashable, _Watch] = {}

    def look(
        self, name: Hashable, cards: Sequence[Card], begins: Callable[[], ByQuestion]
    ) -> dict[str, AgainstChance[Any]]:
        """What each of them held against chance, by question; `name`: of them and of the shoe."""
        known = self._known.pop(name, None)
        if known is None or known.seen != cards[: len(known.seen)]:
            known = _Watch(begins())
        if len(self._known) >= self._most:
            del self._known[next(iter(self._known))]  # the one that was asked longest ago
        self._known[name] = known
        return known.see_all(cards[len(known.seen) :])

    def forget(self) -> None:
        """Everyone begins again."""
        self._known.clear()
