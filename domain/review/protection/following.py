"""Whether the cards of a shoe follow another order: a wager against chance, card by card.

Chance: each card is equally likely to be any of those that have not been seen yet. Beside it a
gambler stakes one unit. At each card a small part of what he has goes on the guess that the cards
follow the other order from some place on. While they do, he is paid at the fair odds of chance, the
inverse of the card's probability; a wrong guess costs what lay on it. By chance alone he cannot
expect to win, so the chance that he *ever* holds x units is at most 1 in x, however often one
looks (Ville's inequality; Shafer, "Testing by betting", J. R. Statist. Soc. A 184, 2021).

He guesses with several kinds of patience: an order that was never shuffled goes on with the next
card, one that was riffled once with about every second card, one that was riffled again with about
every fourth (rising sequences: Bayer and Diaconis, Ann. Appl. Probab. 2, 1992).
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from msgspec import Struct

from domain.review.protection.cards_left import Card
from domain.review.protection.looking import AgainstChance, Looks

BEGINS = 1 / 200  # of what is held, staked anew at each card
ENDS = 1 / 100  # of a guess, taken off the table at each card
PATIENCE = (0.95, 0.5, 0.25)  # the part of a guess that is on the very next card
PAUSE = (2, 8, 16)  # of each patience: cards between two of the order that still are one stretch
WORTH_SAYING = 10  # what is held before anybody asks which stretch it is
ENOUGH = 1e200  # nobody plays on
_SMALL = 1e-100  # a scale below it would soon leave the range of a float


class Followed(Struct, frozen=True):
    """The stretch of another order that the cards follow."""

    order: str
    first: int  # the number of its first card in this shoe, from 1
    last: int
    place: int  # the number of the first card in the other order, from 1
    cards: int  # how many of the cards between are of it


class Gambler(Looks[Followed]):
    """What is held against chance after each card of a shoe.

    Guesses lie on places of the orders, for each patience. At each card every guess keeps the same
    part of its worth, and only those whose next card it was are paid. So a worth is stored as so
    many times a scale, which is changed once for all of them. The places of a card are beside one
    another in `_worth`, so that they are paid together.

    >>> Gambler(Counter("abcdefghijkl"), {"new": "abcdefghijkl"}).see_all("abcdefghijkl")
    AgainstChance(odds=..., card=11, what=Followed(order='new', first=1, last=11, ...))
    >>> Gambler(Counter("abcdefghijkl"), {"new": "abcdefghijkl"}).see_all("hbelagkcdjfi").card
    0
    """

    def __init__(self, unseen: Counter[str], orders: Mapping[str, Sequence[str]]) -> None:
        self._unseen = unseen.copy()
        self._left = unseen.total()
        self._starts: list[int] = []  # of each order, the place before its first card
        self._names = list(orders)
        self._order: list[str] = []  # all orders, each after a gap that no card fills
        for cards in orders.values():
            self._starts.append(len(self._order))
            self._order += ["", *cards]
        self._places = _places(self._order)
        guesses = max(len(self._order) - len(self._starts), 1) * len(PATIENCE)
        self._share = BEGINS / guesses
        self._worth = [[0.0] * (len(self._order) + 1) for _ in PATIENCE]
        self._scales = [1.0 for _ in PATIENCE]
        self._totals = [0.0 for _ in PATIENCE]
        self._free = 1.0
        self.seen: list[Card] = []
        self.most = AgainstChance[Followed](1.0, 0, None)

    def see(self, card: Card) -> None:
        """The next card; None: one that left the shoe unseen, of which nothing is known."""
        self.seen.append(card)
        if card is None or not self._unseen[card] or self.most.odds > ENOUGH:
            return
        odds = self._left / self._unseen[card]
        places = self._places.get(card)
        new = self._free * self._share * odds
        self._free = self._free * (1 - BEGINS) + sum(self._totals) * ENDS
        for patience, goes in enumerate(PATIENCE):
            stays = (1 - ENDS) * (1 - goes)
            total, scale = self._totals[patience] * stays, self._scales[patience] * stays
            if places:
                worth, begun = self._worth[patience], new / scale
                paid = odds * goes / (1 - goes)  # beside what stays
                of, there, before_each = places
                before = before_each(worth)
                worth[there] = [  # what lay before it, paid, and a new guess
                    each + moved * paid + begun
                    for each, moved in zip(worth[there], before, strict=False)
                ]
                total += (sum(before) * paid + begun * len(of)) * scale
            self._totals[patience], self._scales[patience] = total, scale
            if abs(scale) < _SMALL:
                self._begin_again(patience)
        self._unseen[card] -= 1
        self._left -= 1
        held = self.held
        if held > self.most.odds:
            self.most = AgainstChance(held, len(self.seen), self._best(places))

    def _begin_again(self, patience: int) -> None:
        """Its scale is one again."""
        scale = self._scales[patience]
        self._worth[patience] = [each * scale for each in self._worth[patience]]
        self._scales[patience] = 1.0

    @property
    def held(self) -> float:
        """What the gambler holds now, of the one unit that was staked."""
        return self._free + sum(self._totals)

    def _best(self, places: "_Places | None") -> Followed | None:
        """The stretch of the dearest of the guesses that the last card paid."""
        if self.held < WORTH_SAYING or places is None:
            return None
        _, patience, place = max(
            (worth * self._scales[patience], patience, place)
            for patience in range(len(PATIENCE))
            for worth, place in zip(self._worth[patience][places.there], places.of, strict=True)
        )
        return self._stretch(place, PAUSE[patience])

    def _stretch(self, place: int, pause: int) -> Followed:
        """The stretch that ends at a place with the last card, followed back to its beginning."""
        cards, first = 1, len(self.seen) - 1
        while (before := self._last(self._order[place - 1], first, pause)) is not None:
            place, first, cards = place - 1, before, cards + 1
        number = bisect_right(self._starts, place) - 1
        return Followed(
            order=self._names[number],
            first=first + 1,
            last=len(self.seen),
            place=place - self._starts[number],
            cards=cards,
        )

    def _last(self, card: str, before: int, pause: int) -> int | None:
        """Where a card was seen last, at most so many cards before one; None: not there."""
        if not card:
            return None  # the order begins here
        until = max(before - 2 - pause, -1)
        return next((n for n in range(before - 1, until, -1) if self.seen[n] == card), None)


class _Places(NamedTuple):
    """The places of a card: where their worth is, and what picks the worth before each of them.

    That has one more at its end, of no place: picking a single one would be no sequence.
    """

    of: Sequence[int]  # in all orders
    there: slice
    before: Callable[[Sequence[float]], Sequence[float]]


def _places(order: Sequence[str]) -> dict[str, _Places]:
    """Of each card its places; the worth of a gap, and of what is no place, is at the end."""
    by_card: defaultdict[str, list[int]] = defaultdict(list)
    for place, card in enumerate(order):
        if card:
            by_card[card].append(place)
    there = [len(order)] * len(order)
    for number, place in enumerate(chain.from_iterable(by_card.values())):
        there[place] = number
    return {
        card: _Places(
            of=places,
            there=slice(there[places[0]], there[places[0]] + len(places)),
            before=itemgetter(*(there[place - 1] for place in places), len(order)),
        )
        for card, places in by_card.items()
    }
