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
from collections.abc import Callable, Mapping

from msgspec import Struct

from domain.review.protection.cards_left import Card
from domain.review.protection.looking import AgainstChance, Looks
from domain.rules.cards import DECK, RANKS, points

BEGINS = 1 / 50  # of what is held, staked anew at each card
ENDS = 1 / 100  # of a guess, taken off the table at each card
BACK = (1, 2, 4, 8, 16, 32, 64)  # cards
WORTH_SAYING = 10  # what is held before anybody asks which likeness it is
ENOUGH = 1e200  # nobody plays on

SUIT, RANK, VALUE, NEXT_RANK, NEIGHBOUR = "suit", "rank", "value", "next rank", "neighbour"


class Likeness(Struct, frozen=True):
    """What cards may have in common.

    `kind`: of a card; `alike`: by kind, the kinds that are like it. A guess of `boldness` b takes
    a kind that came all the time to come 1 + b times as often as by chance.
    """

    kind: Callable[[str], str]
    alike: Mapping[str, tuple[str, ...]]
    boldness: tuple[float, ...]


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


class _Trace:
    """How often the kinds that are like the cards before came, the last ones counting most."""

    def __init__(self, likeness: Likeness, back: int) -> None:
        self._kind, self._alike = likeness.kind, likeness.alike
        self._new = 1 / back
        self._weights = dict.fromkeys(likeness.alike, 0.0)

    def beside_chance(self, card: str, unseen: Mapping[str, int], left: int) -> tuple[float, float]:
        """The weight of a card, and the mean weight of all that are left."""
        mean = sum(weight * unseen[kind] for kind, weight in self._weights.items()) / left
        return self._weights[self._kind(card)], mean

    def add(self, card: Card) -> None:
        """One more card came; None: nobody saw which."""
        keeps = 1 - self._new
        self._weights = {kind: weight * keeps for kind, weight in self._weights.items()}
        for kind in self._alike[self._kind(card)] if card else ():
            self._weights[kind] += self._new


class Clumps(Looks[Clump]):
    """What is held against chance after each card of a shoe."""

    def __init__(self, decks: int) -> None:
        shoe = [*DECK] * decks
        self._left = len(shoe)
        self._unseen = {name: Counter(map(each.kind, shoe)) for name, each in LIKENESSES.items()}
        looks = [(Clump(name, back), each) for name, each in LIKENESSES.items() for back in BACK]
        self._traces = {clump: _Trace(each, clump.back) for clump, each in looks}
        self._guesses = {clump: [0.0] * len(each.boldness) for clump, each in looks}
        self._share = BEGINS / sum(map(len, self._guesses.values()))
        self._free = 1.0
        self.seen: list[Card] = []
        self.most = AgainstChance[Clump](1.0, 0, None)

    @property
    def held(self) -> float:
        """What the gamblers hold now, of the one unit that was staked."""
        return self._free + sum(map(sum, self._guesses.values()))

    def see(self, card: Card) -> None:
        """The next card; None: one that left the shoe unseen, of which nothing is known."""
        self.seen.append(card)
        if card and self._unseen[NEIGHBOUR][card] and self.most.odds < ENOUGH:
            self._pay(card)
            for name, likeness in LIKENESSES.items():
                self._unseen[name][likeness.kind(card)] -= 1
            self._left -= 1
            if self.held > self.most.odds:
                self.most = AgainstChance(self.held, len(self.seen), self._best())
        for trace in self._traces.values():
            trace.add(card)

    def _pay(self, card: str) -> None:
        new, ended = self._free * self._share, self.held - self._free
        self._free = self._free * (1 - BEGINS) + ended * ENDS
        for clump, guesses in self._guesses.items():
            trace, likeness = self._traces[clump], LIKENESSES[clump.likeness]
            weight, mean = trace.beside_chance(card, self._unseen[clump.likeness], self._left)
            self._guesses[clump] = [
                (guess * (1 - ENDS) + new) * (1 + bold * weight) / (1 + bold * mean)
                for guess, bold in zip(guesses, likeness.boldness, strict=True)
            ]

    def _best(self) -> Clump | None:
        """The likeness by which most is held."""
        if self.held < WORTH_SAYING:
            return None
        return max(self._guesses, key=lambda clump: sum(self._guesses[clump]))
