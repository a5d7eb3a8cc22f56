"""Reports as pages: their totals, and their pages."""

import re
from decimal import Decimal
from html import unescape

import pytest

from ops.reports.paging import Turn
from ops.web.pages import sheets
from ops.web.pages.reports import read
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import DAY, GamingTable, disputed, evening, mouth_on, trouble
from tests.worlds.pages_here import pages_of, ran

OF_MONEY = [name for name, each in REPORTS.items() if each.money]
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


def number(text):
    """A number as a page has it."""
    return Decimal(text.replace(",", "").replace("−", "-"))


def figures(sheet, column):
    place = list(sheet.columns).index(column)
    return [row[place].words for row in sheet.rows]


@pytest.mark.parametrize("report", OF_MONEY)
def test_a_total_is_the_sum_of_what_stands_above_it_and_what_it_leaves_out_has_a_mark(
    night, report
):
    sheet = read(night, REPORTS[report], {})
    amounts = {name: total for name, total in sheet.totals.items() if name in REPORTS[report].money}
    summed = [n for n in range(len(sheet.rows)) if n not in sheet.starred]
    for name, total in amounts.items():
        words = [figures(sheet, name)[n] for n in summed]
        expected = sum(number(each) for each in words if each != NOTHING)
        assert expected == (number(total) if total != NOTHING else 0), name

    assert bool(sheet.starred) == sheet.left_out.startswith("*")


@pytest.mark.parametrize("report", OF_MONEY)
def test_a_report_of_money_has_a_total_or_says_why_it_has_none(night, report):
    sheet = read(night, REPORTS[report], {})
    shown = [name for name in REPORTS[report].money if name in sheet.columns]

    assert not (sheet.rows and shown) or sheet.totals or sheet.left_out.startswith("No total: ")


def test_every_row_of_a_report_is_on_one_of_its_pages(night):
    whole = read(night, REPORTS["wagers"], {})
    pieces = [read(night, REPORTS["wagers"], {}, most=4)]
    while after := pieces[-1].part.after:
        pieces.append(read(night, REPORTS["wagers"], {}, Turn(after), 4))

    assert whole.many > 4
    assert whole.rows == [row for piece in pieces for row in piece.rows]
    assert {str(piece.totals) for piece in pieces} == {str(whole.totals)}


def every_page_of(database, address, report):
    """Each page of a report on a page of several, by its own links."""

    async def scene():
        texts, there = [], address
        async with pages_of(database) as ask:
            while there:
                status, text = await ask(there, "sabot-language=en")
                assert status == 200, text
                part = text.partition(f'id="sheet-{report}"')[2].partition("</section>")[0]
                texts.append(part)
                later = re.findall(r'href="(\?[^"#]*)[^"]*">Next', part)
                there = f"{address}{unescape(later[0])}" if later else ""
        return texts

    return ran(scene())


@pytest.mark.parametrize(
    ("address", "report"), [("/patrons/P-10417", "wagers"), (f"/days/{DAY}", "exceptions")]
)
def test_a_report_on_a_page_of_several_has_every_row_on_one_of_its_pages(
    night, monkeypatch, address, report
):
    (whole,) = every_page_of(night, address, report)
    monkeypatch.setattr(sheets, "_FEW", 2)
    pieces = every_page_of(night, address, report)
    rows = r"<tr><td.*?</tr>"

    assert len(pieces) > 1
    body, *parts = (each.partition("<tfoot")[0] for each in (whole, *pieces))
    assert re.findall(rows, body) == [row for piece in parts for row in re.findall(rows, piece)]


def test_a_page_of_several_reports_refuses_a_report_that_it_does_not_have(night):
    async def scene():
        async with pages_of(night) as ask:
            return await ask("/patrons/P-10417?of=meters&after=2", "sabot-language=en")

    status, text = ran(scene())
    assert (status, "write one of commission, ratings, disputes" in text) == (422, True)


@pytest.mark.parametrize(
    ("report", "shape"),
    [
        ("exceptions", " stacked"),
        ("commission", " paired"),
        ("wagers", " paired"),
        ("coup", " paired"),
    ],
)
def test_on_a_telephone_a_sentence_has_room_and_amounts_are_beside_their_headings(
    night, report, shape
):
    async def asked():
        async with pages_of(night) as ask:
            return await ask(f"/reports/{report}")

    status, page = ran(asked())

    assert status == 200
    assert re.findall('class="scroll([^"]*)"', page) == [shape]
    assert ('data-of="' in page) == bool(shape)


@pytest.mark.parametrize(
    ("report", "column"),
    [
        *(("unfinished", "which"), ("voids", "original")),
        *(("commission-proof", "key"), ("alerts", "alert")),
    ],
)
def test_what_a_row_is_about_leads_to_its_page(night, report, column):
    sheet = read(night, REPORTS[report], {})
    place = list(sheet.columns).index(column)
    leads = {row[place].href for row in sheet.rows}

    async def answers():
        async with pages_of(night) as ask:
            return {lead: (await ask(lead))[0] for lead in leads - {""}}

    asked = ran(answers())
    assert len({lead.split("/")[1] for lead in asked}) > (1 if report != "alerts" else 0)
    assert set(asked.values()) == {200}


def test_every_column_that_leads_somewhere_leads_to_a_page(night):
    leads: dict[str, str] = {}
    for name, report in REPORTS.items():
        sheet = read(night, report, {})
        for place, column in enumerate(sheet.columns):
            there = sorted({row[place].href for row in sheet.rows} - {""})
            leads |= dict.fromkeys({*there[:2], *there[-1:]}, f"{name} {column}")

    async def answers():
        async with pages_of(night) as ask:
            return {lead: (await ask(lead))[0] for lead in leads}

    failed = {lead for lead, status in ran(answers()).items() if status != 200}
    # Who only signed, in an open house, has no page of their own.
    assert [each for each in failed if not re.fullmatch("/staff/[A-Z]+-[0-9]+", each)] == []
    assert len({column.split()[1] for column in leads.values()}) > 12


@pytest.mark.parametrize(
    "asked",
    [
        "from=2026-12-01&to=2026-11-01",
        "day=2026-11-21&from=2026-11-20",
        "as_of=yesterday",
        "seat=x",
        "result=luck",
    ],
)
def test_a_refusal_on_a_page_names_fields_and_not_a_shell_s_options(night, asked):
    async def scene():
        async with pages_of(night) as ask:
            return await ask(f"/reports/wagers?{asked}", "sabot-language=en")

    status, page = ran(scene())
    refused = re.search(r'<p class="reply refused.*?</p>', page, re.S)[0]
    assert (status, "--" in re.sub(r"<code>.*?</code>", "", refused)) == (422, False), refused


def test_a_page_of_somebody_has_what_they_approved(night):
    async def scene():
        async with pages_of(night) as ask:
            return await ask("/staff/S-11", "sabot-language=en")

    _, page = ran(scene())
    decided = page.partition('id="sheet-disputes"')[2].partition("</section>")[0]
    assert 'href="/cases/C-' in decided


def test_what_a_balance_is_the_sum_of_is_beside_it_where_it_is_not_nought(night):
    sheet = read(night, REPORTS["commission"], {})
    raw = read(night, REPORTS["commission"], {}, columns=REPORTS["commission"].columns)
    parts = [name for name in REPORTS["commission"].summands if name in sheet.columns]
    there = [
        name
        for name in REPORTS["commission"].summands
        if any(number(each) for each in figures(raw, name))
    ]

    assert parts == there
    assert there


def test_a_report_of_what_is_not_on_record_says_so_and_leads_to_what_is_near(night):
    async def scene():
        async with pages_of(night) as ask:
            return [
                (await ask(f"/reports/commission?{asked}", "sabot-language=en"))[1]
                for asked in ("table=S4", "patron=P-99", "table=B01&patron=P-99", "table=B01")
            ]

    table, patron, both, known = ran(scene())

    assert "The record has no table S4." in table
    assert 'href="/find?q=S4"' in table
    assert ["The record has no patron P-99." in each for each in (patron, both)] == [True, True]
    assert "The record has no table B01." not in both
    assert "The record has no" not in known
