"""Whether cards that are alike come near one another: decks that were riffled too little.

New decks have each suit together, in order, and a riffle only lets other cards between. After four
or five riffles of eight decks no run of a new deck is left (`new_deck.py`), but the cards of a suit
still come some cards away from their neighbours in rank. Seven riffles mix one deck (Bayer and
Diaconis, Ann. Appl. Probab. 2, 1992); eight decks take more. Cards that somebody laid together by
suit, rank or value are seen in the same way, whatever their order was.

Chance: each card that is left comes next as often as any other. Gamblers guess it by the cards just
before it, and are paid at fair odds. Each looks for one likeness, so many cards back on the
average, with a boldness. By chance they hold x units together in at most one of x shoes, however
often one looks (Ville's inequality, as in `following.py`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from operator import add, mul, sub, truediv

from msgspec import Struct

from domain.review.protection.cards_left import Card
from domain.review.protection.looking import AgainstChance, Looks
from domain.rules.cards import DECK, RANKS, points

BEGINS = 1 / 50  # of what is held, staked anew at each card
ENDS = 1 / 100  # of a guess, taken off the table at each card
BACK = (1, 2, 4, 8, 16, 32, 64)  # cards; one comes first
WORTH_SAYING = 10  # what is held before anybody asks which likeness it is
ENOUGH = 1e200  # nobody plays on
_GOES_ON = 1 - ENDS
_NEW = [1 / back for back in BACK]  # of all that came, the part that is the last card
_STAYS = [1 - each if each < 1 else 1 for each in _NEW]  # who looks one card back forgets all else
_SMALL = 1e-100  # a scale below it would soon leave the range of a float

SUIT, RANK, VALUE, NEXT_RANK, NEIGHBOUR = "suit", "rank", "value", "next rank", "neighbour"


class Likeness(Struct, frozen=True):
    """What cards may have in common.

    `kind`: of a card; `alike`: by kind, the kinds that are like it. A guess of `boldness` b takes
    a kind that came all the time to come 1 + b times as often as by chance.
    """

    kind: Callable[[str], str]
    alike: Mapping[str, tuple[str, ...]]
    boldness: tuple[float, float]


class Clump(Struct, frozen=True):
    """The likeness by which most was won, and how far back it looks."""

    likeness: str
    back: int


def _suit(card: str) -> str:
    return card[1]


def _rank(card: str) -> str:
    return card[0]


def _value(card: str) -> str:
    return str(points(card))


def _itself(kind: Callable[[str], str]) -> Mapping[str, tuple[str, ...]]:
    return {kind(card): (kind(card),) for card in DECK}


_NEXT = {rank: (RANKS[n - 1], RANKS[(n + 1) % len(RANKS)]) for n, rank in enumerate(RANKS)}
_NEIGHBOURS = {card: tuple(rank + _suit(card) for rank in _NEXT[_rank(card)]) for card in DECK}
LIKENESSES: Mapping[str, Likeness] = {
    SUIT: Likeness(_suit, _itself(_suit), (1, 4)),
    RANK: Likeness(_rank, _itself(_rank), (1, 6)),
    VALUE: Likeness(_value, _itself(_value), (0.7, 3)),
    NEXT_RANK: Likeness(_rank, _NEXT, (1, 5)),
    NEIGHBOUR: Likeness(str, _NEIGHBOURS, (3, 20)),
}


# The kinds are numbered, those of one likeness after the other, as are the looks: each likeness,
# so many cards back. Of each card, its kind by each likeness, and those that are like it.
_KINDS = [(name, kind) for name, each in LIKENESSES.items() for kind in each.alike]
_OF = {
    card: [_KINDS.index((name, each.kind(card))) for name, each in LIKENESSES.items()]
    for card in DECK
}
_ALIKE = {
    card: [
        [_KINDS.index((name, kind)) for kind in each.alike[each.kind(card)]]
        for name, each in LIKENESSES.items()
    ]
    for card in DECK
}
_LOOKS = [Clump(name, back) for name in LIKENESSES for back in BACK]
_BOLD = [[each.boldness[n] for each in LIKENESSES.values() for _ in BACK] for n in range(2)]


class _Traces:
    """How often the kinds that are like the cards before came, the last ones counting most.

    At each card what came before weighs less, by the same part for all kinds. So weights are stored
    as so many times a scale, which is changed once for all of them (as in `following.py`), and so
    is their sum over the cards that are unseen. Who looks one card back forgets the one before it.
    """

    def __init__(self, decks: int) -> None:
        self._unseen = [0] * len(_KINDS)
        self._left = decks * len(DECK)
        for kinds in _OF.values():
            for kind in kinds:
                self._unseen[kind] += decks
        self._weights = [[0.0] * len(BACK) for _ in _KINDS]
        self._sums = [0.0] * len(_LOOKS)
        self._scales = [1.0] * len(BACK)
        self._last: Sequence[Sequence[int]] = ()  # kinds like the card before, by each likeness

    def beside_chance(self, card: str) -> tuple[list[float], list[float]]:
        """Of each look, the weight of a card, and the mean weight of all that are left."""
        scales, left = self._scales * len(LIKENESSES), self._left
        means = [total * scale / left for total, scale in zip(self._sums, scales, strict=True)]
        return [*map(mul, self._of(card), scales)], means

    def _of(self, card: str) -> Iterator[float]:
        return chain.from_iterable(map(self._weights.__getitem__, _OF[card]))

    def take(self, card: str) -> None:
        """The card is not unseen any more."""
        self._left -= 1
        self._sums = [*map(sub, self._sums, self._of(card))]
        for kind in _OF[card]:
            self._unseen[kind] -= 1

    def add(self, card: Card) -> None:
        """One more card came; None: nobody saw which."""
        self._forget()
        self._scales = [*map(mul, self._scales, _STAYS)]
        if min(self._scales) < _SMALL:
            self._begin_again()
        self._last = _ALIKE[card] if card else ()
        new, more = [*map(truediv, _NEW, self._scales)], []
        for kinds in self._last:
            for kind in kinds:
                self._weights[kind] = [*map(add, self._weights[kind], new)]
            many = sum(map(self._unseen.__getitem__, kinds))
            more += [each * many for each in new]
        if more:
            self._sums = [*map(add, self._sums, more)]

    def _forget(self) -> None:
        """Who looks one card back sees another one now."""
        for kinds in self._last:
            for kind in kinds:
                self._weights[kind][0] = 0.0
        self._sums[:: len(BACK)] = [0.0] * len(LIKENESSES)

    def _begin_again(self) -> None:
        """All scales are one again."""
        self._weights = [[*map(mul, each, self._scales)] for each in self._weights]
        self._sums = [*map(mul, self._sums, self._scales * len(LIKENESSES))]
        self._scales = [1.0] * len(BACK)


class Clumps(Looks[Clump]):
    """What is held against chance after each card of a shoe."""

    def __init__(self, decks: int) -> None:
        self._unseen = Counter([*DECK] * decks)
        self._traces = _Traces(decks)
        self._guesses = [[0.0] * len(_LOOKS) for _ in _BOLD]
        self._share = BEGINS / sum(map(len, self._guesses))
        self._free = 1.0
        self.held = 1.0  # now, of the one unit that was staked
        self.seen: list[Card] = []
        self.most = AgainstChance[Clump](1.0, 0, None)

    def see(self, card: Card) -> None:
        """The next card; None: one that left the shoe unseen, of which nothing is known."""
        self.seen.append(card)
        if card and self._unseen[card] and self.most.odds < ENOUGH:
            self._pay(card)
            self._unseen[card] -= 1
            self._traces.take(card)
            if self.held > self.most.odds:
                self.most = AgainstChance(self.held, len(self.seen), self._best())
        self._traces.add(card)

    def _pay(self, card: str) -> None:
        new, ended = self._free * self._share, self.held - self._free
        self._free = self._free * (1 - BEGINS) + ended * ENDS
        weights, means = self._traces.beside_chance(card)
        self._guesses = [
            [
                (guess * _GOES_ON + new) * (1 + bold * weight) / (1 + bold * mean)
                for guess, bold, weight, mean in zip(guesses, boldness, weights, means, strict=True)
            ]
            for guesses, boldness in zip(self._guesses, _BOLD, strict=True)
        ]
        self.held = self._free + sum(map(sum, self._guesses))

    def _best(self) -> Clump | None:
        """The likeness by which most is held."""
        if self.held < WORTH_SAYING:
            return None
        held = [*map(sum, zip(*self._guesses, strict=True))]
        return _LOOKS[held.index(max(held))]
