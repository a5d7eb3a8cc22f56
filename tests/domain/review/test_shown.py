"""Which cards a coup may have had, by what the board shows: as dealing them in every order says."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.review.protection.shown import Shown, everything, hands, of_each_value, ways
from domain.rules.cards import RANKS, points
from domain.rules.hands import play
from domain.rules.odds.deals import coups, ending

EIGHT_DECKS = (32,) * 13


def dealt(left, cards=(), orders=1):
    """Every coup that these cards deal, card by card: its end, its pairs, what its cards count."""
    result = play(cards).result
    if result:
        end = (
            *(result.player_total, result.player_cards),
            *(result.banker_total, result.banker_cards),
        )
        one, first, two, second = (card[0] for card in cards[:4])
        yield (end, one == two, first == second), tuple(sorted(map(points, cards))), orders
        return
    for rank, many in left.items():
        if many:
            yield from dealt(left | {rank: many - 1}, (*cards, f"{rank}S"), orders * many)


@settings(max_examples=25)
@given(st.dictionaries(st.sampled_from("TJQKTJQK" + RANKS), st.integers(1, 5), max_size=4))
def test_a_few_cards_are_counted_as_dealing_them_in_every_order_does(left):
    if sum(left.values()) < 6:
        left = {**left, "K": 6}
    expected = Counter()
    for shown, hand, orders in dealt(left):
        expected[shown, hand] += orders
    ranks = tuple(left.get(rank, 0) for rank in RANKS)
    every = {shown for shown, _ in expected}
    counted = {
        (shown, hand): many
        for shown in every
        for hand, many in zip(hands(Shown(*shown)), ways(Shown(*shown), ranks), strict=True)
        if many
    }

    assert counted == expected


def test_without_the_pairs_they_are_what_cards_of_those_values_are():
    there = of_each_value(EIGHT_DECKS)
    expected, counted = Counter(), Counter()
    for values, orders in coups():
        gone, each = Counter(), orders
        for value in values:
            if value is not None:
                each *= there[value] - gone[value]
                gone[value] += 1
        expected[ending(values), tuple(sorted(gone.elements()))] += each
    for shown in everything():
        for hand, many in zip(hands(shown), ways(shown, EIGHT_DECKS), strict=True):
            counted[shown.ended, hand] += many

    assert counted == expected
