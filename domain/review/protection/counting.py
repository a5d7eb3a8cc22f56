"""Whether a patron's bets follow the cards that are left: counting, spot by spot.

Each spot has a score for a card: what the rest would be worth without it (the effects of removal,
as in Griffin, "The Theory of Blackjack", 1979, computed by our own odds). The mean score of the
cards that nobody saw is the spot's edge, nearly, and that is what a counter adds up.

Chance: who does not count may look at all that the roads show, totals, winners, streaks, naturals
and pairs (`shown.py`), but not at which cards made them. So given what is shown of a coup, which
cards it took has nothing to do with what a patron bets on the next one. Beside each patron a
gambler bets on just that: where the patron bets much on a spot, that the cards of the coup before
left its edge above a line; where they bet little on it, or nothing, that it is below. He is paid at
fair odds, the inverse of the exact chance of such cards among all that make a coup look so, from
the cards that nobody had seen. If the patron does not count he never holds x units but in one of x
patrons, however often one looks (Ville's inequality, as in `following.py`; it tests a conditional
independence of which one law is known: Candès, Fan, Janson and Lv, J. R. Statist. Soc. B 80, 2018).

The cards themselves lie on the felt, and on the display, until the next coup begins. Chance is that
nobody bets by them, nor by a third card, a rank or a suit for which another bet was paid. Who does
bets by which cards are out: that is counting, if only the cards of one coup, and has a row as soon
as these bets follow the edge.

Coups on which the patron bets nothing at all are left out, and so is a coup after which the edge
can only be on one side of the line. Stakes that rise with the evening, after a loss or after a Tie,
or are always the same, win the gambler nothing.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import attrgetter, mul
from typing import TYPE_CHECKING, NamedTuple, Self

from msgspec import Struct, field
from msgspec.structs import replace

from domain.review.protection.cards_left import CardsLeft
from domain.review.protection.shown import (
    Hand,
    Ranks,
    Shown,
    hands,
    may_be_dealt,
    of_each_value,
    ways,
)
from domain.rules.cards import DECK, RANKS, points
from domain.rules.conditions import condition
from domain.rules.hands import play
from domain.rules.house_rules import HouseRules, learn, of
from domain.rules.odds import odds_from, whole
from domain.rules.refusals import CardNotDue

if TYPE_CHECKING:
    from domain.review.protection.shown import Array

LINES = (-0.02, 0.0, 0.03)  # edges above which somebody may bet
BOLDNESS = (0.25, 0.75)  # the part of a guess that is staked each time
GUESSES = len(LINES) * len(BOLDNESS)
BEGINS = 1 / 100  # of what is held, staked anew at each coup, for who begins to count today
ENDS = 1 / 200  # of a guess, taken off the table at each coup
MUCH = 0.5  # more than this part of their largest stake on the spot
_GOES_ON = 1 - ENDS
_FAVOURED = LINES.index(0.0)
_NOTHING = [1.0] * len(LINES)  # is won or lost where all is sure
NEAR = 24  # cards: those of two coups, and some that were burned between
SURE = 1e-9  # no bet is made on what is so sure, either way

Scores = tuple[float, ...]  # of a card of each value
_CARD = {points(card): card for card in DECK}  # one of each value


class _Spot(Struct, frozen=True, cache_hash=True):
    """A spot of a shoe: there is one of it, as much is remembered by it."""

    rules: str
    digest: str
    spot: str
    decks: int


@lru_cache(maxsize=2_048)
def _spot(rules: str, digest: str, spot: str, decks: int) -> _Spot:
    return _Spot(rules, digest, spot, decks)


class Side(Struct, frozen=True):
    """Whether the cards of a coup left an edge above a line, and how likely that was."""

    above: bool
    chance: float


class Sides(list[Side]):
    """Of a spot, for each line; without any nothing is learned."""

    def __init__(self, sides: Iterable[Side] = ()) -> None:
        super().__init__(sides)
        self._known: dict[bool, Sequence[float] | None] = {}

    def became(self, much: bool) -> Sequence[float] | None:
        """What one unit of each guess becomes beside who bets much, or not; None: all is sure."""
        if much not in self._known:
            pays = [_paid(much, side) for side in self]
            each = [1 - bold + bold * pay for pay in pays for bold in BOLDNESS]
            self._known[much] = None if pays == _NOTHING else each
        return self._known[much]


class OnSpot(Struct, frozen=True, array_like=True):
    """A gambler beside one patron's bets on one spot, of one unit; `place`: the spot's, from 1."""

    place: int = 1  # the first spot on which they ever bet is 1
    largest: int = 0  # stake, in minor units
    free: float = 0.5
    guesses: list[float] = field(default_factory=lambda: [0.5 / GUESSES] * GUESSES)
    much: int = 0  # coups on which they bet much
    favoured: int = 0  # those of them with an edge for the patron

    @property
    def held(self) -> float:
        """What he holds now."""
        return self.free + sum(self.guesses)

    def after(self, stake: int, sides: Sides) -> "OnSpot":
        """What he holds after a coup on which the patron bet so much on the spot.

        >>> lifted = Sides([Side(True, 0.2)] * len(LINES))
        >>> OnSpot().after(100_00, lifted).held > 1 > OnSpot(1, 100_00).after(0, lifted).held
        True
        """
        largest = stake if stake > self.largest else self.largest
        if not sides:
            return self if largest == self.largest else replace(self, largest=largest)
        much = stake > MUCH * largest
        free, before = self.free, self.guesses
        new, ended = free * BEGINS / GUESSES, sum(before) * ENDS
        if became := sides.became(much):
            pairs = zip(before, became, strict=True)
            guesses = [(guess * _GOES_ON + new) * pays for guess, pays in pairs]
        else:
            guesses = [guess * _GOES_ON + new for guess in before]
        return OnSpot(
            self.place,
            largest,
            free * (1 - BEGINS) + ended,
            guesses,
            self.much + much,
            self.favoured + (much and sides[_FAVOURED].above),
        )


def _paid(much: bool, side: Side) -> float:
    """What one unit becomes that lay on the edge being where the patron's bet says it is."""
    chance = side.chance if much else 1 - side.chance
    if not SURE < chance < 1 - SURE:
        return 1.0
    return 1 / chance if side.above == much else 0.0


_UNKNOWN = Sides()
_NEVER = Sides([Side(above=False, chance=0.0)] * len(LINES))  # whichever cards it took
_PLACE = attrgetter("place")


def held(beside: Mapping[str, OnSpot]) -> float:
    """What the gamblers of one patron hold together, of one unit.

    The first spot on which the patron ever bet has half of it, the second a sixth, then a twelfth
    and so on; the rest is not staked.
    """
    in_order = sorted(beside.values(), key=_PLACE)  # rows do not keep an order
    won = sum([each.held / (each.place * (each.place + 1)) for each in in_order])
    return won + 1 / (len(beside) + 1)


def all_after(
    before: Mapping[str, OnSpot], staked: Mapping[str, int], sides: Mapping[str, Sides]
) -> dict[str, OnSpot]:
    """Each spot's gambler after a coup, those of new spots last."""
    if fresh := [spot for spot in staked if spot not in before]:
        new = {spot: OnSpot(place) for place, spot in enumerate(fresh, len(before) + 1)}
        before = {**before, **new}
    return {
        spot: each.after(staked.get(spot, 0), sides.get(spot, _UNKNOWN))
        for spot, each in before.items()
    }


def rules_of(content: str) -> HouseRules:
    """The rule set of that content, as it is on record."""
    return _learned(content)


@lru_cache(maxsize=256)
def _learned(content: str) -> HouseRules:
    return learn(content)


class CoupBefore(NamedTuple):
    """How a coup was shown, what its cards count, and which cards nobody had seen before it."""

    decks: int
    ranks: Ranks
    shown: Shown
    hand: Hand


def coup_before(shoe: CardsLeft, coup: int, decks: int) -> CoupBefore | None:
    """The coup before this one; None if there was none, or it was not dealt as the rules have it.

    So is one whose cards did not leave the shoe one after the other.
    """
    before = _cards_before(shoe, coup)
    if before is None:
        return None
    cards, seen = before
    shown = shown_of(cards)
    if shown is None:
        return None
    ranks = tuple(max(4 * decks - seen.count(rank), 0) for rank in RANKS)
    hand = tuple(sorted(points(card) for card in cards))
    return CoupBefore(decks, ranks, shown, hand)


def shown_of(cards: Sequence[str]) -> Shown | None:
    """What the board shows of a coup with these cards; None: it was not dealt as the rules have it.

    >>> shown_of(["9C", "5S", "9D", "QD"])
    Shown(ended=(8, 2, 5, 2), player_pair=True, banker_pair=False)
    """
    ended = _ended(tuple(map(points, cards)))
    if ended is None:
        return None
    one, other, second, last = (card[0] for card in cards[:4])
    return Shown(ended, one == second, other == last)


@lru_cache(maxsize=65_536)  # what cards count comes again and again
def _ended(values: tuple[int, ...]) -> tuple[int, int, int, int] | None:
    """How a coup ends whose cards count so."""
    try:
        result = play([_CARD[value] for value in values]).result
    except CardNotDue:
        return None
    return Shown.of(result).ended if result else None


def sides_after(
    before: CoupBefore | None, rules: HouseRules, spots: Iterable[str]
) -> dict[str, Sides]:
    """Of these spots, on which side of each line a coup left the edge; empty without a coup.

    A spot that is paid by ranks or suits has none: what cards count is not what such a bet needs.
    """
    if before is None:
        return {}
    known = [_spot(rules.name, rules.digest, spot, before.decks) for spot in spots]
    left = _Left.by(before)
    return {each.spot: _sides(each, before, left) for each in known if _looks_at_counts(each)}


def _cards_before(shoe: CardsLeft, coup: int) -> tuple[list[str], str] | None:
    """The cards of the coup before this one, and the others that were seen before this one.

    None if there was none, or if its cards did not leave the shoe one after the other.
    """
    near = max(len(shoe.numbers) - NEAR, 0)  # it is asked about the last coup, nearly always
    last = _coup_before(shoe.numbers[near:], coup)
    if near and not (last and last.begin and last.number < coup):
        near, last = 0, _coup_before(shoe.numbers, coup)
    if last is None:
        return None
    begin, end = near + last.begin, near + last.end
    behind = begin + last.many
    cards = [card for card in shoe.left[begin:behind] if card]
    in_order = [f"{last.number}/{n}" for n in range(1, last.many + 1)]
    if len(cards) < last.many or shoe.numbers[begin:behind] != in_order:
        return None
    others = chain(shoe.left[:begin], shoe.left[behind:end])
    return cards, "".join(filter(None, others))


class _Numbered(NamedTuple):
    """A coup among the numbers of cards: the place of its first card, and how many it has.

    `end`: the place of the first card of the coup that was asked about.
    """

    number: int
    begin: int
    many: int
    end: int


def _coup_before(numbers: Sequence[str], coup: int) -> _Numbered | None:
    """The coup before this one, by the numbers of cards."""
    text = "\n".join(("", *numbers))  # in one text they are found sooner
    this = text.find(f"\n{coup}/")
    slash = text.rfind("/", 0, this if this >= 0 else None)
    if slash < 0:
        return None
    before = text[text.rfind("\n", 0, slash) : slash + 1]
    begin = text.count("\n", 0, text.find(before))
    end = text.count("\n", 0, this) if this >= 0 else len(numbers)
    return _Numbered(int(before[1:-1]), begin, text.count(before), end)


class _Left(NamedTuple):
    """The cards that nobody had seen before a coup, and what may have been left by it."""

    of_each_value: Sequence[int]
    after: int  # cards that nobody had seen once its own were out
    as_shown: bool  # whether those there were make a coup that looks so

    @classmethod
    def by(cls, coup: CoupBefore) -> Self:
        """By this coup."""
        after = sum(coup.ranks) - len(coup.hand)
        as_shown = after > 0 and may_be_dealt(coup.shown, coup.ranks)
        return cls(of_each_value(coup.ranks), after, as_shown)


def _sides(spot: _Spot, before: CoupBefore, cards: _Left) -> Sides:
    """On which side of each line a coup left a spot.

    Of most coups every one that is shown so leaves it on the same side, so that nothing is counted.
    """
    if not cards.as_shown:
        return _UNKNOWN
    _, ranks, shown, hand = before
    scores, left = _scores(spot), cards.after
    gone, order = _by_score(spot, shown)  # the lower a score, the higher the edge after it
    total = sum(map(mul, scores, cards.of_each_value))
    mine = (total - _score(scores, hand)) / left
    least, most = (gone[0] - total) / left, (gone[-1] - total) / left
    if least >= -LINES[0]:
        return _NEVER

    def chance(line: float) -> float:
        if least >= -line or most < -line:
            return float(most < -line)
        many = bisect_left(gone, -line, key=lambda score: (score - total) / left)
        every = ways(shown, ranks)
        return int(every[order[:many]].sum()) / int(every.sum())

    return _sides_of(tuple([(mine > line, chance(line)) for line in LINES]))


@lru_cache(maxsize=256)  # of most coups all is sure, so that there are few of them
def _sides_of(lines: Sequence[tuple[bool, float]]) -> Sides:
    return Sides(Side(above, chance) for above, chance in lines)


@lru_cache(maxsize=8_192)  # of each spot some hundreds, a kilobyte each
def _by_score(spot: _Spot, shown: Shown) -> tuple[Sequence[float], "Array"]:
    """The scores of the `hands` of a coup that is shown so, the least first, and their places."""
    import numpy as np

    scores = _scores(spot)
    each = [_score(scores, hand) for hand in hands(shown)]
    order = sorted(range(len(each)), key=each.__getitem__)
    return array("d", map(each.__getitem__, order)), np.array(order)


def _score(scores: Scores, hand: Hand) -> float:
    """What a coup with these cards takes from the edge of all that are left."""
    return sum(map(scores.__getitem__, hand))


@lru_cache(maxsize=2_048)
def _looks_at_counts(spot: "_Spot") -> bool:
    """Whether the rules have a spot, and it is paid by nothing but what cards count."""
    rules, name = of(spot.rules, spot.digest), spot.spot
    if name not in rules.spots:
        return False
    over = rules.over_coups.get(name)
    asked = [over.wins, over.skips] if over else [line.when for line in rules.spots[name].pays]
    return not any(fact.of_cards for when in asked if when for fact in condition(when).facts)


def edge_by_count(rules: HouseRules, spot: str, decks: int, seen: Sequence[str]) -> float:
    """A spot's edge as a counter has it who saw these cards: the mean score of the others."""
    scores = _scores(_spot(rules.name, rules.digest, spot, decks))
    gone = sum(scores[points(card)] for card in seen)
    every = sum(score * many for score, many in zip(scores, whole(decks).values, strict=True))
    return (every - gone) / (52 * decks - len(seen))


@lru_cache(maxsize=512)
def _scores(spot: "_Spot") -> Scores:
    """Of a card of each value: its part of the edge, by what taking it out changes."""
    rules, full = of(spot.rules, spot.digest), whole(spot.decks)
    edge = odds_from(rules, spot.spot, full).edge
    without = [
        odds_from(rules, spot.spot, full.without([card])).edge for _, card in sorted(_CARD.items())
    ]
    return tuple(float(edge - (full.size - 1) * (each - edge)) for each in without)
