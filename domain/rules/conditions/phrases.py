"""Every phrase of a condition, beside what it means.

In a phrase `{hand}` is one of the words of `slots.CHOICES`, handed over as `hand`; `{third:hand}`
is handed over as `third`. A number is written `6` or `six`, a span of them also `4 to 6`,
`at least 6`, `at most 6`. What is in `[]` may be left out.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator

from domain.rules.cards import POINTS, SUITS, points
from domain.rules.conditions.facts import (
    ZEROS,
    Condition,
    Fact,
    Kind,
    about,
    any_of,
    every,
    none,
    that,
)
from domain.rules.conditions.slots import BANKER, MANY, PLACES, PLAYER, RED
from domain.rules.hands import Hand, Result

ANY = range(MANY)
Places = tuple[int, ...]
Meaning = Callable[..., Condition]
PHRASES: dict[str, Meaning] = {}
_EACH_RANK, _EACH_SUIT = tuple(ZEROS), tuple(SUITS)


def in_capitals(phrase: str) -> str:
    """A phrase as people read it: its slots in capitals, words that may stand for one another.

    >>> in_capitals("{hands} has|have {number} cards")
    'HANDS has/have NUMBER cards'
    """
    plain = re.sub(r"\{(?:\w+:)?([\w ]+)\}", lambda slot: slot[1].upper(), phrase)
    return plain.replace("|", "/")


def phrase(words: str) -> Callable[[Meaning], Meaning]:
    """Marks a function as what a phrase means."""

    def keep(meaning: Meaning) -> Meaning:
        PHRASES[words] = meaning
        return meaning

    return keep


# How the coup ended.
@phrase("{hand} wins[ on {total:span}][ with {size:number} cards]")
def _wins(hand: Hand, total: range = ANY, size: int | None = None) -> Condition:
    if total == ANY and size is None:
        return _won(hand)
    return every((_won(hand), _ended(hand, total, size)))


@phrase("{hand} wins by {margin:span}")
def _wins_by(hand: Hand, margin: range) -> Condition:
    return every((_won(hand), _result(lambda r: r.margin in margin)))


@phrase("{hand} wins by {margin:span} without a natural")
def _wins_without_a_natural(hand: Hand, margin: range) -> Condition:
    return every((_wins_by(hand, margin), none(_result(lambda r: r.natural))))


@phrase("{hand} wins with a natural[ {total:span}]")
def _wins_with_a_natural(hand: Hand, total: range = ANY) -> Condition:
    return every((_won(hand), _natural(hand, total)))


@phrase("tie[ on {total:span}][ with {size:number} cards]")
def _tie(total: range = ANY, size: int | None = None) -> Condition:
    """`size`: of the coup."""
    return _result(
        lambda r: (
            r.outcome == "tie"
            and r.player_total in total
            and size in (None, r.player_cards + r.banker_cards)
        )
    )


@phrase("natural tie[ on {total:span}]")
def _natural_tie(total: range = ANY) -> Condition:
    return _result(lambda r: r.outcome == "tie" and r.natural and r.player_total in total)


@phrase("{hands} has|have a natural[ {total:span}]")
def _has_a_natural(hands: str, total: range = ANY) -> Condition:
    return _of(hands, lambda hand: _natural(hand, total))


@phrase("{hands} ends|end on {total:span}[ with {size:number} cards]")
def _ends(hands: str, total: range, size: int | None = None) -> Condition:
    return _of(hands, lambda hand: _ended(hand, total, size))


@phrase("{hands} has|have {size:number} cards")
def _has_cards(hands: str, size: int) -> Condition:
    return _of(hands, lambda hand: _ended(hand, ANY, size))


@phrase("the coup has {size:span} cards")
def _coup_has_cards(size: range) -> Condition:
    return _result(lambda r: r.player_cards + r.banker_cards in size)


@phrase("the totals differ by {margin:span}")
def _totals_differ(margin: range) -> Condition:
    return _result(lambda r: r.margin in margin)


@phrase("the totals add up to {total:span}")
def _totals_add_up(total: range) -> Condition:
    return _result(lambda r: r.player_total + r.banker_total in total)


# Pairs of the first two cards of a hand.
@phrase("{cards:first two} are a pair")
def _are_a_pair(cards: Places) -> Condition:
    return that(_alike(cards, lambda one, other: one[0] == other[0], ranks=_EACH_RANK))


@phrase("{cards:first two} are a suited pair")
def _are_a_suited_pair(cards: Places) -> Condition:
    return that(_alike(cards, lambda one, other: one == other, ranks=_EACH_RANK, suits=_EACH_SUIT))


@phrase("{cards:first two} are a pair of one colour")
def _are_a_pair_of_one_colour(cards: Places) -> Condition:
    return every((_are_a_pair(cards), _one_colour(cards)))


@phrase("{hands} has|have a pair")
def _has_a_pair(hands: str) -> Condition:
    return _of(hands, lambda hand: _are_a_pair(PLACES[hand][:2]))


@phrase("{hands} has|have a suited pair")
def _has_a_suited_pair(hands: str) -> Condition:
    return _of(hands, lambda hand: _are_a_suited_pair(PLACES[hand][:2]))


@phrase("{hands} has|have a pair of one colour")
def _has_a_pair_of_one_colour(hands: str) -> Condition:
    return _of(hands, lambda hand: _are_a_pair_of_one_colour(PLACES[hand][:2]))


@phrase("{cards:first two} are {one:rank} and {other:rank}")
def _are_two_ranks(cards: Places, one: str, other: str) -> Condition:
    ranks = sorted((one, other))
    return that(
        Fact(
            holds=lambda r: sorted(card[0] for card in _at(r, cards)) == ranks,
            places=frozenset(cards),
            ranks=tuple(rank for rank in {*ranks} if rank in ZEROS),
            values=frozenset(POINTS[rank] for rank in ranks if rank not in ZEROS),
        )
    )


# Cards together.
@phrase("all {cards} are {kind:kinds}")
def _all_are(cards: Places, kind: Kind) -> Condition:
    return that(about(cards, kind, lambda r: all(kind.has(card) for card in _at(r, cards))))


@phrase("{many:some} {cards} are {kind:kinds}")
def _some_are(many: range, cards: Places, kind: Kind) -> Condition:
    return that(about(cards, kind, lambda r: sum(map(kind.has, _at(r, cards))) in many))


@phrase("{card} is {kind}")
def _is(card: int, kind: Kind) -> Condition:
    return that(about((card,), kind, lambda r: any(map(kind.has, _at(r, (card,))))))


@phrase("all {cards} are of one suit")
def _of_one_suit(cards: Places) -> Condition:
    return that(_alike(cards, lambda *each: len({card[1] for card in each}) == 1, suits=_EACH_SUIT))


@phrase("all {cards} are of one colour")
def _one_colour(cards: Places) -> Condition:
    return that(
        _alike(cards, lambda *each: len({card[1] in RED for card in each}) == 1, suits=(RED,))
    )


@phrase("all {cards} are of one rank")
def _of_one_rank(cards: Places) -> Condition:
    return that(_alike(cards, lambda *each: len({card[0] for card in each}) == 1, ranks=_EACH_RANK))


@phrase("{many:some} {cards} are of one rank")
def _some_of_one_rank(many: range, cards: Places) -> Condition:
    """So many, of the rank of which there are most."""
    return that(_most(cards, many, lambda card: card[0], ranks=_EACH_RANK))


@phrase("{many:some} {cards} are of one suit")
def _some_of_one_suit(many: range, cards: Places) -> Condition:
    """So many, of the suit of which there are most."""
    return that(_most(cards, many, lambda card: card[1], suits=_EACH_SUIT))


@phrase("{cards:first two} make {total:span}")
def _make(cards: Places, total: range) -> Condition:
    return that(_counting(cards, lambda counts: sum(counts) % 10 in total))


@phrase("{card} counts {total:span}")
def _counts(card: int, total: range) -> Condition:
    return that(_counting((card,), lambda counts: any(each in total for each in counts)))


@phrase("{cards} add up to {total:span}")
def _add_up(cards: Places, total: range) -> Condition:
    """What they count, not less ten: a nine and an eight add up to 17."""
    return that(_counting(cards, lambda counts: sum(counts) in total))


# What the phrases are made of.
def _result(holds: Callable[[Result], bool]) -> Condition:
    return that(Fact(holds=holds))


def _won(hand: Hand) -> Condition:
    return _result(lambda r: r.outcome == hand)


def _ended(hand: Hand, total: range, size: int | None) -> Condition:
    if hand == PLAYER:
        return _result(lambda r: r.player_total in total and size in (None, r.player_cards))
    return _result(lambda r: r.banker_total in total and size in (None, r.banker_cards))


def _natural(hand: Hand, total: range) -> Condition:
    return every((_ended(hand, range(8, 10), 2), _ended(hand, total, None)))


def _of(hands: str, meaning: Callable[[Hand], Condition]) -> Condition:
    """What is meant of one hand, of the hands that the words name."""
    if hands in (PLAYER, BANKER):
        return meaning(PLAYER if hands == PLAYER else BANKER)
    both = {hand: meaning(hand) for hand in (PLAYER, BANKER)}
    if hands in ("either hand", "both hands"):
        return (any_of if hands == "either hand" else every)(both.values())
    won = {PLAYER: _won(PLAYER), BANKER: _won(BANKER)}
    other = {PLAYER: BANKER, BANKER: PLAYER}
    return any_of(
        every((won[hand if hands == "the winner" else other[hand]], both[hand])) for hand in both
    )


def _at(result: Result, places: Places) -> Iterator[str]:
    """The cards at these places; a third card that was not drawn is left out."""
    player, banker = result.hands
    for place in places:
        hand, nth = (player, place) if place < 3 else (banker, place - 3)
        if nth < len(hand):
            yield hand[nth]


def _alike(
    places: Places,
    are: Callable[..., bool],
    *,
    ranks: tuple[str, ...] = (),
    suits: tuple[str, ...] = (),
) -> Fact:
    """Whether all cards there are so together."""
    return Fact(
        holds=lambda r: are(*_at(r, places)), places=frozenset(places), ranks=ranks, suits=suits
    )


def _most(
    places: Places,
    many: range,
    of: Callable[[str], str],
    *,
    ranks: tuple[str, ...] = (),
    suits: tuple[str, ...] = (),
) -> Fact:
    """How many cards there are of what most of them are."""

    def holds(*cards: str) -> bool:
        return max(Counter(map(of, cards)).values(), default=0) in many

    return _alike(places, holds, ranks=ranks, suits=suits)


def _counting(places: Places, so: Callable[[list[int]], bool]) -> Fact:
    """What the cards there count."""
    return Fact(
        holds=lambda r: so([points(card) for card in _at(r, places)]),
        places=frozenset(places),
    )
