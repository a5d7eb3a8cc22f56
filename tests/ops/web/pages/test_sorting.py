"""A report by any of its columns: every row once, in order, page by page, at one address."""

import csv
import re
from datetime import date, datetime
from decimal import Decimal
from html import unescape
from itertools import pairwise

import pytest

from ops.reports import sorting
from ops.reports.ask import ask
from ops.reports.paging import Turn
from ops.reports.places import with_places
from ops.reports.sorting import Sort
from ops.web.pages.reports import read
from projections import REPORTS
from tests.acceptance.channels import ON_PAPER, json_of, shell
from tests.worlds.gaming_table import GamingTable, disputed, evening, mouth_on, trouble
from tests.worlds.pages_here import pages_of, ran


@pytest.fixture(scope="module")
def night(server):
    """An evening, with a table that is still open."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
            disputed(trouble(GamingTable(dispatcher, "B04").open().prepare()))
        assert shell(database, "projections", "rebuild").exit_code == 0
        yield database


def compared(value):
    """A stored value as a person compares it; None for what has words of its own."""
    if isinstance(value, datetime):
        return Decimal(value.timestamp())
    if isinstance(value, date):
        return Decimal(value.strftime("%Y%m%d"))
    if isinstance(value, (int, Decimal)):
        return Decimal(value)
    return None


@pytest.mark.parametrize("name", REPORTS)
def test_every_column_sorts_every_row_either_way_and_what_has_no_value_is_last(night, name):
    report = REPORTS[name]
    answer = ask(night, with_places(report))
    for column in report.columns:
        n = report.columns.index(column)
        for falling in (False, True):
            places = Sort(column, falling).places(answer)
            assert len(set(places)) == len(answer.raw)
            order = sorted(range(len(places)), key=places.__getitem__, reverse=falling)
            values = [answer.raw[row][n] for row in order]
            present = [each for each in values if each is not None]
            assert values[: len(present)] == present
            figures = [compared(each) for each in present]
            if None not in figures:
                assert figures == sorted(figures, reverse=falling), (column, falling)


def test_words_are_sorted_as_people_do():
    assert sorted(["b10", "B2", "A9"], key=sorting._natural) == ["A9", "B2", "b10"]


@pytest.mark.parametrize("name", ["wagers", "exceptions", "dealers"])  # by page, newest, compared
@pytest.mark.parametrize("falling", [False, True])
def test_the_pages_of_a_sorted_report_have_every_row_once_with_the_same_totals(
    night, name, falling
):
    sort = Sort((REPORTS[name].shown or REPORTS[name].columns)[1], falling)
    whole = read(night, REPORTS[name], {}, sort=sort)
    pieces = [read(night, REPORTS[name], {}, most=2, sort=sort)]
    while after := pieces[-1].part.after:
        pieces.append(read(night, REPORTS[name], {}, Turn(after), 2, sort=sort))
    back = [pieces[-1]]
    while before := back[-1].part.before:
        back.append(read(night, REPORTS[name], {}, Turn(before=before), 2, sort=sort))

    as_usual = read(night, REPORTS[name], {})
    assert whole.rows == [row for piece in pieces for row in piece.rows]
    assert len(back) == len(pieces) or len(whole.rows) % 2
    assert sorted(map(repr, whole.rows)) == sorted(map(repr, as_usual.rows))
    assert {str(each.totals) for each in (whole, *pieces)} == {str(as_usual.totals)}


def pages_at(night, *addresses):
    async def scene():
        async with pages_of(night) as asks:
            return [await asks(each, "sabot-language=en") for each in addresses]

    return ran(scene())


def column_of(text, heading):
    """The values under a heading of a page, and the address that a click on it asks for."""
    heads = re.findall(r"<th scope.*?</th>", text)
    place = next(n for n, each in enumerate(heads) if f">{heading}" in each)
    rows = re.findall(r"<tr>.*?</tr>", text.partition("<tbody>")[2].partition("</tbody>")[0])
    values = [re.sub("<.*?>", "", re.findall(r"<td.*?</td>", row, re.S)[place]) for row in rows]
    (href,) = re.findall(r'href="([^"]*)"', heads[place])
    return values, unescape(href), re.findall(r'aria-sort="(\w+)"', text)


def test_a_heading_sorts_and_turns_round_and_keeps_what_the_report_is_narrowed_to(night):
    (first,) = pages_at(night, "/reports/wagers?table=B01")
    _, largest, unsorted = column_of(first[1], "stake")
    (second,) = pages_at(night, largest)
    values, turned, falling = column_of(second[1], "stake")
    (third,) = pages_at(night, turned)
    again, _, rising = column_of(third[1], "stake")

    assert (unsorted, falling, rising) == ([], ["descending"], ["ascending"])
    assert (largest, turned) == (
        "/reports/wagers?table=B01&sort=-stake",
        "/reports/wagers?table=B01&sort=stake",
    )
    stakes = [Decimal(each.replace(",", "")) for each in values]
    assert len({*stakes}) > 2
    assert all(one >= other for one, other in pairwise(stakes))
    assert sorted(stakes) == [Decimal(each.replace(",", "")) for each in again]
    assert '<option value="-stake" selected>' in second[1]


def test_a_column_that_the_report_lacks_is_refused_with_those_it_has(night):
    ((status, text),) = pages_at(night, "/reports/wagers?sort=luck")

    assert (status, "it is one of" in text, "stake" in text) == (422, True, True)


def test_more_rows_than_can_be_sorted_for_a_page_are_refused_with_what_to_do(night, monkeypatch):
    monkeypatch.setattr(sorting, "MOST", 3)
    ((status, text),) = pages_at(night, "/reports/wagers?sort=stake")

    assert (status, "ask for fewer days, or for one table" in text) == (422, True)


def test_every_heading_of_every_report_sorts(night):
    sorted_by = {
        name: [sheet.clicked(each) for each in sheet.columns]
        for name, sheet in ((name, read(night, REPORTS[name], {})) for name in REPORTS)
    }

    for name, asked in sorted_by.items():
        for each in asked:
            assert Sort.of({"sort": each}, REPORTS[name]).text == each


@pytest.mark.parametrize("name", ["wagers", "exceptions", "coup", "table-win"])
@pytest.mark.parametrize("falling", [False, True])
def test_what_is_printed_has_the_rows_in_the_order_of_the_page(night, name, falling):
    report = REPORTS[name]
    for column in report.shown or report.columns:
        asked = Sort(column, falling)
        page = ask(night, with_places(report))
        places = asked.places(page)
        order = sorted(range(len(places)), key=places.__getitem__, reverse=falling)
        on_page = [page.rows[n][column] for n in order]
        printed = json_of(night, "report", name, f"--sort={asked.text}")["rows"]
        assert [each[column] for each in printed] == on_page


def test_a_screen_prints_a_sorted_report_as_its_page_shows_it(night):
    on_screen = shell(night, "report", "coup", "--sort", "-coup", env=ON_PAPER).stdout
    column = [
        each.words
        for row in read(night, REPORTS["coup"], {}, sort=Sort("coup", falling=True)).rows
        for each in row[:1]
    ]

    found = re.findall(r"B0\d/2026-11-21/\d+/\d+", on_screen)
    assert list(dict.fromkeys(found)) == column


@pytest.mark.parametrize("command", ["report", "export"])
def test_a_shell_refuses_a_column_that_the_report_lacks(night, command, tmp_path):
    words = {
        "report": ("report", "wagers"),
        "export": ("export", "report", "wagers", "--into", str(tmp_path / "x")),
    }[command]
    result = shell(night, *words, "--sort", "luck")

    assert (result.exit_code, "it is one of" in result.stderr) == (1, True)
    assert not (tmp_path / "x").exists()


def test_an_export_has_the_order_that_was_asked_for(night, tmp_path):
    place = tmp_path / "x"
    words = ("export", "report", "wagers", "--format=csv", f"--into={place}", "--sort=-stake")
    assert shell(night, *words).exit_code == 0
    with (place / "wagers.csv").open() as file:
        stakes = [int(each["stake"]) for each in csv.DictReader(file)]

    assert stakes == sorted(stakes, reverse=True)
    assert len({*stakes}) > 2


def test_the_files_of_a_page_are_asked_for_as_it_is_shown(night):
    asked = "table=B01&as_of=2026-11-21T23%3A59&sort=-stake"
    ((_, text),) = pages_at(night, f"/reports/wagers?{asked}")
    files = [unescape(each) for each in re.findall(r'href="([^"]*)" download', text)]

    assert files == [
        f"/reports/wagers.{form}?{asked}" for form in ("json", "csv", "pdf", "parquet")
    ]


@pytest.mark.parametrize("name", REPORTS)
def test_a_csv_says_its_currency_beside_the_amounts_once(night, name):
    head = next(csv.reader(shell(night, "report", name, "--csv").stdout.splitlines()))

    assert head.count("currency") == 1
