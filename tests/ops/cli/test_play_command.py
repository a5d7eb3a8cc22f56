"""`sabot play`: an electronic table on a laptop, with one command, from nothing and once more."""

import os
import re
import signal
import subprocess
from contextlib import contextmanager

import pytest
from msgspec.structs import replace

from ops.cli.play import SEAT, refill
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.now.follow import Follower
from ops.now.table_now import CoupNow, SeatNow, TableNow
from tests import ROOT
from tests.waiting import until
from tests.worlds.browsers import PlainBrowser
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.programs import Program

PLAIN = {name: value for name, value in os.environ.items() if not name.startswith("SABOT_")}
NOTHING_LEFT = TableNow("E01", seats=(SeatNow(SEAT, "guest", balance=0),))
IN_PLAY = CoupNow("E01/2026-11-21/1/1", 1, "dealing")
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
    with Database(home=Embedded(home)).connect("sabot_auditor") as connection:
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


def test_whoever_has_lost_everything_gets_more_to_play_with(dispatcher):
    world = ElectronicTable(dispatcher).begin((SEAT, 10_00))
    world.say("bet", seat=SEAT, spot="player", amount=10_00)
    balances = []
    for now in (NOTHING_LEFT, replace(NOTHING_LEFT, coup=IN_PLAY), replace(NOTHING_LEFT, seats=())):
        refill(dispatcher, now)
        balances.append(world.balance(SEAT))

    assert balances == [1_000_00, 1_000_00, 1_000_00]
