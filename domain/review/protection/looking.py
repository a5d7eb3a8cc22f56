"""What every question about the cards of a shoe has in common: it looks on, card by card."""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from msgspec import Struct, field

from domain.review.protection.cards_left import Card

What = TypeVar("What")
T = TypeVar("T")
if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]
WORTH_SAYING = 10  # what is held before anybody asks by what
ENOUGH = 1e200  # nobody plays on


class AgainstChance(Struct, Generic[What], frozen=True):
    """How much was ever won against chance, after which card, and by what.

    By chance alone that much is won in at most one of `odds` shoes.
    """

    odds: float
    card: int
    what: What | None


class Looks(Generic[What]):
    """Somebody who stakes one unit against chance, and looks at each card of a shoe.

    `seen`: the cards so far, None for one that left the shoe unseen; `most`: the most that they
    held after any of them.
    """

    def __init__(self) -> None:
        self.seen: list[Card] = []
        self.most = AgainstChance[What](1.0, 0, None)

    def see(self, card: Card) -> None:
        """The next card."""
        self.see_all([card])

    def see_all(self, cards: Iterable[Card]) -> AgainstChance[What]:
        """The next cards, one by one; returns the most that was ever held."""
        self.see_together([self], [[*cards]])
        return self.most

    @classmethod
    def see_together(
        cls, looks: Sequence[Self], cards: Sequence[Sequence[Card]]
    ) -> list[list[AgainstChance[What]]]:
        """The next cards of the shoe of each of several.

        Returns for each of them what `most` became, in order.
        """
        raise NotImplementedError


Step = tuple[int, int, float]  # which card of its shoe, the card, a number that goes with it
See = Callable[["Array", "Array", "Array"], "Array"]
Best = Callable[[int, int, int], What | None]


def side_by_side(
    looks: Sequence[Looks[What]], coming: Sequence[Sequence[Step]], see: See, best: Best[What]
) -> list[list[AgainstChance[What]]]:
    """Looks at one card of every shoe at a time, as `see_together` says.

    `coming`: the next cards of each shoe. `see`: what those hold, given by their numbers, who see
    such cards. `best`: by what most is held, of one of them, after which card, and the card.
    """
    import numpy as np

    order = sorted(range(len(looks)), key=lambda n: -len(coming[n]))
    every, longest = np.array(order), len(coming[order[0]])
    steps = np.zeros((len(looks), longest, 3))
    for n, some in enumerate(coming):
        steps[n, : len(some)] = some or np.zeros((0, 3))
    cards = steps[:, :, 1].astype(int)
    many = np.searchsorted([-len(coming[n]) for n in order], -np.arange(longest))
    most = np.array([look.most.odds for look in looks])
    became: list[list[AgainstChance[What]]] = [[] for _ in looks]
    for step in range(longest):
        on = every[: many[step]]
        if most.max() > ENOUGH:
            on = on[most[on] <= ENOUGH]
        if not on.size:
            break
        held = see(on, cards[on, step], steps[on, step, 2])
        for place in np.flatnonzero(held > most[on]):
            it = int(on[place])
            most[it], card = held[place], int(steps[it, step, 0])
            what = best(it, card, cards[it, step]) if most[it] >= WORTH_SAYING else None
            looks[it].most = AgainstChance(float(most[it]), card, what)
            became[it].append(looks[it].most)
    return became


ByQuestion = Mapping[str, Looks[Any]]


class _Watch(Struct):
    """Those who look at one shoe, and the cards that all of them saw."""

    looks: ByQuestion
    seen: list[Card] = field(default_factory=list)


class Look(Struct, frozen=True):
    """A shoe that is to be looked at, by the name of it and of those who look.

    `asked`: after how many of its cards it is asked for first; `begins`: those who look at its
    first card.
    """

    name: Hashable
    cards: Sequence[Card]
    asked: int
    begins: Callable[[], ByQuestion]


class Lookout:
    """Those who look go on where they stopped, while the cards that they saw are still the same.

    What is answered depends on the cards alone: one who was forgotten begins again.
    """

    def __init__(self, most: int) -> None:
        self._most = most  # shoes that are remembered
        self._known: dict[Hashable, _Watch] = {}

    def look(self, every: Sequence[Look]) -> list[dict[str, list[AgainstChance[Any]]]]:
        """What the most that each held became, of each shoe, by question.

        First what it had been before. The names differ.
        """
        watched, seen = [], []
        alike: defaultdict[tuple[str, type[Looks[Any]]], list[int]] = defaultdict(list)
        for n, each in enumerate(every):
            known = self._known.pop(each.name, None)
            if known is None or known.seen != each.cards[: min(len(known.seen), each.asked)]:
                known = _Watch(each.begins())
            watched.append(known)
            seen.append({question: [look.most] for question, look in known.looks.items()})
            for question, look in known.looks.items():
                alike[question, type(look)].append(n)
        for (question, kind), those in alike.items():
            looks = [watched[n].looks[question] for n in those]
            cards = [every[n].cards[len(watched[n].seen) :] for n in those]
            for n, became in zip(those, kind.see_together(looks, cards), strict=True):
                seen[n][question] += became
        for each, known in zip(every, watched, strict=True):
            known.seen += each.cards[len(known.seen) :]
            self._remember(each.name, known)
        return seen

    def _remember(self, name: Hashable, watch: _Watch) -> None:
        if len(self._known) >= self._most:
            del self._known[next(iter(self._known))]  # the one that was asked longest ago
        self._known[name] = watch

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
