"""A table for one gaming day: opener, seats, shoes, closer."""

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.rules.chips import total
from domain.rules.house_rules import named
from domain.rules.refusals import (
    SeatEmpty,
    SeatTaken,
    ShoeStepOutOfOrder,
    TableClosed,
    TableHeld,
    UnknownSeat,
)
from domain.rules.seating import Stay
from tests.domain.floor import DAY, OPENER, house, open_table
from tests.scenario import given, replayed
from tests.strategies import RULES, seats

CLOSER = {"10000": 199, "2500": 404, "500": 1}


def close(table):
    table.close(CLOSER, house(), counted_by="D-204", signed_by="S-11")


def test_chips_are_worth_their_denominations_times_their_number():
    assert total({"10000": 200, "2500": 400, "500": 0}) == 30_000_00
    assert total({}) == 0


def test_a_table_opens_with_its_rules_its_limits_and_its_opener():
    event = open_table().pending_events[0]
    expected = {
        "table": "B01",
        "day": "2026-11-21",
        "house": "Sabot",
        "currency": "USD",
        "zone": "UTC",
        "day_begins": "2026-11-21T06:00:00+00:00",
        "day_ends": "2026-11-22T06:00:00+00:00",
        "rules": "dragon-bonus@1",
        "rules_digest": named("dragon-bonus@1").digest,
        "limits": {
            "main": [25_00, 10_000_00],
            "tie": [5_00, 1_000_00],
            "dragon-player": [5_00, 500_00],
            "dragon-banker": [5_00, 500_00],
        },
        "differential": None,
        "opener": OPENER,
        "opener_total": 30_000_00,
        "dealer": "D-204",
        "supervisor": "S-11",
    }

    assert expected == {name: getattr(event, name) for name in expected}
    assert open_table("big-table@1").differential == 50_000_00


def test_a_patron_takes_a_chair_and_a_stay_begins():
    given(open_table()).when(lambda table: table.seat(3, "P-3")).then(
        (
            "PatronSeated",
            {"seat": 3, "patron": "P-3", "stay": "B01/2026-11-21/stay-1", "continues": None},
        )
    )


def test_every_stay_has_its_own_number_though_the_chair_and_the_patron_are_the_same():
    table = open_table()
    first = table.seat(3, "P-3")
    table.leave(3)
    second = table.seat(3, "P-3")
    stays = [Stay("P-3", f"{DAY}/stay-{n}") for n in (1, 2)]

    assert stays == [first, second]


def test_r_bet_1_a_chair_takes_one_patron_and_a_patron_one_chair():
    table = open_table(seats=(3,))
    occupied = given(table).when(lambda table: table.seat(3, "P-5")).then_refused(SeatTaken)
    elsewhere = given(table).when(lambda table: table.seat(5, "P-3")).then_refused(SeatTaken)
    expected = [
        "Seat 3 is taken by P-3. Choose another seat.",
        "P-3 already sits at seat 3. For a second seat, name a supervisor.",
    ]

    assert expected == [str(occupied), str(elsewhere)]


def test_r_bet_1_a_patron_may_be_given_three_chairs_and_has_one_stay_over_all():
    table = open_table(seats=(5,))
    for chair in (3, 4, 9):
        table.seat(chair, "P-3", most=3)
    stay = Stay("P-3", f"{DAY}/stay-2")
    refusal = given(table).when(lambda table: table.seat(6, "P-3", most=3)).then_refused(SeatTaken)

    assert {3: stay, 4: stay, 9: stay} == {c: s for c, s in table.seats.items() if c != 5}
    assert table.stays == 2
    assert "P-3 already has 3 seats, which is the most." == str(refusal)


def test_one_of_several_chairs_is_given_up_and_only_the_last_is_left():
    table = open_table(seats=(3,))
    table.seat(4, "P-3", most=3)
    theirs = {"patron": "P-3", "stay": f"{DAY}/stay-1"}

    assert [3, 4] == table.chairs_of(table.stay_at(3))
    given(table).when(lambda table: table.leave(3)).then(("ChairGivenUp", {"seat": 3, **theirs}))
    assert [4] == table.chairs_of(table.stay_at(4))
    given(table).when(lambda table: table.leave(4)).then(
        ("PatronLeft", {"seat": 4, **theirs, "why": "left"})
    )


def test_a_stay_over_several_chairs_lasts_until_the_last_of_them_is_left():
    table = open_table(seats=(3,))
    table.seat(4, "P-3", most=3)
    table.leave(3)
    back = table.seat(3, "P-3", most=3)
    table.leave(3)
    table.leave(4)
    anew = table.seat(3, "P-3", most=3)
    stays = [Stay("P-3", f"{DAY}/stay-{n}") for n in (1, 2)]

    assert stays == [back, anew]


@pytest.mark.parametrize(
    ("rules", "seat"),
    [("dragon-bonus@1", 10), ("dragon-bonus@1", 0), ("big-table@1", 4), ("big-table@1", 13)],
)
def test_a_table_has_the_seats_of_its_rule_set(rules, seat):
    given(open_table(rules)).when(lambda table: table.seat(seat, "P-1")).then_refused(UnknownSeat)
    given(open_table(rules)).when(lambda table: table.stay_at(seat)).then_refused(UnknownSeat)


@for_all(RULES, st.data())
def test_every_chair_of_a_rule_set_takes_a_patron(rules, data):
    chairs = data.draw(st.lists(seats(rules), unique=True))
    table = open_table(rules.name, seats=chairs)
    expected = {chair: f"P-{chair}" for chair in chairs}

    assert expected == {chair: stay.patron for chair, stay in table.seats.items()}
    assert len(chairs) == len({stay.address for stay in table.seats.values()})
    assert replayed(table) == table


def test_a_patron_leaves_and_the_chair_is_free():
    table = open_table(seats=(3,))

    given(table).when(lambda table: table.leave(3)).then(
        (
            "PatronLeft",
            {"seat": 3, "patron": "P-3", "stay": "B01/2026-11-21/stay-1", "why": "left"},
        )
    )
    given(table).when(lambda table: table.leave(3)).then_refused(SeatEmpty)
    given(table).when(lambda table: table.stay_at(3)).then_refused(SeatEmpty)


def test_the_shoes_of_a_day_are_numbered_from_1():
    table = open_table()

    given(table).when(lambda table: table.bring_shoe()).then(
        ("ShoeBrought", {"shoe": "B01/2026-11-21/1"})
    )
    given(table).when(lambda table: table.take_shoe_off()).then(
        ("ShoeTakenOff", {"shoe": "B01/2026-11-21/1"})
    )
    given(table).when(lambda table: table.bring_shoe()).then(
        ("ShoeBrought", {"shoe": "B01/2026-11-21/2"})
    )


def test_r_shoe_1_one_shoe_is_on_the_table():
    refusal = (
        given(open_table(), lambda table: table.bring_shoe())
        .when(lambda table: table.bring_shoe())
        .then_refused(ShoeStepOutOfOrder)
    )
    expected = "Shoe B01/2026-11-21/1 has not ended. End it with `shoe end`, then load the next."

    assert expected == str(refusal)


def test_closing_sends_everybody_home_and_counts_the_tray():
    given(open_table(seats=(5, 3))).when(close).then(
        (
            "PatronLeft",
            {"seat": 3, "patron": "P-3", "stay": "B01/2026-11-21/stay-2", "why": "closed"},
        ),
        (
            "PatronLeft",
            {"seat": 5, "patron": "P-5", "stay": "B01/2026-11-21/stay-1", "why": "closed"},
        ),
        (
            "TableClosed",
            {
                "closer": CLOSER,
                "closer_total": 30_005_00,
                "expected": 30_000_00,
                "variance": 5_00,
                "level": "none",
                "thresholds": [25_00, 100_00],
                "wagers_won": 0,
                "commission": 0,
                "counted_by": "D-204",
                "signed_by": "S-11",
                "why": "closed",
                "session": 1,
            },
        ),
    )


def test_a_table_does_not_close_with_a_shoe_on_it():
    refusal = (
        given(open_table(seats=(3,)), lambda table: table.bring_shoe())
        .when(close)
        .then_refused(ShoeStepOutOfOrder)
    )

    assert "End it with `shoe end`, then close the table" in str(refusal)


@pytest.mark.parametrize(
    "act",
    [
        lambda table: table.seat(5, "P-5"),
        lambda table: table.leave(3),
        lambda table: table.bring_shoe(),
        lambda table: table.require_open(),
        close,
    ],
    ids=["seat", "leave", "bring a shoe", "require open", "close"],
)
def test_a_closed_table_is_closed(act):
    given(open_table(seats=(3,)), close).when(act).then_refused(TableClosed)


def test_an_open_table_is_open():
    given(open_table()).when(lambda table: table.require_open()).then()


# Held for a dispute's sake (R-IRR-5).
FIRST, SECOND = "C-2026-0001", "C-2026-0002"


def held(case):
    return lambda table: table.hold(case, "S-11")


def let_go(case):
    return lambda table: table.release(case, "S-11")


def test_a_table_waits_until_every_case_lets_it_go():
    told = given(open_table(), held(FIRST), held(SECOND), let_go(FIRST)).when(
        lambda table: table.require_not_held()
    )

    assert f"B01 is held by {SECOND}" in str(told.then_refused(TableHeld))
    given(told.aggregate).when(let_go(SECOND)).then(("Released", {"case": SECOND, "by": "S-11"}))
    told.aggregate.require_not_held()


def test_what_never_held_a_table_does_not_let_it_go():
    given(open_table(), held(FIRST)).when(let_go(SECOND)).then()


def test_a_closed_table_is_neither_held_nor_let_go():
    given(open_table(), lambda table: table.close({}, house())).when(held(FIRST)).then_refused(
        TableClosed
    )
    given(open_table(), held(FIRST), lambda table: table.close({}, house())).when(
        let_go(FIRST)
    ).then()
