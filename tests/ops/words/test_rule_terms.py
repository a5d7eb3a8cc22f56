"""The terms of rule sets are told as people say them, and in the reader's language."""

from itertools import permutations

import pytest

from domain.rules.choices import one_of
from domain.rules.house_rules import named
from domain.rules.house_rules.differences import differences
from ops.words.language import shown
from ops.words.rule_terms import term_words, value_words
from tests.pseudo import english_in, pseudo

SETS = ("dragon-bonus@1", "classic@1", "ez@1", "big-table@1")
TERMS = {
    (term, value)
    for before, now in permutations(SETS, 2)
    for term, *values in differences(named(before), named(now))
    for value in values
}


@pytest.mark.parametrize(("term", "value"), sorted(TERMS))
def test_no_term_is_shown_as_a_program_has_it(term, value):
    words = f"{shown(term_words(term))}: {shown(value_words(term, value, 'USD'))}"

    assert "_" not in words
    assert not any(each in words for each in ("main ", "spots ", " limit ", "increment"))
    assert "100" not in words or term != "commission rate"
    if term.endswith(("minimum", "maximum", "increment", "differential")) and value:
        assert words.endswith((".00", ".50"))


def test_a_term_and_its_value_are_in_the_readers_language():
    with pseudo():
        for term, value in TERMS:
            if not term.endswith("pays"):
                words = f"{shown(term_words(term))} {shown(value_words(term, value, 'USD'))}"
                assert english_in(words) == []


@pytest.mark.parametrize("many", [3, 40])
def test_what_to_write_instead_is_in_the_readers_language(many):
    words = [str(each) for each in range(100, 100 + many)]
    with pseudo():
        assert english_in(shown(one_of(words, "1O1", "`x`"))) == []
