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
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from msgspec import Struct

from domain.review.protection.cards_left import Card
from domain.review.protection.looking import AgainstChance, Looks, Step, side_by_side
from domain.rules.cards import DECK, RANKS, points

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

BEGINS = 1 / 50  # of what is held, staked anew at each card
ENDS = 1 / 100  # of a guess, taken off the table at each card
BACK = (1, 2, 4, 8, 16, 32, 64)  # cards; one comes first
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


_LOOKS = [Clump(name, back) for name in LIKENESSES for back in BACK]
_NUMBERS = {card: number for number, card in enumerate(DECK)}


class _Kinds(NamedTuple):
    """The kinds are numbered, those of one likeness after the other; one more is nobody's."""

    many: int
    of: "Array"  # of each card, its kind by each likeness
    alike: "Array"  # and those that are like it, two of each likeness: nobody's, if there is one
    bold: "Array"  # by boldness and likeness
    new: "Array"  # by how far one looks back, of all that came the part that is the last card
    stays: "Array"  # and the part of the rest; who looks one card back forgets it


@cache
def _kinds() -> _Kinds:
    import numpy as np

    every = {(name, kind): 0 for name, each in LIKENESSES.items() for kind in each.alike}
    every = {each: number for number, each in enumerate(every)}

    def alike(name: str, each: Likeness, card: str) -> list[int]:
        kinds = [every[name, kind] for kind in each.alike[each.kind(card)]]
        return [*kinds, len(every)][:2]

    new = 1 / np.array(BACK)
    return _Kinds(
        many=len(every),
        of=np.array(
            [[every[name, each.kind(card)] for name, each in LIKENESSES.items()] for card in DECK]
        ),
        alike=np.array(
            [[alike(name, each, card) for name, each in LIKENESSES.items()] for card in DECK]
        ),
        bold=np.array([each.boldness for each in LIKENESSES.values()]).T,
        new=new,
        stays=np.where(new < 1, 1 - new, 1.0),
    )


class Clumps(Looks[Clump]):
    """What is held against chance after each card of a shoe.

    `guesses`: by boldness, likeness and how far back. `weights`: how often each kind was like the
    cards before, by how far back, the last ones counting most. At each card what came before weighs
    less, by the same part for all kinds. So weights are stored as so many times a scale, which is
    changed once for all of them (as in `following.py`), and so are `sums`, of what all the cards
    weigh that are unseen, by likeness and how far back.
    """

    def __init__(self, decks: int) -> None:
        import numpy as np

        super().__init__()
        kinds = _kinds()
        self._unseen = Counter([*DECK] * decks)
        self._left = decks * len(DECK)
        self.unseen = np.bincount(kinds.of.ravel(), minlength=kinds.many + 1) * float(decks)
        self.weights = np.zeros((kinds.many + 1, len(BACK)))
        self.sums = np.zeros((len(LIKENESSES), len(BACK)))
        self.scales = np.ones(len(BACK))
        self.guesses = np.zeros((*kinds.bold.shape, len(BACK)))
        self.free = 1.0
        self.held = 1.0  # now, of the one unit that was staked
        self.last = -1  # the card before; -1: none, or one that nobody saw

    @classmethod
    def see_together(
        cls, looks: Sequence[Self], cards: Sequence[Sequence[Card]]
    ) -> list[list[AgainstChance[Clump]]]:
        """The next cards of the shoe of each of several, as `Looks` says."""
        coming = [[*look._next(some)] for look, some in zip(looks, cards, strict=True)]
        every = _Together(looks)
        became = side_by_side(looks, coming, every.see, every.best)
        every.go_home()
        return became

    def _next(self, cards: Sequence[Card]) -> Iterator[Step]:
        """The next cards, with how many were left; 0: one that nobody saw, or guessed."""
        for place, card in enumerate(cards, len(self.seen) + 1):
            left = 0
            if card and self._unseen[card]:
                left = self._left
                self._unseen[card] -= 1
                self._left -= 1
            yield place, _NUMBERS[card] if card else -1, left
        self.seen += cards


class _Together:
    """Several of them, who look at a card of their shoes at the same time: arrays by look."""

    def __init__(self, every: Sequence[Clumps]) -> None:
        import numpy as np

        self._every = every
        self._unseen = np.array([each.unseen for each in every])
        self._weights = np.array([each.weights for each in every])
        self._sums = np.array([each.sums for each in every])
        self._scales = np.array([each.scales for each in every])
        self._guesses = np.array([each.guesses for each in every])
        self._share = BEGINS / self._guesses[0].size
        self._free, self._held = np.array([(each.free, each.held) for each in every]).T.copy()
        self._last = np.array([each.last for each in every])

    def go_home(self) -> None:
        """Each takes along what they have."""
        for n, each in enumerate(self._every):
            each.unseen, each.weights, each.sums = self._unseen[n], self._weights[n], self._sums[n]
            each.scales, each.guesses, each.last = self._scales[n], self._guesses[n], self._last[n]
            each.free, each.held = float(self._free[n]), float(self._held[n])

    def see(self, on: "Array", cards: "Array", left: "Array") -> "Array":
        """What those hold, given by their numbers, after such cards of so many that were left."""
        guessed = left > 0
        if guessed.all():
            self._pay(on, cards, left)
        else:
            self._pay(on[guessed], cards[guessed], left[guessed])
        self._add(on, cards)
        held: Array = self._held[on]
        return held

    def _pay(self, on: "Array", cards: "Array", left: "Array") -> None:
        kinds, free, scales = _kinds(), self._free[on], self._scales[on][:, None]
        of = on[:, None], kinds.of[cards]
        weights, sums = self._weights[of], self._sums[on]
        new, ended = free * self._share, self._held[on] - free
        self._free[on] = free = free * (1 - BEGINS) + ended * ENDS
        bold, each = kinds.bold[:, :, None], (slice(None), None)
        means = beside_chance(sums * scales, left[:, None, None])
        guesses = self._guesses[on] * (1 - ENDS) + new[:, None, None, None]
        guesses *= 1 + bold * (weights * scales)[each]
        guesses /= 1 + bold * means[each]
        self._guesses[on] = guesses
        self._held[on] = free + guesses.sum(axis=(1, 2, 3))
        self._sums[on] = sums - weights  # the card is not unseen any more
        self._unseen[of] -= 1

    def _add(self, on: "Array", cards: "Array") -> None:
        """One more card came, or one that nobody saw."""
        kinds, last = _kinds(), self._last[on]
        self._weights[on[:, None, None], kinds.alike[last], 0] = 0.0  # another one is seen now
        sums = self._sums[on]
        sums[:, :, 0] = 0.0
        self._scales[on] = scales = self._scales[on] * kinds.stays
        self._last[on] = cards
        came, new = cards >= 0, kinds.new / scales
        alike = on[:, None, None], kinds.alike[cards]
        new[~came] = 0.0
        self._weights[alike] += new[:, None, None]
        many = self._unseen[alike].sum(axis=2)
        self._sums[on] = sums + many[:, :, None] * new[:, None]
        if scales.min() < _SMALL:
            self._begin_again()

    def _begin_again(self) -> None:
        """All scales are one again."""
        self._weights *= self._scales[:, None]
        self._sums *= self._scales[:, None]
        self._scales[:] = 1.0

    def best(self, look: int, *_: int) -> Clump:
        """The likeness by which one of them holds most."""
        return _LOOKS[int(self._guesses[look].sum(axis=0).argmax())]


def beside_chance(sums: "Array", left: "Array") -> "Array":
    """What a card weighs by chance: the mean of all that are left."""
    means: Array = sums / left
    return means
