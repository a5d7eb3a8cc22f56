"""R-PAY: every wager is paid or taken, once, and as the layout says it was."""

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.rules.refusals import CoupNotFinished, CoupOver, NoWager, PaymentDisagrees
from tests.domain.floor import BANKER_WINS, TIE, dealt, open_coup, stay
from tests.scenario import given, replayed
from tests.strategies import COUPS, RULES, wagers

COUP = "B01/2026-11-21/1/1"
ON_BANKER = [(3, "banker", 100_00), (5, "player", 500_00)]


def test_r_pay_1_every_wager_is_settled_by_seat_and_spot_and_then_the_coup():
    coup = dealt(open_coup(bets=[*ON_BANKER, (3, "tie", 5_00)]), BANKER_WINS)

    given(coup).when(lambda coup: coup.settle()).then(
        ("WagerSettled", {
            "seat": 3, "patron": "P-3", "stay": "B01/2026-11-21/stay-1",
            "spot": "banker", "stake": 100_00, "result": "win", "odds": "1:1",
            "winnings": 100_00, "commission_exact": "500", "commission_charged": 5_00,
            "commission_due": "deferred", "paid": 200_00, "paid_up": 0,
        }),
        ("WagerSettled", {
            "seat": 3, "patron": "P-3", "stay": "B01/2026-11-21/stay-1",
            "spot": "tie", "stake": 5_00, "result": "lose", "odds": "8:1",
            "winnings": 0, "commission_exact": "0", "commission_charged": 0,
            "commission_due": None, "paid": 0, "paid_up": 0,
        }),
        ("WagerSettled", {
            "seat": 5, "patron": "P-5", "stay": "B01/2026-11-21/stay-2",
            "spot": "player", "stake": 500_00, "result": "lose", "odds": "1:1",
            "winnings": 0, "commission_exact": "0", "commission_charged": 0,
            "commission_due": None, "paid": 0, "paid_up": 0,
        }),
        ("Settled", {"stakes": 605_00, "paid": 200_00, "as_it_wins": []}),
    )  # fmt: skip


def test_settling_answers_with_every_payment():
    payments = dealt(open_coup(bets=ON_BANKER), TIE).settle()
    expected = [(3, "banker", "push", 100_00), (5, "player", "push", 500_00)]

    assert expected == [
        (wager.seat, wager.spot, payment.result, payment.paid) for wager, payment in payments
    ]


# fmt: off
WON = [
    # rules            bets                       cards         won
    ("dragon-bonus@1", [(3, "banker", 100_00)],   BANKER_WINS,  -100_00),
    ("classic@1",      [(3, "banker", 100_00)],   BANKER_WINS,  -95_00),  # less 5%
    ("classic@1",      [(3, "player", 100_00)],   BANKER_WINS,  100_00),
    ("dragon-bonus@1", ON_BANKER,                 BANKER_WINS,  400_00),
    ("dragon-bonus@1", ON_BANKER,                 TIE,          0),
    ("dragon-bonus@1", [(3, "tie", 25_00)],       TIE,          -200_00),
    ("dragon-bonus@1", [],                        TIE,          0),
]
# fmt: on


@pytest.mark.parametrize(("rules", "bets", "cards", "won"), WON)
def test_a_settled_coup_knows_the_chips_that_it_brought_into_the_tray(rules, bets, cards, won):
    coup = dealt(open_coup(rules, bets=bets), cards)
    before = coup.won
    coup.settle()

    assert (0, won) == (before, coup.won)


def test_a_coup_without_wagers_is_settled_too():
    given(dealt(open_coup(), TIE)).when(lambda coup: coup.settle()).then(
        ("Settled", {"stakes": 0, "paid": 0, "as_it_wins": []})
    )


# fmt: off
PHASES = [
    # before                                   refusal          why
    (lambda coup: None,                        CoupNotFinished, "Player's card is due (R-DEAL-1)"),
    (lambda coup: coup.close_betting(),        CoupNotFinished, "Player's card is due (R-DEAL-1)"),
    (lambda coup: dealt(coup, "9C"),           CoupNotFinished, "Banker's card is due (R-DEAL-1)"),
    (lambda coup: dealt(coup, "9C 5S 7C QD"),  CoupNotFinished, "Banker's card is due (R-DRAW-3)"),
    (lambda coup: dealt(coup, TIE).settle(),   CoupOver,        "already settled"),
]
# fmt: on


@pytest.mark.parametrize(("before", "refusal", "why"), PHASES)
def test_a_coup_is_settled_when_it_has_its_result_and_once(before, refusal, why):
    refused = (
        given(open_coup(bets=ON_BANKER), before)
        .when(lambda coup: coup.settle())
        .then_refused(refusal)
    )

    assert why in str(refused)


@pytest.mark.parametrize("paid", [{3: 200_00}, {3: 200_00, 5: 0}, {3: 200_00, 5: 0, 7: 0}])
def test_stated_payments_that_agree_settle_the_coup(paid):
    given(dealt(open_coup(bets=ON_BANKER), BANKER_WINS)).when(lambda coup: coup.settle(paid)).then(
        "WagerSettled", "WagerSettled", "Settled"
    )


@pytest.mark.parametrize(
    ("paid", "differing"),
    [
        ({3: 195_00}, [(3, 195_00, 200_00)]),
        ({3: 200_05}, [(3, 200_05, 200_00)]),  # an overpayment
        ({3: 200_00, 5: 500_00}, [(5, 500_00, 0)]),  # a losing wager that was not taken
        ({3: 200_00, 7: 1}, [(7, 1, 0)]),  # chips to somebody who had no wager
        ({}, [(3, 0, 200_00)]),
        ({5: 500_00}, [(3, 0, 200_00), (5, 500_00, 0)]),  # each seat is told
    ],
)
def test_stated_payments_that_disagree_stop_the_game_and_are_recorded(paid, differing):
    coup = dealt(open_coup(bets=ON_BANKER), BANKER_WINS)

    given(coup).when(lambda coup: coup.settle(paid)).then_refused(
        PaymentDisagrees,
        *(
            ("PaymentDisagreed", {"seat": seat, "stated": stated, "owed": owed})
            for seat, stated, owed in differing
        ),
    )
    given(coup).when(lambda coup: coup.settle()).then("WagerSettled", "WagerSettled", "Settled")


def test_a_seat_is_paid_for_all_its_wagers_together():
    lies = [(3, "banker", 100_00), (3, "dragon-banker", 5_00)]  # a natural pays the bonus 1 to 1

    given(dealt(open_coup(bets=lies), BANKER_WINS)).when(
        lambda coup: coup.settle({3: 210_00})
    ).then("WagerSettled", "WagerSettled", "Settled")


@for_all(RULES, COUPS, st.data())
def test_the_places_sum_to_zero_and_replay_equals_live(rules, cards, data):
    """What patrons had on the layout is what they were paid, less what the house won."""
    lies = [
        (seat, spot, amount) for seat in (3, 5) for spot, amount in data.draw(wagers(rules)).items()
    ]
    coup = dealt(open_coup(rules.name, bets=lies), " ".join(cards))
    payments = coup.settle()
    settled = coup.pending_events[-1]
    patrons = sum(payment.paid - wager.stake for wager, payment in payments)
    house = sum(
        (payment.commission_charged if payment.commission_due == "at-payout" else 0)
        - payment.winnings
        - payment.paid_up
        + (wager.stake if payment.result == "lose" else 0)
        for wager, payment in payments
    )

    assert patrons + house == 0
    assert (settled.stakes, settled.paid) == (
        sum(amount for _, _, amount in lies),
        sum(payment.paid for _, payment in payments),
    )
    assert replayed(coup) == coup


def test_what_was_settled_is_not_taken_back_and_is_no_late_bet():
    coup = dealt(open_coup(bets=ON_BANKER), BANKER_WINS)
    coup.settle()

    given(coup).when(lambda coup: coup.withdraw(3, stay(3), "banker")).then_refused(NoWager)
