"""Money left open with a patron who has left: how it is settled, wherever it is listed."""

import re
from contextlib import closing
from datetime import timedelta
from html import unescape

import pytest

from ops.board.board import Board
from ops.commands.rights import Rights
from ops.reports.ask import ask
from ops.web.pages.alerts import open_lines
from ops.web.pages.viewer import Viewer, drawn_for
from projections import REPORTS
from tests.worlds.browsers import PlainBrowser
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, DAY, GamingTable
from tests.worlds.house_server import house_server

TWO = {"with": "S-11"}
STEP = f"patron settle B01 P-10417 received REASON --day {DAY}"
FORMS = "/patrons/P-10417#next"


@pytest.fixture
def browser(dispatcher, database, tmp_path):
    """A browser in an open house, where a patron left and then a coup of theirs was void."""
    table = GamingTable(dispatcher, "B01").open().prepare()
    table.play(BANKER_WINS, (3, "banker", 100_00))
    table.say("commission.collect", seat=3, amount=5_00)
    table.say("table.leave", seat=3)
    table.say("void", coup=f"B01/{DAY}/1/1", reason="wrong cards", **TWO)
    with house_server(database, tmp_path / "house") as house:
        yield PlainBrowser(house.address)


def text_of(browser, path):
    """What a page reads, without its marks."""
    status, page = browser.get(path)
    assert status == 200, page
    return " ".join(unescape(re.sub("<[^>]+>", "", page)).split())


def test_the_alert_and_the_patrons_page_name_the_next_step_and_lead_to_its_form(browser):
    alert = re.search(r"/alerts/bet-left-open/\d+", browser.get("/alerts")[1])[0]

    assert STEP in text_of(browser, alert)
    assert f'href="{FORMS}"' in browser.get(alert)[1]
    assert STEP in text_of(browser, "/patrons/P-10417")
    assert "and how it was settled" in text_of(browser, "/reports/left-open")


def test_what_is_open_still_leads_to_the_form(browser, dispatcher, database):
    alert = re.search(r"/alerts/(bet-left-open/\d+)", browser.get("/alerts")[1])[1]
    line = {"command": "alert.acknowledge", "alert": alert, "by": "S-11"}
    assert dispatcher.dispatch(line).ok
    with closing(Board(database, now=lambda: BEGINS + timedelta(minutes=24))) as board:
        seen = board.once()
    leads = {}
    for role in ("cage", "pit-boss", "surveillance"):
        with drawn_for(Viewer(rights=Rights(role))):
            (line,) = open_lines(seen)
            leads[role] = line.href

    assert leads == {"cage": FORMS, "pit-boss": FORMS, "surveillance": f"/alerts/{alert}"}


def test_the_form_settles_what_is_open_by_two_people(browser, database):
    browser.post("/sign-on", {"staff": "C-1"})
    _, page = browser.get("/patrons/P-10417")
    form = page.partition('action="/patrons/P-10417/settle"')[2]
    ways = re.findall(r'<option value="([\w-]+)">', form)
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    sent = {**hidden, "how": "received", "place": "cage", "reason": "came to the cage", **TWO}
    status, refused = browser.post("/patrons/P-10417/settle", {**sent, "with": ""})
    assert "came to the cage" in refused
    settled, headers, text = browser.send("POST", "/patrons/P-10417/settle", sent)
    assert settled == 303, re.findall('class="reply.*', text)

    assert ways == ["received", "written-off", "cage", "table"]
    assert status == 422
    assert headers["Location"] == "/patrons/P-10417"
    rows = ask(database, REPORTS["left-open"]).rows
    columns = ("item", "owes", "settled", "settled_by", "how")
    assert [[row[each] for each in columns] for row in rows] == [
        ["commission", 0, -5_00, "C-1", "settlement"],
        ["bets", 0, 100_00, "C-1", "received"],
    ]
    assert "settled with the bets" in text_of(browser, "/patrons/P-10417")
    assert "/patrons/P-10417/settle" not in browser.get("/patrons/P-10417")[1]
