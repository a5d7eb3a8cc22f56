"""R-BET-2, R-PAY-1 to 4: each phrase of a rule set is so of the coups that people mean by it."""

import re

import pytest

from domain.rules.cards import points
from domain.rules.conditions import Unreadable, condition
from domain.rules.conditions.phrases import PHRASES
from domain.rules.conditions.reading import _written
from domain.rules.hands import Result, outcome_of

# Cards in the order of dealing: Player's first, Banker's first, Player's second, Banker's second,
# Player's third, Banker's third; `-` is none.
# fmt: off
SAID = [
    # condition                                      so of                    not so of
    ("player wins",                                  "9C 5S 7C QD - 9S",       "KC 9S 2C QD"),
    ("banker wins with three cards",                 "6S 3S KD 2H - 4D",      "KC 9S 2C QD"),
    ("banker wins on 6",                             "KC 4S 5C 2D 9H",        "KC 4S 5C 3D 9H"),
    ("banker wins on 7 to 9 with 2 cards",           "KC 4S 5C 3D 9H",        "KC 4S 5C 2D 9H"),
    ("player wins by at least 7",                    "9C 2S KC QD",           "9C 3S KC QD"),
    ("player wins by 9 without a natural",           "4C KS KC QD 5S KD",     "9C KS KC QD"),
    ("player wins with a natural",                   "9C 2S KC QD",           "4C KS KC QD 5S KD"),
    ("player wins with a natural 8",                 "8C 2S KC QD",           "9C 2S KC QD"),
    ("tie",                                          "KC KS 7C 7D",           "9C 2S KC QD"),
    ("tie with six cards",                           "2C 2S KC KD 3S 3D",     "KC KS 7C 7D"),
    ("tie on at most 6",                             "KC KS 6C 6D",           "KC KS 7C 7D"),
    ("tie on 5 with 6 cards",                        "2C 2S KC KD 3S 3D",     "2C 2S KC KD 4S 4D"),
    ("natural tie",                                  "KC KS 9C 9D",           "KC KS 7C 7D"),
    ("natural tie on 8",                             "KC KS 8C 8D",           "KC KS 9C 9D"),
    ("both hands have a natural",                    "KC KS 9C 8D",           "KC KS 9C 7D"),
    ("the loser has a natural 8",                    "KC KS 9C 8D",           "KC KS 9C 7D"),
    ("both hands end on 9 with three cards",         "2C 2S KC KD 7S 7D",     "KC KS 9C 9D"),
    ("either hand ends on 0",                        "4C KS KC QD 5S KD",     "KC KS 9C 8D"),
    ("the winner has 3 cards",                       "6S 3S KD 2H - 4D",       "KC 9S 2C QD"),
    ("the coup has at least five cards",             "9C 5S 7C QD 9S",        "KC 9S 2C QD"),
    ("the totals differ by 1",                       "KC KS 9C 8D",           "KC KS 9C 7D"),
    ("the totals add up to 17",                      "KC KS 9C 8D",           "KC KS 9C 7D"),
    ("first two player cards are a pair",            "KC 2S KD QD 9S",        "KC 2S QC QD 9S"),
    ("first two banker cards are a suited pair",     "KC 9S 2C 9S",           "KC 9S 2C 9D"),
    ("first two player cards are a pair of one colour", "KH 2S KD QD 9S",     "KC 2S KD QD 9S"),
    ("either hand has a pair",                       "KC 9S 2C 9D",           "KC 9S 2C QD"),
    ("the winner has a pair",                        "KC 9S 2C 9D",           "KC 9S KD QD"),
    ("player has a suited pair",                     "KC 9S KC QD",           "KC 9S KD QD"),
    ("both hands have a pair of one colour",         "KC 9S KS 9C",           "KC 9S KS 9D"),
    ("first two player cards are a king and a queen", "QC 9S KD QD",          "KC 9S KD QD"),
    ("first two player cards are 8 and an ace",      "AC 2S 8D QD",           "AC 2S AD QD"),
    ("all cards are red",                            "9H 5D 7H QD 9D",        "9H 5D 7H QD 9S"),
    ("all player cards are faces",                   "KC 9S QD 2D",           "KC 9S TD 2D"),
    ("at least two cards are hearts",                "9H 5D 7H QD 9S",        "9H 5D 7C QD 9S"),
    ("no banker cards are aces",                     "9H 5D 7H QD 9D",        "9H 5D 7H AD 9D"),
    ("2 first four cards are 9s of clubs",           "9C 5D 9C QD 9S",        "9C 5D 9S QD 9C"),
    ("exactly 1 third cards are 9s",                 "9H 5D 7H QD 9D",        "KC 9S 2C QD"),
    ("third player card is a 9",                     "9H 5D 7H QD 9D",        "9H 5D 7H QD 8D"),
    ("first banker card is a king of spades",        "9H KS KH QD",           "9H KD KH QD"),
    ("all player cards are of one suit",             "9H 5D 7H QD 9H",        "9H 5D 7H QD 9D"),
    ("all first four cards are of one colour",       "9H 5D 7H QD 9S",        "9H 5D 7S QD 9D"),
    ("all third cards are of one rank",              "2C 2S KC KD 3S 3D",     "2C 2S KC KD 7S 6D"),
    ("at least 3 cards are of one rank",             "9H 5D 9H QD 9S",        "9H 5D 7H 9D 8S"),
    ("at least 4 cards are of one suit",             "9H 5H 7H QH 9S",        "9H 5H 7H QD 9S"),
    ("first two banker cards make 7",                "KC KS 9C 7D",           "KC KS 9C 8D"),
    ("second player card counts at least 7",         "KC KS 9C 7D",           "9C KS KC 8D"),
    ("player cards add up to 25",                    "9C 5S 7C QD 9S",        "9C 5S 7C QD 8S"),
    # joined
    ("not tie",                                      "KC 9S 2C QD",           "KC KS 7C 7D"),
    ("tie or banker wins",                           "KC 9S 2C QD",           "9C 2S KC QD"),
    ("banker wins and not banker has a natural",     "KC 4S 5C 2D 9H",        "KC 9S 2C QD"),
    ("(tie or banker wins) and banker has 2 cards",  "KC KS 7C 7D",           "6S 3S KD 2H - 4D"),
    ("tie or banker wins and banker has 3 cards",    "KC KS 7C 7D",           "KC 9S 2C QD"),
    ("either tie or player wins",                    "KC KS 7C 7D",           "KC 9S 2C QD"),
    ("both tie and the coup has 4 cards",            "KC KS 7C 7D",           "2C 2S KC KD 3S 3D"),
    ("exactly one of (player has a pair, banker has a pair)", "KC 9S KC QD",  "KC 9S KC 9D"),
    ("at least 2 of (tie, player has a pair, banker has a pair)", "KC 9S KC 9D", "KC 9S KC QD"),
    ("at most 0 of (tie, player wins)",              "KC 9S 2C QD",           "KC KS 7C 7D"),
]
WRONG = [
    # condition                             says
    ("draw",                                "begin with"),
    ("",                                    "it ends too soon"),
    ("banker wins on 6 with for cards",     "'banker wins on 6 with' write a number, not 'for'"),
    ("banker winns",                        "after 'banker' write wins"),
    ("player wins and",                     "it ends too soon: after 'player wins and' write"),
    ("at least 2 of (tie, player wins",     "write on, with or by"),
    ("(tie",                                "after '( tie' write"),
    ("tie on six or",                       "it ends too soon"),
    ("banker wins on a sixth",              "after 'banker wins on' write"),
    ("all player cards are rde",            "write red"),
    ("tie tie",                             "not 'tie'"),
    ("tie " + "and tie " * 100,             ""),
]
# fmt: on


def ended(cards):
    """The result of these cards, whatever the table of draws says."""
    player, banker = (tuple(card for card in cards.split()[n::2] if card != "-") for n in range(2))
    totals = [sum(map(points, hand)) % 10 for hand in (player, banker)]
    return Result(outcome_of(*totals), *totals, len(player), len(banker), (player, banker))


@pytest.mark.parametrize(("said", "so", "not_so"), SAID, ids=[said for said, *_ in SAID])
def test_a_condition_is_so_of_the_coups_that_are_meant(said, so, not_so):
    assert [condition(said).holds(ended(cards)) for cards in (so, not_so)] == [
        True,
        False,
    ]


def test_each_phrase_has_an_example_here():
    said = [words for words, *_ in SAID]
    for phrase in PHRASES:
        forms = [re.sub(r"\w+\|\w+|\{[^}]*\}", ".+", each) for each in _written(phrase)]
        missing = [form for form in forms if not any(re.fullmatch(form, each) for each in said)]
        assert not missing, f"{phrase}: write an example of it in SAID"


@pytest.mark.parametrize(("said", "why"), WRONG)
def test_what_cannot_be_read_is_named_where_it_stands(said, why):
    with pytest.raises(Unreadable) as refused:
        condition(said)

    assert why in str(refused.value)


def test_at_most_three_words_are_proposed():
    with pytest.raises(Unreadable) as refused:
        condition("player wins on monday")

    assert str(refused.value) == (
        "after 'player wins on' write at most, exactly or at least, not 'monday'"
    )
