"""The columns of reports are explained, in each report's help and in the manual."""

import pytest

from ops.manual.topics import topic
from ops.words.columns import COLUMNS, MEANINGS, heading
from projections import REPORTS
from tests.acceptance.channels import shell

RATIOS = ("hold", "occupancy", "rate", "hands_per_hour", "coups_per_hour", "outside_95")


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_every_column_of_money_and_every_ratio_is_explained_in_its_help(database, report):
    asked = [
        *(name for name in report.columns if name in RATIOS),
        *(*report.money, *report.by_spot),
    ]
    said = shell(database, "report", report.name, "--help").stdout

    assert set(asked) <= set(MEANINGS)
    assert all(name in said for name in asked)


def test_every_word_is_a_column_and_in_the_glossary():
    columns = {name for report in REPORTS.values() for name in report.columns}
    unexplained = {name for name in columns if name not in COLUMNS}
    glossary = topic("glossary").text

    assert unexplained == set()
    assert set(MEANINGS) <= columns
    for name, words in MEANINGS.items():
        assert f"| {heading(name)} | {words} |\n" in glossary
