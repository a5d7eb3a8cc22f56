"""House edges of all rule sets: as published, and as counted by code that shares none."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.rules.house_rules import RULE_SETS, named
from domain.rules.odds import count_deals, spot_odds, stake_odds
from domain.rules.wagers import PUSH

# Eight decks, in percent, as the trade prints them; as many digits as it prints.
# fmt: off
PUBLISHED = [
    ("tie-nine@1",        "tie",           "4.8440"),
    ("pairs@1",           "pair-player",   "10.36"),
    ("pairs@1",           "pair-banker",   "10.36"),
    ("no-commission@1",   "banker",        "1.4581"),
    ("ez@1",              "banker",        "1.0183"),
    ("ez@1",              "dragon-7",      "7.611"),
    ("ez@1",              "panda-8",       "10.188"),
    ("lucky-6@1",         "lucky-6",       "16.68"),
    ("tiger@1",           "big-tiger",     "15.253"),
    ("tiger@1",           "tiger",         "16.68"),
    ("four-percent@1",    "banker",        "0.60"),
    ("golden-talons-a@1", "dragon-player", "2.65"),
    ("golden-talons-a@1", "dragon-banker", "9.37"),
    ("golden-talons-b@1", "dragon-player", "4.55"),
    ("golden-talons-b@1", "dragon-banker", "10.47"),
    ("golden-talons-c@1", "dragon-player", "2.58"),
    ("golden-talons-c@1", "dragon-banker", "9.07"),
    ("golden-talons-d@1", "dragon-player", "2.58"),
    ("golden-talons-d@1", "dragon-banker", "8.85"),
    ("golden-talons-e@1", "dragon-player", "2.50"),
    ("golden-talons-e@1", "dragon-banker", "8.53"),
]
# fmt: on


@pytest.mark.parametrize(("name", "spot", "percent"), PUBLISHED)
def test_the_house_edge_is_as_published(name, spot, percent):
    edge = spot_odds(named(name), spot, 8).edge

    assert percent == f"{float(-100 * edge):.{len(percent.partition('.')[2])}f}"


def test_banker_without_commission_is_worth_to_the_patron_what_player_is_to_the_house():
    rules = named("tie-eight@1")
    player, banker = (spot_odds(rules, spot, 8).edge for spot in ("player", "banker"))

    assert Fraction(241149546272, 19524993263685) == banker == -player


def test_r_pay_3_a_pair_is_worth_exactly_what_one_in_31_of_415_is():
    assert Fraction(-43, 415) == spot_odds(named("pairs@1"), "pair-player", 8).edge


@pytest.mark.parametrize("name", sorted(RULE_SETS))
@pytest.mark.parametrize("decks", [1, 6, 8, 12])
def test_every_spot_of_every_rule_set_is_counted_whole(name, decks):
    rules, deals = named(name), count_deals(decks).deals
    for spot, stated in rules.spots.items():
        odds = spot_odds(rules, spot, decks)

        assert deals == odds.wins + odds.pushes + odds.loses
        assert len(stated.pays) == len(odds.lines)
        assert -1 < odds.edge


# A count of its own: values in deal order, the regulation as sentences, pay as the sheet says it.
def _third_cards(player, banker, fifth, sixth):
    """Totals and cards of both hands, by 58 Pa. Code 631a.11 as its sentences go."""
    player_cards = banker_cards = 2
    if player < 8 and banker < 8:
        if player > 5:
            if banker < 6:
                banker, banker_cards = (banker + fifth) % 10, 3
        else:
            player, player_cards = (player + fifth) % 10, 3
            if (
                banker < 3
                or (banker == 3 and fifth != 8)
                or (banker == 4 and 2 <= fifth <= 7)
                or (banker == 5 and 4 <= fifth <= 7)
                or (banker == 6 and 6 <= fifth <= 7)
            ):
                banker, banker_cards = (banker + sixth) % 10, 3
    return player, player_cards, banker, banker_cards


def _endings(decks):
    """How often each ending comes, over all orders of six cards."""
    full = [16 * decks, *[4 * decks] * 9]
    found = {}
    for player_pair, banker_pair in product(product(range(10), repeat=2), repeat=2):
        left, ways = list(full), 1
        for value in (*player_pair, *banker_pair):
            ways *= left[value]
            left[value] -= 1
        player, banker = sum(player_pair) % 10, sum(banker_pair) % 10
        for fifth in range(10):
            for sixth in range(10):
                more = left[fifth] * (left[sixth] - (fifth == sixth))
                ended = _third_cards(player, banker, fifth, sixth)
                found[ended] = found.get(ended, 0) + ways * more
    return found


def _ez_banker(player, player_cards, banker, banker_cards):
    if banker > player:
        return 0 if (banker, banker_cards) == (7, 3) else 1
    return 0 if player == banker else -1


def _no_commission_banker(player, player_cards, banker, banker_cards):
    if banker > player:
        return Fraction(1, 2) if banker == 6 else 1
    return 0 if player == banker else -1


def _dragon_7(player, player_cards, banker, banker_cards):
    return 40 if banker > player and (banker, banker_cards) == (7, 3) else -1


def _panda_8(player, player_cards, banker, banker_cards):
    return 25 if player > banker and (player, player_cards) == (8, 3) else -1


def _lucky_6(player, player_cards, banker, banker_cards):
    if banker > player and banker == 6:
        return 12 if banker_cards == 2 else 20
    return -1


def _small_tiger(player, player_cards, banker, banker_cards):
    return 22 if banker > player and (banker, banker_cards) == (6, 2) else -1


def _big_tiger(player, player_cards, banker, banker_cards):
    return 50 if banker > player and (banker, banker_cards) == (6, 3) else -1


def _tiger_tie(player, player_cards, banker, banker_cards):
    return 35 if player == banker == 6 else -1


def _golden_talons_b(player, player_cards, banker, banker_cards):
    natural = (player_cards == 2 and player >= 8) or (banker_cards == 2 and banker >= 8)
    if natural and player == banker:
        return 2
    if player > banker:
        return 1 if natural else {9: 20, 8: 10, 7: 5, 6: 4, 5: 2, 4: 1}.get(player - banker, -1)
    return -1


INDEPENDENT = [
    ("ez@1", "banker", _ez_banker),
    ("ez@1", "dragon-7", _dragon_7),
    ("ez@1", "panda-8", _panda_8),
    ("no-commission@1", "banker", _no_commission_banker),
    ("lucky-6@1", "lucky-6", _lucky_6),
    ("tiger@1", "banker", _no_commission_banker),
    ("tiger@1", "small-tiger", _small_tiger),
    ("tiger@1", "big-tiger", _big_tiger),
    ("tiger@1", "tiger", _lucky_6),
    ("tiger@1", "tiger-tie", _tiger_tie),
    ("golden-talons-b@1", "dragon-player", _golden_talons_b),
]


@pytest.fixture(scope="module")
def counted():
    return {decks: _endings(decks) for decks in (1, 8)}


@pytest.mark.parametrize(("name", "spot", "pays"), INDEPENDENT)
@pytest.mark.parametrize("decks", [1, 8])
def test_a_count_that_shares_no_code_comes_to_the_same_fraction(counted, name, spot, pays, decks):
    endings = counted[decks]
    result = sum(ways * pays(*ended) for ended, ways in endings.items())
    expected = Fraction(result) / sum(endings.values())

    assert expected == spot_odds(named(name), spot, decks).edge


def test_r_com_3_the_next_dollar_up_costs_2_434_percent_of_25():
    edge = stake_odds(named("dollar-up@1"), "banker", 8, 25_00).edge

    assert "2.434" == f"{float(-100 * edge):.3f}"
    assert spot_odds(named("dollar-up@1"), "banker", 8).edge > edge


@pytest.mark.parametrize("stake", [20_00, 100_00, 5_000_00])
def test_r_com_3_where_5_percent_is_whole_the_next_dollar_costs_nothing(stake):
    rules = named("dollar-up@1")

    assert spot_odds(rules, "banker", 8) == stake_odds(rules, "banker", 8, stake)


@given(st.integers(1, 5_000).map(lambda units: units * 1_00))
def test_r_com_3_a_charge_rounded_up_costs_less_than_one_unit_for_each_win(stake):
    rules, counts = named("dollar-up@1"), count_deals(8)
    exact = spot_odds(rules, "banker", 8).edge
    rounded = stake_odds(rules, "banker", 8, stake).edge
    most = Fraction(counts.outcomes["banker"], counts.deals) * Fraction(1_00, stake)

    assert 0 <= exact - rounded < most


def test_a_stake_s_edge_is_that_of_the_cards_where_nothing_is_rounded():
    for name in ("dragon-bonus@1", "ez@1", "tie-nine@1", "pairs@1", "golden-talons-b@1"):
        rules = named(name)
        for spot in rules.spots:
            assert spot_odds(rules, spot, 8) == stake_odds(rules, spot, 8, 100_00)


def test_commission_taken_at_payout_and_owed_until_later_are_worth_the_same():
    at_payout = stake_odds(named("tie-eight-5@1"), "banker", 8, 13_00).edge
    deferred = stake_odds(named("dragon-bonus@1"), "banker", 8, 13_00).edge

    assert at_payout == deferred


def test_what_is_paid_down_to_the_minor_unit_is_lost_by_the_patron():
    electronic = named("electronic@1")
    exact = spot_odds(electronic, "banker", 8)
    rounded = stake_odds(electronic, "banker", 8, 1)  # 19 to 20 of one minor unit is none
    counts = count_deals(8)

    assert -Fraction(counts.outcomes["player"], counts.deals) == rounded.edge < exact.edge


def test_dragon_7_is_exactly_what_banker_does_not_win_in_ez():
    ez, deals = named("ez@1"), count_deals(8).deals
    pushed, *_ = spot_odds(ez, "banker", 8).lines
    without = spot_odds(named("no-commission@1"), "banker", 8)

    assert spot_odds(ez, "dragon-7", 8).wins == pushed
    assert without.wins == pushed + spot_odds(ez, "banker", 8).wins
    assert PUSH == ez.spots["banker"].pays[0].pays
    assert 0 < pushed < deals
