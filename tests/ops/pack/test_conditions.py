"""The stranger's script reads the conditions of pay tables by itself, and means the same."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.rules.cards import DECK
from domain.rules.conditions import condition
from domain.rules.conditions.phrases import PHRASES
from domain.rules.conditions.reading import _written
from domain.rules.conditions.slots import CHOICES
from domain.rules.hands import next_due, play, points
from tests import VERIFY, module_of

NUMBER = st.integers(0, 9).map(str) | st.sampled_from(["no", "one", "two", "three", "six"])
BOUND = st.sampled_from(["", "", "at least ", "at most "])
SPAN = st.builds("{}{}".format, BOUND, NUMBER) | st.builds("{} to {}".format, NUMBER, NUMBER)
SOME = st.builds("{}{}".format, BOUND | st.just("exactly "), NUMBER)
SLOTS = {"number": NUMBER, "span": SPAN, "some": SOME}


def in_slot(name):
    return SLOTS[name] if name in SLOTS else st.sampled_from(sorted(CHOICES[name]))


@st.composite
def phrases(draw):
    phrase = draw(st.sampled_from([each for phrase in PHRASES for each in _written(phrase)]))
    filled = re.sub(r"\{(?:\w+:)?([\w ]+)\}", lambda slot: draw(in_slot(slot[1])), phrase)
    return re.sub(r"(\w+)\|(\w+)", lambda words: draw(st.sampled_from(words.groups())), filled)


def joined(some):
    several = st.lists(some, min_size=1, max_size=3).map(", ".join)
    return st.one_of(
        st.builds("not {}".format, some),
        st.builds("({})".format, some),
        st.builds("{} and {}".format, some, some),
        st.builds("{} or {}".format, some, some),
        st.builds("both {} and {}".format, some, some),
        st.builds("{} and either {} or {}".format, some, some, some),
        st.builds("{} of ({})".format, SOME, several),
    )


CONDITIONS = st.recursive(phrases(), joined, max_leaves=4)


@st.composite
def dealt(draw):
    """A coup that the table of draws allows, of any cards."""
    cards = draw(st.lists(st.sampled_from(DECK), min_size=6, max_size=6))
    n = 4
    while n < 6 and next_due([points(card) for card in cards[:n]]):
        n += 1
    return cards[:n]


@settings(max_examples=60)
@given(CONDITIONS, st.lists(dealt(), min_size=3, max_size=3))
def test_a_condition_means_the_same_to_a_stranger(text, coups):
    stranger = module_of(VERIFY)
    for cards in coups:
        expected = stranger.holds(text, stranger.result_of(cards))
        assert expected == condition(text).holds(play(cards).result), (text, cards)
