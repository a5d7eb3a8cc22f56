"""R-PAY-1, R-COM-1 to 3: what a wager comes to."""

from fractions import Fraction
from unittest.mock import ANY

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.rules.hands import play
from domain.rules.house_rules import RULE_SETS, Commission, Offer, named
from domain.rules.money import Rounding
from domain.rules.refusals import BadValue
from domain.rules.settlement import Payment, pay, pay_to
from domain.rules.wagers import PUSH, PayLine
from tests.domain.floor import BANKER_WINS, PLAYER_WINS, TIE
from tests.strategies import COUPS, RULES

ON_6 = play(["5C", "6S", "KC", "TD", "KS"]).result  # Banker wins on 6, at half the odds in some
P, B, T = (play(cards.split()).result for cards in (PLAYER_WINS, BANKER_WINS, TIE))
ENDED = {"P": P, "B": B, "T": T}

ROWS = """\
rules        spot              stake ended result  winnings  exact charged due            paid   up
classic      player           100_00 P     win       100_00      0       0 -            200_00    0
classic      player           100_00 B     lose           0      0       0 -                 0    0
classic      player           100_00 T     push           0      0       0 -            100_00    0
classic      banker           100_00 P     lose           0      0       0 -                 0    0
classic      banker           100_00 B     win       100_00   5_00    5_00 at-payout    195_00    0
classic      banker           100_00 T     push           0      0       0 -            100_00    0
classic      banker             1_01 B     win         1_01   5.05       6 at-payout      2_00    4
classic      banker                1 B     win            1   0.05       1 at-payout         5    4
big-table    banker        10_000_00 B     win    10_000_00 500_00  500_00 at-payout 19_500_00    0
tie-eight    player            10_00 P     win        10_00      0       0 -             20_00    0
tie-eight    banker            10_00 P     lose           0      0       0 -                 0    0
tie-eight    banker            10_00 B     win        10_00      0       0 -             20_00    0
tie-eight    banker            10_00 T     push           0      0       0 -             10_00    0
tie-eight-5  banker            10_00 B     win        10_00     50      50 at-payout     19_50    0
tie-eight    tie               10_00 T     win        80_00      0       0 -             90_00    0
tie-eight    tie               10_00 P     lose           0      0       0 -                 0    0
tie-eight    tie               10_00 B     lose           0      0       0 -                 0    0
dragon-bonus banker           100_00 B     win       100_00   5_00    5_00 deferred     200_00    0
dragon-bonus banker            25_05 B     win        25_05 125.25    1_26 deferred      50_25   15
dragon-bonus banker           100_00 T     push           0      0       0 -            100_00    0
dragon-bonus banker           100_00 P     lose           0      0       0 -                 0    0
dragon-bonus player           100_00 P     win       100_00      0       0 -            200_00    0
dragon-bonus dragon-banker      5_00 B     win         5_00      0       0 -             10_00    0
dragon-bonus dragon-player      5_00 P     lose           0      0       0 -                 0    0
dragon-bonus dragon-player      5_00 T     lose           0      0       0 -                 0    0
electronic   banker           100_00 B     win        95_00      0       0 -            195_00    0
electronic   banker             1_01 B     win           95      0       0 -              1_96    0
electronic   banker           100_00 T     push           0      0       0 -            100_00    0
electronic   banker           100_00 P     lose           0      0       0 -                 0    0
""".splitlines()[1:]


@pytest.mark.parametrize("row", ROWS)
def test_r_pay_and_r_com_a_wager_comes_to(row):
    rules, spot, stake, ended, result, *money = row.split()
    won, exact, charged, due, paid, up = (None if each == "-" else each for each in money)
    expected = Payment(
        result=result,
        winnings=int(won),
        commission_exact=Fraction(exact),
        commission_charged=int(charged),
        commission_due=due,
        paid=int(paid),
        paid_up=int(up),
        line=ANY,
        odds=ANY,
    )
    actual = pay(named(f"{rules}@1"), spot, int(stake), ENDED[ended])

    assert expected == actual


@pytest.mark.parametrize(
    ("spot", "ended", "line", "odds"),
    [
        ("player", P, "player wins", "1:1"),
        ("player", T, "tie", "1:1"),
        ("player", B, None, "1:1"),
        ("dragon-banker", B, "banker wins with a natural", "1:1"),
        ("dragon-banker", P, None, None),
    ],
)
def test_a_payment_names_the_line_that_decided(spot, ended, line, odds):
    payment = pay(named("dragon-bonus@1"), spot, 5_00, ended)

    assert (line, odds) == (payment.line, payment.odds)


@pytest.mark.parametrize(
    ("rate", "rounding", "exact", "charged"),
    [
        ((5, 100), Rounding(mode="up", unit=1_00), 1_25, 2_00),
        ((5, 100), Rounding(mode="nearest", unit=1_00), 1_25, 1_00),
        ((5, 100), Rounding(mode="up", unit=25), 1_25, 1_25),
        ((5, 100), Rounding(minimum=2_00), 1_25, 2_00),
        ((4, 100), Rounding(), 1_00, 1_00),
    ],
)
def test_r_com_3_the_exact_accrual_and_the_charge_are_kept_apart(rate, rounding, exact, charged):
    at_payout = replace(named("classic@1"), commission=Commission(rate=rate, rounding=rounding))
    payment = pay(at_payout, "banker", 25_00, B)
    expected = (exact, charged, 50_00 - charged)

    assert expected == (payment.commission_exact, payment.commission_charged, payment.paid)


def test_r_com_1_commission_is_taken_of_the_winnings_and_not_of_the_stake():
    half = (PayLine("banker wins", (1, 2)), PayLine("tie", PUSH))
    rules = replace(named("classic@1"), spots={"banker": Offer(pays=half)})
    payment = pay(rules, "banker", 100_00, B)

    assert Fraction(2_50) == payment.commission_exact
    assert payment.paid == 147_50


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_r_com_3_what_is_charged_can_be_paid_in_the_table_s_chips(rules):
    """Every wager from the minimum up, however Banker wins, at payout and owed."""
    smallest, least = min(rules.chips), rules.limit("banker").minimum
    both = [(rules, stay) for stay in ("here", "as-it-wins")]
    charges = {
        (stake, paying.for_stay(stay, ["as-it-wins"]).commission.rounding.charge(exact))
        for stake in range(least, least + 500 * rules.increment, rules.increment)
        for paying, stay in both
        for ended in (B, ON_6)
        if (exact := pay(paying, "banker", stake, ended).commission_exact)
    }

    assert [] == [each for each in sorted(charges) if each[1] % smallest]


@given(RULES, COUPS, st.integers(2, 10**9), st.data())
def test_a_payment_adds_up_whatever_is_dealt(rules, cards, stake, data):
    spot = data.draw(st.sampled_from(sorted(rules.spots)))
    payment = pay(rules, spot, stake, play(cards).result)
    returned = stake if payment.result != "lose" else 0
    taken = payment.commission_charged if payment.commission_due == "at-payout" else 0

    assert payment.paid == returned + payment.winnings - taken + payment.paid_up
    assert payment.paid % min(rules.chips) == 0
    assert 0 <= payment.paid_up < min(rules.chips)
    assert (payment.winnings > 0) == (payment.result == "win")
    unit = rules.commission.rounding.unit
    if rules.commission.rounding.moment == "on-collection":
        assert payment.commission_charged == 0
    else:
        assert 0 <= payment.commission_charged - payment.commission_exact < unit


def test_a_payment_is_recorded_with_its_exact_commission_as_text():
    actual = pay(named("dragon-bonus@1"), "banker", 25_05, B).as_recorded()
    expected = {
        "result": "win",
        "odds": "1:1",
        "winnings": 25_05,
        "commission_exact": "125.25",
        "commission_charged": 1_26,
        "commission_due": "deferred",
        "paid": 50_25,
        "paid_up": 15,
    }

    assert expected == actual


@pytest.mark.parametrize(
    ("rules", "stake", "paid", "result", "won", "charged"),
    [
        ("dragon-bonus", 100_00, 200_00, "win", 100_00, 5_00),
        ("dragon-bonus", 100_00, 100_00, "push", 0, 0),
        ("dragon-bonus", 100_00, 50_00, "lose", 0, 0),
        ("dragon-bonus", 100_00, 0, "lose", 0, 0),
        ("classic", 100_00, 195_00, "win", 100_00, 5_00),
        ("classic", 100_00, 147_50, "win", 50_00, 2_50),
        ("classic", 10_00, 19_50, "win", 10_00, 50),
    ],
)
def test_r_irr_5_what_two_people_decide_carries_its_commission(
    rules, stake, paid, result, won, charged
):
    payment = pay_to(named(f"{rules}@1"), "banker", stake, paid)

    assert (result, won, charged) == (payment.result, payment.winnings, payment.commission_charged)
    assert paid == payment.paid


def test_r_irr_5_what_no_winnings_come_to_is_not_paid():
    with pytest.raises(BadValue) as refused:
        pay_to(named("classic@1"), "banker", 100_00, 195_01)
    expected = (
        "100.00 staked cannot pay 195.01 in this table's chips, commission taken off. "
        "Name another amount."
    )

    assert expected == str(refused.value)


@pytest.mark.parametrize(("rules", "most"), [("classic", "10,000.00"), ("electronic", "2,000.00")])
def test_r_irr_5_more_than_the_largest_bet_can_win_is_goodwill_and_no_payment(rules, most):
    largest = int(most.replace(",", "").replace(".", ""))
    assert pay_to(named(f"{rules}@1"), "player", 100_00, largest).paid == largest
    with pytest.raises(BadValue) as refused:
        pay_to(named(f"{rules}@1"), "player", 100_00, largest + 100_00)
    expected = (
        f"No bet by these rules is paid more than {most}. Give another amount; what the house "
        "gives besides is goodwill, an incident of its own."
    )

    assert expected == str(refused.value)


@given(RULES, st.integers(2, 10**6), st.fractions(0, 1))
def test_r_irr_5_every_payment_of_a_win_can_be_decided(rules, stake, part):
    won = int(stake * part)
    paid = pay_to(rules, "banker", stake, rules.payable(stake + won)).paid

    assert rules.payable(stake + won) == paid
