"""From a table to the reports about it: while it is open, and when it no longer is."""

import re
from datetime import timedelta
from html import unescape

import pytest

from tests.worlds.gaming_table import DAY, PATRONS, PLAYER_WINS, GamingTable
from tests.worlds.pages_here import pages_of, ran

ASKED_FOR = ("coup", "wagers", "exceptions", "slips", "inventory", "table-win")


@pytest.fixture
def table(dispatcher):
    """B01 with a coup."""
    table = GamingTable(dispatcher, "B01").open().prepare()
    table.play(PLAYER_WINS, (3, "player", 100_00))
    return table


def asked(database, *addresses):
    """Status and text of each page."""

    async def scene():
        async with pages_of(database, language="en") as ask:
            return [await ask(each) for each in addresses]

    return ran(scene())


def reports_on(text):
    """The addresses of reports that a page has links to."""
    return [unescape(each) for each in re.findall(r'href="(/reports/[^"]*)"', text)]


def of_day(table, day):
    return [f"/reports/{each}?table={table}&day={day}" for each in ASKED_FOR]


def test_the_page_of_an_open_table_leads_to_its_reports_of_the_day(table, database):
    ((status, text),) = asked(database, "/tables/B01")

    assert status == 200
    assert set(of_day("B01", DAY)) < set(reports_on(text))
    assert 'href="/alerts?table=B01"' in text
    assert {status for status, _ in asked(database, *reports_on(text))} == {200}


def closed(table, monkeypatch, days):
    """The table is closed, so many days ago."""
    table.end_shoe()
    for seat in PATRONS:
        table.say("table.leave", seat=seat)
    table.say("table.close", closer={"10000": 199}, **{"with": "S-11"})
    later = timedelta(days=days, minutes=1)
    monkeypatch.setattr("ops.ledger.clock.wall_clock", lambda: table.moment + later)


def test_a_table_that_was_closed_today_leads_to_its_last_shoe_and_coup(
    table, database, monkeypatch
):
    closed(table, monkeypatch, days=0)
    (status, text), (_, pit) = asked(database, "/tables/B01", "/")

    assert status == 200
    for page in (f"/days/{DAY}", f"/shoes/B01/{DAY}/1", f"/coups/B01/{DAY}/1/1"):
        assert f'href="{page}"' in text
    assert "No table is open on this gaming day." in pit


@pytest.mark.parametrize("days", [0, 2])
def test_the_page_of_a_closed_table_says_who_closed_it_and_what_was_off(
    table, database, monkeypatch, days
):
    closed(table, monkeypatch, days)
    ((_, text),) = asked(database, "/tables/B01")
    facts = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", text.partition("<h2>Closed</h2>")[2]))
    plain = {name: re.sub("<[^>]*>", "", words) for name, words in facts.items()}

    assert plain["total"] == "19,900.00"
    assert plain["counted by"] == "D-204"
    assert plain["signed by"].startswith("S-11")
    assert plain["variance"] == "0.00"


def test_the_page_of_an_open_table_has_its_gaming_day(table, database):
    ((_, text),) = asked(database, "/tables/B01")

    assert f'<b>gaming day</b> <a href="/days/{DAY}">' in text


def test_the_pit_without_an_open_table_leads_to_its_last_day_and_to_what_comes_next(
    table, database, monkeypatch
):
    closed(table, monkeypatch, days=2)
    ((_, pit),) = asked(database, "/")
    _, _, below = pit.partition('id="no-table"')
    there = [unescape(each) for each in re.findall(r'href="(/[^"]*)"', below)]

    assert f'last gaming day</b> <a href="/days/{DAY}">' in below
    assert f"/reports/table-win?day={DAY}" in there
    assert {"/reports/unfinished", "/days", "/tables/B01"} < set(there)
    assert "/manual/commands#table-open" in there
    first = [each.partition("#")[0] for each in there]
    assert {status for status, _ in asked(database, *first)} <= {200, 303}


def test_the_last_gaming_day_is_the_one_before_although_every_table_was_open_today(
    table, database, monkeypatch
):
    closed(table, monkeypatch, days=0)
    table.moment += timedelta(days=1)
    table.say("table.open", rules="dragon-bonus@1", opener={"10000": 199}, **{"with": "S-11"})
    table.say("table.close", closer={"10000": 199}, **{"with": "S-11"})
    ((_, pit),) = asked(database, "/")

    assert f'last gaming day</b> <a href="/days/{DAY}">' in pit


def test_a_filter_that_no_table_has_does_not_say_that_none_is_open(table, database, monkeypatch):
    monkeypatch.setattr("ops.ledger.clock.wall_clock", lambda: table.moment)
    ((_, pit),) = asked(database, "/?search=Z99")

    assert "No table has what is looked for." in pit
    assert "No table is open" not in pit


def test_the_page_of_a_table_that_is_not_open_has_its_last_days_with_their_reports(
    table, database, monkeypatch
):
    closed(table, monkeypatch, days=2)
    (known, text), (unknown, _) = asked(database, "/tables/B01", "/tables/B99")

    assert (known, unknown) == (200, 404)
    assert "B01 is not open. Its last gaming days:" in text
    assert f'href="/days/{DAY}"' in text
    assert f'href="/shoes/B01/{DAY}/1"' in text
    assert f'href="/coups/B01/{DAY}/1/1"' in text
    assert reports_on(text) == of_day("B01", DAY)
    assert {status for status, _ in asked(database, *reports_on(text))} == {200}


def test_the_win_of_a_table_says_why_it_is_blank_and_what_is_known(table, database, monkeypatch):
    ((_, open_yet),) = asked(database, "/reports/table-win")
    closed(table, monkeypatch, days=0)
    ((_, uncounted),) = asked(database, "/reports/table-win")
    known = "By the wagers the win is -100.00 so far."

    assert f"B01 {DAY}: no win by chips yet, for the table is open. {known}" in plain(open_yet)
    assert f"B01 {DAY}: no win by chips yet, for the drop is not counted. {known}" in plain(
        uncounted
    )


def plain(text):
    """The words of a page, with the house's minus as it is typed."""
    return unescape(re.sub("<[^>]*>", "", text)).replace("\u2212", "-")
