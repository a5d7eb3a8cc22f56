"""A drop box: one table at a time, two people to move it, three to count it."""

from datetime import timedelta

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.aggregates.drop_box import DropBox
from domain.aggregates.table import Table
from domain.rules.refusals import BadValue, SecondPersonNeeded, TableClosed
from tests.domain.floor import EVENING, OPENER, house, open_table
from tests.scenario import given, replayed

TABLE_DAY = "B01/2026-11-21"
ON = {"table_day": TABLE_DAY}


def box():
    return DropBox.register("X-17", EVENING)


def attached(box):
    box.attach(TABLE_DAY, by="R-1")


def removed(box, *people):
    box.remove("swing", *(people or ("R-1", "S-11")))


def carried(box, *people):
    box.carry(*(people or ("R-1", "R-2")))


def counted(box, *people):
    box.count(4_000_00, *(people or ("C-1", "C-2", "C-3")))


STEPS = (attached, removed, carried, counted)


def test_a_box_goes_from_the_table_to_the_count_room_and_back():
    events = (
        ("BoxAttached", {**ON, "emergency": False, "by": "R-1"}),
        ("BoxRemoved", {**ON, "shift": "swing", "removed_by": "R-1", "signed_by": "S-11"}),
        ("BoxCarried", {**ON, "carried_by": "R-1", "signed_by": "R-2"}),
        (
            "BoxCounted",
            {
                **ON,
                "amount": 4_000_00,
                "counted_by": "C-1",
                "signed_by": "C-2",
                "third": "C-3",
            },
        ),
    )
    for n, step in enumerate(STEPS):
        given(box(), *STEPS[:n]).when(step).then(events[n])
    given(box(), *STEPS).when(attached).then("BoxAttached")


@pytest.mark.parametrize("n", range(4))
def test_every_other_step_is_refused_and_says_what_comes_next(n):
    words = ("not on a table", f"on {TABLE_DAY}", "box carry", "in the count room")[n]
    for step in (*STEPS[:n], *STEPS[n + 1 :]):
        refusal = given(box(), *STEPS[:n]).when(step).then_refused(BadValue)

        assert words in str(refusal)


@pytest.mark.parametrize(
    ("before", "step", "people"),
    [
        *((1, removed, people) for people in (("R-1", "R-1"), ("R-1", ""), ("", "S-11"))),
        *((2, carried, people) for people in (("R-1", "R-1"), ("R-1", ""), ("", "R-2"))),
        (3, counted, ("C-1", "C-2", "C-2")),
        (3, counted, ("C-1", "C-1", "C-2")),
        (3, counted, ("C-1", "", "C-2")),
        (3, counted, ("", "C-1", "C-2")),
    ],
)
def test_nobody_has_a_box_with_cash_alone(before, step, people):
    told = given(box(), *STEPS[:before]).when(lambda box: step(box, *people))

    told.then_refused(SecondPersonNeeded)


def test_the_middle_of_its_time_on_the_table_is_known():
    given_box = box()
    attached(given_box)

    assert EVENING + timedelta(hours=4) == given_box.middle_until(EVENING + timedelta(hours=8))


def test_a_table_has_one_box_at_a_time():
    table = Table.place("B01", EVENING)
    table.put_box_on("X-17")
    refusal = given(table).when(lambda table: table.put_box_on("X-18")).then_refused(BadValue)

    assert "Box X-17 is on B01. Remove it first, with `box remove`." == str(refusal)
    given(table).when(lambda table: table.take_box_off()).then(("BoxTakenOff", {"box": "X-17"}))
    given(table).when(lambda table: table.put_box_on("X-18")).then("BoxPutOn")


# The drop of a table day.
def awaits(*boxes):
    table = open_table(seats=(3,))
    table.buy_in(3, 500_00)
    for each in boxes:
        table.await_box(each)
    return table


def test_the_last_box_of_a_day_sets_its_drop():
    table = awaits("X-1", "X-2")

    given(table).when(lambda table: table.count_box("X-1", 100_00)).then(
        ("BoxOpened", {"box": "X-1", "amount": 100_00})
    )
    given(table).when(lambda table: table.count_box("X-2", 450_00)).then(
        ("BoxOpened", {"box": "X-2", "amount": 450_00}),
        (
            "BoxesCounted",
            {
                "boxes": 2,
                "total": 550_00,
                "table_figure": 500_00,
                "difference": 50_00,
                "drop_before": None,
            },
        ),
        (
            "DropCounted",
            {
                "amount": 550_00,
                "before": None,
                "reason": "",
                "requested_by": "",
                "approved_by": "",
            },
        ),
    )


def test_a_drop_that_was_entered_right_is_not_entered_again():
    table = awaits("X-1")
    table.count_drop(500_00)

    given(table).when(lambda table: table.count_box("X-1", 500_00)).then(
        "BoxOpened", "BoxesCounted"
    )


def test_a_box_is_counted_after_its_table_closed_and_none_is_put_on_then():
    table = awaits("X-1")
    table.close(OPENER, house())

    given(table).when(lambda table: table.count_box("X-1", 500_00)).then(
        "BoxOpened", "BoxesCounted", "DropCounted"
    )
    given(table).when(lambda table: table.await_box("X-2")).then_refused(TableClosed)


@for_all(st.lists(st.integers(0, 10_000_00), min_size=1, max_size=6), st.randoms())
def test_the_drop_is_the_cash_of_all_boxes_in_whatever_order_they_are_counted(amounts, random):
    boxes = {f"X-{n}": amount for n, amount in enumerate(amounts)}
    table = awaits(*boxes)
    for each in random.sample(list(boxes), len(boxes)):
        assert table.drop is None
        table.count_box(each, boxes[each])

    assert sum(amounts) == table.drop == table.boxes_cash
    assert replayed(table) == table
