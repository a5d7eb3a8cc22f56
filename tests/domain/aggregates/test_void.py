"""R-IRR-4 and 5: a void coup returns every wager, and what was paid goes back."""

import pytest

from domain.rules.refusals import (
    BettingClosed,
    CoupNotFinished,
    CoupOver,
    NoWager,
    SecondPersonNeeded,
)
from tests.domain.floor import (
    BANKER_WINS,
    PLAYER_WINS,
    TIE,
    bet,
    correct,
    dealt,
    enter_late,
    open_coup,
    settle,
    stay,
    void,
)
from tests.scenario import given

ON_BOTH = [(3, "banker", 100_00), (5, "player", 500_00)]
P_3 = {"seat": 3, "patron": "P-3", "stay": "B01/2026-11-21/stay-1"}
P_5 = {"seat": 5, "patron": "P-5", "stay": "B01/2026-11-21/stay-2"}
UNPAID = {"paid_before": None, "changes_hands": 0, "commission_before": 0}


def close(coup):
    coup.close_betting()


def deal(cards):
    return lambda coup: dealt(coup, cards)


# fmt: off
UNSETTLED = [
    # earlier                phase
    ([],                     "betting"),
    ([close],                "dealing"),
    ([deal("9C")],           "dealing"),
    ([deal(PLAYER_WINS)],    "resulted"),
]
# fmt: on


@pytest.mark.parametrize(("earlier", "phase"), UNSETTLED)
def test_r_irr_5_before_it_is_settled_the_wagers_go_back_as_they_lie(earlier, phase):
    told = given(open_coup(bets=ON_BOTH), *earlier).when(void())

    told.then(
        ("WagerReturned", {**P_3, "spot": "banker", "stake": 100_00, **UNPAID}),
        ("WagerReturned", {**P_5, "spot": "player", "stake": 500_00, **UNPAID}),
        (
            "Voided",
            {
                "reason": "a torn card",
                "requested_by": "D-204",
                "approved_by": "S-11",
                "phase": phase,
                "changes_hands": 0,
            },
        ),
    )
    assert ("voided", None, True) == (
        told.aggregate.phase,
        told.aggregate.due,
        told.aggregate.over,
    )


def test_r_irr_5_once_it_is_settled_what_was_paid_and_what_was_taken_goes_back_too():
    given(dealt(open_coup(bets=ON_BOTH), BANKER_WINS), settle).when(void()).then(
        (
            "WagerReturned",
            {
                **P_3, "spot": "banker", "stake": 100_00, "paid_before": 200_00,
                "changes_hands": -100_00, "commission_before": 5_00,
            },
        ),
        (
            "WagerReturned",
            {
                **P_5, "spot": "player", "stake": 500_00, "paid_before": 0,
                "changes_hands": 500_00, "commission_before": 0,
            },
        ),
        (
            "Voided",
            {
                "reason": "a torn card", "requested_by": "D-204", "approved_by": "S-11",
                "phase": "settled", "changes_hands": 400_00,
            },
        ),
    )  # fmt: skip


def test_r_irr_5_after_a_correction_it_is_the_corrected_payment_that_goes_back():
    coup = dealt(open_coup(bets=[(3, "banker", 100_00)]), BANKER_WINS)
    told = given(coup, settle, correct(3, "banker", 150_00)).when(void())

    told.then(
        (
            "WagerReturned",
            {
                **P_3, "spot": "banker", "stake": 100_00, "paid_before": 150_00,
                "changes_hands": -50_00, "commission_before": 2_50,
            },
        ),
        "Voided",
    )  # fmt: skip


# fmt: off
HOUSES = [
    # rules            bets                       cards
    ("dragon-bonus@1", ON_BOTH,                   BANKER_WINS),
    ("dragon-bonus@1", ON_BOTH,                   PLAYER_WINS),
    ("dragon-bonus@1", [(3, "tie", 25_00)],       TIE),
    ("classic@1",      [(3, "banker", 100_00)],   BANKER_WINS),
    ("dragon-bonus@1", [],                        TIE),
]
# fmt: on


@pytest.mark.parametrize(("rules", "bets", "cards"), HOUSES)
def test_r_irr_5_a_void_coup_brings_the_tray_nothing(rules, bets, cards):
    coup = dealt(open_coup(rules, bets=bets), cards)
    coup.settle()
    won = coup.won
    void()(coup)

    assert (0, won) == (coup.won, coup.pending_events[-1].changes_hands)


def test_r_irr_4_a_coup_that_nobody_bet_on_is_void_too():
    given(open_coup(), deal("9C 5S")).when(void()).then("Voided")


def test_r_irr_5_a_wager_that_was_found_is_returned_and_one_that_was_taken_back_is_not():
    coup = dealt(open_coup(bets=[(5, "player", 25_00)]), "")
    coup.withdraw(5, stay(5), "player")

    given(dealt(coup, "9C"), enter_late(3, "banker", 50_00)).when(void()).then(
        ("WagerReturned", {**P_3, "spot": "banker", "stake": 50_00, **UNPAID}), "Voided"
    )


FIRST_AGAIN = ", and D-204 is already the first. Name another"


@pytest.mark.parametrize(
    ("second", "then"), [("", ". Name a"), ("D-204", FIRST_AGAIN)], ids=["nobody", "the same"]
)
@pytest.mark.parametrize("earlier", [[], [deal(TIE), settle]], ids=["betting", "settled"])
def test_r_irr_5_nobody_voids_a_coup_alone(earlier, second, then):
    refused = (
        given(open_coup(bets=ON_BOTH), *earlier)
        .when(void(second=second))
        .then_refused(SecondPersonNeeded)
    )
    expected = f"Voiding a coup takes two people{then} supervisor as the second."

    assert (expected, "R-IRR-5") == (str(refused), refused.rule)


# fmt: off
AFTERWARDS = [
    # act                                  what the refusal says of the coup
    (void(),                               "is void, and stays void."),
    (settle,                               "is void, and stays void."),
    (correct(3, "banker", 0),              "is void, and stays void."),
    (lambda coup: coup.move(1, "player"),  "is void, and stays void."),
    (lambda coup: coup.turn("player"),     "is void, and stays void."),
    (close,                                "is over. The next bet opens the next coup."),
]
# fmt: on


@pytest.mark.parametrize(("act", "then"), AFTERWARDS)
@pytest.mark.parametrize("earlier", [[deal("9C")], [deal(TIE), settle]])
def test_r_irr_5_a_void_coup_is_over_and_stays_so(earlier, act, then):
    refused = given(open_coup(bets=ON_BOTH), *earlier, void()).when(act).then_refused(CoupOver)

    assert f"B01/2026-11-21/1/1 {then}" == str(refused)


def test_r_deal_2_no_wager_is_placed_found_or_taken_back_on_a_void_coup():
    coup = open_coup(bets=ON_BOTH)
    void()(coup)

    given(coup).when(bet(3, "banker", 25_00)).then_refused(BettingClosed, "LateBetRefused")
    given(coup).when(enter_late(3, "banker", 25_00)).then_refused(BettingClosed, "LateBetRefused")
    given(coup).when(lambda coup: coup.withdraw(3, stay(3), "banker")).then_refused(NoWager)


def test_r_irr_5_only_what_was_settled_has_commission_to_put_right():
    lying = dealt(open_coup(bets=ON_BOTH), BANKER_WINS)
    paid = dealt(open_coup(bets=ON_BOTH), BANKER_WINS)
    paid.settle()
    three, five = void()(paid)

    assert void()(lying) == []
    assert (3, 5_00, 0, 100_00) == (
        three.wager.seat,
        three.before.commission_charged,
        three.after.commission_charged,
        three.after.paid,
    )
    assert (5, 0, 500_00) == (five.wager.seat, five.before.paid, five.after.paid)


def test_a_patron_may_leave_and_the_shoe_may_end_after_a_void_coup():
    coup = dealt(open_coup(bets=ON_BOTH), "9C")
    with pytest.raises(CoupNotFinished):
        coup.require_finished()
    with pytest.raises(CoupNotFinished):
        coup.require_no_wager_of(3)
    void()(coup)

    coup.require_finished()
    coup.require_no_wager_of(3)
