"""R-CARD-3, R-SHOE-4, R-DEAL-4, R-IRR-1: what is in a shoe, and what has left it."""

import pytest
from hypothesis import given as for_all
from hypothesis import settings

from domain.rules.cards import DECK
from domain.rules.hands import play
from domain.rules.refusals import BadValue, CardNotDue, CardNotInShoe
from tests.domain.floor import SHOE, in_coup, ready_shoe, shuffled_shoe
from tests.scenario import given, replayed
from tests.strategies import shoes


def _end(shoe):
    shoe.end(reason="torn card", second="S-11")


def test_r_card_3_the_ninth_nine_of_spades_is_impossible():
    shoe = in_coup(ready_shoe(), " ".join(["9S"] * 8))
    given(shoe).when(lambda shoe: shoe.draw("9S")).then_refused(
        CardNotInShoe, ("UndueCardRefused", {"card": "9S", "coup": 1, "why": "all-out"})
    )
    assert shoe.cards_left == 416 - 4 - 8


def test_r_card_3_the_burned_card_has_left_the_shoe_too():
    """The burned card was a three of diamonds."""
    shoe = in_coup(ready_shoe(), " ".join(["3D"] * 7))

    given(shoe).when(lambda shoe: shoe.draw("3D")).then_refused(CardNotInShoe, "UndueCardRefused")


def test_r_card_3_an_empty_shoe_deals_nothing():
    """Though not every three of diamonds was seen: some were burned face down."""
    cards = [card for card in DECK * 6 if card != "3D"] + ["3D", "3D"]
    shoe = in_coup(ready_shoe("big-table@1", decks=6), " ".join(cards))

    assert shoe.cards_left == 0
    given(shoe).when(lambda shoe: shoe.draw("3D")).then_refused(CardNotInShoe)


def test_r_irr_1_a_card_that_is_not_due_is_recorded_and_stays_out():
    shoe = in_coup(ready_shoe())
    refusal = shoe.refuse_card("9C", coup_complete=True)

    assert isinstance(refusal, CardNotDue)
    assert "9C is not due: B01/2026-11-21/1/1 has all its cards." in str(refusal)
    assert "enter it with `shoe misdraw`" in str(refusal)
    assert shoe.cards_left == 412
    given(shoe).when(lambda shoe: shoe.refuse_card("9C", coup_complete=True)).then(
        ("UndueCardRefused", {"card": "9C", "coup": 1, "why": "coup-complete"})
    )


def test_r_deal_4_who_holds_the_shoe_is_recorded():
    shoe = ready_shoe()

    assert shoe.holder == "dealer"
    given(shoe).when(lambda shoe: shoe.pass_to("seat 3")).then(("Passed", {"holder": "seat 3"}))
    assert shoe.holder == "seat 3"


@pytest.mark.parametrize(("remaining", "difference"), [(412, 0), (411, -1), (416, 4), (0, -412)])
def test_r_shoe_4_reconciling_says_by_how_many_cards_the_count_differs(remaining, difference):
    given(ready_shoe(), _end).when(lambda shoe: shoe.reconcile(remaining, [])).then(
        (
            "Reconciled",
            {
                "remaining": remaining,
                "cards": [],
                "difference": difference,
                "over": {},
                "burned": [],
            },
        )
    )


def test_r_shoe_4_no_more_cards_are_left_than_there_were():
    given(ready_shoe(), _end).when(lambda shoe: shoe.reconcile(417, [])).then_refused(BadValue)


def test_coups_are_numbered_from_1():
    shoe = ready_shoe()
    actual = [str(shoe.begin_coup()) for _ in range(3)]

    assert [f"{SHOE}/{n}" for n in (1, 2, 3)] == actual


@settings(max_examples=10)
@for_all(shoes())
def test_r_shoe_4_a_whole_shoe_drawn_and_burned_is_accounted_for(cards):
    """Whatever the order: 416 = burned + drawn + left, and replay makes the same shoe."""
    shoe = shuffled_shoe()
    shoe.cut("seat 3")
    shoe.burn(cards[0])
    at, drawn = 416 - shoe.cards_left, 0
    while shoe.cards_left > shoe.cut_card:
        shoe.begin_coup()
        coup = []
        while play(coup).due:
            coup.append(cards[at])
            shoe.draw(cards[at])
            at, drawn = at + 1, drawn + 1
    shoe.show_cut_card()
    shoe.end()
    shoe.reconcile(len(cards[at:]), cards[at:])

    assert shoe.cards_left == 416 - at
    assert sum(shoe.seen.values()) == drawn + 1
    assert shoe.pending_events[-1].difference == 0
    assert replayed(shoe) == shoe


def test_r_shoe_4_a_card_counted_that_had_all_left_is_named():
    shoe = in_coup(ready_shoe(), " ".join(["9S"] * 8))
    shoe.end(reason="count", second="S-11")
    shoe.reconcile(2, ["9S", "9C"])

    assert {"9S": 1} == shoe.pending_events[-1].over


def test_r_shoe_4_the_cards_burned_face_down_may_be_named_too():
    """With the burned three, seven that were drawn and one turned over there is one too many."""
    shoe = in_coup(ready_shoe(), " ".join(["3D"] * 7))
    _end(shoe)

    given(shoe).when(lambda shoe: shoe.reconcile(405, [], ["3D", "4D", "5D"])).then(
        (
            "Reconciled",
            {
                "remaining": 405,
                "cards": [],
                "difference": 0,
                "over": {"3D": 1},
                "burned": ["3D", "4D", "5D"],
            },
        )
    )


def test_r_shoe_4_no_more_burned_cards_are_named_than_were_burned_face_down():
    burned = ["4D", "5D", "6D", "7D"]
    refusal = (
        given(ready_shoe(), _end)
        .when(lambda shoe: shoe.reconcile(412, [], burned))
        .then_refused(BadValue)
    )

    assert "3 were burned face down" in str(refusal)
    assert refusal.rule == "R-SHOE-4"


def test_r_shoe_4_a_discarded_or_misdrawn_card_is_not_expected_to_remain():
    shoe = in_coup(ready_shoe(), "9C 2S KC QD")
    shoe.misdraw("4H", "carry")
    shoe.misdraw("5H", "burn")
    shoe.discard("6H", "damaged")
    shoe.discard("7H", "foreign")
    _end(shoe)
    shoe.reconcile(405, [])

    assert shoe.pending_events[-1].difference == 0
