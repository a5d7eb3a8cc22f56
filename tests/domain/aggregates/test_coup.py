"""R-DEAL-1, R-DRAW, R-WIN-1: a coup from its opening to its result, and when it is finished."""

import pytest

from domain.rules.hands import Due
from domain.rules.house_rules import named
from domain.rules.refusals import CoupNotFinished
from tests.domain.floor import (
    BANKER_WINS,
    PLAYER_WINS,
    TIE,
    card_dealt,
    dealt,
    open_coup,
    open_table,
    stay,
)
from tests.scenario import given

COUP = "B01/2026-11-21/1/1"
ON_BANKER = [(3, "banker", 100_00), (5, "player", 500_00)]


def test_a_coup_opens_under_the_rules_and_limits_that_the_table_has_now():
    event = open_coup().pending_events[0]
    table = open_table()
    expected = {
        "coup": COUP,
        "shoe": "B01/2026-11-21/1",
        "table_day": "B01/2026-11-21",
        "rules": "dragon-bonus@1",
        "rules_digest": named("dragon-bonus@1").digest,
        "limits": table.limits,
        "differential": None,
        "dealer": "D-204",
        "supervisor": "S-11",
        "shoe_holder": "dealer",
    }

    assert expected == {name: getattr(event, name) for name in expected}


def test_r_draw_every_card_is_recorded_with_its_hand_and_rule_and_then_the_result():
    given(open_coup(), lambda coup: coup.close_betting()).when(
        lambda coup: dealt(coup, PLAYER_WINS)
    ).then(
        card_dealt(1, "9C", "player", "R-DEAL-1"),
        card_dealt(2, "5S", "banker", "R-DEAL-1"),
        card_dealt(3, "7C", "player", "R-DEAL-1"),
        card_dealt(4, "QD", "banker", "R-DEAL-1"),
        card_dealt(5, "9S", "banker", "R-DRAW-3"),
        (
            "Resulted",
            {"outcome": "player", "natural": False, "player_total": 6, "banker_total": 4},
        ),
    )


@pytest.mark.parametrize(
    ("cards", "result"),
    [
        (
            PLAYER_WINS,
            {"outcome": "player", "natural": False, "player_total": 6, "banker_total": 4},
        ),
        (BANKER_WINS, {"outcome": "banker", "natural": True, "player_total": 2, "banker_total": 9}),
        (TIE, {"outcome": "tie", "natural": False, "player_total": 7, "banker_total": 7}),
    ],
)
def test_r_win_1_the_last_card_brings_the_result(cards, result):
    *before, last = cards.split()

    given(dealt(open_coup(), " ".join(before))).when(lambda coup: coup.deal(last)).then(
        "CardDealt", ("Resulted", result)
    )


def test_a_card_is_due_until_the_result_and_none_after():
    coup = open_coup()
    due = [coup.due]
    for card in PLAYER_WINS.split():
        dealt(coup, card)
        due.append(coup.due)

    player, banker = (Due(hand, "R-DEAL-1") for hand in ("player", "banker"))

    assert [player, banker, player, banker, Due("banker", "R-DRAW-3"), None] == due


def test_no_card_reaches_a_coup_whose_betting_is_open():
    with pytest.raises(AssertionError, match="betting closes before"):
        open_coup().deal("9C")


def test_a_card_that_is_not_due_never_reaches_the_coup():
    with pytest.raises(AssertionError, match="not due"):
        dealt(open_coup(), BANKER_WINS).deal("9C")


FINISHED = [
    (lambda coup: None, None),
    (lambda coup: coup.withdraw(3, stay(3), "banker"), None),
    (lambda coup: dealt(coup, TIE).settle(), None),
    (lambda coup: coup.close_betting(), "Player's card is due (R-DEAL-1)"),
    (lambda coup: dealt(coup, "9C"), "Banker's card is due (R-DEAL-1)"),
    (lambda coup: dealt(coup, TIE), "it has its result, so settle it"),
]


@pytest.mark.parametrize(("before", "why"), [FINISHED[0], *FINISHED[2:]])
def test_a_coup_is_finished_when_settled_or_never_used(before, why):
    coup = open_coup()
    before(coup)
    told = given(coup).when(lambda coup: coup.require_finished())

    if why:
        assert why in str(told.then_refused(CoupNotFinished))
    else:
        told.then()


def test_a_coup_with_a_wager_is_not_finished_until_the_wager_is_taken_back():
    coup = open_coup(bets=[(3, "banker", 100_00)])

    given(coup).when(lambda coup: coup.require_finished()).then_refused(CoupNotFinished)
    given(coup, FINISHED[1][0]).when(lambda coup: coup.require_finished()).then()


@pytest.mark.parametrize(
    ("seat", "before", "refused"),
    [
        (3, lambda coup: None, True),
        (5, lambda coup: None, False),
        (3, lambda coup: coup.withdraw(3, stay(3), "banker"), False),
        (3, lambda coup: dealt(coup, "9C"), True),
        (3, lambda coup: dealt(coup, TIE), True),
        (3, lambda coup: dealt(coup, TIE).settle(), False),
    ],
)
def test_a_patron_leaves_no_wager_behind(seat, before, refused):
    told = given(open_coup(bets=[(3, "banker", 100_00)]), before).when(
        lambda coup: coup.require_no_wager_of(seat)
    )

    if refused:
        refusal = told.then_refused(CoupNotFinished)
        assert f"Seat {seat} has a wager on {COUP}." in str(refusal)
    else:
        told.then()
