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

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

BEGINS = 1 / 200  # of what is held, staked anew at each card
ENDS = 1 / 100  # of a guess, taken off the table at each card
PATIENCE = (0.95, 0.5, 0.25)  # the part of a guess that is on the very next card
LEAST = 1e-6  # a guess that is worth less is given up
ENOUGH = 1e200  # nobody plays on

_State = tuple[int, int, int]  # patience, reference, place of the last card in it


class Followed(Struct, frozen=True):
    """The stretch of another order that the cards follow."""

    order: str
    first: int  # the number of its first card in this shoe, from 1
    last: int
    place: int  # the number of the first card in the other order, from 1
    cards: int  # how many of the cards between are of it


class AgainstChance(Struct, frozen=True):
    """How much was ever won against chance, after which card, and by which stretch.

    By chance alone that much is won in at most one of `odds` shoes.
    """

    odds: float
    card: int
    followed: Followed | None


class _Guess(Struct):
    worth: float
    first: int
    place: int
    cards: int


class Gambler:
    """What is held against chance after each card of a shoe."""

    def __init__(self, unseen: Counter[str], orders: Mapping[str, Sequence[str]]) -> None:
        self._unseen = unseen.copy()
        self._names = list(orders)
        self._orders = list(orders.values())
        self._left = unseen.total()
        self._places: dict[str, list[tuple[int, int]]] = {}
        for number, order in enumerate(self._orders):
            for place, card in enumerate(order):
                self._places.setdefault(card, []).append((number, place))
        self._share = BEGINS / max(sum(map(len, self._orders)), 1) / len(PATIENCE)
        self._free = 1.0
        self._guesses: dict[_State, _Guess] = {}
        self._seen = 0
        self.most = AgainstChance(1.0, 0, None)

    def see(self, card: str | None) -> None:
        """The next card; None: one that left the shoe unseen, of which nothing is known."""
        self._seen += 1
        if card is None or not self._unseen[card] or self.most.odds > ENOUGH:
            return
        odds = self._left / self._unseen[card]
        self._guesses, back = self._paid(card, odds)
        self._begin(card, odds)
        self._free = self._free * (1 - BEGINS) + back
        self._unseen[card] -= 1
        self._left -= 1
        self._note()

    def _paid(self, card: str, odds: float) -> tuple[dict[_State, _Guess], float]:
        """The guesses after this card, and what was taken off the table."""
        after: dict[_State, _Guess] = {}
        back = 0.0
        for (patience, number, place), guess in self._guesses.items():
            back += guess.worth * ENDS
            goes, order = PATIENCE[patience], self._orders[number]
            worth = guess.worth * (1 - ENDS)
            _merge(after, (patience, number, place), worth * (1 - goes), guess, 0)
            if place + 1 < len(order) and order[place + 1] == card:
                _merge(after, (patience, number, place + 1), worth * goes * odds, guess, 1)
        return after, back

    def _begin(self, card: str, odds: float) -> None:
        worth = self._free * self._share * odds
        for number, place in self._places.get(card, ()):
            new = _Guess(0.0, self._seen, place, 0)
            for patience in range(len(PATIENCE)):
                _merge(self._guesses, (patience, number, place), worth, new, 1)

    @property
    def held(self) -> float:
        """What the gambler holds now, of the one unit that was staked."""
        return self._free + sum(guess.worth for guess in self._guesses.values())

    def _note(self) -> None:
        held = self.held
        if held <= self.most.odds:
            return
        (_, number, _), best = max(self._guesses.items(), key=lambda each: each[1].worth)
        name = self._names[number]
        followed = Followed(name, best.first, self._seen, best.place + 1, best.cards)
        self.most = AgainstChance(held, self._seen, followed)


def _merge(
    guesses: dict[_State, _Guess], state: _State, worth: float, of: _Guess, more: int
) -> None:
    """Adds a guess's worth to a state; the state remembers the dearer of its beginnings."""
    if worth < LEAST:
        return
    there = guesses.get(state)
    if there is None:
        guesses[state] = _Guess(worth, of.first, of.place, of.cards + more)
        return
    if worth > there.worth:
        there.first, there.place, there.cards = of.first, of.place, of.cards + more
    there.worth += worth


def against_chance(
    cards: Sequence[str | None], unseen: Counter[str], orders: Mapping[str, Sequence[str]]
) -> AgainstChance:
    """What was ever held against chance. `unseen`: the cards before the first one.

    >>> deck = Counter("abcdefgh")
    >>> against_chance("abcdefgh", deck, {"new": "abcdefgh"}).followed
    Followed(order='new', first=1, last=7, place=1, cards=7)
    >>> against_chance("hbeagcdf", deck, {"new": "abcdefgh"}).followed is None
    True
    """
    gambler = Gambler(unseen, orders)
    for card in cards:
        gambler.see(card)
    return gambler.most
