"""R-SHOE-3: where the cut card lies, when it shows, and how a shoe ends."""

import pytest

from domain.rules.refusals import (
    BadValue,
    CutCardOut,
    MissingField,
    SecondPersonNeeded,
    ShoeStepOutOfOrder,
)
from tests.domain.floor import SHOE, drawn, in_coup, ready_shoe, shuffled_shoe
from tests.scenario import given


def _show(shoe):
    shoe.show_cut_card()


def _end(shoe):
    shoe.end(reason="torn card", second="S-11")


@pytest.mark.parametrize("placed", [1, 14, 415])
def test_r_shoe_3_the_cut_card_is_placed_from_the_back(placed):
    given(shuffled_shoe()).when(lambda shoe: shoe.cut("D-204", placed)).then(
        ("Cut", {"cut_by": "D-204", "cut_card": placed})
    )


@pytest.mark.parametrize("placed", [0, -1, 416, 1000])
def test_r_shoe_3_the_cut_card_lies_within_the_shoe(placed):
    given(shuffled_shoe()).when(lambda shoe: shoe.cut("D-204", placed)).then_refused(BadValue)


def test_r_shoe_3_shown_in_a_coup_one_more_is_dealt():
    shoe = in_coup(ready_shoe(), "9C")

    given(shoe).when(_show).then(("CutCardShown", {"last_coup": 2, "cards_left": 411}))
    assert not shoe.finished
    shoe.begin_coup()
    assert shoe.finished
    given(shoe).when(lambda shoe: shoe.begin_coup()).then_refused(CutCardOut)


def test_r_shoe_3_shown_as_the_first_card_that_coup_is_the_last():
    shoe = in_coup(ready_shoe())

    given(shoe).when(_show).then(("CutCardShown", {"last_coup": 1, "cards_left": 412}))
    assert shoe.finished
    given(shoe).when(lambda shoe: shoe.begin_coup()).then_refused(CutCardOut)


def test_r_shoe_3_shown_between_two_coups_the_next_is_the_last():
    given(in_coup(ready_shoe(), "9C 2S KC QD")).when(_show).then(
        ("CutCardShown", {"last_coup": 2, "cards_left": 408})
    )


def test_r_shoe_3_shown_before_the_first_coup_that_coup_is_the_last():
    given(ready_shoe()).when(_show).then(("CutCardShown", {"last_coup": 1, "cards_left": 412}))


def test_r_shoe_3_the_cut_card_shows_once():
    refusal = given(ready_shoe(), _show).when(_show).then_refused(ShoeStepOutOfOrder)
    expected = f"The cut card of shoe {SHOE} has shown already. Coup 1 is the last."

    assert expected == str(refusal)
    assert refusal.rule == "R-SHOE-3"


@pytest.mark.parametrize(("cut_card", "passed"), [(407, False), (408, True), (409, True)])
def test_r_shoe_3_dealt_past_the_cut_card_is_recorded_once_a_coup(cut_card, passed):
    """After the burn and one coup of four 408 cards are left: the cut card lies before them."""
    shoe = in_coup(in_coup(ready_shoe(cut_card=cut_card), "9C 2S KC QD"))
    recorded = ("CutCardPassed", {"coup": 2, "cards_left": 408})

    given(shoe).when(lambda shoe: drawn(shoe, "8C 2H")).then(
        *[recorded] * passed,
        ("CardDrawn", {"card": "8C", "coup": 2, "n": 1}),
        ("CardDrawn", {"card": "2H", "coup": 2, "n": 2}),
    )


def test_r_shoe_3_a_cut_card_that_has_shown_is_not_dealt_past():
    shoe = ready_shoe(cut_card=412)
    shoe.show_cut_card()

    given(in_coup(shoe)).when(lambda shoe: shoe.draw("9C")).then("CardDrawn")


def test_r_shoe_3_before_the_cut_card_shows_only_a_supervisor_ends_the_shoe_with_a_reason():
    alone = given(ready_shoe()).when(lambda shoe: shoe.end(reason="torn card"))
    without_reason = given(ready_shoe()).when(lambda shoe: shoe.end(second="S-11"))

    assert alone.then_refused(SecondPersonNeeded).rule == "R-SHOE-3"
    assert without_reason.then_refused(MissingField).rule == "R-SHOE-3"
    given(ready_shoe()).when(_end).then(
        ("Ended", {"reason": "torn card", "coups": 0, "cards_left": 412})
    )


def test_r_shoe_3_after_the_cut_card_the_shoe_ends_by_itself():
    given(in_coup(ready_shoe()), _show).when(lambda shoe: shoe.end()).then(
        ("Ended", {"reason": "", "coups": 1, "cards_left": 412})
    )


# With a card that came when none was due (R-IRR-1): it is the first of the coup that takes it.
def _carry(shoe, card="9C"):
    shoe.misdraw(card, "carry")


def test_r_shoe_3_shown_behind_a_carried_card_it_shows_during_the_coup_that_takes_it():
    shoe = in_coup(ready_shoe(), "9C 2S KC QD")
    _carry(shoe)

    given(shoe).when(_show).then(("CutCardShown", {"last_coup": 3, "cards_left": 407}))


def test_r_shoe_3_shown_behind_a_carried_card_while_bets_are_taken_one_more_is_dealt():
    shoe = ready_shoe()
    _carry(shoe)
    shoe.begin_coup()

    given(shoe).when(_show).then(("CutCardShown", {"last_coup": 2, "cards_left": 411}))


@pytest.mark.parametrize(("cut_card", "passed"), [(407, False), (408, True)])
def test_r_shoe_3_past_the_cut_card_is_recorded_with_a_carried_card_too(cut_card, passed):
    """408 cards were left before the card that is carried: it left behind the cut card or not."""
    shoe = in_coup(ready_shoe(cut_card=cut_card), "9C 2S KC QD")
    _carry(shoe)
    shoe.begin_coup()
    shoe.deal_carried()
    recorded = ("CutCardPassed", {"coup": 2, "cards_left": 407})

    given(shoe).when(lambda shoe: drawn(shoe, "8C 2H")).then(
        *[recorded] * passed,
        ("CardDrawn", {"card": "8C", "coup": 2, "n": 2}),
        ("CardDrawn", {"card": "2H", "coup": 2, "n": 3}),
    )


# A coup that was voided before its first card was no coup.
def _leave_undealt(shoe):
    shoe.leave_undealt(shoe.coup)


def test_r_shoe_3_after_a_coup_that_was_none_the_next_takes_the_cut_card():
    shoe = in_coup(ready_shoe())

    given(shoe).when(_leave_undealt).then(("CoupNotDealt", {"coup": 1, "last_coup": None}))
    given(shoe).when(_show).then(("CutCardShown", {"last_coup": 2, "cards_left": 412}))
    shoe.begin_coup()
    assert shoe.finished


def test_r_shoe_3_a_coup_that_was_none_gives_the_cut_card_on():
    shoe = in_coup(ready_shoe())
    shoe.show_cut_card()

    given(shoe).when(_leave_undealt).then(("CoupNotDealt", {"coup": 1, "last_coup": 2}))
    assert not shoe.finished
    shoe.begin_coup()
    assert shoe.finished


def test_r_shoe_3_a_coup_that_was_none_is_not_the_one_more():
    shoe = in_coup(ready_shoe(), "9C 2S KC QD")
    shoe.show_cut_card()
    shoe.begin_coup()

    given(shoe).when(_leave_undealt).then(("CoupNotDealt", {"coup": 2, "last_coup": 3}))
    shoe.begin_coup()
    given(shoe).when(lambda shoe: shoe.begin_coup()).then_refused(CutCardOut)


def test_r_shoe_3_several_coups_that_were_none_use_up_nothing():
    shoe = in_coup(ready_shoe(), "9C")
    shoe.show_cut_card()
    for _ in range(3):
        shoe.begin_coup()
        shoe.leave_undealt(shoe.coup)

    assert (4, 5, False) == (shoe.coup, shoe.last_coup, shoe.finished)


def test_r_shoe_3_behind_a_carried_card_a_coup_that_was_none_takes_neither():
    """The card waits on, for the coup after it: the cut card shows during that one."""
    shoe = ready_shoe()
    _carry(shoe)
    shoe.begin_coup()
    shoe.show_cut_card()

    given(shoe).when(_leave_undealt).then(("CoupNotDealt", {"coup": 1, "last_coup": 3}))


@pytest.mark.parametrize("shown", [False, True])
def test_r_shoe_3_a_coup_with_a_card_out_was_one(shown):
    shoe = in_coup(ready_shoe(), "9C")
    if shown:
        shoe.show_cut_card()

    given(shoe).when(_leave_undealt).then()
    given(in_coup(ready_shoe()), _leave_undealt).when(_leave_undealt).then()
    given(in_coup(ready_shoe(), "9C")).when(lambda shoe: shoe.leave_undealt(7)).then()
