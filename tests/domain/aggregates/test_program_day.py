"""The starts of a gaming day are recorded, each of them (58 Pa. Code 605a.4(c))."""

from datetime import date

from domain.aggregates.program_day import ProgramDay
from tests.domain.floor import EVENING
from tests.scenario import given

DAY = date(2026, 11, 21)
RUNS = {"version": "0.1.0", "digest": "ab" * 32, "machine": "pit-2"}


def day():
    return ProgramDay.begin_day(DAY, EVENING)


def started(each):
    each.start("dealer", "B01", **RUNS)


def test_a_start_has_the_part_the_table_and_the_program():
    given(day()).when(started).then(("ProgramStarted", {"part": "dealer", "table": "B01", **RUNS}))


def test_the_same_program_started_again_is_recorded_again():
    given(day(), started).when(started).then("ProgramStarted")


def test_the_starts_of_all_tables_are_the_houses():
    assert (DAY, "") == day().belongs_to
    assert ProgramDay.stream(DAY) != ProgramDay.stream(date(2026, 11, 22))
