"""How often cards that count so are of some rank or suit.

Given what six cards count, ranks and suits of some of them depend only on which of these count the
same, and on how many there are of each card that counts so. With as many of each card, as in full
decks, every value is like every other, and `Looks` need not say which it is.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import perm

from domain.rules.cards import RANKS, SUITS
from domain.rules.conditions import Fact
from domain.rules.conditions.facts import ZEROS
from domain.rules.hands import Result
from domain.rules.odds.deals import Values
from domain.rules.odds.pack import Pack

Truth = tuple[bool, ...]  # of facts, in their order
Look = tuple[int | None, ...]  # what matters of what the cards count
UNSEEN = "??"  # a card that no fact looks at


class Looks:
    """What some facts look at: cards, and ranks or suits between which they see a difference.

    `even`: there are as many of each card, so that ranks or suits of which it matters only whether
    two cards have the same one can be counted together.
    """

    def __init__(self, facts: Sequence[Fact], *, even: bool) -> None:
        self.facts = facts
        self.places = sorted({place for fact in facts for place in fact.places})
        named = {value for fact in facts for value in fact.values}
        apart = (None, 0, *named) if even else (None, *range(10))
        self._named: dict[int | None, int | None] = {each: each for each in apart}
        self._others = [value for value in range(1, 10) if value not in named]
        self.zeros, zeros_alike = _groups(ZEROS, [fact.ranks for fact in facts])
        self.suits, suits_alike = _groups(SUITS, [fact.suits for fact in facts])
        self.zeros_alike, self.suits_alike = zeros_alike and even, suits_alike and even

    def look(self, values: Values) -> Look:
        """What matters of what the cards count; two coups of one look have the same shares.

        A value that no fact names is the first of these that the coup has not used yet.
        """
        if not self.places:
            return ()
        others = iter(self._others)
        looks = self._named.copy()
        for place in self.places:
            if values[place] not in looks:
                looks[values[place]] = next(others)
        return tuple(looks[values[place]] for place in self.places)

    def truth(self, cards: dict[int, str]) -> Truth:
        """Which of the facts are so of these cards, by place."""
        hands = tuple(
            tuple(cards.get(place, UNSEEN) for place in places if cards.get(place) != "")
            for places in ((0, 1, 2), (3, 4, 5))
        )
        result = Result("tie", 0, 0, 0, 0, (hands[0], hands[1]))
        return tuple(fact.holds(result) for fact in self.facts)


class Shares:
    """Answers about the cards that some facts look at, from a pack; each is computed once."""

    def __init__(self, looks: Looks, pack: Pack) -> None:
        self._looks = looks
        self._pack = pack
        self._known: dict[Look, list[tuple[Truth, int, int]]] = {}
        self._many: dict[tuple[str, str], int] = {}

    def of(self, look: Look) -> list[tuple[Truth, int, int]]:
        """Which facts are so together, in how many of how many ways to deal those cards."""
        if look not in self._known:
            every = 1
            for value, many in Counter(each for each in look if each is not None).items():
                every *= perm(self._pack.values[value], many)
            truths: Counter[Truth] = Counter()
            for cards, ways in self._dealt(look):
                truths[self._looks.truth(cards)] += ways
            self._known[look] = [(truth, ways, every) for truth, ways in truths.items()]
        return self._known[look]

    def _dealt(self, look: Look) -> Iterator[tuple[dict[int, str], int]]:
        """The cards by place, `''` where none is, with the number of ways."""
        taken: Counter[str] = Counter()
        cards: dict[int, str] = {}

        def deal(n: int, ways: int) -> Iterator[tuple[dict[int, str], int]]:
            if n == len(look):
                yield cards, ways
                return
            value, place = look[n], self._looks.places[n]
            if value is None:
                cards[place] = ""
                yield from deal(n + 1, ways)
                return
            for card, many in self._cards(value, taken):
                if many > 0:
                    cards[place] = card
                    taken[card] += 1
                    yield from deal(n + 1, ways * many)
                    taken[card] -= 1

        return deal(0, 1)

    def _cards(self, value: int, taken: Counter[str]) -> Iterator[tuple[str, int]]:
        """A card of each group that counts so, and how many are left of it.

        If it matters only whether two cards are the same, one rank or suit that has not come yet is
        counted for all of them.
        """
        looks = self._looks
        if value:
            ranks = [(RANKS[value - 1], 1)]
        else:
            came = {card[0] for card in taken if taken[card]}
            ranks = _open(looks.zeros, looks.zeros_alike, came)
        seen = {card[1] for card in taken if taken[card]}
        for rank, rank_times in ranks:
            for suit, suit_times in _open(looks.suits, looks.suits_alike, seen):
                card = rank[0] + suit[0]
                many = self._of_group(rank, suit) - taken[card]
                yield card, many * rank_times * suit_times

    def _of_group(self, ranks: str, suits: str) -> int:
        """How many cards there are of these ranks and suits."""
        if (ranks, suits) not in self._many:
            by_card = self._pack.by_card
            many = sum(by_card[rank + suit] for rank in ranks for suit in suits)
            self._many[ranks, suits] = many
        return self._many[ranks, suits]


def _open(groups: list[str], alike: bool, seen: set[str]) -> list[tuple[str, int]]:
    """The groups to count, each with how many groups it is counted for."""
    if not alike:
        return [(group, 1) for group in groups]
    fresh = [group for group in groups if group[0] not in seen]
    known = [(group, 1) for group in groups if group[0] in seen]
    return [*known, (fresh[0], len(fresh))] if fresh else known


def _groups(letters: str, distinguished: Iterable[tuple[str, ...]]) -> tuple[list[str], bool]:
    """Letters in groups between which some fact sees a difference; it sees none within a group.

    And whether every fact asks no more than which cards have the same one.
    """
    some = {each for each in distinguished if each}
    groups = [letters]
    for named in {named for each in some for named in each}:
        halves = (
            ("".join(c for c in group if (c in named) is inside) for inside in (True, False))
            for group in groups
        )
        groups = [half for each in halves for half in each if half]
    return groups, some == {tuple(letters)}
