"""R-BET-7: how many coups are dealt without a bet."""

import pytest

from domain.aggregates.coup import Coup
from domain.rules.house_rules import FreeHands
from domain.rules.refusals import FreeHand
from tests.domain.floor import (
    EVENING,
    PLAYER_WINS,
    dealt,
    house_s_own,
    open_table,
    ready_shoe,
)
from tests.scenario import given

FLAGGED = {
    **dict.fromkeys(("seat", "patron", "stay", "spot", "amount", "allowed", "detail")),
    "refusal": "FreeHand",
    "rule": "R-BET-7",
}


def coups(rules, *bets):
    """One coup of a shoe after the other, with a bet or none; then the next one, open for bets."""
    table, shoe = open_table(rules, seats=(3, 5)), ready_shoe(rules)
    coup = None
    for with_a_bet in (*bets, None):
        coup = Coup.open(shoe.begin_coup(), table, shoe, at=EVENING, before=coup)
        if with_a_bet:
            coup.bet(3, table.stay_at(3), "player", 100_00)
        if with_a_bet is not None:
            dealt(coup, PLAYER_WINS).settle()
    return coup


# fmt: off
EVENINGS = [
    # in a row, at the start; with a bet?  may the next coup be without one?
    ((2, 0), [],                            True),
    ((2, 0), [False],                       True),
    ((2, 0), [False, False],                False),
    ((2, 0), [False, False, True],          True),
    ((2, 0), [False, True, False],          True),
    ((0, 2), [False],                       True),
    ((0, 2), [False, False],                False),
    ((0, 0), [True],                        False),
    ((1, 3), [False, False, False],         False),
]
# fmt: on


@pytest.mark.parametrize(("allowed", "bets", "free"), EVENINGS)
def test_r_bet_7_so_many_coups_are_dealt_without_a_bet(allowed, bets, free):
    in_a_row, at_start = allowed
    rules = house_s_own(free_hands=FreeHands(in_a_row=in_a_row, at_start=at_start))
    told = given(coups(rules, *bets)).when(lambda coup: coup.close_betting())

    told.then("BettingClosed") if free else told.then_refused(FreeHand)


def test_r_bet_7_a_card_that_is_out_already_is_dealt_and_flagged():
    coup = coups(house_s_own(free_hands=FreeHands(in_a_row=0)))
    told = given(coup).when(lambda coup: coup.take_first_card())

    told.then(("LimitFoundBroken", FLAGGED), "BettingClosed")


def test_r_bet_7_a_dummy_and_a_coup_left_without_a_card_count_for_nothing():
    rules = house_s_own(free_hands=FreeHands(in_a_row=1))
    table, shoe = open_table(rules, seats=(3,)), ready_shoe(rules)
    dummy = Coup.open(shoe.begin_coup(), table, shoe, at=EVENING)
    dummy.take_no_bets()
    dealt(dummy, PLAYER_WINS)
    unused = Coup.open(shoe.begin_coup(), table, shoe, at=EVENING, before=dummy)
    unused.leave_unused()
    after = Coup.open(shoe.begin_coup(), table, shoe, at=EVENING, before=unused)

    assert 0 == after.layout.nth.free_hands
    given(after).when(lambda coup: coup.close_betting()).then("BettingClosed")


def test_r_bet_7_where_the_rule_set_says_nothing_any_number_is_dealt():
    coup = coups("dragon-bonus@1", *[False] * 9)

    given(coup).when(lambda coup: coup.close_betting()).then("BettingClosed")
    assert coup.layout.nth.free_hands is None
