"""A report whose rows have a moment is narrowed to a span of moments."""

from datetime import datetime, timedelta

import pytest

from ops.reports.ask import ask
from ops.reports.narrowings import NARROWINGS
from projections import REPORTS
from projections.attention.recorded_alerts import HIDDEN_KINDS
from projections.people.access import HIDDEN_COMMANDS
from projections.people.limits_used import USED

# A report is narrowed to a span by all of its moments, but for these, which have a reason.
ONLY = {
    "coup": ("opened_at",),  # its other moments are within minutes of it
    "limits": ("at",),  # the others are of what was stated then
    "disputes": ("opened_at", "decided_at", "patron_told_at", "regulator_notified_at"),
}
LASTS = {"ratings": ("seated_at", "left_at"), "dealers": ("from", "to")}
NO_SPAN = {
    "commission": "its moments are those from which somebody owes and by which it is due",
    "integrity": "it has one row",
    "limits-used": "it is about now, and its moments are those between which a limit counts",
    "measures": "a row is a whole gaming day of a table",
    "staff": "a row is all of a staff number",
    "statement": "a row is a whole gaming day of a patron",
}
MOMENT = 1184  # PostgreSQL's number of the type
SPANS = [name for name, report in REPORTS.items() if "span" in report.narrowings]


@pytest.fixture(scope="module")
def moments_of(night):
    """The columns of each report that are moments, by what PostgreSQL makes of its SQL."""
    asked = dict.fromkeys(NARROWINGS) | {"moment": None, USED: None, "day_start": None}
    asked[HIDDEN_KINDS] = asked[HIDDEN_COMMANDS] = []
    with night.session("sabot_auditor") as connection:
        return {
            name: tuple(
                each.name
                for each in connection.execute(
                    f"SELECT * FROM ({report.sql}) AS each LIMIT 0", asked
                ).description
                if each.type_code == MOMENT
            )
            for name, report in REPORTS.items()
        }


def test_every_report_with_a_moment_takes_a_span_or_has_a_reason(moments_of):
    without = {name for name, columns in moments_of.items() if columns} - {*SPANS}

    assert without == NO_SPAN.keys(), "give it `span` in `narrowings`, or a reason in NO_SPAN here"
    assert {name for name in SPANS if not moments_of[name]} == set()


@pytest.mark.parametrize("name", SPANS)
def test_the_rows_of_a_span_are_those_of_which_something_was_in_it(night, moments_of, name):
    every = ask(night, REPORTS[name]).rows
    columns = {**ONLY, **LASTS}.get(name, moments_of[name])
    moments = sorted(row[each] for row in every for each in columns if row[each])
    if not moments:
        pytest.skip("the evening has none")
    begin, end = moments[len(moments) // 3], moments[2 * len(moments) // 3]

    assert read(night, name, since=begin, until=end) == [
        row for row in every if is_within(row, columns, begin, end, lasts=name in LASTS)
    ]
    assert read(night, name, since=moments[0], until=moments[-1]) == [
        row for row in every if any(row[each] for each in columns)
    ]
    assert read(night, name, since=later(moments[-1])) == [
        row for row in every if name in LASTS and row[columns[1]] is None
    ]


def read(night, name, **span):
    return ask(night, REPORTS[name], **span).rows


def later(moment):
    return (datetime.fromisoformat(moment) + timedelta(seconds=1)).isoformat()


def is_within(row, columns, begin, end, *, lasts):
    if lasts:
        begun, ended = (row[each] for each in columns)
        return begun <= end and (ended is None or ended >= begin)
    return any(row[each] and begin <= row[each] <= end for each in columns)
