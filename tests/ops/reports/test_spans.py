"""A report whose rows have a moment is narrowed to a span of moments."""

from datetime import datetime, timedelta

import pytest

from ops.reports.ask import ask
from ops.reports.narrowings import NARROWINGS
from projections import REPORTS

# Of each report, the columns of its moments: one of them has to be in the span.
AT = {
    **dict.fromkeys(
        (
            *("exceptions", "alerts", "cash-log", "access", "protection", "voids", "slips"),
            *("inventory", "vigorish", "programs", "promotions", "readings", "limits"),
        ),
        ("at",),
    ),
    "coup": ("opened_at",),  # its other moments are within minutes of it
    "wagers": ("placed_at",),
    "boxes": ("attached_at", "removed_at", "carried_at", "counted_at"),
    "audits": ("audited_at",),
    "incidents": ("opened_at", "closed_at"),
    "inquiries": ("opened_at", "closed_at"),
    "disputes": ("opened_at", "decided_at", "patron_told_at", "regulator_notified_at"),
    "left-open": ("since",),
}
LASTS = {"ratings": ("seated_at", "left_at"), "dealers": ("from", "to")}
NO_SPAN = {
    "commission": "its moments are those from which somebody owes and by which it is due",
    "integrity": "it has one row",
    "measures": "a row is a whole gaming day of a table",
    "staff": "a row is all of a staff number",
}
MOMENT = 1184  # PostgreSQL's number of the type


def test_every_report_with_a_moment_takes_a_span_or_has_a_reason(night):
    asked = dict.fromkeys(NARROWINGS) | {"moment": None}
    with night.session("sabot_auditor") as connection:
        with_moments = {
            name
            for name, report in REPORTS.items()
            if MOMENT
            in [
                each.type_code
                for each in connection.execute(
                    f"SELECT * FROM ({report.sql}) AS each LIMIT 0", asked
                ).description
            ]
        }

    assert with_moments == {*AT, *LASTS, *NO_SPAN}
    assert {name for name, each in REPORTS.items() if "span" in each.narrowings} == {*AT, *LASTS}


@pytest.mark.parametrize("name", [*AT, *LASTS])
def test_the_rows_of_a_span_are_those_of_which_something_was_in_it(night, name):
    every = ask(night, REPORTS[name]).rows
    columns = AT.get(name) or LASTS[name]
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
