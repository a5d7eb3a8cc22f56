"""R-BET-1 to 3: what may lie on the layout."""

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.aggregates.coup import Coup
from domain.rules.layout import Wager
from domain.rules.refusals import (
    BothSides,
    NotAnIncrement,
    NoWager,
    OverMaximum,
    SpotNotOffered,
    UnderMinimum,
)
from tests.domain.floor import EVENING, bet, open_coup, open_table, ready_shoe, stay
from tests.scenario import given, replayed
from tests.strategies import RULES, wagers

# fmt: off
BETS = [
    # rules            spot             amount     refusal
    ("dragon-bonus@1", "player",        25_00,     None),
    ("dragon-bonus@1", "player",        20_00,     UnderMinimum),
    ("dragon-bonus@1", "player",        27_00,     NotAnIncrement),
    ("dragon-bonus@1", "player",        25_01,     NotAnIncrement),
    ("dragon-bonus@1", "player",        10_000_00, None),
    ("dragon-bonus@1", "player",        10_005_00, OverMaximum),
    ("dragon-bonus@1", "banker",        25_00,     None),
    ("dragon-bonus@1", "banker",        20_00,     UnderMinimum),
    ("dragon-bonus@1", "banker",        10_000_00, None),
    ("dragon-bonus@1", "banker",        10_005_00, OverMaximum),
    ("dragon-bonus@1", "tie",           5_00,      None),
    ("dragon-bonus@1", "tie",           4_00,      NotAnIncrement),
    ("dragon-bonus@1", "tie",           0,         UnderMinimum),
    ("dragon-bonus@1", "tie",           1_000_00,  None),
    ("dragon-bonus@1", "tie",           1_005_00,  OverMaximum),
    ("dragon-bonus@1", "dragon-player", 5_00,      None),
    ("dragon-bonus@1", "dragon-player", 500_00,    None),
    ("dragon-bonus@1", "dragon-player", 505_00,    OverMaximum),
    ("dragon-bonus@1", "dragon-banker", 5_00,      None),
    ("dragon-bonus@1", "dragon-banker", 0,         UnderMinimum),
    ("dragon-bonus@1", "dragon-banker", 505_00,    OverMaximum),
    ("dragon-bonus@1", "pair-player",   5_00,      SpotNotOffered),
    ("dragon-bonus@1", "lucky-6",       5_00,      SpotNotOffered),
    ("dragon-bonus@1", "bankers",       25_00,     SpotNotOffered),
    ("classic@1",      "player",        10_00,     None),
    ("classic@1",      "player",        9_00,      UnderMinimum),
    ("classic@1",      "player",        10_50,     NotAnIncrement),
    ("classic@1",      "banker",        11_00,     None),
    ("classic@1",      "banker",        5_000_00,  None),
    ("classic@1",      "banker",        5_001_00,  OverMaximum),
    ("classic@1",      "tie",           10_00,     SpotNotOffered),
    ("classic@1",      "dragon-player", 10_00,     SpotNotOffered),
    ("big-table@1",    "player",        100_00,    None),
    ("big-table@1",    "player",        95_00,     UnderMinimum),
    ("big-table@1",    "player",        101_00,    NotAnIncrement),
    ("big-table@1",    "banker",        50_000_00, None),
    ("big-table@1",    "banker",        50_005_00, OverMaximum),
    ("big-table@1",    "tie",           5_00,      None),
    ("big-table@1",    "tie",           5_000_00,  None),
    ("big-table@1",    "tie",           5_005_00,  OverMaximum),
    ("big-table@1",    "dragon-banker", 5_00,      SpotNotOffered),
]
# fmt: on


@pytest.mark.parametrize(("rules", "spot", "amount", "refusal"), BETS)
def test_r_bet_2_and_3_a_wager_is_offered_in_steps_and_within_limits(rules, spot, amount, refusal):
    told = given(open_coup(rules)).when(bet(3, spot, amount))
    who = {"seat": 3, "patron": "P-3", "stay": "B01/2026-11-21/stay-1"}

    if refusal:
        told.then_refused(refusal)
    else:
        told.then(("WagerPlaced", {**who, "spot": spot, "amount": amount}))


# fmt: off
TOGETHER = [
    # already lies                        then                      refusal
    ([(3, "player", 25_00)],              (3, "banker", 25_00),     BothSides),
    ([(3, "banker", 25_00)],              (3, "player", 25_00),     BothSides),
    ([(3, "player", 25_00)],              (5, "banker", 25_00),     None),  # another patron's
    ([(3, "player", 25_00)],              (3, "tie", 5_00),         None),
    ([(3, "banker", 25_00)],              (3, "tie", 5_00),         None),
    ([(3, "tie", 5_00)],                  (3, "banker", 25_00),     None),
    ([(3, "player", 25_00), (3, "tie", 5_00)], (3, "banker", 25_00), BothSides),
    ([(3, "dragon-player", 5_00)],        (3, "dragon-banker", 5_00), None),
    ([(3, "player", 25_00)],              (3, "dragon-banker", 5_00), None),
    ([],                                  (3, "dragon-player", 5_00), None),
]
# fmt: on


@pytest.mark.parametrize(("lies", "then", "refusal"), TOGETHER)
def test_r_bet_1_a_seat_has_player_or_banker_and_tie_with_either_or_alone(lies, then, refusal):
    told = given(open_coup(bets=lies)).when(bet(*then))

    if refusal:
        told.then_refused(refusal)
    else:
        told.then("WagerPlaced")


def _bet_by_whoever_sits_there(seat, spot, amount):
    """P-3 has seats 3, 4 and 6; P-5 has seat 5."""
    table = open_table(seats=(3, 5))
    for chair in (4, 6):
        table.seat(chair, "P-3", most=3)
    return lambda coup: coup.bet(seat, table.stay_at(seat), spot, amount)


def _coup_with(lies):
    shoe = ready_shoe()
    coup = Coup.open(shoe.begin_coup(), open_table(), shoe, at=EVENING)
    for wager in lies:
        _bet_by_whoever_sits_there(*wager)(coup)
    return coup


# fmt: off
OVER_SEATS = [
    # already lies                                  then                   on the other side
    ([(3, "player", 25_00)],                        (4, "banker", 25_00),  (3, "25.00 on Player")),
    ([(4, "banker", 30_00)],                        (3, "player", 25_00),  (4, "30.00 on Banker")),
    ([(3, "player", 25_00), (4, "player", 30_00)],  (6, "banker", 25_00),  (3, "25.00 on Player")),
    ([(4, "player", 30_00)],                        (4, "banker", 25_00),  (4, "30.00 on Player")),
    ([(3, "player", 25_00)],                        (4, "player", 25_00),  None),
    ([(3, "player", 25_00)],                        (4, "tie", 5_00),      None),
    ([(3, "tie", 5_00)],                            (4, "banker", 25_00),  None),
    ([(3, "player", 25_00)],                        (5, "banker", 25_00),  None),  # another's
    ([(5, "banker", 25_00)],                        (4, "player", 25_00),  None),
    ([(3, "dragon-player", 5_00)],                  (4, "dragon-banker", 5_00), None),
]
# fmt: on


@pytest.mark.parametrize(("lies", "then", "other"), OVER_SEATS)
def test_r_bet_1_a_patron_has_one_side_over_all_their_seats(lies, then, other):
    told = given(_coup_with(lies)).when(_bet_by_whoever_sits_there(*then))

    if other:
        seat, wager = other
        expected = (
            f"A patron bets on Player or on Banker, and seat {seat} has {wager}. Take that back "
            "first, or bet on it again."
        )
        assert expected == str(told.then_refused(BothSides))
    else:
        told.then("WagerPlaced")


def test_r_bet_1_the_other_side_is_free_again_when_the_wager_was_taken_back():
    lies = open_coup(bets=[(3, "player", 25_00)])

    given(lies, lambda coup: coup.withdraw(3, stay(3), "player")).when(
        bet(3, "banker", 25_00)
    ).then("WagerPlaced")


def test_r_bet_3_a_second_bet_replaces_the_first_and_both_stay_in_the_record():
    coup = open_coup(bets=[(3, "banker", 100_00), (3, "banker", 25_00)])
    expected = [Wager(3, "banker", 25_00, "P-3", "B01/2026-11-21/stay-1", nth=2)]

    assert expected == list(coup.wagers())
    assert [event.amount for event in coup.pending_events[1:]] == [100_00, 25_00]


def test_r_bet_3_wagers_are_told_by_seat_and_by_spot():
    coup = open_coup(
        bets=[
            (5, "player", 25_00),
            (3, "dragon-player", 5_00),
            (3, "tie", 5_00),
            (3, "banker", 25_00),
        ]
    )
    expected = [(3, "banker"), (3, "tie"), (3, "dragon-player"), (5, "player")]

    assert expected == [(wager.seat, wager.spot) for wager in coup.wagers()]


def test_a_wager_is_taken_back_before_the_betting_closes():
    given(open_coup(bets=[(3, "banker", 100_00)])).when(
        lambda coup: coup.withdraw(3, stay(3), "banker")
    ).then(
        (
            "WagerWithdrawn",
            {
                "seat": 3,
                "patron": "P-3",
                "stay": "B01/2026-11-21/stay-1",
                "spot": "banker",
                "amount": 100_00,
            },
        )
    )


def test_all_that_a_seat_has_is_taken_back_at_once_and_nothing_of_others():
    lies = [(3, "banker", 100_00), (3, "tie", 5_00), (5, "player", 25_00)]
    whose = {"seat": 3, "patron": "P-3", "stay": "B01/2026-11-21/stay-1"}
    coup = open_coup(bets=lies)
    given(coup).when(lambda coup: coup.withdraw(3, stay(3))).then(
        ("WagerWithdrawn", {**whose, "spot": "banker", "amount": 100_00}),
        ("WagerWithdrawn", {**whose, "spot": "tie", "amount": 5_00}),
    )

    assert [(5, "player")] == [(wager.seat, wager.spot) for wager in coup.wagers()]


@pytest.mark.parametrize(("seat", "spot"), [(3, "player"), (5, "banker"), (5, None)])
def test_what_does_not_lie_is_not_taken_back(seat, spot):
    given(open_coup(bets=[(3, "banker", 100_00)])).when(
        lambda coup: coup.withdraw(seat, stay(seat), spot)
    ).then_refused(NoWager)


@for_all(RULES, st.data())
def test_every_legal_wager_lies_and_betting_closes(rules, data):
    placed = data.draw(wagers(rules))
    coup = open_coup(rules.name, bets=[(3, spot, amount) for spot, amount in placed.items()])
    coup.close_betting()

    assert placed == {wager.spot: wager.stake for wager in coup.wagers()}
    assert replayed(coup) == coup


@pytest.mark.parametrize(
    ("spot", "amount", "near"),
    [
        ("player", 27_50, "25.00 or 30.00"),
        ("player", 2_50, "25.00"),  # both steps are under the minimum
        ("player", 22_50, "25.00"),
        ("player", 10_002_50, "10,000.00"),
        ("tie", 1, "5.00"),
        ("dragon-player", 777_77, "500.00"),
    ],
)
def test_r_bet_3_the_increments_that_are_offered_would_be_taken(spot, amount, near):
    refused = given(open_coup()).when(bet(3, spot, amount)).then_refused(NotAnIncrement)

    assert str(refused).endswith(f"Bet {near}.")
