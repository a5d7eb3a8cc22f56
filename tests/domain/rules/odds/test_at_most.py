"""What wagers can be paid at most on one outcome, beside coups that are dealt."""

import random

import pytest

from domain.rules.cards import RANKS, SUITS
from domain.rules.hands import next_due, play, points
from domain.rules.house_rules import RULE_SETS
from domain.rules.odds.at_most import most_together
from domain.rules.settlement import pay

SETS = [each for each in RULE_SETS.values() if not each.over_coups]


def dealt(chance):
    """The cards of a coup, drawn from as many decks as need be."""
    cards = []
    while next_due([points(card) for card in cards]):
        cards.append(chance.choice(RANKS) + chance.choice(SUITS))
    return play(cards).result


@pytest.mark.parametrize("rules", SETS, ids=lambda each: each.name)
def test_no_coup_pays_more_and_one_side_alone_pays_as_much(rules):
    chance = random.Random(rules.name)
    wagers = [(spot, chance.randrange(1, 9) * 100) for spot in rules.spots]
    most = most_together(rules, wagers)
    paid = [
        sum(pay(rules, spot, stake, result).paid for spot, stake in wagers)
        for result in (dealt(chance) for _ in range(400))
    ]

    assert max(paid) <= most <= sum(rules.most_paid(*each) for each in wagers)
    main = [each for each in wagers if each[0] in ("player", "banker")]
    assert most_together(rules, main) < sum(rules.most_paid(*each) for each in main)


def test_player_banker_and_tie_are_not_paid_together():
    rules = RULE_SETS["dragon-bonus@1"]
    wagers = [("player", 100_00), ("banker", 50_00), ("tie", 40_00)]

    assert most_together(rules, wagers) == 100_00 + 50_00 + 9 * 40_00
    assert most_together(rules, wagers[:2]) == 200_00
    assert most_together(rules, [("nowhere", 10_00)]) == 10_00
