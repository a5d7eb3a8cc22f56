"""The columns of reports are explained, in each report's help and in the manual."""

import re
from pathlib import Path

import pytest

import projections
from ops.manual.topics import topic
from ops.words.access import _WORDS
from ops.words.columns import COLUMNS, heading
from projections import REPORTS
from projections.columns import SHARED
from projections.people.access import KINDS
from tests import ROOT
from tests.acceptance.channels import shell

RATIOS = ("hold", "occupancy", "rate", "hands_per_hour", "coups_per_hour", "outside_95")


def file_of(report):
    """The file of a report, to be named to whoever adds a column."""
    folder = Path(projections.__file__).parent
    named = f'name="{report.name}",'
    return next(
        file.relative_to(ROOT) for file in sorted(folder.rglob("*.py")) if named in file.read_text()
    )


# What a report is about, in words that are also the heading of a column that needs more room.
NO_COLUMN = {
    ("commission", "stay"), ("adjustments", "threshold"), ("cards", "expected"),
    ("measures", "coups"), ("measures", "seats"), ("unfinished", "day"),
}  # fmt: skip


def test_what_a_report_is_about_is_among_the_columns_that_are_shown():
    promised = {
        (report.name, name)
        for report in REPORTS.values()
        for name in set(report.columns) - set(report.shown or report.columns)
        if re.search(rf"\b{re.escape(heading(name))}s?\b", report.about)
    }

    assert promised == NO_COLUMN


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_every_column_of_money_and_every_ratio_is_explained_in_its_help(database, report):
    asked = [
        *(name for name in report.columns if name in RATIOS),
        *(*report.money, *report.by_spot),
    ]
    help_text = shell(database, "report", report.name, "--help").stdout

    assert all(name in help_text for name in asked)


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_a_report_has_words_for_itself_and_for_each_of_its_columns(report):
    file = file_of(report)

    assert report.about, f"Write in {file} what the report shows: about=..."
    for key in report.columns:
        assert key in {**SHARED, **report.words}, (
            f"Write in {file} what the column means: words={{{key!r}: (heading, meaning)}}; in "
            "projections/columns.py, if another report has it too."
        )
    unused = report.words.keys() - set(report.columns)
    assert not unused, f"{file} has words for {sorted(unused)}, which are no columns of it."


def test_one_thing_has_one_heading_in_every_report():
    for report in REPORTS.values():
        for key, (title, meaning) in report.words.items():
            assert heading(key) == title, f"{file_of(report)}: {key} is headed {heading(key)}"
            assert SHARED.get(key) != (title, meaning), f"{file_of(report)}: {key} is shared"


def test_what_is_shared_is_a_column_of_several_reports():
    for key in SHARED:
        having = [report.name for report in REPORTS.values() if key in report.columns]
        assert len(having) > 1, f"{key}: of {having} only; write it there"


def test_every_word_is_in_the_glossary():
    glossary = topic("glossary").text

    for title, meaning in COLUMNS.values():
        assert f"| {title} | {meaning} |\n" in glossary, (
            "`SABOT_REWRITE=1 scripts/test tests/ops/manual/test_generated.py` writes it anew"
        )


def test_every_act_of_the_access_report_has_words():
    assert KINDS <= set(_WORDS)
