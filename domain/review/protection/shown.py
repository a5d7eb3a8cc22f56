"""Which cards a coup may have had, by all that the board shows of it.

The board shows how a coup ended, and whether the first two cards of a hand were a pair. A pair is
of one rank, so of two cards that count 0 the ranks matter: king and queen are none. In how many
ways cards of such values were dealt is counted exactly, from the ranks that nobody had seen, and
jointly for both hands: a pair of kings for Player leaves fewer for Banker's.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from math import perm
from typing import TYPE_CHECKING, Any, NamedTuple

from domain.rules.cards import RANKS
from domain.rules.hands import Result
from domain.rules.odds.deals import coups, ending
from domain.rules.odds.pack import LARGEST_COUP

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.int64]]

Hand = tuple[int, ...]  # what the cards of a coup count, the smallest first
Ranks = tuple[int, ...]  # how many cards there are of each, in the order of `RANKS`
_COUNT_0 = slice(RANKS.index("T"), None)  # the last four of them


class Shown(NamedTuple):
    """What the board shows of a coup: its totals, numbers of cards, and pairs."""

    ended: tuple[int, int, int, int]  # as in `domain.rules.odds.deals`
    player_pair: bool
    banker_pair: bool

    @classmethod
    def of(cls, result: Result) -> "Shown":
        """What it shows of this one."""
        cards = result.player_cards, result.banker_cards
        ended = (result.player_total, cards[0], result.banker_total, cards[1])
        return cls(ended, result.player_pair, result.banker_pair)


class _Zeros(NamedTuple):
    """The cards of a coup that count 0, and of which hands they are the first two."""

    many: int
    player: bool
    banker: bool

    def ways(self, shown: Shown, ranks: Sequence[int]) -> int:
        """In how many ways they are dealt with these pairs, from so many of each of their ranks."""
        every, pairs = sum(ranks), sum(perm(many, 2) for many in ranks)
        paired = 2 * (self.player + self.banker)
        rest = perm(max(every - paired, 0), self.many - paired)
        if paired < 4:
            any_two = perm(every, paired) - pairs if paired else 1
            same = shown.player_pair if self.player else shown.banker_pair
            return rest * (pairs if paired and same else any_two)
        both = pairs**2 - sum(perm(many, 2) ** 2 - perm(many, 4) for many in ranks)
        one = pairs * perm(max(every - 2, 0), 2) - both
        neither = perm(every, 4) - 2 * one - both
        return rest * (neither, one, both)[shown.player_pair + shown.banker_pair]


def of_each_value(ranks: Ranks) -> tuple[int, ...]:
    """How many cards count 0, 1, … 9.

    >>> of_each_value((32,) * 13)
    (128, 32, 32, 32, 32, 32, 32, 32, 32, 32)
    """
    return (sum(ranks[_COUNT_0]), *ranks[: _COUNT_0.start])


def everything() -> Iterable[Shown]:
    """All that can be shown of a coup."""
    return _dealt().keys()


def hands(shown: Shown) -> tuple[Hand, ...]:
    """What the cards of a coup may count that is shown so."""
    return _dealt()[shown].hands


def may_be_dealt(shown: Shown, ranks: Ranks) -> bool:
    """Whether a coup that is shown so can be dealt, from so many cards of each rank."""
    return min(ranks) >= LARGEST_COUP or bool(ways(shown, ranks).any())


@lru_cache(maxsize=16)  # a coup is asked about spot by spot
def ways(shown: Shown, ranks: Ranks) -> "Array":
    """In how many ways each of these `hands` is dealt, from so many cards of each rank."""
    import numpy as np

    there, zeros = of_each_value(ranks), ranks[_COUNT_0]
    taken = np.maximum(np.array(there)[:, None] - np.arange(LARGEST_COUP), 0)
    of = np.ones((len(there), LARGEST_COUP + 1), int)
    np.cumprod(taken, axis=1, out=of[:, 1:])
    dealt = _dealt()[shown]
    counting_0 = np.array([each.ways(shown, zeros) for each in dealt.zeros])
    each = counting_0[dealt.of_zeros] * dealt.orders * of.take(dealt.others).prod(axis=1)
    every: Array = np.add.reduceat(each, dealt.begins)
    return every


class _Dealt(NamedTuple):
    """The coups that are shown alike.

    A hand comes once with each of the `zeros` that it may have, those of one hand side by side:
    with which, in how many orders, with which other cards, as in `_others`. Arrays.
    """

    hands: tuple[Hand, ...]
    begins: "Array"  # the place of the first of each hand
    zeros: list[_Zeros]
    of_zeros: "Array"
    orders: "Array"
    others: "Array"


@cache
def _dealt() -> dict[Shown, _Dealt]:
    """Every coup that can be dealt, by what is shown of it."""
    every: defaultdict[Shown, defaultdict[_Zeros, Counter[Hand]]]
    every = defaultdict(lambda: defaultdict(Counter))
    for values, orders in coups():
        hand = tuple(sorted(value for value in values if value is not None))
        one, two, _, first, second, _ = values
        zeros = _Zeros(hand.count(0), one == two == 0, first == second == 0)
        for player_pair in _may_be_pair(one, two):
            for banker_pair in _may_be_pair(first, second):
                every[Shown(ending(values), player_pair, banker_pair)][zeros][hand] += orders
    return {shown: _in_places(by_zeros) for shown, by_zeros in every.items()}


def _may_be_pair(one: int, two: int) -> tuple[bool, ...]:
    """Whether two cards that count so are a pair: of those that count 0 they may be, or not."""
    return (True, False) if one == two == 0 else (one == two,)


def _in_places(by_zeros: Mapping[_Zeros, Counter[Hand]]) -> _Dealt:
    import numpy as np

    each = sorted(
        (hand, n, orders)
        for n, dealt in enumerate(by_zeros.values())
        for hand, orders in dealt.items()
    )
    hands = [hand for hand, *_ in each]
    return _Dealt(
        hands=tuple(dict.fromkeys(hands)),
        begins=np.array([n for n, hand in enumerate(hands) if n == 0 or hand != hands[n - 1]]),
        zeros=[*by_zeros],
        of_zeros=np.array([zeros for _, zeros, _ in each]),
        orders=np.array([orders for *_, orders in each]),
        others=np.array([_others(hand) for hand in hands], int),
    )


@cache  # the same few thousand, again and again
def _others(hand: Hand) -> tuple[int, ...]:
    """The cards that do not count 0, as 7 v + n where n of them count v; then zeros."""
    each = Counter(value for value in hand if value)
    others = [(LARGEST_COUP + 1) * value + many for value, many in each.items()]
    return tuple(others + [0] * (LARGEST_COUP - len(others)))
