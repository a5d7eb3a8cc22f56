"""`sabot play`: an electronic table on a laptop, with one command, from nothing and once more."""

import json
import os
import re
import signal
import subprocess
from contextlib import contextmanager

import pytest

from ops.cli.play import BALANCE, SEAT
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.now.follow import Follower
from tests import ROOT
from tests.waiting import until
from tests.worlds.browsers import PlainBrowser
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.house_server import house_server
from tests.worlds.programs import Program

PLAIN = {name: value for name, value in os.environ.items() if not name.startswith("SABOT_")}
AT = re.compile(r"Your place is (\S+)/play/E01/1\.")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A place with a space in its name."""
    home = tmp_path_factory.mktemp("play") / "a player's home"
    yield home
    Embedded(home).destroy()


@contextmanager
def playing(home):
    """`sabot play` in a process of its own, and a browser at its place."""
    words = ["play", "--no-browser", "--port", "0"]
    options = {"cwd": ROOT, "env": PLAIN, "stdout": subprocess.PIPE, "text": True}
    with Program([*words, "--home", str(home)], **options) as process:
        try:
            at = next(found for line in process.stdout if (found := AT.search(line)))
            yield process, PlainBrowser(at[1])
        finally:
            process.kill()


def table(home):
    return table_of(Database(home=Embedded(home)))


def table_of(database):
    with database.connect("sabot_auditor") as connection:
        return Follower(connection, "E01").now


def bet(browser, number, wagers):
    return browser.post_json("/play/E01/1/bets", {"id": f"{number:032x}", "wagers": wagers})


def test_a_place_with_play_money_is_there_and_a_coup_left_in_play_costs_nothing(home):
    with playing(home) as (process, browser):
        status, page = browser.get("/play/E01/1")
        until(lambda: (coup := table(home).coup) and coup.phase == "betting")
        clicked = {"id": f"{1:032x}", "coup": table(home).coup.address, "stakes": {"banker": 25_00}}
        _, placed = browser.post_json("/play/E01/1/bets", clicked)
        process.kill()
        process.wait()
        left = table(home)
    with playing(home) as (process, browser):
        after = table(home)
        process.send_signal(signal.SIGINT)
        stopped = process.wait(20)

    assert (status, placed["ok"]) == (200, True)
    assert "1,000.00" in page
    assert (left.seat(1).balance, left.coup.over) == (975_00, False)
    assert (after.seat(1).balance, after.coup.phase, after.locked_up) == (1_000_00, "voided", False)
    assert stopped == 0


def test_whoever_has_nothing_left_takes_more_and_does_so_once(home):
    """Nothing is paid in unasked; who has enough for a bet gets nothing more."""
    out = {"command": "account.pay-out", "table": "E01", "seat": SEAT, "amount": BALANCE - 95}
    with playing(home) as (_, browser):
        until(lambda: (coup := table(home).coup) and coup.phase == "betting")
        url = Database(home=Embedded(home)).url
        feed = Program(["feed"], env={**PLAIN, "SABOT_DATABASE_URL": url}, stdin=subprocess.PIPE)
        feed.communicate(json.dumps(out).encode(), timeout=60)
        until(lambda: "Take another 1,000 of play money" in browser.get("/play/E01/1")[1])
        left = table(home).seat(SEAT).balance
        status, headers, _ = browser.send("POST", "/play/E01/1/money")
        browser.send("POST", "/play/E01/1/money")
        after = table(home).seat(SEAT).balance
        until(lambda: "play money" not in browser.get("/play/E01/1")[1])

    assert (status, headers["Location"]) == (303, "/play/E01/1")
    assert (left, after) == (95, BALANCE + 95)


def test_in_a_house_nobody_takes_play_money(dispatcher, tmp_path, database):
    ElectronicTable(dispatcher).begin((SEAT, 10_00)).say("account.pay-out", seat=SEAT, amount=10_00)
    with house_server(database, tmp_path / "house") as house:
        browser = PlainBrowser(house.address)
        browser.send("POST", f"/play/E01/{SEAT}/money")
        page = browser.get(f"/play/E01/{SEAT}")[1]

    assert "play money" not in page
    assert table_of(database).seat(SEAT).balance == 0
