"""What a shoe is worth: by the cards that nobody saw, now and when its coups began."""

from random import Random

import pytest
from msgspec.structs import replace

from domain.review.protection.worth import worth
from domain.rules.cards import DECK
from domain.rules.hands import play
from domain.rules.house_rules import Offer, learn, named
from domain.rules.odds import Pack, odds_from, spot_odds, whole
from domain.rules.wagers import PayLine

EZ = named("ez@1")


def dealt(decks, seed, burned=3):
    """The cards of a whole shoe as they leave it, with their numbers; some face down first."""
    cards = list(DECK) * decks
    Random(seed).shuffle(cards)
    left, numbers, coup = [None] * burned, [""] * burned, 0
    rest = cards[burned:]
    while len(rest) >= 6:
        used = next(n for n in (4, 5, 6) if play(rest[:n]).result)
        coup += 1
        left += rest[:used]
        numbers += [f"{coup}/{n}" for n in range(1, used + 1)]
        rest = rest[used:]
    return left, numbers


def by_spot(left, numbers, decks=2, rules=EZ):
    return {each.spot: each for each in worth(rules, decks, left, numbers)}


def test_a_shoe_of_which_nothing_left_is_worth_what_the_full_shoe_is():
    for spot, each in by_spot([], []).items():
        assert each.now == each.full == spot_odds(EZ, spot, 2).edge
        assert (each.coups, each.made) == (0, 0)


@pytest.mark.parametrize("seed", range(2))
def test_a_perfect_counter_makes_the_edges_above_zero_with_which_coups_began(seed):
    left, numbers = dealt(2, seed)
    made = dict.fromkeys(EZ.spots, 0)
    for n, number in enumerate(numbers):
        if number.endswith("/1"):
            pack = whole(2).without(card for card in left[:n] if card)
            for spot in EZ.spots:
                made[spot] += max(odds_from(EZ, spot, pack).edge, 0)
    actual = {spot: each.made for spot, each in by_spot(left, numbers).items()}

    assert actual == made
    assert max(made.values()) > 0


def test_a_coup_that_began_with_a_card_drawn_before_counts_for_nothing():
    """Who had seen that card knew more than which cards were left."""
    left, numbers = dealt(2, 0)
    carried = ["" if each.endswith("/1") else each for each in numbers]

    assert {each.coups for each in by_spot(left, carried).values()} == {0}


def test_cards_that_nobody_saw_leave_are_still_among_those_that_may_come():
    hidden = by_spot([None, None, "KS"], ["", "", ""])

    assert hidden["dragon-7"].now == odds_from(EZ, "dragon-7", whole(2).without(["KS"])).edge


def test_too_few_cards_have_no_edge():
    left = [*DECK, *DECK[:-5]]

    assert by_spot(left, [""] * len(left))["tie"].now is None


@pytest.mark.parametrize(
    ("asked", "counted"),
    [
        ("player has a suited pair", True),
        ("all player cards are of one suit and player wins", True),
        ("at least 4 cards are hearts", False),
    ],
)
def test_a_bet_that_looks_at_too_many_suits_is_not_counted_and_nobody_waits(asked, counted):
    rules = replace(EZ, spots={"suits": Offer(pays=(PayLine(asked, (1, 1)),))})
    stated = learn(rules.stated)

    assert (by_spot(["KS"], [""], rules=stated)["suits"].now is not None) == counted


def test_a_card_that_came_too_often_is_no_longer_there():
    pack = Pack(tuple(0 if card == "9H" else 1 for card in DECK))

    assert by_spot(["9H", "9H"], ["", ""], decks=1)["tie"].now == odds_from(EZ, "tie", pack).edge
