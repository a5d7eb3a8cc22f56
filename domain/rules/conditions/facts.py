"""Facts of a settled coup, and conditions made of them.

A fact says what it looks at: the totals only, or cards, of which values, ranks or suits. The exact
odds go through no more than that.
"""

from collections.abc import Callable, Iterable

from msgspec import Struct

from domain.rules.cards import RANKS, SUITS
from domain.rules.hands import Result

ZEROS = "TJQK"  # the ranks that count the same
Ask = Callable[["Fact"], bool]


class Fact(Struct, frozen=True, eq=False, kw_only=True):
    """Something that is so, or not so, of a settled coup.

    `places`: the cards that it looks at, 0-2 Player's and 3-5 Banker's in the order of dealing; of
    none, it looks at totals and numbers of cards. `ranks` and `suits`: the groups that it tells
    apart, as in `JQK` or `DH`; of each for itself, the four letters; `values`: whether it matters
    which value a card counts, and not only which cards are alike.
    """

    holds: Callable[[Result], bool]
    places: frozenset[int] = frozenset()
    ranks: tuple[str, ...] = ()
    suits: tuple[str, ...] = ()
    values: bool = False

    @property
    def of_cards(self) -> bool:
        """Whether it looks at more of the cards than what they count."""
        return bool(self.ranks or self.suits)


class Condition(Struct, frozen=True, eq=False):
    """Facts joined by and, or, not. `decide` asks whether each fact is so."""

    facts: tuple[Fact, ...]
    decide: Callable[[Ask], bool]

    def holds(self, result: Result) -> bool:
        """Whether it is so of this coup."""
        return self.decide(lambda fact: fact.holds(result))


def that(fact: Fact) -> Condition:
    """The condition that one fact is so."""
    return Condition((fact,), lambda ask: ask(fact))


def none(what: Condition) -> Condition:
    """The condition that it is not so."""
    return Condition(what.facts, lambda ask: not what.decide(ask))


def every(each: Iterable[Condition]) -> Condition:
    """The condition that all of them are so."""
    some = tuple(each)
    return Condition(_facts(some), lambda ask: all(one.decide(ask) for one in some))


def some_of(many: range, each: Iterable[Condition]) -> Condition:
    """The condition that so many of them are so."""
    some = tuple(each)
    return Condition(_facts(some), lambda ask: sum(one.decide(ask) for one in some) in many)


def any_of(each: Iterable[Condition]) -> Condition:
    """The condition that one of them is so, or more."""
    some = tuple(each)
    return Condition(_facts(some), lambda ask: any(one.decide(ask) for one in some))


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
    others = len(kind.ranks) - len(zeros)
    return Fact(
        holds=holds,
        places=frozenset(places),
        ranks=(zeros,) if zeros not in ("", ZEROS) else (),
        suits=(kind.suits,) if kind.suits != SUITS else (),
        values=others not in (0, len(RANKS) - len(ZEROS)) or (not others and zeros == ZEROS),
    )
