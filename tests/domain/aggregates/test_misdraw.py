"""R-IRR-1, R-IRR-3, R-IRR-4: cards that should not have come, and what becomes of them."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from domain.aggregates.due import NextAct, next_act
from domain.rules.house_rules import RULE_SETS, named
from domain.rules.refusals import (
    BadValue,
    BettingClosed,
    CardNotInShoe,
    CoupNotFinished,
    ShoeNotReady,
)
from tests.domain.floor import (
    BANKER_WINS,
    EVENING,
    card_dealt,
    dealt,
    drawn,
    in_coup,
    loaded_shoe,
    open_coup,
    open_table,
    ready_shoe,
    stay,
)
from tests.scenario import given


def _misdraw(card, disposition=None):
    return lambda shoe: shoe.misdraw(card, disposition)


def _discard(card, reason):
    return lambda shoe: shoe.discard(card, reason)


def _misdrawn(disposition, rules_say="carry", coup=1):
    fields = {"card": "9C", "coup": coup, "disposition": disposition, "rules_say": rules_say}
    return "CardMisdrawn", fields


def _last_coup_done(shoe):
    shoe.show_cut_card()
    drawn(shoe, BANKER_WINS)


@pytest.mark.parametrize("disposition", ["carry", "burn", "dummy"])
@pytest.mark.parametrize("rules_say", ["carry", "burn", "dummy"])
def test_r_irr_1_any_disposition_is_taken_and_the_event_says_what_the_rules_say(
    monkeypatch, disposition, rules_say
):
    monkeypatch.setitem(RULE_SETS, "classic@1", replace(named("classic@1"), misdraw=rules_say))
    shoe = in_coup(ready_shoe(), BANKER_WINS)

    given(shoe).when(_misdraw("9C", disposition)).then(_misdrawn(disposition, rules_say))
    assert shoe.cards_left == 407


@pytest.mark.parametrize("rules_say", ["carry", "burn", "dummy"])
def test_r_irr_1_without_a_word_it_is_what_the_rules_say(monkeypatch, rules_say):
    monkeypatch.setitem(RULE_SETS, "classic@1", replace(named("classic@1"), misdraw=rules_say))

    given(in_coup(ready_shoe(), BANKER_WINS)).when(_misdraw("9C")).then(
        _misdrawn(rules_say, rules_say)
    )


def test_r_irr_1_a_fourth_disposition_is_none():
    given(ready_shoe()).when(_misdraw("9C", "back")).then_refused(BadValue)


def test_r_irr_1_carried_cards_keep_their_order_and_burned_ones_do_not_come_back():
    shoe = ready_shoe()
    for card, disposition in (("9C", "carry"), ("8C", "burn"), ("7C", "carry")):
        shoe.misdraw(card, disposition)
    shoe.begin_coup()

    given(shoe).when(lambda shoe: [shoe.deal_carried(), shoe.deal_carried()]).then(
        ("CarriedCardDealt", {"card": "9C", "coup": 1, "n": 1}),
        ("CarriedCardDealt", {"card": "7C", "coup": 1, "n": 2}),
    )
    assert (shoe.waiting, shoe.cards_left) == ([], 409)
    given(shoe).when(lambda shoe: shoe.draw("2H")).then(
        ("CardDrawn", {"card": "2H", "coup": 1, "n": 3})
    )


def test_r_irr_1_once_the_last_coup_is_done_only_burn_is_taken():
    shoe = in_coup(ready_shoe())
    _last_coup_done(shoe)

    for disposition in (None, "carry", "dummy"):
        refusal = given(shoe).when(_misdraw("9C", disposition)).then_refused(BadValue)
        assert refusal.rule == "R-IRR-1"
        assert "Coup 1 was the last of this shoe" in str(refusal)
    given(shoe).when(_misdraw("9C", "burn")).then(_misdrawn("burn"))


def test_r_irr_1_a_card_that_no_coup_took_stays_accounted_for():
    shoe = in_coup(ready_shoe(), BANKER_WINS)
    shoe.misdraw("9C")
    shoe.end(reason="torn card", second="S-11")

    assert (shoe.cards_left, shoe.seen["9C"], sum(shoe.seen.values())) == (407, 1, 6)
    assert shoe.waiting == ["9C"]


def test_r_irr_1_a_dummy_is_known_until_its_coup_begins():
    shoe = ready_shoe()
    shoe.misdraw("9C", "dummy")
    assert shoe.dummy
    assert next_act(open_table(), shoe, None) == NextAct("open", "R-IRR-1")
    shoe.begin_coup()

    assert not shoe.dummy


@pytest.mark.parametrize("act", [_misdraw("9S"), _discard("9S", "damaged")])
def test_r_card_3_a_ninth_nine_of_spades_does_not_come_in_any_way(act):
    given(in_coup(ready_shoe(), " ".join(["9S"] * 8))).when(act).then_refused(
        CardNotInShoe, "UndueCardRefused"
    )


@pytest.mark.parametrize("act", [_misdraw("9C", "carry"), _discard("9C", "face-up")])
def test_r_card_3_what_came_the_wrong_way_has_left_the_shoe_too(act):
    shoe = in_coup(ready_shoe(), " ".join(["9C"] * 7))
    act(shoe)

    given(shoe).when(lambda shoe: shoe.draw("9C")).then_refused(CardNotInShoe, "UndueCardRefused")


@pytest.mark.parametrize("act", [_misdraw("9C"), _discard("9C", "foreign")])
def test_r_shoe_1_a_shoe_that_deals_no_coup_yet_gives_no_card(act):
    given(loaded_shoe()).when(act).then_refused(ShoeNotReady)


@pytest.mark.parametrize(
    ("reason", "left", "seen"), [("face-up", 411, 1), ("damaged", 411, 1), ("foreign", 412, 0)]
)
def test_r_irr_3_a_discarded_card_leaves_the_shoe_unless_it_was_never_its_own(reason, left, seen):
    shoe = ready_shoe()

    given(shoe).when(_discard("9C", reason)).then(
        ("CardDiscarded", {"card": "9C", "reason": reason, "coup": 0})
    )
    assert (shoe.cards_left, shoe.seen["9C"], shoe.waiting) == (left, seen, [])


def test_r_irr_4_a_foreign_card_may_be_one_of_which_all_are_out():
    shoe = in_coup(ready_shoe(), " ".join(["9S"] * 8))

    given(shoe).when(_discard("9S", "foreign")).then("CardDiscarded")


def test_r_irr_3_another_reason_is_none():
    given(ready_shoe()).when(_discard("9C", "ugly")).then_refused(BadValue)


# What the coup makes of it.
def test_r_irr_1_a_carried_card_goes_where_it_is_due():
    coup = open_coup()
    coup.close_betting()

    given(coup).when(lambda coup: coup.deal("9C", carried=True)).then(
        card_dealt(1, "9C", "player", "R-DEAL-1", carried=True)
    )


def test_r_irr_1_a_dummy_coup_takes_no_bets():
    given(open_coup()).when(lambda coup: coup.take_no_bets()).then(
        ("BettingClosed", {"by": "dummy"})
    )


def test_r_irr_1_no_wager_is_found_on_a_dummy_coup_afterwards():
    coup = open_coup()
    coup.take_no_bets()
    earlier = EVENING - timedelta(minutes=1)

    given(dealt(coup, "9C")).when(
        lambda coup: coup.enter_late(3, stay(3), "banker", 100_00, placed_at=earlier, second="S-11")
    ).then_refused(BettingClosed, "LateBetRefused")


def test_r_irr_1_a_dummy_coup_is_settled_without_wagers():
    coup = open_coup()
    coup.take_no_bets()

    given(dealt(coup, BANKER_WINS)).when(lambda coup: coup.settle()).then(
        ("Settled", {"stakes": 0, "paid": 0, "as_it_wins": []})
    )


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("", "Player's card is due (R-DEAL-1). Draw it."),
        ("9C", "Banker's card is due (R-DEAL-1)"),
    ],
)
def test_r_irr_1_a_card_is_not_misdrawn_while_one_is_due(cards, said):
    refusal = (
        given(dealt(open_coup(), cards))
        .when(lambda coup: coup.require_no_card_due())
        .then_refused(CoupNotFinished)
    )

    assert said in str(refusal)


def test_r_irr_1_a_coup_with_its_result_waits_for_no_card():
    given(dealt(open_coup(), BANKER_WINS)).when(lambda coup: coup.require_no_card_due()).then()


@pytest.mark.parametrize("cards", ["9C", "9C 5S 7C", BANKER_WINS])
def test_r_irr_4_after_a_foreign_card_a_coup_can_only_be_voided(cards):
    coup = dealt(open_coup(bets=[(3, "banker", 100_00)]), cards)
    given(coup).when(lambda coup: coup.mark_irregular("foreign-card")).then(
        ("FoundIrregular", {"why": "foreign-card"})
    )
    expected = (
        "B01/2026-11-21/1/1 is not finished: a foreign card was found in the shoe, so "
        "void the coup."
    )

    for act in (lambda coup: coup.require_regular(), lambda coup: coup.settle()):
        refusal = given(coup).when(act).then_refused(CoupNotFinished)
        assert (expected, "R-IRR-4") == (str(refusal), refusal.rule)
    given(coup).when(lambda coup: coup.require_finished()).then_refused(CoupNotFinished)
    given(coup).when(lambda coup: coup.require_no_card_due()).then()
    assert next_act(open_table(), ready_shoe(), coup) == NextAct("void", "R-IRR-4")


def test_r_irr_4_a_second_foreign_card_makes_it_no_worse():
    coup = dealt(open_coup(), "9C")
    coup.mark_irregular("foreign-card")

    given(coup).when(lambda coup: coup.mark_irregular("foreign-card")).then()


def _settled():
    coup = dealt(open_coup(), BANKER_WINS)
    coup.settle()
    return coup


@pytest.mark.parametrize("coup", [open_coup, _settled])
def test_r_irr_4_a_foreign_card_leaves_a_coup_alone_that_has_no_card_or_is_paid(coup):
    given(coup()).when(lambda coup: coup.mark_irregular("foreign-card")).then()


@pytest.mark.parametrize("cards", ["", "9C"])
def test_r_irr_4_when_the_shoe_is_empty_and_a_card_is_due_the_coup_is_void(cards):
    shoe = ready_shoe()
    shoe.cards_left = 0

    assert next_act(open_table(), shoe, dealt(open_coup(), cards)) == NextAct("void", "R-IRR-4")
    assert next_act(open_table(), shoe, dealt(open_coup(), BANKER_WINS)).action == "settle"
