"""Odds from the cards that are left: as published for cards taken out, and as every order deals."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from domain.rules.cards import DECK
from domain.rules.conditions import condition
from domain.rules.hands import play
from domain.rules.house_rules import named
from domain.rules.odds import Pack, odds_from, spot_odds, whole
from domain.rules.odds.tally import fitting
from domain.rules.wagers import PayLine
from tests.domain.rules.odds.asked import SAID

RULES = named("dragon-bonus@1")
# By how much Player is less likely to win with one, two and three cards of a rank taken out of
# eight decks: excelpunks.com, "Concepts 16: Baccarat, Effects of Card Removal".
PUBLISHED = {
    "4": ("0.0000435175", "0.0000870460", "0.0001305855"),
    "K": ("0.0000373810", "0.0000749287", "0.0001126377"),
    "A": ("0.0000295798", "0.0000594307", "0.0000895596"),
}


def player_wins(pack):
    odds = odds_from(RULES, "player", pack)
    return Fraction(odds.wins, odds.deals)


@pytest.mark.parametrize("rank", PUBLISHED)
def test_cards_that_are_taken_out_change_the_odds_as_published(rank):
    before = player_wins(whole(8))
    for many, published in enumerate(PUBLISHED[rank], 1):
        less = before - player_wins(whole(8).without([f"{rank}S"] * many))

        assert f"{float(less):.10f}" == published


def test_the_mean_effect_of_a_card_is_none():
    """Taking a card out unseen changes nothing: so all of them together have no effect."""
    for spot in RULES.spots:
        edges = [odds_from(RULES, spot, whole(8).without([card])).edge for card in DECK]

        assert sum(edges) / len(edges) == spot_odds(RULES, spot, 8).edge


@pytest.mark.parametrize("seed", range(3))
def test_a_few_cards_are_counted_as_dealing_them_in_every_order_does(seed):
    """Whatever a pay table asks about: totals, values, ranks and suits, of cards of any number."""
    rng = Random(seed)
    cards = rng.choices(rng.sample(DECK, 6), k=8)
    lines = {text: condition(text) for text in SAID}
    dealt: Counter[str] = Counter()
    every = 0
    for order, many in Counter(permutations(cards, 6)).items():
        ended = next(hands.result for n in (4, 5, 6) if (hands := play(order[:n])).result)
        every += many
        for text, line in lines.items():
            dealt[text] += many * line.holds(ended)

    for text in SAID:
        fits = fitting((PayLine(text, (1, 1)),), Pack.of(cards))
        assert (fits[0,], sum(fits.values())) == (dealt[text], every), text


def test_cards_that_are_not_there_cannot_be_taken_out():
    with pytest.raises(ValueError, match="KS"):
        whole(1).without(["KS", "KS"])
