"""R-BET-5: a wager that lay there before the first card, and was entered after it."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from domain.rules import house_rules
from domain.rules.house_rules import Limit, named
from domain.rules.refusals import (
    BadValue,
    BettingClosed,
    BothSides,
    NotAnIncrement,
    SecondPersonNeeded,
    SpotNotOffered,
)
from tests.domain.floor import (
    BANKER_WINS,
    EVENING,
    PLAYER_WINS,
    dealt,
    enter_late,
    open_coup,
    settle,
    void,
)
from tests.scenario import given

P_3 = {"seat": 3, "patron": "P-3", "stay": "B01/2026-11-21/stay-1"}
P_5 = {"seat": 5, "patron": "P-5", "stay": "B01/2026-11-21/stay-2"}


def found(seat, spot, amount):
    return "WagerFound", {
        **seat, "spot": spot, "amount": amount, "approved_by": "S-11"
    }  # fmt: skip


def broken(seat, spot, amount, allowed, refusal="OverMaximum"):
    return "LimitFoundBroken", {
        **seat, "refusal": refusal, "rule": "R-BET-3", "spot": spot,
        "amount": amount, "allowed": allowed, "detail": None,
    }  # fmt: skip


GAP = "DifferentialExceeded"


def reduced(seat, spot, amount, returned, limit="OverMaximum"):
    lay = {**seat, "spot": spot, "amount": amount}
    return "WagerReduced", {**lay, "returned": returned, "limit": limit}


@pytest.mark.parametrize("cards", ["9C", "9C 5S 7C", BANKER_WINS], ids=["one", "three", "all"])
def test_r_bet_5_a_wager_that_was_found_is_in_play_until_the_coup_is_settled(cards):
    told = given(dealt(open_coup(), cards)).when(enter_late(3, "banker", 100_00))
    told.then(found(P_3, "banker", 100_00))
    coup = told.aggregate

    assert [(3, "banker", 100_00)] == [(w.seat, w.spot, w.stake) for w in coup.wagers()]
    if cards == BANKER_WINS:
        assert [200_00] == [payment.paid for _, payment in coup.settle()]


def test_r_bet_5_when_no_more_bets_was_called_no_card_is_needed():
    given(open_coup(), lambda coup: coup.close_betting()).when(
        enter_late(3, "banker", 100_00, placed_at=EVENING)
    ).then(found(P_3, "banker", 100_00))


@pytest.mark.parametrize("after", [timedelta(0), timedelta(seconds=1), timedelta(days=1)])
def test_r_deal_2_what_lay_with_the_first_card_or_after_it_was_bet_too_late(after):
    given(dealt(open_coup(), "9C")).when(
        enter_late(3, "banker", 100_00, placed_at=EVENING + after)
    ).then_refused(
        BettingClosed,
        (
            "LateBetRefused",
            {**P_3, "spot": "banker", "amount": 100_00, "act": "bet"},
        ),
    )


def test_r_bet_5_nobody_finds_a_wager_alone():
    told = given(dealt(open_coup(), "9C")).when(enter_late(3, "banker", 100_00, second=""))
    refused = told.then_refused(SecondPersonNeeded)

    assert ("R-BET-5", True) == (
        refused.rule,
        "Entering a wager after the first card takes two people" in str(refused),
    )


def test_r_bet_5_a_wager_found_after_the_coup_was_settled_is_paid_at_once():
    coup = dealt(open_coup(), BANKER_WINS)
    entered = given(coup, settle).when(enter_late(3, "banker", 100_00))
    entered.then(found(P_3, "banker", 100_00), "WagerSettledLate")

    assert (coup.settled[3, "banker"].paid, coup.won) == (200_00, -100_00)


def test_r_bet_5_a_settled_wager_is_corrected_and_not_entered_larger():
    coup = dealt(open_coup(bets=[(3, "banker", 100_00)]), BANKER_WINS)

    given(coup, settle).when(enter_late(3, "banker", 200_00)).then_refused(BadValue)


def test_r_bet_5_nothing_is_found_in_a_coup_that_is_void():
    coup = dealt(open_coup(), BANKER_WINS)
    entered = given(coup, void()).when(enter_late(3, "banker", 100_00))

    entered.then_refused(BettingClosed, "LateBetRefused")


# fmt: off
NEVER = [
    # bets                          spot      amount  refused
    ([],                            "panda-8", 25_00, SpotNotOffered),
    ([],                            "player",  27_50, NotAnIncrement),
    ([(3, "banker", 25_00)],        "player",  25_00, BothSides),
]
# fmt: on


@pytest.mark.parametrize(("bets", "spot", "amount", "kind"), NEVER)
def test_r_bet_5_what_could_never_lie_there_was_not_found(bets, spot, amount, kind):
    given(dealt(open_coup(bets=bets), "9C")).when(enter_late(3, spot, amount)).then_refused(kind)


# fmt: off
WHOLE = [
    # bets                     spot      amount     is what, and allowed is
    ([],                       "banker", 10_005_00, "OverMaximum",  10_000_00),
    ([],                       "banker",     20_00, "UnderMinimum",     25_00),
    ([],                       "tie",        20_00, "UnderMinimum",     25_00),  # alone
    ([(3, "banker", 100_00)],  "tie",     1_005_00, "OverMaximum",   1_000_00),
]
# fmt: on


@pytest.mark.parametrize(("bets", "spot", "amount", "refusal", "allowed"), WHOLE)
def test_r_bet_5_outside_its_limits_it_stands_whole_and_is_an_exception(
    bets, spot, amount, refusal, allowed
):
    told = given(dealt(open_coup(bets=bets), "9C")).when(enter_late(3, spot, amount))

    told.then(found(P_3, spot, amount), broken(P_3, spot, amount, allowed, refusal))
    assert told.aggregate.layout.placed[3][spot].stake == amount


def test_r_bet_5_at_limit_the_excess_goes_back_and_the_rest_is_paid():
    told = given(dealt(open_coup("electronic@1"), PLAYER_WINS))
    told.when(enter_late(3, "player", 1_500_00)).then(
        found(P_3, "player", 1_500_00),
        broken(P_3, "player", 1_500_00, 1_000_00),
        reduced(P_3, "player", 1_000_00, 500_00),
    )

    assert [(1_000_00, 2_000_00)] == [
        (wager.stake, payment.paid) for wager, payment in told.aggregate.settle()
    ]


@pytest.fixture
def level(monkeypatch):
    """An on-screen table from 5.00, on which Player and Banker may be 500.00 apart."""
    main = Limit(5_00, 1_000_00)
    rules = replace(named("electronic@1"), name="level@1", main=main, differential=500_00)
    monkeypatch.setitem(house_rules.RULE_SETS, rules.name, rules)
    return rules.name


def test_r_bet_5_at_limit_nobody_has_to_bet_more_so_what_is_under_stands(level):
    given(dealt(open_coup(level), "9C")).when(enter_late(3, "tie", 1_00)).then(
        found(P_3, "tie", 1_00), broken(P_3, "tie", 1_00, 5_00, "UnderMinimum")
    )


APART = {
    **dict.fromkeys(("seat", "patron", "stay", "spot", "detail")),
    "refusal": "DifferentialExceeded",
    "rule": "R-BET-4",
    "allowed": 500_00,
}


def test_r_bet_4_at_limit_the_wager_of_the_heavier_side_that_was_placed_last_goes_back(level):
    """The card is out already, so it is not refused."""
    lies = [(5, "player", 600_00), (3, "player", 200_00)]

    given(open_coup(level, bets=lies)).when(lambda coup: coup.take_first_card()).then(
        ("LimitFoundBroken", {**APART, "amount": 800_00}),
        reduced(P_3, "player", 0, 200_00, GAP),
        reduced(P_5, "player", 500_00, 100_00, GAP),
        ("BettingClosed", {"by": "first-card"}),
    )


def test_r_bet_4_what_was_reduced_to_nothing_lies_no_more(level):
    coup = open_coup(level, bets=[(5, "player", 600_00), (3, "player", 200_00)])
    coup.take_first_card()

    assert [(5, 500_00)] == [(wager.seat, wager.stake) for wager in coup.wagers()]


def test_r_bet_5_what_went_back_for_one_limit_is_not_counted_against_the_next(level):
    """Over the maximum by 1,000.00; what is left is over the differential by 500.00."""
    told = given(dealt(open_coup(level), "9C")).when(enter_late(3, "player", 2_000_00))

    told.then(
        found(P_3, "player", 2_000_00),
        broken(P_3, "player", 2_000_00, 1_000_00),
        reduced(P_3, "player", 1_000_00, 1_000_00),
        ("LimitFoundBroken", {**APART, "amount": 1_000_00}),
        reduced(P_3, "player", 500_00, 500_00, GAP),
    )
    assert told.aggregate.layout.placed[3]["player"].stake == 500_00


def test_r_bet_5_what_was_found_counts_as_placed_last(level):
    lies = [(5, "player", 400_00)]

    given(dealt(open_coup(level, bets=lies), "9C")).when(enter_late(3, "player", 300_00)).then(
        found(P_3, "player", 300_00),
        ("LimitFoundBroken", {**APART, "amount": 700_00}),
        reduced(P_3, "player", 100_00, 200_00, GAP),
    )


def test_r_bet_3_a_wager_that_is_found_again_replaces_the_first():
    coup = dealt(open_coup(bets=[(3, "banker", 100_00)]), "9C")
    kind, fields = found(P_3, "banker", 150_00)

    given(coup).when(enter_late(3, "banker", 150_00)).then(
        (kind, {**fields, "amount_before": 100_00})
    )
    assert [(3, "banker", 150_00)] == [(w.seat, w.spot, w.stake) for w in coup.wagers()]


@pytest.mark.parametrize("amount", [100_00, 25_00])
def test_r_bet_5_after_the_cards_nobody_finds_less_than_was_bet(amount):
    coup = dealt(open_coup(bets=[(3, "banker", 100_00)]), "9C")
    refusal = given(coup).when(enter_late(3, "banker", amount)).then_refused(BadValue)

    assert str(refusal).startswith(
        "Seat 3 already has 100.00 on Banker. Put the stake right with `correct`"
    )
