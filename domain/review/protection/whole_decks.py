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
from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import mul

from msgspec import Struct

from domain.review.protection.cards_left import Card
from domain.review.protection.looking import AgainstChance, Looks
from domain.rules.cards import DECK, RANKS, SUITS

PARTS = (1 / 8, 1 / 4, 1 / 2)  # of the cards of a kind, that are missing or added
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
    """

    def __init__(self, decks: int, earlier: Sequence[Sequence[Card]] = ()) -> None:
        self._decks = Counter([*DECK] * decks)
        self._size = self._decks.total()
        self._whole = _kinds_of(self._decks)
        before = [_kinds_of(Counter(filter(None, each)) & self._decks) for each in earlier[::-1]]
        self._counts = list(accumulate(before, Counter.__add__, initial=Counter[str]()))
        every = [
            (kind, sign * round(self._whole[kind] * part))
            for kind in _KINDS
            for part in PARTS
            for sign in (1, -1)
        ]
        share = 1 / len(every) / len(self._counts)
        self._suppositions = {
            (kind, missing): list(
                accumulate((self._odds(kind, missing, each) for each in before), mul, initial=share)
            )
            for kind, missing in every
        }
        self.held = sum(map(sum, self._suppositions.values()))  # of the one unit that was staked
        self._cards = Counter[str]()
        self._kinds = Counter[str]()
        self.seen: list[Card] = []
        self.most = AgainstChance[NotWhole](1.0, 0, None)

    def see(self, card: Card) -> None:
        """The next card; None: one that left the shoe unseen, of which nothing is known."""
        self.seen.append(card)
        if card is None or self._cards[card] == self._decks[card]:
            return
        self._cards[card] += 1
        self._kinds += _kinds_of(Counter([card]))
        odds = {each: self._odds(*each, self._kinds) for each in self._suppositions}
        self.held = sum(odds[each] * sum(before) for each, before in self._suppositions.items())
        if self.held > self.most.odds:
            best = max(odds, key=lambda each: odds[each] * max(self._suppositions[each]))
            self.most = AgainstChance(self.held, len(self.seen), self._not_whole(*best))

    def _odds(self, kind: str, missing: int, seen: Mapping[str, int]) -> float:
        """How much likelier so many of a kind are if some are missing, beside whole decks."""
        there, cards, came = self._whole[kind], seen[ALL], seen[kind]
        if came > there - missing or cards > self._size - missing:
            return 0.0
        kinds = _ways(there - missing, came) - _ways(there, came)
        return math.exp(kinds - _ways(self._size - missing, cards) + _ways(self._size, cards))

    def _not_whole(self, kind: str, missing: int) -> NotWhole:
        before = self._suppositions[kind, missing]
        shoes = before.index(max(before))
        seen = self._counts[shoes] + self._kinds
        return NotWhole(
            kind=kind,
            came=seen[kind],
            expected=round(seen[ALL] * self._whole[kind] / self._size),
            of=seen[ALL],
            shoes=shoes + 1,
        )


def _kinds_of(cards: Counter[str]) -> Counter[str]:
    """How many of the cards are of each kind, and how many there are."""
    kinds = {kind: sum(cards[card] for card in of_it) for kind, of_it in _KINDS.items()}
    return Counter({**kinds, ALL: cards.total()})


def _ways(cards: int, chosen: int) -> float:
    """The logarithm of how many ways there are to choose so many of the cards."""
    return math.lgamma(cards + 1) - math.lgamma(chosen + 1) - math.lgamma(cards - chosen + 1)
