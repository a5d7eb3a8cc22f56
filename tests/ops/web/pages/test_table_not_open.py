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


def test_the_page_of_a_table_that_is_not_open_has_its_last_days_with_their_reports(
    table, database, monkeypatch
):
    table.end_shoe()
    for seat in PATRONS:
        table.say("table.leave", seat=seat)
    table.say("table.close", closer={"10000": 199}, **{"with": "S-11"})
    monkeypatch.setattr("ops.ledger.clock.wall_clock", lambda: table.moment + timedelta(days=2))
    (known, text), (unknown, _) = asked(database, "/tables/B01", "/tables/B99")

    assert (known, unknown) == (200, 404)
    assert "B01 is not open. Its last gaming days:" in text
    assert f'href="/days/{DAY}"' in text
    assert reports_on(text) == of_day("B01", DAY)
    assert {status for status, _ in asked(database, *reports_on(text))} == {200}
