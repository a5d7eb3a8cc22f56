"""Sentences that remember what they are made of."""

import pickle
from datetime import date

import msgspec
import pytest

from domain.rules.wording import Amount, Number, Words, counted, either, listed, plain, worded


def test_words_are_the_english_sentence():
    words = Words("{patron} owes {amount}.", patron="P-101", amount=Amount(12_50, "USD"))

    assert words == "P-101 owes 12.50."
    assert type(str(words)) is str


def test_they_remember_their_template_and_their_values():
    inner = Words("seat {seat}", seat=3)
    words = Words("Nobody sits at {where}.", where=inner)

    assert words.template == "Nobody sits at {where}."
    assert words.values["where"] is inner


def test_without_values_a_brace_is_a_brace():
    assert Words('write {"10000": 200}') == 'write {"10000": 200}'


# fmt: off
NUMBERS = [
    (0,       "0 cards are missing."),
    (1,       "1 card is missing."),
    (2,       "2 cards are missing."),
    (730_000, "730,000 cards are missing."),
]
# fmt: on


@pytest.mark.parametrize(("number", "sentence"), NUMBERS)
def test_the_number_decides_between_singular_and_plural(number, sentence):
    assert sentence == counted(number, "{n} card is missing.", "{n} cards are missing.")


# fmt: off
LISTS = [
    ([],                  "",                        ""),
    (["Tie"],             "Tie",                     "Tie"),
    (["Player", "Tie"],   "Player and Tie",          "Player or Tie"),
    (["a", "b", "c"],     "a, b and c",              "a, b or c"),
]
# fmt: on


@pytest.mark.parametrize(("phrases", "all_of_them", "one_of_them"), LISTS)
def test_phrases_are_listed_as_people_list_them(phrases, all_of_them, one_of_them):
    assert (all_of_them, one_of_them) == (listed(phrases), either(phrases))


def test_an_amount_leaves_out_minor_digits_only_where_they_are_0():
    amounts = [100_000, 100_050, 0]

    assert ["1,000", "1,000.50", "0"] == [str(Amount(n, "USD", short=True)) for n in amounts]
    assert ["1,000.00", "100,000"] == [str(Amount(100_000, each)) for each in ("USD", "JPY")]


def test_values_in_english():
    words = Words("{day}: {n} events", day=date(2026, 11, 21), n=Number(1_234))

    assert words == "2026-11-21: 1,234 events"


def test_the_same_english_can_be_two_messages():
    drawn, even = worded("a card", "draw"), worded("an outcome", "draw")

    assert drawn == even
    assert drawn.about != even.about


def test_words_go_into_json_as_text_and_nothing_else_does():
    assert msgspec.json.encode([Words("a {b}", b=1)], enc_hook=plain) == b'["a 1"]'
    with pytest.raises(NotImplementedError):
        msgspec.json.encode([object()], enc_hook=plain)


def test_words_survive_a_copy():
    assert pickle.loads(pickle.dumps(Words("a {b}", b=1))).template == "a {b}"
