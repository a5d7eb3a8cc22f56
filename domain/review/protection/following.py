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
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from msgspec import Struct

from domain.review.protection.cards_left import Card
from domain.review.protection.looking import AgainstChance, Looks, Step, side_by_side

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

BEGINS = 1 / 200  # of what is held, staked anew at each card
ENDS = 1 / 100  # of a guess, taken off the table at each card
PATIENCE = (0.95, 0.5, 0.25)  # the part of a guess that is on the very next card
PAUSE = (2, 8, 16)  # of each patience: cards between two of the order that still are one stretch
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
    another in `worth`, so that they are paid together.

    >>> Gambler(Counter("abcdefghijkl"), {"new": "abcdefghijkl"}).see_all("abcdefghijkl")
    AgainstChance(odds=..., card=11, what=Followed(order='new', first=1, last=11, ...))
    >>> Gambler(Counter("abcdefghijkl"), {"new": "abcdefghijkl"}).see_all("hbelagkcdjfi").card
    0
    """

    def __init__(self, unseen: Counter[str], orders: Mapping[str, Sequence[str]]) -> None:
        import numpy as np

        super().__init__()
        self._numbers = {card: number for number, card in enumerate(unseen)}
        self._unseen = [*unseen.values()]  # by these numbers
        self._left = unseen.total()
        self._starts: list[int] = []  # of each order, the place before its first card
        self._names = list(orders)
        self._order: list[str] = []  # all orders, each after a gap that no card fills
        for cards in orders.values():
            self._starts.append(len(self._order))
            self._order += ["", *cards]
        guesses = max(len(self._order) - len(self._starts), 1) * len(PATIENCE)
        self.share = BEGINS / guesses
        self.places = _Places.of(self._order, self._numbers)
        self.worth = np.zeros((*self.places.there.shape, len(PATIENCE)))
        self.scales, self.totals = np.ones(len(PATIENCE)), np.zeros(len(PATIENCE))
        self.free = 1.0
        self.alone: _Gamblers | None = None  # what has all this, if nobody looked on beside him

    @property
    def held(self) -> float:
        """What the gambler holds now, of the one unit that was staked."""
        return float(self.free + self.totals.sum())

    @classmethod
    def see_together(
        cls, looks: Sequence[Self], cards: Sequence[Sequence[Card]]
    ) -> list[list[AgainstChance[Followed]]]:
        """The next cards of the shoe of each of several, as `Looks` says."""
        coming = [[*look._next(some)] for look, some in zip(looks, cards, strict=True)]
        every = (looks[0].alone if len(looks) == 1 else None) or _Gamblers(looks)
        became = side_by_side(looks, coming, every.see, every.best)
        every.go_home()
        return became

    def _next(self, cards: Sequence[Card]) -> Iterator[Step]:
        """The next cards that may be guessed, with the odds of each."""
        for place, card in enumerate(cards, len(self.seen) + 1):
            number = self._numbers.get(card) if card else None
            if number is None or not (unseen := self._unseen[number]):
                continue  # one of which nothing is known
            yield place, number, self._left / unseen
            self._unseen[number] -= 1
            self._left -= 1
        self.seen += cards

    def best(self, number: int, worth: "Array", last: int) -> Followed:
        """The stretch of the dearest of the guesses that a card paid, of such worth."""
        _, patience, place = max(
            (worth[slot, patience], patience, int(self.places.there[number, slot]))
            for patience in range(len(PATIENCE))
            for slot in range(self.places.many[number])
        )
        return self._stretch(place, PAUSE[patience], last)

    def _stretch(self, place: int, pause: int, last: int) -> Followed:
        """The stretch that ends at a place with a card, followed back to its beginning."""
        cards, first = 1, last - 1
        while (before := self._last(self._order[place - 1], first, pause)) is not None:
            place, first, cards = place - 1, before, cards + 1
        number = bisect_right(self._starts, place) - 1
        return Followed(
            order=self._names[number],
            first=first + 1,
            last=last,
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
    """The places of each card, beside one another, and the card before each: arrays by card."""

    there: "Array"  # in all orders, the first one first; -1: the card has no more of them
    many: "Array"
    card: "Array"  # the one before each of them; -1: the order begins there
    nth: "Array"  # which place of that card it is, from 0

    @classmethod
    def of(cls, order: Sequence[str], numbers: Mapping[str, int]) -> Self:
        import numpy as np

        cards = np.fromiter(map(numbers.get, order, repeat(-1)), int, len(order))
        by_card = np.argsort(cards, kind="stable")[np.count_nonzero(cards < 0) :]
        many = np.bincount(cards[by_card], minlength=len(numbers))
        begins = np.repeat(np.cumsum(many) - many, many)
        nth = np.full(len(order), -1)
        nth[by_card] = np.arange(len(by_card)) - begins
        there, before, before_nth = np.full((3, len(numbers), many.max(initial=0)), -1)
        places = cards[by_card], nth[by_card]
        there[places] = by_card
        before[places], before_nth[places] = cards[by_card - 1], nth[by_card - 1]
        return cls(there, many, before, before_nth)


class _Gamblers:
    """Several gamblers, who look at a card of their shoes at the same time: arrays by gambler.

    Their worth has a row for each place of each card, of every gambler; a card has as many as any
    card of any of them. The last row is of no place, and nothing ever lies there.
    """

    def __init__(self, every: Sequence[Gambler]) -> None:
        import numpy as np

        self._every = every
        most = max(len(each.places.many) for each in every)
        self._places = max(each.places.there.shape[1] for each in every)
        shape = len(every), most, self._places
        size = most * self._places
        nowhere = len(every) * size
        worth = np.zeros((nowhere + 1, len(PATIENCE)))
        before, there = np.full(shape, nowhere), np.zeros(shape)
        by_gambler = worth[:-1].reshape(*shape, len(PATIENCE))
        for n, each in enumerate(every):
            cards, places = each.places.there.shape
            by_gambler[n, :cards, :places] = each.worth
            row = n * size + each.places.card * self._places + each.places.nth
            before[n, :cards, :places] = np.where(each.places.card < 0, nowhere, row)
            there[n, :cards, :places] = each.places.there >= 0
        self._worth, self._by_gambler, self._before = worth, by_gambler, before.ravel()
        self._many, self._there = there.sum(axis=2), there.reshape(nowhere, 1)
        self._first, self._slots = np.arange(len(every)) * size, np.arange(self._places)
        self._free = np.array([each.free for each in every])
        self._share = np.array([each.share for each in every])
        self._totals = np.array([each.totals for each in every])
        self._scales = np.array([each.scales for each in every])

    def see(self, on: "Array", cards: "Array", odds: "Array") -> "Array":
        """What those hold, given by their numbers, after such cards with such odds."""
        import numpy as np

        goes = np.array(PATIENCE)
        stays, more = (1 - ENDS) * (1 - goes), goes / (1 - goes)  # what is paid beside what stays
        rows = (self._first[on] + cards * self._places)[:, None] + self._slots
        scales, totals = self._scales[on] * stays, self._totals[on]
        begun = (self._free[on] * self._share[on] * odds)[:, None] / scales
        paid = odds[:, None] * more
        before = self._worth[self._before[rows]]  # by gambler, place and patience
        self._worth[rows] += before * paid[:, None] + begun[:, None] * self._there[rows]
        won = before.sum(axis=1) * paid + begun * self._many[on, cards][:, None]
        self._free[on] = free = self._free[on] * (1 - BEGINS) + totals.sum(axis=1) * ENDS
        self._totals[on] = totals = totals * stays + won * scales
        self._scales[on] = scales
        if scales.min() < _SMALL:
            self._begin_again()
        held: Array = free + totals.sum(axis=1)
        return held

    def _begin_again(self) -> None:
        """Every scale that is small is one again."""
        for n, patience in zip(*(self._scales < _SMALL).nonzero(), strict=True):
            self._by_gambler[n, :, :, patience] *= self._scales[n, patience]
            self._scales[n, patience] = 1.0

    def best(self, gambler: int, last: int, card: int) -> Followed | None:
        """The stretch by which one of them holds most after their last card."""
        it = self._every[gambler]
        worth = self._by_gambler[gambler, card] * self._scales[gambler]
        return it.best(card, worth, last) if it.places.many[card] else None

    def go_home(self) -> None:
        """Each takes along what they have; one alone finds all of it here again."""
        alone = len(self._every) == 1
        for n, each in enumerate(self._every):
            cards, places = each.places.there.shape
            worth = self._by_gambler[n, :cards, :places]
            each.worth, each.alone = (worth, self) if alone else (worth.copy(), None)
            each.free = float(self._free[n])
            each.totals, each.scales = self._totals[n], self._scales[n]
