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
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import mul
from typing import NamedTuple

from msgspec import Struct

from domain.review.protection.cards_left import Card
from domain.review.protection.looking import AgainstChance, Looks
from domain.rules.cards import DECK, RANKS, SUITS

PARTS = (1 / 8, 1 / 4, 1 / 2)  # of the cards of a kind, that are missing or added
WORTH_SAYING = 10  # what is held before anybody asks which supposition it is
ALL, TENS = "cards", "tens"
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

    How much likelier the cards are by a supposition is a product: of what those of its kind say,
    which changes with the two or three kinds of a card, and of what their number says, which is the
    same for all suppositions of as many cards. So what is staked is kept by that number.
    """

    def __init__(self, decks: int, earlier: Sequence[Sequence[Card]] = ()) -> None:
        self._decks = Counter([*DECK] * decks)
        self._size = self._decks.total()
        self._whole = _kinds_of(self._decks)
        before = [_kinds_of(Counter(filter(None, each)) & self._decks) for each in earlier[::-1]]
        self._counts = list(accumulate(before, Counter.__add__, initial=Counter[str]()))
        share = 1 / (len(_KINDS) * len(PARTS) * 2) / len(self._counts)
        self._staked = {kind: [*self._suppositions(kind, before, share)] for kind in _KINDS}
        self._worth: dict[int, list[float]] = {}  # by how many are missing
        self._places = {kind: [*self._places_of(kind)] for kind in _KINDS}
        self._every = [
            (worth, _likelier(self._size, missing)) for missing, worth in self._worth.items()
        ]
        self._cards = Counter[str]()
        self._kinds = Counter[str]()
        self.held = self._held()  # of the one unit that was staked
        self.seen: list[Card] = []
        self.most = AgainstChance[NotWhole](1.0, 0, None)

    def _places_of(self, kind: str) -> Iterator["_Place"]:
        """Where the stakes on a kind are among those on as many missing cards."""
        for missing, staked in self._staked[kind]:
            worth, all_staked = self._worth.setdefault(missing, []), sum(staked)
            place = _Place(worth, len(worth), all_staked, _likelier(self._whole[kind], missing))
            worth.append(all_staked)
            yield place

    def _suppositions(
        self, kind: str, before: Sequence[Mapping[str, int]], share: float
    ) -> Iterator[tuple[int, list[float]]]:
        """Each number of missing cards, with the stakes on it for one shoe, for two, and so on."""
        for part in PARTS:
            for missing in (round(self._whole[kind] * part), -round(self._whole[kind] * part)):
                odds = (self._odds(kind, missing, each) for each in before)
                yield missing, list(accumulate(odds, mul, initial=share))

    def see(self, card: Card) -> None:
        """The next card; None: one that left the shoe unseen, of which nothing is known."""
        self.seen.append(card)
        if card is None or self._cards[card] == self._decks[card]:
            return
        self._cards[card] += 1
        self._kinds[ALL] += 1
        for kind in _KINDS_OF_CARD[card]:
            self._kinds[kind] = came = self._kinds[kind] + 1
            for worth, place, staked, likelier in self._places[kind]:
                worth[place] = likelier[came] * staked
        self.held = self._held()
        if self.held > self.most.odds:
            what = self._best() if self.held >= WORTH_SAYING else None
            self.most = AgainstChance(self.held, len(self.seen), what)

    def _held(self) -> float:
        came = self._kinds[ALL]
        every = ((worth, likelier[came]) for worth, likelier in self._every)
        return sum([sum(worth) / likelier for worth, likelier in every if likelier])

    def _odds(self, kind: str, missing: int, seen: Mapping[str, int]) -> float:
        """How much likelier so many of a kind are if some are missing, beside whole decks."""
        cards = _likelier(self._size, missing)[seen[ALL]]
        return _likelier(self._whole[kind], missing)[seen[kind]] / cards if cards else 0.0

    def _best(self) -> NotWhole:
        """The supposition by which most is held."""
        every = (
            (self._odds(kind, missing, self._kinds) * held, kind, shoes)
            for kind, of_kind in self._staked.items()
            for missing, staked in of_kind
            for shoes, held in enumerate(staked)
        )
        _, kind, shoes = max(every, key=lambda each: each[0])
        seen = self._counts[shoes] + self._kinds
        return NotWhole(
            kind=kind,
            came=seen[kind],
            expected=round(seen[ALL] * self._whole[kind] / self._size),
            of=seen[ALL],
            shoes=shoes + 1,
        )


_KINDS_OF_CARD = {card: [kind for kind, of in _KINDS.items() if card in of] for card in DECK}


def _kinds_of(cards: Counter[str]) -> Counter[str]:
    """How many of the cards are of each kind, and how many there are."""
    kinds = {kind: sum(cards[card] for card in of_it) for kind, of_it in _KINDS.items()}
    return Counter({**kinds, ALL: cards.total()})


class _Place(NamedTuple):
    """Where the stakes on one supposition are, and how much likelier so many cards are by it."""

    worth: list[float]
    place: int
    staked: float
    likelier: Sequence[float]


@lru_cache(maxsize=1 << 10)  # of each number of decks some forty
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
