"""R-PAY-6: what all bets on a spot win at most in one coup, and how they share it."""

from fractions import Fraction

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from domain.rules.house_rules import SpotTerms
from domain.rules.pro_rata import pro_rata
from tests.domain.floor import (
    PLAYER_WINS,
    TIE,
    correct,
    dealt,
    enter_late,
    house_s_own,
    open_coup,
    settle,
)
from tests.scenario import given

# fmt: off
PARTS = [
    # would win               most   chip  win
    ([400, 200, 100],          100,     5, [55, 30, 15]),   # 57.1, 28.6, 14.3: 2 chips are left
    ([100, 100, 100],          100,     5, [35, 35, 30]),   # equal fractions: the lowest seats
    ([1, 1, 1, 1],               5,     5, [5, 0, 0, 0]),
    ([7, 3],                     5,     1, [4, 1]),         # 3.5 and 1.5
    ([10, 0],                    5,     1, [5, 0]),
]
# fmt: on


@pytest.mark.parametrize(("amounts", "most", "chip", "parts"), PARTS)
def test_r_pay_6_parts_are_in_chips_and_come_to_the_most(amounts, most, chip, parts):
    assert parts == pro_rata(amounts, most, chip=chip)


def dealt_out(amounts, most, chip):
    """A model that gives chip after chip to whoever lacks the most of a chip or more."""
    parts = [0] * len(amounts)
    fair = [Fraction(most * amount, sum(amounts)) for amount in amounts]
    for _ in range(most // chip):
        lacks = [exact - part for exact, part in zip(fair, parts, strict=True)]
        whole = [n for n, each in enumerate(lacks) if each >= chip]
        n = whole[0] if whole else lacks.index(max(lacks))
        parts[n] += chip
    return parts


@settings(max_examples=200)
@for_all(
    st.lists(st.integers(0, 60), min_size=1, max_size=7),
    st.integers(1, 12),
    st.sampled_from((1, 5)),
)
def test_r_pay_6_the_parts_are_those_of_a_model_that_deals_out_chips(amounts, chips, chip):
    most = chips * chip
    if sum(amounts) <= most:
        return
    parts = pro_rata(amounts, most, chip=chip)

    assert sum(parts) == most
    assert dealt_out(amounts, most, chip) == parts
    for amount, part in zip(amounts, parts, strict=True):
        assert abs(part - Fraction(most * amount, sum(amounts))) < chip


LIES = [(3, "tie", 100_00), (5, "tie", 50_00)]  # would win 800.00 and 400.00


def tied(*bets, **terms):
    """A coup that ended in a tie, with a most of 600.00 on Tie."""
    rules = house_s_own(terms={"tie": SpotTerms(most_won=600_00)}, **terms)
    return dealt(open_coup(rules, bets=list(bets)), TIE)


def paid(coup):
    return {seat: payment.paid for (seat, _), payment in coup.settled.items()}


def test_r_pay_6_bets_share_the_most_and_get_their_stakes_back():
    coup = tied(*LIES)
    coup.settle()

    assert {3: 500_00, 5: 250_00} == paid(coup)
    assert ["8:1", "8:1"] == [each.odds for each in coup.settled.values()]
    assert all(each.is_share(100_00) for each in coup.settled.values())


def test_r_pay_6_a_bet_alone_under_the_most_is_paid_by_its_odds():
    coup = tied((5, "tie", 50_00))
    coup.settle()

    assert {5: 450_00} == paid(coup)
    assert not coup.settled[5, "tie"].is_share(50_00)


def test_r_pay_6_losing_bets_share_nothing():
    rules = house_s_own(terms={"tie": SpotTerms(most_won=600_00)})
    coup = dealt(open_coup(rules, bets=LIES), PLAYER_WINS)
    coup.settle()

    assert {3: 0, 5: 0} == paid(coup)


def test_r_pay_6_a_bet_entered_after_the_payment_takes_its_part_of_the_others():
    coup = tied(LIES[0])
    told = given(coup, settle).when(enter_late(5, "tie", 50_00))
    told.then("WagerFound", "WagerSettledLate", "PaymentCorrected")

    assert {3: 500_00, 5: 250_00} == paid(coup)
    assert coup.won == 150_00 - 750_00


def test_r_pay_6_a_stake_put_right_changes_everybody_s_part():
    coup = tied(*LIES)
    told = given(coup, settle).when(correct(3, "tie", stake=50_00))
    told.then("PaymentCorrected", "PaymentCorrected")

    assert {3: 350_00, 5: 350_00} == paid(coup)


def test_r_pay_6_what_two_people_set_by_hand_stays_and_changes_nobody_s_part():
    coup = tied(*LIES)
    told = given(coup, settle).when(correct(3, "tie", 900_00))
    told.then("PaymentCorrected")
    correct(5, "tie", stake=100_00)(coup)

    assert {3: 900_00, 5: 400_00} == paid(coup)


def test_r_pay_6_commission_is_taken_on_what_a_bet_wins():
    rules = house_s_own("classic@1", terms={"banker": SpotTerms(most_won=100_00)})
    coup = dealt(open_coup(rules, bets=[(3, "banker", 200_00)]), "KC 9S 2C QD")
    ((_, payment),) = coup.settle()

    assert (100_00, 5_00, 295_00) == (payment.winnings, payment.commission_charged, payment.paid)
    assert 300_00 == rules.most_paid("banker", 200_00)
