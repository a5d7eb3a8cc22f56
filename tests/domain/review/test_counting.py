"""Whether bets follow the cards that are left: nobody wins against chance but beside a counter."""

from itertools import islice
from random import Random

import pytest
from msgspec.structs import replace

from domain.review.protection import counting
from domain.review.protection.cards_left import CardsLeft
from domain.review.protection.counting import (
    LINES,
    CoupBefore,
    OnSpot,
    Side,
    Sides,
    all_after,
    coup_before,
    held,
    sides_after,
)
from domain.review.protection.shown import everything, hands, ways
from domain.rules.cards import RANKS
from domain.rules.hands import play
from domain.rules.house_rules import named
from tests.figures import counting as figures
from tests.figures.evenings import dealt, fair

EZ = named("ez@1")


def sides(rules, spot, *coup):
    """On which side of each line a coup left a spot: what its ranks were, was shown, and counts."""
    return sides_after(CoupBefore(8, *coup), rules, [spot])[spot]


def undecided(rules, spot, ended, rng):
    """Cards of each rank with which a coup that ends so may leave the edge on either side of 0."""
    shown = next(each for each in everything() if each.ended == ended)
    while True:
        ranks = tuple(rng.randint(2, 9) for _ in RANKS)
        side = sides(rules, spot, ranks, shown, hands(shown)[0])[LINES.index(0.0)]
        if 0.1 < side.chance < 0.9:
            return ranks


@pytest.mark.parametrize(
    "bets",
    [
        lambda _: 0,
        lambda _: 100_00,
        lambda shown: 100_00 * (shown.player_pair or shown.banker_pair),  # as the beads show pairs
        lambda shown: 100_00 * (not shown.banker_pair),
    ],
)
@pytest.mark.parametrize(
    ("name", "spot"),
    [("ez@1", "dragon-7"), ("ez@1", "panda-8"), ("ez@1", "player"), ("tie-nine@1", "tie")],
)
def test_nobody_can_expect_to_win_beside_one_who_does_not_count(name, spot, bets):
    """The mean over all cards with which a coup ends so is what was held, whatever was bet."""
    rng, rules = Random(spot), named(name)
    before = OnSpot(1, 100_00, 0.3, [rng.random() for _ in range(counting.GUESSES)])
    for ended in [(6, 3, 7, 3), (5, 2, 8, 2)]:
        ranks = undecided(rules, spot, ended, rng)
        mean = every = 0.0
        for shown in (each for each in everything() if each.ended == ended):
            for hand, many in zip(hands(shown), ways(shown, ranks), strict=True):
                after = before.after(bets(shown), sides(rules, spot, ranks, shown, hand))
                mean, every = mean + many * after.held, every + many

        assert mean / every == pytest.approx(before.held, rel=1e-9)


def test_one_who_is_paid_too_much_can_expect_to_win():
    half = [Side(above, 0.4) for above in (True, False)]
    lines = len(counting.LINES)
    after = [OnSpot(1, 100).after(100, Sides([each] * lines)).held for each in half]

    assert after[0] * 0.4 + after[1] * 0.6 == pytest.approx(1)
    assert sum(after) / 2 > 1


def test_a_counter_of_the_dragon_7_is_seen():
    seen = [figures.CHEATS["counts-dragon-7"](seed) for seed in range(4)]

    assert all(seen)


@pytest.mark.parametrize(
    "habit",
    [
        lambda coup, _: {"player": 100 + coup, "dragon-7": 5 * coup},  # more and more
        lambda _, rng: {"banker": 100, rng.choice(["tie", "dragon-7", "panda-8"]): 50},
        lambda coup, _: {"dragon-7": 100} if coup > 50 else {"player": 100},  # late in the shoe
    ],
)
def test_honest_habits_are_let_pass(habit):
    rng, coup = Random(11), [0]

    def bets(_):
        coup[0] = coup[0] % 75 + 1
        return habit(coup[0], rng)

    assert max(islice(figures.Seated(EZ).shoes(rng, bets), 600)) < 100


@pytest.mark.parametrize("spot", ["tie", "dragon-7"])
def test_who_bets_on_a_spot_after_each_pair_is_let_pass_for_forty_evenings(spot):
    before = [0]

    def bets(seen):
        coup = play(seen[before[0] :]).result  # None: the shoe is new
        before[0] = len(seen)
        pair = coup and (coup.player_pair or coup.banker_pair)
        return {"banker": 50} | ({spot: 100} if pair else {})

    for seed in range(4):
        assert max(islice(figures.Seated(EZ).shoes(Random(seed), bets), 750)) < 100


def test_the_first_spot_of_a_patron_has_half_of_the_unit_and_all_of_them_one():
    sides = {spot: Sides([Side(True, 0.1)] * len(counting.LINES)) for spot in EZ.spots}
    first = all_after({}, {"tie": 10}, {})
    both = all_after(first, {"panda-8": 10, "tie": 10}, sides)

    assert held(first) == pytest.approx(1)
    assert (both["tie"].place, both["panda-8"].place) == (1, 2)
    assert both["tie"].held == both["panda-8"].held > 1
    assert held(both) == pytest.approx(1 + (both["tie"].held - 1) * (1 / 2 + 1 / 6))


DEALT = [("9C", "1/1"), ("5S", "1/2"), ("7C", "1/3"), ("QD", "1/4"), ("4H", "1/5")]


@pytest.mark.parametrize(
    ("cards", "known"),
    [
        (DEALT, True),
        ([*DEALT, ("2H", "")], True),  # a card was discarded after it
        (DEALT[:3], False),  # not whole
        ([*DEALT, ("2H", ""), ("9H", "2/2")], True),  # the next coup began with it
        ([("9C", ""), *DEALT[1:]], False),  # it began with a card that was drawn before
        ([*DEALT[:1], ("2H", ""), *DEALT[1:]], False),  # a card that was none of it lies between
        ([], False),
    ],
)
def test_only_a_coup_that_was_dealt_as_the_rules_have_it_shows_anything(cards, known):
    shoe = CardsLeft([None, *(card for card, _ in cards)], ["", *(each for _, each in cards)])

    assert bool(sides_after(coup_before(shoe, 2, 8), EZ, ["dragon-7"])) == known


def test_a_coup_before_is_the_same_whether_its_cards_are_looked_for_near_the_end_or_everywhere(
    monkeypatch,
):
    """Also before an earlier coup, of which a wager is settled late."""
    random = Random(3)
    shoe = CardsLeft(["9C", None], ["", ""])
    for coup, cards in enumerate(dealt(next(fair(random)), EZ), 1):
        shoe.left += cards
        shoe.numbers += [f"{coup}/{n}" for n in range(1, len(cards) + 1)]
        if coup % 7 == 0:
            shoe.left.append(None)
            shoe.numbers.append("")
    near = [coup_before(shoe, number, 8) for number in range(1, coup + 2)]
    monkeypatch.setattr(counting, "NEAR", len(shoe.left))

    assert near == [coup_before(shoe, number, 8) for number in range(1, coup + 2)]
    assert sum(each is not None for each in near) == coup


def test_a_bet_on_ranks_is_not_asked_about():
    shoe = CardsLeft([card for card, _ in DEALT], [each for _, each in DEALT])

    assert sides_after(coup_before(shoe, 2, 8), named("pairs@1"), ["pair-player"]) == {}


def test_a_coup_that_shows_nothing_changes_nothing_but_the_largest_stake():
    before = OnSpot(1, 50)

    assert before.after(100, []) == replace(before, largest=100)
