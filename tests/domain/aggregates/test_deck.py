"""R-SHOE-1: a deck or a batch comes to a table once."""

from domain.aggregates.deck import Deck
from domain.rules.addresses import Shoe
from domain.rules.refusals import SerialReused
from tests.domain.floor import DAY, EVENING
from tests.scenario import given

FIRST, SECOND = Shoe(DAY, 1), Shoe(DAY, 2)


def _deck(kind="deck"):
    return Deck.load(kind, "K-88121", FIRST, EVENING)


def _again(deck):
    raise deck.refuse_reuse(SECOND)


def test_r_shoe_1_a_serial_is_recorded_with_the_shoe_it_was_loaded_into():
    event = _deck().pending_events[0]

    assert (event.serial, event.kind, event.shoe) == ("K-88121", "deck", str(FIRST))


def test_r_shoe_1_a_serial_that_comes_again_is_refused_and_recorded():
    refusal = (
        given(_deck("batch"))
        .when(_again)
        .then_refused(
            SerialReused, ("ReuseRefused", {"shoe": str(SECOND), "loaded_in": str(FIRST)})
        )
    )

    assert "Batch K-88121 was already used in shoe B01/2026-11-21/1" in str(refusal)


def test_r_shoe_1_the_third_time_it_is_still_the_first_shoe_that_it_was_in():
    deck = _deck()
    deck.refuse_reuse(SECOND)

    assert f"was already used in shoe {FIRST}." in str(deck.refuse_reuse(Shoe(DAY, 3)))


def test_a_deck_and_a_batch_of_one_number_are_two_things():
    assert Deck.stream("deck", "K-1") != Deck.stream("batch", "K-1")


def test_the_refusal_belongs_to_the_table_at_which_it_came_again():
    deck = _deck()
    deck.refuse_reuse(Shoe.parse("B02/2026-11-23/1"))

    assert deck.belongs_to[1] == "B02"
    assert str(deck.belongs_to[0]) == "2026-11-23"
