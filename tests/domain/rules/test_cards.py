"""R-CARD-1 to 3, and what a burned card burns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.rules.cards import DECK, burn_count, card, points, symbol
from domain.rules.refusals import UnknownCard
from tests.strategies import CARDS

# fmt: off
RANKS =  "A",  2,  3,  4,  5,  6,  7,  8,  9, "T", "J", "Q", "K"
COUNTS =   1,  2,  3,  4,  5,  6,  7,  8,  9,   0,   0,   0,   0
BURNS =    1,  2,  3,  4,  5,  6,  7,  8,  9,  10,  10,  10,  10
# fmt: on


@pytest.mark.parametrize(("rank", "counts"), [*zip(RANKS, COUNTS, strict=True)])
def test_r_card_1_ace_1_pips_as_printed_ten_and_faces_0(rank, counts):
    actual = {points(f"{rank}{suit}") for suit in "CDHS"}

    assert {counts} == actual


def test_a_deck_has_52_different_cards():
    expected = (52, 52)

    assert expected == (len(DECK), len(set(DECK)))


@pytest.mark.parametrize(("rank", "burns"), [*zip(RANKS, BURNS, strict=True)])
def test_r_shoe_2_ten_and_faces_burn_ten(rank, burns):
    actual = {burn_count(f"{rank}{suit}") for suit in "CDHS"}

    assert {burns} == actual


def test_r_shoe_2_an_ace_may_burn_eleven_and_no_other_card_does():
    usual = {each: burn_count(each) for each in DECK}
    variant = {each: burn_count(each, ace=11) for each in DECK}

    assert usual | {f"A{suit}": 11 for suit in "CDHS"} == variant


@pytest.mark.parametrize("written", ["9c", " 9C ", "9C\n", "C9", "c9", "9♣", "♣9", "9♧", "♣️9"])
def test_a_card_is_read_as_dealers_write_it(written):
    assert card(written) == "9C"


@pytest.mark.parametrize("written", ["TH", "10H", "10h", "H10", "ht", "10♥", "♥10", "♡T", "10♥️"])
def test_ten_is_read_in_every_spelling(written):
    assert card(written) == "TH"


@given(CARDS)
def test_every_card_is_read_in_either_case(each):
    assert {each} == {card(each), card(each.lower())}


@pytest.mark.parametrize(
    "written", ["", "9", "1C", "0H", "9X", "9C9", "9 C", "９C", "9С", "XX", "♥♥", "110H"]
)
def test_what_is_no_card_is_refused(written):
    with pytest.raises(UnknownCard) as refused:
        card(written)

    assert str(refused.value).startswith(f"{written!r} is no card")


@given(st.text(max_size=3))
def test_r_card_3_nothing_else_is_a_card(text):
    try:
        read = card(text)
    except UnknownCard:
        read = None

    written = text.strip().upper().replace("\ufe0f", "")
    ranks = {*"A23456789TJQK", "10"}
    suits = set("CDHS♣♧♦♢♥♡♠♤")
    known = {each for rank in ranks for suit in suits for each in (rank + suit, suit + rank)}
    assert (read is None) == (written not in known)
    assert read is None or read in DECK


@pytest.mark.parametrize(
    ("each", "shown"), [("9C", "9♣"), ("TH", "10♥"), ("AS", "A♠"), ("QD", "Q♦")]
)
def test_people_read_the_suit_as_a_sign(each, shown):
    assert shown == symbol(each)
