"""The gaming day: from the property's hour to the same hour on the next date."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.rules.gaming_day import GamingClock

ZONES = ("Europe/Vienna", "America/New_York", "Australia/Sydney", "Asia/Macau")
DAYS = st.dates(date(2000, 1, 1), date(2099, 12, 31))
MOMENTS = st.datetimes(datetime(2000, 1, 2), datetime(2099, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001
CLOCKS = st.builds(
    GamingClock,
    zone=st.sampled_from(ZONES),
    starts=st.times().map(lambda at: at.strftime("%H:%M")),
)

# fmt: off
NIGHTS = [
    # zone               gaming day                hours
    ("Europe/Vienna",    date(2026, 3, 28),        23),
    ("Europe/Vienna",    date(2026, 10, 24),       25),
    ("America/New_York", date(2026, 3, 7),         23),
    ("America/New_York", date(2026, 10, 31),       25),
    ("Australia/Sydney", date(2026, 10, 3),        23),
    ("Australia/Sydney", date(2026, 4, 4),         25),
    ("Europe/Vienna",    date(2026, 3, 29),        24),
    ("Europe/Vienna",    date(2026, 11, 21),       24),
    ("Asia/Macau",       date(2026, 3, 28),        24),
    ("Asia/Macau",       date(2026, 10, 24),       24),
]
# fmt: on


@pytest.mark.parametrize(("zone", "day", "hours"), NIGHTS)
def test_a_day_has_23_or_25_hours_on_the_nights_when_clocks_change(zone, day, hours):
    begins, ends = GamingClock(zone, "06:00").bounds(day)

    assert timedelta(hours=hours) == ends - begins


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("day", sorted({night[1] for night in NIGHTS}))
def test_a_day_begins_and_ends_at_the_same_hour_whatever_the_clocks_did(zone, day):
    bounds = GamingClock(zone, "06:00").bounds(day)
    actual = [moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) for moment in bounds]
    expected = [datetime.combine(each, time(6)) for each in (day, day + timedelta(days=1))]

    assert expected == actual


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2026-11-21T06:00:00+01:00", "2026-11-21"),
        ("2026-11-21T23:59:59+01:00", "2026-11-21"),
        ("2026-11-22T05:59:59.999999+01:00", "2026-11-21"),
        ("2026-11-22T06:00:00+01:00", "2026-11-22"),
        ("2026-11-22T05:00:00+00:00", "2026-11-22"),  # 06:00 in Vienna, written in UTC
        ("2026-11-21T23:30:00-05:00", "2026-11-21"),  # 05:30 in Vienna, written in New York
        ("2026-10-25T02:30:00+02:00", "2026-10-24"),  # half past two comes twice
        ("2026-10-25T02:30:00+01:00", "2026-10-24"),
    ],
)
def test_a_moment_belongs_to_the_day_whatever_zone_it_is_written_in(moment, day):
    actual = GamingClock("Europe/Vienna", "06:00").day_of(datetime.fromisoformat(moment))

    assert day == actual.isoformat()


def test_a_day_may_begin_at_midnight():
    begins, ends = GamingClock("Europe/Vienna", "00:00").bounds(date(2026, 11, 21))
    actual = GamingClock("Europe/Vienna", "00:00").day_of(begins), ends - begins

    assert (date(2026, 11, 21), timedelta(hours=24)) == actual


@given(CLOCKS, MOMENTS)
def test_a_moment_belongs_to_exactly_one_gaming_day(clock, moment):
    about = [moment.date() + timedelta(days=n) for n in (-2, -1, 0, 1, 2)]
    expected = [day for day in about if clock.bounds(day)[0] <= moment < clock.bounds(day)[1]]

    assert expected == [clock.day_of(moment)]


@given(CLOCKS, DAYS)
def test_one_day_ends_in_the_moment_in_which_the_next_begins(clock, day):
    assert clock.bounds(day)[1] == clock.bounds(day + timedelta(days=1))[0]


@given(CLOCKS, DAYS)
def test_the_first_moment_is_the_days_and_the_last_is_the_next_days(clock, day):
    begins, ends = clock.bounds(day)
    expected = [day, day, day + timedelta(days=1)]

    assert expected == [
        clock.day_of(moment) for moment in (begins, ends - timedelta(microseconds=1), ends)
    ]
