"""A coup dealt from cards that are there, by the tableau or against it (R-DRAW-1 to 4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.review.what_if.redeal import redeal
from domain.rules.hands import play
from tests.strategies import CARDS

# fmt: off
AGAINST = [
    # cards, forced, cards dealt, outcome, Player, Banker, the last rule that is broken
    ("9C 5S 7C QD 9S",    {"banker": False}, 4, "player", 6, 5, "R-DRAW-3"),
    ("9C 5S 7C QD 9S",    {"player": True},  5, "tie",    5, 5, "R-DRAW-2"),
    ("2C 6S 3C KD 9S",    {"player": False}, 4, "banker", 5, 6, "R-DRAW-2"),
    ("2C 5S KC QD KS 3H", {"banker": True},  6, "banker", 2, 8, "R-DRAW-4"),
    ("2C 7S KC QD 6S 3H", {"banker": True},  6, "player", 8, 0, "R-DRAW-4"),
    ("KC 9S 2C QD 6S",    {"player": True},  5, "banker", 8, 9, "R-DRAW-1"),
    ("KC 9S 2C QD 7S",    {"banker": True},  5, "banker", 2, 6, "R-DRAW-1"),
    ("9C 3S 7C QD 4H",    {"player": True, "banker": False}, 5, "banker", 0, 3, "R-DRAW-4"),
]
# fmt: on


@pytest.mark.parametrize(
    ("cards", "forced", "dealt", "outcome", "player", "banker", "rule"), AGAINST
)
def test_a_third_card_against_the_tableau_counts_and_says_which_rule_it_breaks(
    cards, forced, dealt, outcome, player, banker, rule
):
    told = redeal([*cards.split(), "8D"], forced)
    broken = [each for each in told.decisions if each.forced]

    assert (dealt, outcome) == (len(told.dealt), told.result.outcome)
    assert (player, banker) == (told.result.player_total, told.result.banker_total)
    assert {hand: draws for hand, draws in forced.items() if hand in told.forced} == {
        each.hand: each.draws for each in broken
    }
    assert (broken[-1].step.rule, f"against {rule}: " in broken[-1].why) == (rule, True)
    assert told.left_over == (*cards.split()[dealt:], "8D")


def test_r_draw_4_a_king_as_third_card_taken_for_stood():
    told = redeal(["2C", "5S", "KC", "QD", "KS", "3H"], {"banker": True})

    assert [each.why for each in told.decisions] == [
        "Player draws on 2",
        "Banker has a third card, against R-DRAW-4: "
        "Banker stands on 5: Player's third card counts 0",
    ]
    assert (told.dealt[4].due.hand, told.dealt[5].rule) == ("banker", "R-DRAW-4")


def test_what_the_tableau_says_already_is_not_forced():
    assert redeal(["9C", "5S", "7C", "QD", "9S"], {"banker": True}).forced == frozenset()


def test_cards_that_run_out_leave_one_due():
    told = redeal(["9C", "5S", "7C", "QD"])

    assert (told.due.hand, told.due.rule, told.result) == ("banker", "R-DRAW-3", None)
    assert (redeal([]).due.hand, redeal([]).decisions) == ("player", ())


@given(st.lists(CARDS, min_size=6, max_size=6))
def test_dealt_by_the_tableau_it_is_the_coup_at_the_table(cards):
    told = redeal(cards)
    used = [each.card for each in told.dealt]
    played = play(used)

    assert (played.dealt, played.result) == (told.dealt, told.result)
    assert played.steps == tuple(each.step for each in told.decisions)
    assert [*used, *told.left_over] == cards


@given(
    st.lists(CARDS, min_size=6, max_size=6),
    st.dictionaries(st.sampled_from(["player", "banker"]), st.booleans()),
)
def test_each_hand_has_a_third_card_exactly_when_that_was_decided(cards, forced):
    told = redeal(cards, forced)
    thirds = {each.hand for each in told.dealt[4:]}

    assert told.due is None
    assert thirds == {each.hand for each in told.decisions if each.draws}
    assert all((hand in thirds) == draws for hand, draws in forced.items())
