"""A table through the years; the house that owns it; and time, which is handed in."""

from datetime import UTC, date, datetime, timedelta

import pytest

from domain.aggregates.base import Act
from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.table import Table
from domain.rules.refusals import AlreadyOpen, BadValue
from tests.domain.floor import EVENING, account, open_coup, open_table, ready_shoe
from tests.scenario import given, replayed

SATURDAY, SUNDAY = date(2026, 11, 21), date(2026, 11, 22)


def placed():
    return Table.place("B01", EVENING)


def opened(day):
    return lambda table: table.open_day_of(day)


def closed(table):
    table.close_day()


def test_a_day_is_opened_and_closed():
    given(placed()).when(opened(SATURDAY)).then(("DayOpened", {"day": "2026-11-21"}))
    given(placed(), opened(SATURDAY)).when(closed).then(("DayClosed", {"day": "2026-11-21"}))


def test_a_table_has_one_open_day_whatever_date_the_next_bears():
    for day in (SATURDAY, SUNDAY):
        refusal = given(placed(), opened(SATURDAY)).when(opened(day)).then_refused(AlreadyOpen)
        expected = "B01/2026-11-21 is already open: close it first."

        assert expected == str(refusal)


def test_the_next_day_opens_when_the_last_was_closed():
    table = placed()
    states = []
    for act in (opened(SATURDAY), closed, opened(SUNDAY)):
        act(table)
        states.append((table.open_day, table.last_day))
    expected = [
        ("2026-11-21", "2026-11-21"),
        (None, "2026-11-21"),
        ("2026-11-22", "2026-11-22"),
    ]

    assert expected == states


def test_a_table_that_is_not_open_cannot_be_closed():
    with pytest.raises(AssertionError):
        placed().close_day()


def test_a_house_is_founded_with_its_defaults():
    house = Property.establish(EVENING)
    expected = {
        "name": "Sabot",
        "currency": "USD",
        "zone": "UTC",
        "day_start": "06:00",
        "reporting_amount": 10_000_00,
        "helpline": "1-800-GAMBLER",
    }

    assert expected == {name: getattr(house, name) for name in expected}
    assert house.id == PROPERTY_STREAM
    assert house.belongs_to == (None, "")
    assert house.clock.day_of(datetime(2026, 11, 22, 5, 59, tzinfo=UTC)) == SATURDAY
    assert replayed(house) == house


def test_events_happen_when_they_are_said_to_happen():
    later = EVENING + timedelta(minutes=5)
    table = placed().at(later)
    table.open_day_of(SATURDAY)

    assert [EVENING, later] == [event.timestamp for event in table.pending_events]


def test_time_does_not_run_backwards():
    table = open_table()
    table.at(EVENING)  # at the same moment is allowed
    table.seat(3, "P-3")
    table.at(EVENING - timedelta(seconds=1))
    with pytest.raises(BadValue) as refused:
        table.seat(5, "P-5")

    assert "is before the newest entry, of 2026-11-21 20:14:00" in str(refused.value)


def test_what_happened_before_is_entered_late_when_somebody_says_so():
    table = open_table(seats=(5,)).at(EVENING + timedelta(hours=1))
    table.seat(3, "P-3")
    earlier = EVENING + timedelta(minutes=30)
    table.at(earlier, late=True).leave(5)

    assert earlier == table.pending_events[-1].timestamp
    assert replayed(table) == table


def test_what_was_entered_late_does_not_set_the_record_back():
    table = open_table(seats=(5,)).at(EVENING + timedelta(hours=1))
    table.seat(3, "P-3")
    table.at(EVENING + timedelta(minutes=30), late=True).leave(5)

    assert table.modified_on == EVENING + timedelta(hours=1)
    table.at(EVENING + timedelta(minutes=45))
    with pytest.raises(BadValue, match="is before the newest entry, of 2026-11-21 21:14:00"):
        table.leave(3)


def test_a_moment_that_nobody_stated_is_never_before_what_stands():
    act = Act(EVENING - timedelta(minutes=5), stated=False)
    table = open_table().join(act)
    table.seat(3, "P-3")

    assert [EVENING] == [event.timestamp for event in act.events]


def test_an_act_keeps_the_events_of_all_streams_in_the_order_in_which_they_were_stated():
    act = Act(EVENING)
    table, house = open_table().join(act), placed().join(act)
    table.seat(3, "P-3")
    house.open_day_of(SATURDAY)
    table.seat(5, "P-5")

    assert ["PatronSeated", "DayOpened", "PatronSeated"] == [type(f).__name__ for f in act.events]


def test_a_table_that_was_never_open_has_no_day_and_a_closed_one_has_its_last():
    table = placed()
    days = [table.belongs_to]
    for act in (opened(SATURDAY), closed, opened(SUNDAY)):
        act(table)
        days.append(table.belongs_to)

    assert [(day, "B01") for day in (None, SATURDAY, SATURDAY, SUNDAY)] == days


@pytest.mark.parametrize(
    ("aggregate", "name"),
    [
        (open_table(), {}),
        (ready_shoe(), {"shoe": "B01/2026-11-21/1"}),
        (open_coup(), {"coup": "B01/2026-11-21/1/1"}),
        (account(), {"stay": "B01/2026-11-21/stay-1", "patron": "P-3"}),
    ],
    ids=["table day", "shoe", "coup", "account"],
)
def test_the_events_of_a_gaming_day_belong_to_it_and_say_whose_they_are(aggregate, name):
    assert aggregate.belongs_to == (SATURDAY, "B01")
    for event in aggregate.pending_events:
        assert name == {field: getattr(event, field) for field in name}


def test_an_aggregate_that_was_given_no_moment_states_nothing():
    table = replayed(placed())
    with pytest.raises(AssertionError, match="no moment was handed in"):
        table.open_day_of(SATURDAY)


def test_two_aggregates_are_the_same_when_their_events_are():
    assert open_table(seats=(3,)) == open_table(seats=(3,))
    assert open_table(seats=(3,)) != open_table(seats=(5,))
    assert open_table() != placed()
    assert open_table() != "B01"
