"""Shifts: named parts of a gaming day, by the house's clock, also when clocks change."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.rules.gaming_day import GamingClock
from domain.rules.refusals import BadValue
from domain.rules.shifts import Shift, parse_shifts, shift_of

THREE = "day 06:00, swing 14:00, grave 22:00"
VIENNA = GamingClock("Europe/Vienna", "06:00")
NIGHT = "day 06:00, late 02:30"  # begins at a time that is skipped, or comes twice

# fmt: off
MOMENTS = [
    # shifts  moment                          shift
    (THREE,   "2026-11-21T06:00:00+01:00",    "day"),
    (THREE,   "2026-11-21T13:59:59+01:00",    "day"),
    (THREE,   "2026-11-21T14:00:00+01:00",    "swing"),
    (THREE,   "2026-11-21T22:00:00+01:00",    "grave"),
    (THREE,   "2026-11-22T05:59:59+01:00",    "grave"),
    (THREE,   "2026-11-22T06:00:00+01:00",    "day"),
    ("all",   "2026-11-22T03:00:00+01:00",    "all"),
    # 25 hours: 02:30 comes twice, and the shift begins with the first
    (NIGHT,   "2026-10-25T02:29:59+02:00",    "day"),
    (NIGHT,   "2026-10-25T02:30:00+02:00",    "late"),
    (NIGHT,   "2026-10-25T02:10:00+01:00",    "late"),
    # 23 hours: 02:30 is skipped, and the shift begins at 03:30
    (NIGHT,   "2026-03-29T01:59:59+01:00",    "day"),
    (NIGHT,   "2026-03-29T03:29:59+02:00",    "day"),
    (NIGHT,   "2026-03-29T03:30:00+02:00",    "late"),
]
REFUSED = [
    # text                         why
    ("",                           "write each name with its time"),
    ("day 6:00",                   "write each name with its time"),
    ("day 06:00, swing",           "write each name with its time"),
    ("day 06:00, swing 24:00",     "write each name with its time"),
    ("day 07:00, swing 14:00",     "the first shift begins with the gaming day, at 06:00"),
    ("day 06:00, day 14:00",       "each shift needs a name of its own"),
    ("day 06:00, b 14:00, c 10:00", "each shift begins later in the gaming day"),
    ("day 06:00, b 06:00",         "each shift begins later in the gaming day"),
    ("day 06:00, b 02:00, c 22:00", "each shift begins later in the gaming day"),
]
# fmt: on


@pytest.mark.parametrize(("shifts", "moment", "expected"), MOMENTS)
def test_a_moment_belongs_to_the_shift_that_began_last(shifts, moment, expected):
    parsed = parse_shifts(shifts, VIENNA.starts)

    assert expected == shift_of(parsed, VIENNA, datetime.fromisoformat(moment))


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_what_is_no_list_of_shifts_is_refused(text, why):
    with pytest.raises(BadValue, match=why):
        parse_shifts(text, VIENNA.starts)


def test_shifts_are_in_the_order_of_the_gaming_day():
    expected = (Shift("day", "06:00"), Shift("swing", "14:00"), Shift("grave", "02:00"))

    assert expected == parse_shifts("day 06:00,swing 14:00 , grave 02:00", VIENNA.starts)


def test_before_its_day_a_moment_belongs_to_the_first_shift_and_after_it_to_the_last():
    shifts, day = parse_shifts(THREE, VIENNA.starts), date(2026, 11, 21)
    begins, ends = VIENNA.bounds(day)

    assert "day" == shift_of(shifts, VIENNA, begins - timedelta(hours=1), day)
    assert "grave" == shift_of(shifts, VIENNA, ends + timedelta(hours=1), day)


@given(st.dates(date(2000, 1, 2), date(2099, 12, 30)))
def test_every_hour_of_a_gaming_day_has_a_shift_and_the_shifts_follow_each_other(day):
    shifts = parse_shifts(THREE, VIENNA.starts)
    begins, ends = VIENNA.bounds(day)
    hours = range(int((ends - begins).total_seconds()) // 3600)
    names = [shift_of(shifts, VIENNA, begins + timedelta(hours=hour)) for hour in hours]

    assert ["day"] * names.count("day") + ["swing"] * 8 + ["grave"] * names.count("grave") == names
    assert {"day", "swing", "grave"} == set(names)
    assert names.count("day") == 8
