"""The tray is counted at the end of each shift, by who leaves and who takes over."""

from datetime import timedelta

import pytest

from domain.rules.refusals import BadValue, TableClosed
from tests.domain.floor import EVENING, OPENER, house, open_table
from tests.scenario import given

THREE = "day 06:00, swing 14:00, grave 22:00"
NAMED = house(shifts=THREE)
PEOPLE = {"counted_by": "S-11", "signed_by": "S-12"}


def counted(shift="swing", chips=OPENER, **more):
    return lambda table: table.count_shift(shift, chips, NAMED, **more, **PEOPLE)


@pytest.mark.parametrize(
    ("off", "level"), [(0, "none"), (-25_00, "none"), (30_00, "report"), (-100_00, "regulator")]
)
def test_a_count_says_by_how_much_the_tray_is_off_and_moves_no_money(off, level):
    chips = {"1": 30_000_00 + 45_00 + 5_00 + off}
    expected = {
        "shift": "swing",
        "chips": chips,
        "total": 30_050_00 + off,
        "expected": 30_050_00,
        "variance": off,
        "level": level,
        "thresholds": [25_00, 100_00],
        "before": None,
        **PEOPLE,
    }
    told = given(open_table()).when(counted(chips=chips, wagers_won=45_00, commission=5_00))

    told.then(("ShiftCounted", expected))
    assert (told.aggregate.tray, told.aggregate.closed) == (30_000_00, False)


def test_a_second_count_of_a_shift_says_what_the_first_was():
    table = open_table()
    counted()(table)
    counted(chips={"10000": 100})(table)

    assert [None, 30_000_00] == [each.before for each in table.pending_events[-2:]]


def test_a_shift_that_the_house_does_not_have_is_refused():
    refusal = given(open_table()).when(counted("late")).then_refused(BadValue)

    assert "There is no shift late. The shifts are day, swing and grave." == str(refusal)


def test_chips_that_nobody_can_count_are_refused():
    given(open_table()).when(counted(chips={"1": 2**53 + 1})).then_refused(BadValue)


def test_a_closed_table_has_no_further_shift():
    closed = (open_table(), lambda table: table.close(OPENER, NAMED))

    given(*closed).when(counted()).then_refused(TableClosed)


# fmt: off
ENDS = [  # a table that opened at 20:14, in the swing shift
    # counted before     moment    the shift that a count ends
    ([],                 "21:50",  "swing"),
    ([],                 "22:05",  "swing"),
    (["swing"],          "22:05",  "grave"),
    (["swing"],          "21:55",  "swing"),
    (["swing"],          "05:55",  "grave"),
    ([],                 "05:55",  "swing"),
]
# fmt: on


@pytest.mark.parametrize(("before", "at", "expected"), ENDS)
def test_a_count_ends_the_shift_before_unless_it_was_counted(before, at, expected):
    table = open_table()
    for shift in before:
        counted(shift)(table)
    hour, minute = map(int, at.split(":"))
    moment = EVENING.replace(hour=hour, minute=minute) + timedelta(days=hour < 6)

    assert expected == table.shift_to_count(NAMED, moment)


def test_a_house_with_one_shift_counts_that():
    assert "day" == open_table().shift_to_count(house(), EVENING + timedelta(hours=9))
