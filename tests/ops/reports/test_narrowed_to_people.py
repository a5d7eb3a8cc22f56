"""Reports of what people did are narrowed to a person; those of few kinds to a kind."""

import re

import pytest

from ops.reports.ask import ask
from ops.reports.narrowings import CHOICES
from projections import REPORTS
from projections.attention.exception_kinds import KINDS
from tests.acceptance.channels import shell

# By report, its columns of whoever did something.
DONE_BY = {
    "exceptions": ("by",),
    "voids": ("requested_by", "approved_by"),
    "adjustments": ("requested_by", "approved_by"),
    "protection": ("dealer",),
}


def people_in(row, columns):
    texts = (row[each] or "" for each in columns)
    return {re.sub(r" \(.*\)", "", who) for text in texts for who in text.split(", ")} - {""}


def test_every_report_that_is_narrowed_to_a_person_is_one_of_these():
    assert {name for name, each in REPORTS.items() if "staff" in each.narrowings} == set(DONE_BY)


@pytest.mark.parametrize("name", DONE_BY)
def test_the_rows_of_a_person_are_those_in_which_they_had_a_part(night, name):
    every, columns = ask(night, REPORTS[name]).rows, DONE_BY[name]
    people = {who for row in every for who in people_in(row, columns)}
    assert people or name == "protection"

    for who in (*people, "X-999", "S-1%"):
        assert ask(night, REPORTS[name], staff=who).rows == [
            row for row in every if who in people_in(row, columns)
        ]


@pytest.mark.parametrize(("name", "column"), [("exceptions", "kind"), ("protection", "question")])
def test_the_rows_of_a_kind_are_those_of_that_kind(night, name, column):
    every = ask(night, REPORTS[name]).rows

    assert {row[column] for row in every} <= {*CHOICES[column]}
    for each in CHOICES[column]:
        narrowed = ask(night, REPORTS[name], **{column: each}).rows
        assert narrowed == [row for row in every if row[column] == each]


def test_a_kind_that_there_is_not_is_refused_with_the_nearest(night):
    printed = shell(night, "report", "exceptions", "--kind", "late bets")

    assert printed.exit_code == 1
    assert f"one of {len(KINDS)} words" in printed.output
    assert "late bet" in printed.output
