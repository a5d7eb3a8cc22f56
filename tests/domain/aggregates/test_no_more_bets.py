"""R-BET-3 to 5, R-DEAL-2: what is judged when betting closes, and what comes too late."""

import pytest

from domain.rules.refusals import (
    BettingClosed,
    CoupNotFinished,
    CoupOver,
    DifferentialExceeded,
    UnderMinimum,
)
from tests.domain.floor import bet, card_dealt, dealt, open_coup, stay
from tests.scenario import given

# fmt: off
CLOSING = [
    # rules            lies                                                   refusal
    ("dragon-bonus@1", [],                                                    None),
    ("dragon-bonus@1", [(3, "tie", 20_00)],                                   UnderMinimum),
    ("dragon-bonus@1", [(3, "tie", 25_00)],                                   None),
    ("dragon-bonus@1", [(3, "tie", 5_00), (3, "player", 25_00)],              None),
    ("dragon-bonus@1", [(3, "tie", 5_00), (3, "banker", 25_00)],              None),
    ("dragon-bonus@1", [(3, "tie", 5_00), (5, "banker", 25_00)],              UnderMinimum),
    ("dragon-bonus@1", [(3, "tie", 5_00), (3, "dragon-player", 5_00)],        UnderMinimum),
    ("dragon-bonus@1", [(3, "dragon-player", 5_00)],                          None),
    ("tie-eight@1",    [(3, "tie", 9_00)],                                    UnderMinimum),
    ("tie-eight@1",    [(3, "tie", 10_00)],                                   None),
    ("big-table@1",    [(3, "player", 50_000_00)],                            None),
    ("big-table@1",    [(3, "player", 50_000_00), (5, "player", 100_00)],     DifferentialExceeded),
    ("big-table@1",    [(3, "banker", 50_000_00), (5, "banker", 100_00)],     DifferentialExceeded),
    ("big-table@1",    [(3, "banker", 50_000_00), (5, "player", 100_00)],     None),
    ("big-table@1",    [(3, "banker", 50_000_00), (3, "tie", 5_000_00)],      None),
    ("dragon-bonus@1", [(3, "banker", 10_000_00), (5, "banker", 10_000_00)],  None),
]
# fmt: on


@pytest.mark.parametrize(("rules", "lies", "refusal"), CLOSING)
def test_r_bet_3_and_4_a_tie_alone_and_the_gap_are_judged_when_betting_closes(rules, lies, refusal):
    told = given(open_coup(rules, bets=lies)).when(lambda coup: coup.close_betting())

    if refusal:
        told.then_refused(refusal)
    else:
        squeezed = ["HandsGiven"] if rules == "big-table@1" else []
        told.then(("BettingClosed", {"by": "dealer"}), *squeezed)


def test_r_bet_4_betting_closes_when_the_bets_are_level_again():
    coup = open_coup("big-table@1", bets=[(3, "player", 50_000_00), (5, "player", 100_00)])

    given(coup, lambda coup: coup.withdraw(5, stay(5), "player")).when(
        lambda coup: coup.close_betting()
    ).then("BettingClosed", "HandsGiven")


def test_betting_closes_once():
    coup = open_coup()
    coup.close_betting()
    with pytest.raises(CoupNotFinished) as refused:
        coup.close_betting()
    expected = (
        "Betting is already closed on B01/2026-11-21/1/1, which is not finished: Player's"
        " card is due (R-DEAL-1)."
    )

    assert expected == str(refused.value)


def test_after_a_coup_no_more_bets_says_how_betting_opens_again():
    coup = dealt(open_coup(), "KC 9S 2C QD")
    coup.settle()
    with pytest.raises(CoupOver) as refused:
        coup.close_betting()
    expected = "B01/2026-11-21/1/1 is over. The next bet opens the next coup."

    assert expected == str(refused.value)


CLOSED = {
    ": no more bets was called": lambda coup: coup.close_betting(),
    ": the first card is out": lambda coup: dealt(coup, "9C"),
    ": the first card is out ": lambda coup: dealt(coup, "9C 5S 7C QD 9S"),
}


def take_back(coup):
    coup.withdraw(3, stay(3), "banker")


@pytest.mark.parametrize("why", CLOSED)
@pytest.mark.parametrize(
    ("late", "act", "amount", "then"),
    [
        (bet(3, "banker", 25_00), "bet", 25_00, "The chips go back; bet on the next coup."),
        (take_back, "withdraw", 100_00, "The wager stays until the coup is settled."),
    ],
    ids=["placed", "taken back"],
)
def test_r_deal_2_a_late_bet_is_refused_and_recorded_and_the_wagers_lie_as_they_did(
    why, late, act, amount, then
):
    coup = open_coup(bets=[(3, "banker", 100_00)])
    told = given(coup, CLOSED[why]).when(late)
    refusal = told.then_refused(
        BettingClosed,
        (
            "LateBetRefused",
            {
                "seat": 3,
                "patron": "P-3",
                "stay": "B01/2026-11-21/stay-1",
                "spot": "banker",
                "amount": amount,
                "act": act,
            },
        ),
    )

    assert f"is closed on B01/2026-11-21/1/1{why.rstrip()}. {then}" in str(refusal)
    assert [wager.stake for wager in coup.wagers()] == [100_00]


def test_r_deal_2_the_first_card_closes_the_betting():
    given(open_coup(bets=[(3, "banker", 100_00)])).when(lambda coup: dealt(coup, "9C")).then(
        ("BettingClosed", {"by": "first-card"}),
        card_dealt(1, "9C", "player", "R-DEAL-1"),
    )


def test_r_bet_4_when_a_card_is_out_betting_is_closed_and_every_break_is_recorded():
    lies = [(3, "player", 50_000_00), (5, "player", 100_00), (5, "tie", 5_00)]
    given(open_coup("big-table@1", bets=lies)).when(lambda coup: dealt(coup, "9C")).then(
        (
            "LimitFoundBroken",
            {
                "refusal": "DifferentialExceeded",
                "rule": "R-BET-4",
                "seat": None,
                "patron": None,
                "stay": None,
                "spot": None,
                "amount": 50_100_00,
                "allowed": 50_000_00,
                "detail": None,
            },
        ),
        ("BettingClosed", {"by": "first-card"}),
        "HandsGiven",
        "CardDealt",
    )


def test_r_bet_5_a_tie_alone_found_under_the_minimum_is_recorded():
    given(open_coup(bets=[(3, "tie", 5_00), (5, "tie", 10_00)])).when(
        lambda coup: dealt(coup, "9C")
    ).then(
        *[
            (
                "LimitFoundBroken",
                {
                    "refusal": "UnderMinimum",
                    "rule": "R-BET-3",
                    "seat": seat,
                    "patron": f"P-{seat}",
                    "stay": f"B01/2026-11-21/stay-{stay}",
                    "spot": "tie",
                    "amount": amount,
                    "allowed": 25_00,
                    "detail": None,
                },
            )
            for seat, stay, amount in ((3, 1, 5_00), (5, 2, 10_00))
        ],
        "BettingClosed",
        "CardDealt",
    )


def test_after_no_more_bets_the_first_card_closes_nothing():
    given(open_coup(), lambda coup: coup.close_betting()).when(lambda coup: coup.deal("9C")).then(
        "CardDealt"
    )
