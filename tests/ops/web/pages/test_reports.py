"""Reports as pages: their totals, and their pages."""

from decimal import Decimal

import pytest

from ops.web.pages.reports import read
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import GamingTable, disputed, evening, mouth_on, trouble

SUMMED = [name for name, each in REPORTS.items() if each.has_total and each.money]
NOTHING = "·"


@pytest.fixture(scope="module")
def night(server):
    """An evening, with a table that is still open."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
            disputed(trouble(GamingTable(dispatcher, "B04").open().prepare()))
        assert shell(database, "projections", "rebuild").exit_code == 0
        yield database


def figures(sheet, column):
    place = list(sheet.columns).index(column)
    return [row[place].words for row in sheet.rows]


@pytest.mark.parametrize("report", SUMMED)
def test_a_total_is_the_sum_of_what_stands_above_it_or_the_page_says_what_it_leaves_out(
    night, report
):
    sheet = read(night, REPORTS[report], {})
    amounts = {name: total for name, total in sheet.totals.items() if name in REPORTS[report].money}
    sums = {
        name: sum(
            Decimal(each.replace(",", "")) for each in figures(sheet, name) if each != NOTHING
        )
        for name in amounts
    }
    differ = [
        name
        for name, total in amounts.items()
        if sums[name] != Decimal(total.replace(",", "") if total != NOTHING else 0)
    ]

    assert not differ or sheet.left_out, (differ, sums, amounts)


def test_every_row_of_a_report_is_on_one_of_its_pages(night):
    whole = read(night, REPORTS["wagers"], {})
    pieces = [read(night, REPORTS["wagers"], {}, range(n, n + 4)) for n in range(0, whole.many, 4)]

    assert whole.many > 4
    assert whole.rows == [row for piece in pieces for row in piece.rows]
    assert {str(piece.totals) for piece in pieces} == {str(whole.totals)}
