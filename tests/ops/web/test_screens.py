"""Screens at terminals that have no database: they follow the house server and ask it."""

import json
import os
import signal
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from random import Random
from urllib.parse import urlsplit

import pytest

from ops.door.connection import Connection
from ops.door.stream import signs_of
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.session import Session
from tests import ROOT
from tests.ops.terminal import typed
from tests.ops.terminal.real import Terminal
from tests.worlds.closed_house import PIN
from tests.worlds.house_server import house_server
from tests.worlds.killed_dealer import Dealer

ENTER, LEAVE = "\r", "\x1b[21~"
D_204 = ("dealer", "B01", "--by", "D-204")
DEEP = json.loads("[" * 90 + "]" * 90)
OPEN = "table open classic@1 --opener 100=90"


@pytest.fixture
def house(database, tmp_path):
    with house_server(database, tmp_path / "house") as server:
        yield server


@pytest.fixture(scope="module")
def quiet(server, tmp_path_factory):
    """An open house in which nothing is recorded."""
    home = tmp_path_factory.mktemp("quiet") / "house"
    with server.database() as database, house_server(database, home) as house:
        yield house


def events_of(database, what):
    with database.connect("sabot_auditor") as connection:
        asked = "SELECT state, metadata FROM ledger.events WHERE topic = %s ORDER BY position"
        return [tuple(map(json.loads, row)) for row in connection.execute(asked, (what,))]


def at(house, *words, name="pit-1"):
    return Terminal(*words, surroundings=house.terminal(name).env)


def enter(screen, line, shows):
    screen.type(line)
    screen.wait_for(f"› {line[:20]}")
    screen.type(ENTER)
    screen.wait_for(shows)


def test_a_server_that_is_away_is_said_and_typing_goes_on(house, database):
    with at(house, *D_204) as screen:
        screen.wait_for("? help")
        enter(screen, OPEN, "is open for")
        screen.type("seat 3 P-1")
        screen.wait_for("› seat 3 P-1")
        house.process.send_signal(signal.SIGSTOP)
        screen.wait_for("cannot be reached")
        screen.type("0417")
        screen.wait_for("› seat 3 P-10417")
        house.process.send_signal(signal.SIGCONT)
        screen.wait_for(lambda lines: not any("cannot be reached" in each for each in lines))
        screen.type(ENTER)
        screen.wait_for("P-10417 sits")
        screen.type(LEAVE)

        assert screen.ends() == 0
    assert [state["patron"] for state, _ in events_of(database, "table-day.patron-seated")] == [
        "P-10417"
    ]


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_is_started_again_changes_nothing_on_the_screen(house, database, by):
    with at(house, *D_204) as screen:
        screen.wait_for("? help")
        enter(screen, OPEN, "is open for")
        screen.type("seat 3 P-1")
        screen.wait_for("› seat 3 P-1")
        house.stop(by)
        screen.wait_for("cannot be reached")
        screen.type("0417")
        house.start()
        screen.wait_for(lambda lines: not any("cannot be reached" in each for each in lines), 30)
        screen.type(ENTER)
        screen.wait_for("P-10417 sits")

    assert len(events_of(database, "table-day.patron-seated")) == 1


def test_two_screens_and_a_feed_show_the_same_within_a_moment(house, database):
    with at(house, *D_204) as one, at(house, *D_204, name="pit-2") as two:
        for each in (one, two):
            each.wait_for("? help")
        enter(one, OPEN, "is open for")
        two.wait_for("is open for")
        house.terminal("pit-3").send(
            {"command": "table.seat", "table": "B01", "seat": 3, "patron": "P-10417"}
        )
        for each in (one, two):
            each.wait_for("P-10417")


def test_the_board_follows_what_happens(house):
    with at(house, "board") as screen:
        screen.wait_for("Sabot")
        house.terminal().run("table", "open", "B01", "classic@1", "--opener", "100=90")
        screen.wait_for("B01")

        assert screen.end(signal.SIGINT) == 0


@pytest.fixture
def closed(house):
    """A closed house: A-1 at pit-1; pit-2 is approved, and D-204 knows a PIN. B01 is open."""
    boss = house.terminal("pit-1")
    boss.run("table", "open", "B01", "classic@1", "--opener", "100=90", "--by", "D-204")
    boss.run("table", "seat", "B01", "3", "P-10417")
    boss.run("staff", "approve-terminal", boss.key, "pit 1")
    boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
    pit = house.terminal("pit-2").approved_by(boss)
    pit.sign_on("D-204", boss.ask("staff", "enrol", "D-204", "Dan", "dealer")["code"])
    pit.run("staff", "sign-off", "D-204")
    return house


def test_a_dealer_signs_on_at_the_screen_and_everything_has_their_terminal(closed, database):
    pit = closed.terminal("pit-2")
    with at(closed, "dealer", "B01", name="pit-2") as screen:
        screen.wait_for("Sign on")
        screen.type(f"D-204{ENTER}")
        screen.type(f"{PIN}{ENTER}")
        screen.wait_for("D-204 is signed on")
        token = (pit.home / "session").read_text()
        screen.type(LEAVE)
        screen.ends()
    (_, how), *_ = reversed(events_of(database, "staff-member.signed-on"))

    assert token.startswith("D-204:")
    assert how["terminal"] == pit.key
    assert pit.ask("staff", "sign-off", "D-204")["ok"]


def test_a_terminal_that_was_retired_is_shown_nothing_more(closed):
    boss, pit = closed.terminal("pit-1"), closed.terminal("pit-2")
    with at(closed, "dealer", "B01", name="pit-2") as screen:
        screen.wait_for("Sign on")
        screen.type(f"D-204{ENTER}")
        screen.type(f"{PIN}{ENTER}")
        screen.wait_for("P-10417")
        boss.run("staff", "retire-terminal", pit.key, "--reason", "stolen")
        screen.wait_for("was retired", 20)

        assert not any("P-10417" in line or "classic@1" in line for line in screen.lines)


def test_while_nobody_is_signed_on_no_name_leaves_the_server(closed):
    pit = closed.terminal("pit-2")
    nobody = first_look(pit)
    pit.run("staff", "sign-on", "D-204", types=[PIN])
    dealer = first_look(pit)

    assert [seat["patron"] for seat in nobody["now"]["seats"]] == ["taken"]
    assert "P-10417" not in json.dumps(nobody)
    assert [seat["patron"] for seat in dealer["now"]["seats"]] == ["P-10417"]


def first_look(terminal):
    """What a terminal is sent first of its table."""
    with pytest.MonkeyPatch.context() as patch:
        for key, value in terminal.env.items():
            patch.setenv(key, value)
        with (
            closing(Connection(terminal.server.address, patience=2)) as connection,
            connection.stream("/api/tables/B01/now?after=0", 10) as answer,
        ):
            seen = (json.loads(text) for kind, text in signs_of(answer) if kind == "seen")
            return next(each for each in seen if each["now"])


def test_questions_and_tables_are_for_terminals_only(quiet):
    pit = quiet.terminal("pit-1")
    asked = json.dumps({"ask": "who-is-here"}).encode()
    with closing(HTTPConnection(urlsplit(quiet.address).netloc)) as stranger:
        stranger.request("POST", "/api/questions", asked)
        unsigned = stranger.getresponse()
        words = json.loads(unsigned.read())["message"]
        stranger.request("GET", "/api/tables/B01/now")
        followed = stranger.getresponse().status

    assert (unsigned.status, followed) == (403, 403)
    assert words == "A terminal asks here, and signs with its key."
    assert pit.post("/api/questions", asked)[0] == 200


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ({"ask": "nothing"}, 400),
        ({"ask": "send"}, 400),
        ({"ask": "send", "lines": [{"command": "bet"}] * 65}, 413),
        ({"ask": "send", "lines": [{"command": "bet", "deep": DEEP}]}, 422),
    ],
)
def test_a_question_that_cannot_be_read_is_answered_in_words(quiet, question, status):
    answered, content = quiet.terminal("pit-1").post(
        "/api/questions", json.dumps(question).encode()
    )

    assert answered == status
    assert json.loads(content)["message"].endswith(".")


def test_a_terminal_that_is_killed_loses_and_doubles_nothing(house, database, server):
    lines = [*typed.preparation(), *typed.coups(4), *typed.ending()]
    dealer = Dealer(house.terminal().home)
    with pytest.MonkeyPatch.context() as patch:
        for key, value in house.terminal().env.items():
            patch.setenv(key, value)
        dealer.deal(lines, Random(7), 8)
    with (
        server.database() as other,
        closing(Session(HouseHere(other), "B01", by="D-204")) as session,
    ):
        session.open()
        for line in lines:
            session.say(line)

        assert typed.without_starts(typed.recorded(database)) == typed.recorded(other)
    assert dealer.kills == 8


def test_a_script_types_at_a_terminal_and_has_every_answer(house):
    lines = 2_000
    done = subprocess.run(
        [sys.executable, "-c", "from ops.begin import main; main()", *D_204, "--plain"],
        cwd=ROOT,
        env={**os.environ, **house.terminal().env},
        input="?\n" * lines,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.count("\n") == lines
