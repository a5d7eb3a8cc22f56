"""Conditions counted exactly, against counting that knows nothing of how it is done."""

from collections import Counter
from fractions import Fraction
from math import comb, perm, sqrt
from random import Random

import pytest

from domain.rules.cards import DECK
from domain.rules.conditions import condition
from domain.rules.hands import next_due, play, points
from domain.rules.odds.deals import _ended, coups, ending
from domain.rules.odds.pack import whole
from domain.rules.odds.tally import fitting, truths
from domain.rules.odds.ways import handful
from domain.rules.tableau import TABLEAU, Tableau
from domain.rules.wagers import PayLine
from tests.domain.rules.odds.asked import SAID

DECKS = (1, 6, 8)
DEALT = 6_000  # coups of a random shoe


def chance(text, decks):
    """How likely a condition is, exactly."""
    fits = fitting((PayLine(text, (1, 1)),), whole(decks))
    return Fraction(fits[0,], sum(fits.values()))


@pytest.mark.parametrize("decks", DECKS)
def test_r_pay_3_suits_and_ranks_of_the_first_cards_as_a_textbook_counts_them(decks):
    cards, rank, suit, colour = 52 * decks, 4 * decks, 13 * decks, 26 * decks
    pair, suited = Fraction(rank - 1, cards - 1), Fraction(decks - 1, cards - 1)

    assert chance("player has a pair", decks) == pair
    assert chance("banker has a pair of one colour", decks) == Fraction(2 * decks - 1, cards - 1)
    assert chance("all first two banker cards are of one suit", decks) == Fraction(
        suit - 1, cards - 1
    )
    assert chance("first two player cards are a king and a queen", decks) == Fraction(
        2 * rank * rank, perm(cards, 2)
    )
    assert chance("all first four cards are red", decks) == Fraction(
        perm(colour, 4), perm(cards, 4)
    )
    assert chance("at least 3 first four cards are hearts", decks) == Fraction(
        comb(suit, 3) * (cards - suit) + comb(suit, 4), comb(cards, 4)
    )
    assert chance("first player card is an ace of spades", decks) == Fraction(1, 52)
    if decks > 1:
        assert chance("player has a suited pair", decks) == suited


@pytest.mark.parametrize("decks", DECKS)
def test_every_deal_is_counted_whatever_is_asked(decks):
    facts = [fact for text in SAID[:-5] for fact in condition(text).facts]

    for some in (facts[:1], facts[:3], facts[4:8], facts[9:12]):
        assert sum(truths(some, whole(decks)).values()) == perm(52 * decks, 6)


@pytest.fixture(scope="module")
def results():
    """Coups dealt from shuffled shoes of one deck, by the rules of the table."""
    random, dealt = Random(43), []
    for _ in range(DEALT):
        cards = random.sample(DECK, 6)
        n = 4
        while n < 6 and next_due([points(card) for card in cards[:n]]):
            n += 1
        dealt.append(play(cards[:n]).result)
    return dealt


@pytest.mark.parametrize("text", SAID)
def test_what_is_dealt_happens_as_often_as_was_counted(results, text):
    """Within five standard deviations."""
    expected = chance(text, 1)
    happened = sum(condition(text).holds(result) for result in results)
    apart = abs(happened - DEALT * expected)

    assert float(apart) <= 5 * sqrt(DEALT * expected * (1 - expected)) + 1


@pytest.mark.parametrize("player", ["DDDDDDSS", "DDDDSSSS"])
def test_r_draw_3_what_comes_after_four_cards_is_as_each_coup_says_for_itself(player):
    """Also where Player stands on fewer points than in the rulebook."""
    tableau = Tableau(player, TABLEAU.banker)
    one_by_one, together = Counter(), Counter()
    for values, ways in coups(tableau):
        one_by_one[ending(values), handful(values)] += ways
    for ended, cards, ways in _ended(tableau):
        together[ended, cards] += ways

    assert together == one_by_one
