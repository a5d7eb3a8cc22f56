"""Exact counts against the published ones, and against a count that shares no code."""

from fractions import Fraction
from itertools import product
from math import perm

import pytest
from msgspec.structs import replace

from domain.rules.house_rules import Offer, named
from domain.rules.money import Rounding, share
from domain.rules.odds import count_deals, spot_odds
from domain.rules.wagers import pair
from tests.data import published

PUBLISHED = published("eight_deck_counts.json")
SHEET = named("dragon-bonus@1")
WITH_PAIRS = replace(
    SHEET,
    spots={"pair-player": Offer(pays=pair("player")), "pair-banker": Offer(pays=pair("banker"))},
)


def test_eight_decks_deal_the_published_number_of_coups():
    actual = count_deals(8).deals

    assert PUBLISHED["total"] == actual


def test_eight_decks_end_as_often_so_as_published():
    expected = {outcome: PUBLISHED[outcome] for outcome in ("banker", "player", "tie")}

    assert expected == count_deals(8).outcomes


def test_eight_decks_take_four_five_and_six_cards_as_often_as_published():
    expected = {int(cards): ways for cards, ways in PUBLISHED["cards_used"].items()}

    assert expected == count_deals(8).cards


@pytest.mark.parametrize("side", ["player", "banker"])
def test_r_pay_2_every_line_of_the_dragon_bonus_is_paid_as_often_as_published(side):
    line = PUBLISHED[f"dragon_bonus_{side}"]
    odds = spot_odds(SHEET, f"dragon-{side}", 8)
    by_margin = [line[f"win_by_{margin}"] for margin in (9, 8, 7, 6, 5, 4)]
    expected = (line["natural_win"], line["natural_tie_push"], *by_margin)

    assert expected == odds.lines
    assert line["loss"] == odds.loses
    assert line["natural_tie_push"] == odds.pushes
    assert sum(expected) - line["natural_tie_push"] == odds.wins
    assert Fraction(line["ev_exact"]) == odds.edge


@pytest.mark.parametrize(
    ("name", "outcome", "player", "banker"),
    [
        ("dragon7", "banker", None, (7, 3)),
        ("panda8", "player", (8, 3), None),
    ],
)
def test_r_pay_4_three_card_wins_are_as_frequent_as_published(name, outcome, player, banker):
    actual = sum(
        ways
        for result, ways in count_deals(8).results.items()
        if result.outcome == outcome
        and player in (None, (result.player_total, result.player_cards))
        and banker in (None, (result.banker_total, result.banker_cards))
    )

    assert PUBLISHED[name] == actual


def test_r_pay_4_banker_wins_on_6_as_often_as_published():
    by_cards = {2: 0, 3: 0}
    for result, ways in count_deals(8).results.items():
        if result.outcome == "banker" and result.banker_total == 6:
            by_cards[result.banker_cards] += ways
    expected = PUBLISHED["banker_win_on_6"]

    assert {2: expected["two_cards"], 3: expected["three_cards"]} == by_cards
    assert expected["all"] == sum(by_cards.values())


@pytest.mark.parametrize("spot", ["pair-player", "pair-banker"])
def test_r_pay_3_one_hand_in_31_of_415_is_a_pair(spot):
    odds = spot_odds(WITH_PAIRS, spot, 8)

    assert Fraction(PUBLISHED["pair_prob"]) == Fraction(odds.wins, odds.wins + odds.loses)
    assert Fraction(12 * 31, 415) - 1 == odds.edge


@pytest.mark.parametrize("decks", range(1, 13))
def test_every_shoe_has_one_deal_for_each_order_of_six_cards(decks):
    counts = count_deals(decks)
    expected = perm(52 * decks, 6)

    assert expected == counts.deals
    assert expected == sum(counts.outcomes.values())
    assert expected == sum(counts.cards.values())
    assert expected == sum(counts.results.values())


@pytest.mark.parametrize("decks", range(1, 13))
def test_every_spot_of_every_shoe_wins_loses_or_returns_each_deal(decks):
    expected = perm(52 * decks, 6)

    for rules in (SHEET, WITH_PAIRS):
        for spot in rules.spots:
            odds = spot_odds(rules, spot, decks)
            assert expected == odds.wins + odds.pushes + odds.loses
            assert sum(odds.lines) == odds.wins + odds.pushes


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_both_hands_are_pairs_as_often_as_counting_ranks_says(decks):
    expected = 0
    for ranks in product(range(13), repeat=4):
        if ranks[0] == ranks[2] and ranks[1] == ranks[3]:
            left = [4 * decks] * 13
            ways = 1
            for rank in ranks:
                ways *= left[rank]
                left[rank] -= 1
            expected += ways * perm(52 * decks - 4, 2)
    both = replace(SHEET, spots={"both": Offer(pays=pair("player") + pair("banker"))})
    odds = spot_odds(both, "both", decks)
    one = spot_odds(WITH_PAIRS, "pair-player", decks).wins

    assert expected == 2 * one - odds.wins


def test_one_deck_counted_by_six_nested_loops_ends_as_often_so():
    expected = {"banker": 0, "player": 0, "tie": 0}
    left = [16, *[4] * 9]
    for first_four in product(range(10), repeat=4):
        four = _ways(left, first_four)
        player = (first_four[0] + first_four[2]) % 10
        banker = (first_four[1] + first_four[3]) % 10
        for fifth in range(10):
            five = four * _left(left, first_four, fifth)
            for sixth in range(10) if five else ():
                ways = five * _left(left, (*first_four, fifth), sixth)
                ends = _by_the_regulation(player, banker, fifth, sixth)
                expected[ends] += ways

    assert expected == count_deals(1).outcomes


def _left(left, taken, value):
    return left[value] - taken.count(value)


def _ways(left, taken):
    ways = 1
    for n, value in enumerate(taken):
        ways *= _left(left, taken[:n], value)
    return ways


def _by_the_regulation(player, banker, fifth, sixth):
    """58 Pa. Code 631a.11 as its sentences go, without a table."""
    if player < 8 and banker < 8:
        if player > 5:
            banker = (banker + fifth) % 10 if banker < 6 else banker
        else:
            player = (player + fifth) % 10
            if (
                banker < 3
                or (banker == 3 and fifth != 8)
                or (banker == 4 and 2 <= fifth <= 7)
                or (banker == 5 and 4 <= fifth <= 7)
                or (banker == 6 and 6 <= fifth <= 7)
            ):
                banker = (banker + sixth) % 10
    if player == banker:
        return "tie"
    return "player" if player > banker else "banker"


@pytest.mark.parametrize(
    ("spot", "edge"),
    [
        ("player", 1.2351),
        ("banker", 1.0579),
        ("tie", 14.3596),
        ("dragon-player", 2.6517),
        ("dragon-banker", 9.3731),
    ],
)
def test_the_house_edge_of_eight_decks_is_as_published(spot, edge):
    actual = round(float(-100 * spot_odds(SHEET, spot, 8).edge), 4)

    assert edge == actual


def test_the_exact_edge_of_banker_is_the_one_that_the_documents_print():
    assert Fraction("-114753351728/10847218479825") == spot_odds(SHEET, "banker", 8).edge


def test_19_to_20_in_the_odds_is_worth_what_5_percent_afterwards_is():
    in_the_odds = spot_odds(named("electronic@1"), "banker", 8)
    afterwards = spot_odds(named("classic@1"), "banker", 8)

    assert afterwards == in_the_odds


def test_r_com_3_rounding_up_to_the_next_dollar_more_than_doubles_the_edge_at_25():
    charge = Rounding(mode="up", unit=1_00).charge(share(25_00, (5, 100)))
    dearer = replace(SHEET, commission=replace(SHEET.commission, rate=(charge, 25_00)))
    expected = 2.434
    actual = round(float(-100 * spot_odds(dearer, "banker", 8).edge), 3)

    assert expected == actual
