"""Facts of a settled coup, and conditions made of them.

A fact says what matters to it: totals only, or some of the cards, and their ranks or suits. The
exact odds go through no more than that.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any

from msgspec import Struct

from domain.rules.cards import POINTS, RANKS, SUITS
from domain.rules.hands import Result

ZEROS = "TJQK"  # the ranks that count the same
Test = Callable[[Any], bool]


class Fact(Struct, frozen=True, eq=False, kw_only=True):
    """Something that is so, or not so, of a settled coup.

    `places`: the cards that matter, Player's are 0-2 and Banker's 3-5, in the order of dealing.
    Without any, only totals and numbers of cards matter. `ranks`, of those that count 0, and
    `suits`: groups that make a difference. `("JQK",)`: faces, or a ten. All four letters, each for
    itself: every one makes a difference. `values`: the same of what a card counts; of all others
    it matters only which cards count the same.
    """

    holds: Callable[[Result], bool]
    places: frozenset[int] = frozenset()
    ranks: tuple[str, ...] = ()
    suits: tuple[str, ...] = ()
    values: frozenset[int] = frozenset()

    @property
    def of_cards(self) -> bool:
        """Whether it looks at more of the cards than what they count."""
        return bool(self.ranks or self.suits)


class Condition(Struct, frozen=True, eq=False):
    """Facts joined by and, or, not.

    `holds`: whether it is so of a coup. `decide`: whether it is, by asking if each fact is so.
    """

    facts: tuple[Fact, ...]
    holds: Callable[[Result], bool]
    decide: Callable[[Callable[[Fact], bool]], bool]


def that(fact: Fact) -> Condition:
    """The condition that one fact is so."""
    return Condition((fact,), fact.holds, lambda ask: ask(fact))


def none(what: Condition) -> Condition:
    """The condition that it is not so."""
    return _joined((what,), _not)


def every(each: Iterable[Condition]) -> Condition:
    """The condition that all of them are so."""
    return _joined(each, lambda tests: reduce(_and, tests))


def some_of(many: range, each: Iterable[Condition]) -> Condition:
    """The condition that so many of them are so."""
    return _joined(each, lambda tests: lambda of: sum(test(of) for test in tests) in many)


def any_of(each: Iterable[Condition]) -> Condition:
    """The condition that one of them is so, or more."""
    return _joined(each, lambda tests: reduce(_or, tests))


def _not(tests: Sequence[Test]) -> Test:
    (test,) = tests
    return lambda of: not test(of)


def _and(one: Test, other: Test) -> Test:
    return lambda of: one(of) and other(of)


def _or(one: Test, other: Test) -> Test:
    return lambda of: one(of) or other(of)


def _joined(each: Iterable[Condition], join: Callable[[Sequence[Test]], Test]) -> Condition:
    some = tuple(each)
    return Condition(
        facts=_facts(some),
        holds=join([one.holds for one in some]),
        decide=join([one.decide for one in some]),
    )


def _facts(conditions: Iterable[Condition]) -> tuple[Fact, ...]:
    return tuple(dict.fromkeys(fact for each in conditions for fact in each.facts))


class Kind(Struct, frozen=True):
    """Cards of these ranks and suits."""

    ranks: str = RANKS
    suits: str = SUITS

    def has(self, card: str) -> bool:
        """Whether a card is one of them."""
        return card[0] in self.ranks and card[1] in self.suits


def about(places: Iterable[int], kind: Kind, holds: Callable[[Result], bool]) -> Fact:
    """A fact about which of the cards at these places are of a kind."""
    zeros = "".join(rank for rank in ZEROS if rank in kind.ranks)
    counts = frozenset(POINTS[rank] for rank in kind.ranks if rank not in ZEROS)
    return Fact(
        holds=holds,
        places=frozenset(places),
        ranks=(zeros,) if zeros not in ("", ZEROS) else (),
        suits=(kind.suits,) if kind.suits != SUITS else (),
        values=counts if kind.ranks != RANKS else frozenset(),
    )
