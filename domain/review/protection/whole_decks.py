"""Whether cards leave a shoe as from whole decks: none of them missing, and none added.

Chance: cards are drawn from whole decks, and do not come back. Beside it somebody supposes that a
part of a rank, of a suit or of the tens is missing, or is there twice: the odds are how much
likelier the cards of the shoe so far are by that (hypergeometric). By chance the mean of such odds
is 1, whenever one looks, so that all of them together are x in at most one of x shoes (Ville's
inequality, as in `following.py`).

A few missing cards show late in a shoe or not at all, but they may be missing from the next shoes
of the table, too. So each supposition holds for this shoe alone, or for the last two of the table,
or more. What is missing for certain shows when the rest is counted (R-SHOE-4).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from msgspec import Struct

from domain.review.protection.cards_left import Card
from domain.review.protection.looking import WORTH_SAYING, AgainstChance, Looks
from domain.rules.cards import DECK, RANKS, SUITS

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

PARTS = (1 / 8, 1 / 4, 1 / 2)  # of the cards of a kind, that are missing or added
TENS = "tens"
_KINDS: Mapping[str, frozenset[str]] = {
    TENS: frozenset(card for card in DECK if card[0] in "TJQK"),
    **{suit: frozenset(card for card in DECK if card[1] == suit) for suit in SUITS},
    **{rank: frozenset(card for card in DECK if card[0] == rank) for rank in RANKS},
}


class NotWhole(Struct, frozen=True):
    """Of which kind too many or too few came, and how many are to be expected of whole decks."""

    kind: str
    came: int
    expected: int
    of: int  # cards that were seen
    shoes: int


class WholeDecks(Looks[NotWhole]):
    """What is held against chance after each card of a shoe, by all suppositions.

    `earlier`: the cards of the shoes before it at the table, with as many decks, the oldest first.
    How much likelier the cards are by a supposition is what those of its kind say, beside what
    their number says. `staked`: on each supposition for this shoe alone, for two, and so on.
    """

    def __init__(self, decks: int, earlier: Sequence[Sequence[Card]] = ()) -> None:
        import numpy as np

        super().__init__()
        self._by = _suppositions(decks)
        self._unseen = [decks] * len(DECK)
        before = [np.zeros(len(_KINDS) + 1, int)]
        for each in earlier[::-1]:
            cards = [_NUMBERS[card] for card in each if card]
            counts = np.minimum(np.bincount(cards, minlength=len(DECK)), decks)
            before.append(counts @ _kinds_of_cards())
        share = 1 / len(self._by.kind) / len(before)
        odds = [np.full(len(self._by.kind), share), *map(self._by.odds, before[1:])]
        self._staked = np.cumprod(odds, axis=0)
        self._before = np.cumsum(before, axis=0)
        self._came = before[0]
        self.held = float(self._held(self._came[None])[0])  # of the one unit that was staked

    def _held(self, came: "Array") -> "Array":
        """What is held after each of some numbers of cards."""
        held: Array = self._by.odds(came) @ self._staked.sum(axis=0)
        return held

    @classmethod
    def see_together(
        cls, looks: Sequence[Self], cards: Sequence[Sequence[Card]]
    ) -> list[list[AgainstChance[NotWhole]]]:
        """The next cards of the shoe of each of several, as `Looks` says."""
        return [look._see(some) for look, some in zip(looks, cards, strict=True)]

    def _see(self, cards: Sequence[Card]) -> list[AgainstChance[NotWhole]]:
        import numpy as np

        seen, self.seen = len(self.seen), [*self.seen, *cards]
        steps = [*self._next(cards, seen)]
        if not steps:
            return []
        places, numbers = np.array(steps).T
        came = self._came + _kinds_of_cards()[numbers].cumsum(axis=0)
        held = self._held(came)
        self._came, self.held = came[-1], float(held[-1])
        most = np.maximum.accumulate(np.concatenate([[self.most.odds], held]))
        became = []
        for n in np.flatnonzero(held > most[:-1]):
            what = self._best(came[n]) if held[n] >= WORTH_SAYING else None
            self.most = AgainstChance(float(held[n]), int(places[n]), what)
            became.append(self.most)
        return became

    def _next(self, cards: Sequence[Card], seen: int) -> Iterator[tuple[int, int]]:
        """The next cards that whole decks may have; None: one of which nothing is known."""
        for place, card in enumerate(cards, seen + 1):
            if card and self._unseen[number := _NUMBERS[card]]:
                self._unseen[number] -= 1
                yield place, number

    def _best(self, came: "Array") -> NotWhole:
        """The supposition by which most is held, after such numbers of cards."""
        every = (self._by.odds(came) * self._staked).T  # by supposition and shoes
        supposed, shoes = divmod(int(every.argmax()), len(self._staked))
        number = self._by.kind[supposed]
        seen = self._before[shoes] + came
        kind = [*_KINDS][number]
        return NotWhole(
            kind=kind,
            came=int(seen[number]),
            expected=round(int(seen[-1]) * self._by.there[number] / self._by.there[-1]),
            of=int(seen[-1]),
            shoes=shoes + 1,
        )


_NUMBERS = {card: number for number, card in enumerate(DECK)}


@cache
def _kinds_of_cards() -> "Array":
    """Of each card, one in the place of each of its kinds, and in the last, as of all cards."""
    import numpy as np

    return np.array([[*(card in of for of in _KINDS.values()), True] for card in DECK], int)


class _Suppositions(NamedTuple):
    """That so many of a kind are missing, from decks that have so many of each: arrays.

    `likelier`: how much likelier so many of its kind are by each; `as_many`: so many cards.
    """

    there: Sequence[int]
    kind: "Array"
    likelier: "Array"
    as_many: "Array"

    def odds(self, came: "Array") -> "Array":
        """How much likelier such numbers of cards are by each, beside whole decks."""
        import numpy as np

        every = np.arange(len(self.kind))
        odds: Array = self.likelier[every, came[..., self.kind]]
        odds *= self.as_many[every, came[..., -1, None]]
        return odds


@lru_cache(maxsize=16)  # numbers of decks
def _suppositions(decks: int) -> _Suppositions:
    import numpy as np

    there = [int(each) * decks for each in _kinds_of_cards().sum(axis=0)]
    each = [
        (kind, sign * round(there[kind] * part))
        for kind in range(len(_KINDS))
        for part in PARTS
        for sign in (1, -1)
    ]
    likelier = np.zeros((len(each), max(there[:-1]) + 1))
    as_many = np.zeros((len(each), there[-1] + 1))
    for n, (kind, missing) in enumerate(each):
        likelier[n, : there[kind] + 1] = _likelier(there[kind], missing)
        with np.errstate(divide="ignore"):
            so = 1 / np.array(_likelier(there[-1], missing))
        as_many[n] = np.where(np.isfinite(so), so, 0.0)  # so many do not come by it
    return _Suppositions(there, np.array([kind for kind, _ in each]), likelier, as_many)


def _likelier(there: int, missing: int) -> Sequence[float]:
    """How many ways there are to choose no card, one, two … as `likelier_without` has them."""
    return [likelier_without(there, missing, chosen) for chosen in range(there + 1)]


def likelier_without(there: int, missing: int, chosen: int) -> float:
    """How many ways there are to choose so many cards if some are missing, beside all of them.

    >>> likelier_without(32, 8, 2), math.comb(24, 2) / math.comb(32, 2)
    (0.55645..., 0.55645...)
    >>> likelier_without(32, 8, 25)
    0.0
    """
    if chosen > there - missing:
        return 0.0
    return math.exp(_ways(there - missing, chosen) - _ways(there, chosen))


def _ways(cards: int, chosen: int) -> float:
    """The logarithm of how many ways there are to choose so many of the cards."""
    return math.lgamma(cards + 1) - math.lgamma(chosen + 1) - math.lgamma(cards - chosen + 1)
