"""Results against theory: exact means and variances, and what chance never does too often."""

from fractions import Fraction
from itertools import product
from math import comb
from random import Random

import pytest

from domain.review.protection.results import (
    AgainstTheory,
    Bet,
    Result,
    chance_of_result,
    is_of_the_cards,
    result_of,
)
from domain.rules.house_rules import RULE_SETS, named
from domain.rules.odds import odds_from, whole
from domain.rules.odds.deals import count_deals
from domain.rules.settlement import pay

RULES = named("pairs@1")


@pytest.mark.parametrize("stakes", [(100_00, 0, 0), (0, 50_00, 0), (100_00, 50_00, 5_00)])
def test_mean_and_variance_of_a_coup_are_those_of_every_deal(stakes):
    """An own count: each result of all deals, what the three bets pay together by it."""
    rules = named("classic@1") if not stakes[2] else RULES
    spots = [
        (spot, stake)
        for spot, stake in zip(("player", "banker", "tie"), stakes, strict=True)
        if stake
    ]
    deals = count_deals(8)
    paid = {
        each: sum(net(rules, spot, stake, each) for spot, stake in spots) for each in deals.results
    }
    mean = sum(ways * paid[each] for each, ways in deals.results.items()) / Fraction(deals.deals)
    square = sum(ways * paid[each] ** 2 for each, ways in deals.results.items())
    result = result_of(rules, 8, [Bet(spot, stake, 0.0) for spot, stake in spots])

    assert result.more == pytest.approx(float(-mean))
    assert result.variance == pytest.approx(float(square / deals.deals - mean**2))
    assert -min(paid.values()) <= result.worst


def net(rules, spot, stake, ended):
    payment = pay(rules, spot, stake, ended)
    won = {"win": payment.winnings - payment.commission_exact, "lose": -stake, "push": 0}
    return Fraction(won[payment.result])


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=str)
def test_nobody_ever_owes_whatever_the_coup_brings(rules):
    """All that can be lost on every two spots together leaves something of each guess."""
    spots = [spot for spot in rules.spots if is_of_the_cards(rules, spot)]
    for one, other in product(spots, repeat=2):
        bets = [Bet(one, 100_00, 0.0), Bet(other, 30_00, 0.0)]
        theory = result_of(rules, rules.decks, bets)
        beside = AgainstTheory()
        beside.add(Result(theory.more - theory.worst, theory.variance, theory.worst))

        assert min(beside.guesses) > 0


def test_a_gambler_expects_to_hold_what_he_held():
    """Over all deals of a Tie bet he holds, on the average, what he held."""
    odds = odds_from(RULES, "tie", whole(8))
    won, lost = Fraction(odds.wins, odds.deals), Fraction(odds.loses, odds.deals)
    held = 0.0
    for chance, brings in ((won, 800_00), (lost, -100_00)):
        beside = AgainstTheory()
        beside.add(result_of(RULES, 8, [Bet("tie", 100_00, brings)]))
        held += float(chance) * beside.held

    assert held == pytest.approx(1.0)


@pytest.mark.parametrize(("odds", "chance"), [(1, 0.5), (8, 0.1), (40, 0.02)])
def test_chance_is_never_said_to_be_rarer_than_it_is(odds, chance):
    """Beside the exact share of coins that bring so much, and of bets that pay much and seldom."""
    coups, mean = 200, chance * (odds + 1) - 1
    variance = coups * chance * (1 - chance) * (odds + 1) ** 2
    for wins in range(coups + 1):
        more = wins * (odds + 1) - coups - coups * mean
        exactly = sum(
            comb(coups, n) * chance**n * (1 - chance) ** (coups - n) for n in range(wins, coups + 1)
        )
        assert exactly <= chance_of_result(more, variance, odds - mean) + 1e-12


def test_a_dealer_at_whose_coups_a_patron_wins_each_tie_is_beyond_chance():
    random, beside = Random(1), AgainstTheory()
    for _ in range(300):
        tie, side = random.random() < 0.095, random.choice((100_00, -100_00))
        bets = [Bet("tie", 100_00, 800_00)] if tie else [Bet("player", 100_00, side)]
        beside.add(result_of(RULES, 8, bets))

    assert beside.held > 10_000
    assert beside.deviations > 3
