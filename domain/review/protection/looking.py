"""What every question about the cards of a shoe has in common: it looks on, card by card."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct, field

from domain.review.protection.cards_left import Card

What = TypeVar("What")
T = TypeVar("T")


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


class Remembered(Generic[T]):
    """What was reckoned last, by a name that changes whenever it does; a name of '' has nothing.

    Whoever takes it may change it, and remembers it by its new name. What was forgotten, or taken
    and never remembered, has to be reckoned anew.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[str, T] = OrderedDict()

    def take(self, name: str) -> T | None:
        """What has this name, or None. From then on it is not remembered."""
        return self._known.pop(name, None)

    def remember(self, name: str, what: T) -> None:
        """Remembers it, and forgets what was remembered longest ago, if that is too much."""
        self._known[name] = what
        while len(self._known) > self._most:
            self._known.popitem(last=False)

    def forget(self) -> None:
        """Forgets everything."""
        self._known.clear()
