"""R-PAY-1 to 3: what each spot pays, to and never for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.rules.conditions import condition
from domain.rules.hands import Result
from domain.rules.house_rules import RULE_SETS
from domain.rules.odds import count_deals
from domain.rules.spots import OPPOSITE, THE_TRADES
from domain.rules.wagers import (
    BANKER,
    BANKER_19_TO_20,
    PLAYER,
    TIE_8_TO_1,
    dragon_bonus,
    judge,
    odds_text,
    pair,
    verdict,
    winnings,
)
from tests.domain.floor import result_of

PLAYER_WON, BANKER_WON, TIED = result_of("7", "6"), result_of("6", "7"), result_of("7", "7")

# fmt: off
MAIN = [
    # table           ended        verdict  odds
    (PLAYER,          PLAYER_WON,  "win",   "1:1"),
    (PLAYER,          BANKER_WON,  "lose",  "1:1"),
    (PLAYER,          TIED,        "push",  "1:1"),
    (BANKER,          PLAYER_WON,  "lose",  "1:1"),
    (BANKER,          BANKER_WON,  "win",   "1:1"),
    (BANKER,          TIED,        "push",  "1:1"),
    (BANKER_19_TO_20, PLAYER_WON,  "lose",  "19:20"),
    (BANKER_19_TO_20, BANKER_WON,  "win",   "19:20"),
    (BANKER_19_TO_20, TIED,        "push",  "19:20"),
    (TIE_8_TO_1,      PLAYER_WON,  "lose",  "8:1"),
    (TIE_8_TO_1,      BANKER_WON,  "lose",  "8:1"),
    (TIE_8_TO_1,      TIED,        "win",   "8:1"),
]
DRAGON = [
    # own   other  verdict  odds      the side's own total first; a point is a third card
    ("9.",  "0.",  "win",   "30:1"),
    ("8.",  "0.",  "win",   "10:1"),
    ("9.",  "1.",  "win",   "10:1"),
    ("7.",  "0.",  "win",   "6:1"),
    ("6",   "0.",  "win",   "4:1"),
    ("5.",  "0.",  "win",   "2:1"),
    ("4.",  "0.",  "win",   "1:1"),
    ("3.",  "0.",  "lose",  None),
    ("2.",  "0.",  "lose",  None),
    ("1.",  "0.",  "lose",  None),
    ("9",   "0",   "win",   "1:1"),  # a natural, whatever the margin
    ("9",   "4",   "win",   "1:1"),
    ("8",   "7",   "win",   "1:1"),
    ("9",   "8",   "win",   "1:1"),
    ("8",   "8",   "push",  None),   # a natural tie is returned
    ("9",   "9",   "push",  None),
    ("7",   "7",   "lose",  None),   # any other tie loses
    ("9.",  "9.",  "lose",  None),
    ("0.",  "0.",  "lose",  None),
    ("0",   "9",   "lose",  None),
    ("0.",  "9.",  "lose",  None),
    ("4.",  "8.",  "lose",  None),
]
# fmt: on


@pytest.mark.parametrize(("table", "ended", "result", "odds"), MAIN)
def test_r_pay_1_player_and_banker_1_to_1_tie_8_to_1_and_a_tie_returns(table, ended, result, odds):
    line = judge(table, ended)

    assert (result, odds) == (verdict(line), odds_text(table, line))


@pytest.mark.parametrize("side", ["player", "banker"])
@pytest.mark.parametrize(("own", "other", "result", "odds"), DRAGON)
def test_r_pay_2_the_dragon_bonus_pays_by_the_margin(side, own, other, result, odds):
    table = dragon_bonus(side)
    line = judge(table, result_of(own, other) if side == "player" else result_of(other, own))

    assert (result, odds) == (verdict(line), odds_text(table, line))


@pytest.mark.parametrize("side", ["player", "banker"])
def test_r_pay_2_every_coup_that_can_end_is_paid_as_the_rule_says(side):
    for ended in count_deals(1).results:
        line = judge(dragon_bonus(side), ended)
        player, banker = ended.player_total, ended.banker_total
        natural = ended.player_cards + ended.banker_cards == 4 and max(player, banker) >= 8
        if ended.outcome == side:
            by_margin = {9: (30, 1), 8: (10, 1), 7: (6, 1), 6: (4, 1), 5: (2, 1), 4: (1, 1)}
            expected = (1, 1) if natural else by_margin.get(ended.margin)
        else:
            expected = (0, 1) if natural and ended.outcome == "tie" else None

        assert expected == (line and line.pays)


@pytest.mark.parametrize("side", ["player", "banker"])
def test_r_pay_2_a_line_holds_as_it_reads_whatever_line_stands_above_it(side):
    """A natural that wins by four is no win by four without a natural."""
    for own, other, *_ in DRAGON:
        ended = result_of(own, other) if side == "player" else result_of(other, own)
        won = ended.outcome == side
        expected = {
            f"{side} wins": won,
            f"{side} wins with a natural": won and ended.natural,
            "tie": ended.outcome == "tie",
            "natural tie": ended.outcome == "tie" and ended.natural,
        } | {
            f"{side} wins by {margin} without a natural": won
            and not ended.natural
            and ended.margin == margin
            for margin in range(1, 10)
        }

        assert expected == {name: condition(name).holds(ended) for name in expected}


@pytest.mark.parametrize("side", ["player", "banker"])
@pytest.mark.parametrize("pairs", [(False, False), (True, False), (False, True), (True, True)])
def test_r_pay_3_a_pair_pays_11_to_1_whoever_wins(side, pairs):
    table = pair(side)
    hands = [("7C", "7D") if paired else ("7C", "KD") for paired in pairs]
    ended = Result("tie", 7, 7, 2, 2, hands=tuple(hands))
    line = judge(table, ended)
    expected = "win" if pairs[("player", "banker").index(side)] else "lose"

    assert (expected, "11:1") == (verdict(line), odds_text(table, line))


def test_every_line_of_every_pay_table_has_a_meaning():
    tables = [spot.pays for rules in RULE_SETS.values() for spot in rules.spots.values()]

    for line in [line for table in tables for line in table]:
        condition(line.when)  # does not raise


def test_every_spot_that_a_rule_set_offers_is_one_of_the_trade_s_or_its_own():
    for rules in RULE_SETS.values():
        assert {*rules.spots} <= {*THE_TRADES, *rules.own_spots}


def test_r_bet_1_only_player_and_banker_are_opposite():
    expected = {"player": "banker", "banker": "player"}

    assert expected == OPPOSITE


@pytest.mark.parametrize(
    ("stake", "odds", "won"),
    [
        (100_00, (1, 1), 100_00),
        (100_00, (19, 20), 95_00),
        (1_00, (19, 20), 95),
        (1, (19, 20), 0),  # rounded down to the minor unit
        (101, (19, 20), 95),
        (10_00, (8, 1), 80_00),  # 10 staked returns 90
        (5_00, (30, 1), 150_00),
        (100_00, (0, 1), 0),
    ],
)
def test_winnings_are_what_comes_beside_the_stake(stake, odds, won):
    assert won == winnings(stake, odds)


@given(st.integers(1, 2**53), st.tuples(st.integers(0, 40), st.integers(1, 40)))
def test_r_pay_5_winnings_are_short_of_the_odds_by_less_than_a_minor_unit(stake, odds):
    short = stake * odds[0] - winnings(stake, odds) * odds[1]

    assert 0 <= short < odds[1]
