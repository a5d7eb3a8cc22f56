"""Full screens of the house server at terminals that have no database."""

import base64
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from random import Random

import pytest

from ops.door.connection import Connection
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.session import Session
from ops.web.screens import MOST_WRITTEN
from tests import ROOT
from tests.ops.terminal import typed
from tests.ops.terminal.real import Terminal
from tests.worlds.closed_house import PIN
from tests.worlds.house_server import house_server
from tests.worlds.killed_dealer import Dealer

ENTER, LEAVE = "\r", "\x1b[21~"
D_204 = ("dealer", "B01", "--by", "D-204")
OPEN = "table open classic@1 --opener 100=90"


@pytest.fixture
def house(database, tmp_path):
    with house_server(database, tmp_path / "house") as server:
        yield server


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


def test_it_needs_neither_database_nor_ledger_here():
    script = "import sys; from ops.door import screen; print(*sys.modules)"
    text = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout

    assert not {"psycopg", "eventsourcing", "textual", "ops.ledger.database"} & {*text.split()}


def test_a_server_that_is_away_is_said_in_two_lines_and_nothing_is_typed_twice(house, database):
    with at(house, *D_204) as screen:
        screen.wait_for("? help")
        enter(screen, OPEN, "is open for")
        screen.type("seat 3 P-1")
        screen.wait_for("› seat 3 P-1")
        house.process.send_signal(signal.SIGSTOP)
        screen.wait_for("The house cannot be reached")
        screen.type("0417")
        house.process.send_signal(signal.SIGCONT)
        screen.wait_for("› seat 3 P-10417")
        screen.wait_for(lambda lines: not any("cannot be reached" in each for each in lines))
        screen.type(ENTER)
        screen.wait_for("P-10417 sits")
        screen.type(LEAVE)

        assert screen.ends() == 0
    assert [state["patron"] for state, _ in events_of(database, "table-day.patron-seated")] == [
        "P-10417"
    ]


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_is_started_again_has_the_screen_again(house, database, by):
    with at(house, *D_204) as screen:
        screen.wait_for("? help")
        enter(screen, OPEN, "is open for")
        screen.type("seat 3 P-1")
        screen.wait_for("› seat 3 P-1")
        house.stop(by)
        screen.wait_for("The house cannot be reached")
        house.start()
        screen.wait_for("Half typed before", 30)
        screen.type(f"\x1b[F0417{ENTER}")
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
        screen.type("\x03")

        assert screen.ends() in (0, 130)


def test_the_size_of_the_window_goes_with_it(house):
    with at(house, *D_204) as screen:
        screen.wait_for("? help")
        narrow = max(len(line.rstrip()) for line in screen.lines)
        screen.resize(120, 30)
        screen.wait_for(lambda lines: max(len(line.rstrip()) for line in lines) > narrow + 20)


@pytest.fixture
def closed(house):
    """A closed house: A-1 at pit-1; pit-2 is approved, and D-204 has a code."""
    boss = house.terminal("pit-1")
    boss.run("board", "--once")
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
    with at(closed, "dealer", "B01", name="pit-2") as screen:
        screen.wait_for("Sign on")
        boss = closed.terminal("pit-1")
        boss.run("staff", "retire-terminal", closed.terminal("pit-2").key, "--reason", "stolen")
        screen.type(f"D-204{ENTER}")
        house_away = time.monotonic() + 20
        while screen.process.poll() is None and time.monotonic() < house_away:
            screen.type("x")
            time.sleep(0.2)

        assert screen.ends() == 1
        assert any("was retired" in line for line in screen.lines)


def opened_by(terminal, words, **more):
    asked = {"words": words, "tty": False, "seat": 1, **more}
    status, content = terminal.post("/api/screens", json.dumps(asked).encode())
    return status, json.loads(content)


def test_nobody_sees_or_types_at_the_screen_of_another_terminal(house):
    one, two = house.terminal("pit-1"), house.terminal("pit-2")
    two.run("board", "--once")
    _, answer = opened_by(one, ["dealer", "B01", "--plain"])
    name = answer["screen"]
    typed_by = [
        each.post(f"/api/screens/{name}/{what}", b"look\n")[0]
        for each in (two, one)
        for what in ("keys?at=0", "size?columns=80&rows=24", "end")
    ]
    stolen, *_ = two.get(f"/api/screens/{name}?after=0")

    assert typed_by == [404, 404, 404, 204, 204, 204]
    assert stolen == 404


@pytest.mark.parametrize(
    "words",
    [["db", "down"], ["serve"], ["--database", "x", "dealer", "B01"], ["bet"], [], ["pit "]],
)
def test_no_other_command_gets_a_screen(house, words):
    pit = house.terminal("pit-1")
    _, answer = opened_by(pit, words)
    text = text_of(pit, answer["screen"])

    assert text == "`sabot dealer`, `pit` and `board` have a screen, and nothing else.\n"


def test_a_course_is_not_run_at_the_server(house):
    pit = house.terminal("pit-1")
    _, answer = opened_by(pit, ["dealer", "--training", "--seed", "7"])
    text = text_of(pit, answer["screen"])

    assert text.startswith("A course runs at the terminal itself: type `sabot dealer --training`")


def text_of(terminal, name):
    """What a screen wrote until it ended."""
    with pytest.MonkeyPatch.context() as patch:
        for key, value in terminal.env.items():
            patch.setenv(key, value)
        with (
            closing(Connection(terminal.server.address, patience=2)) as connection,
            connection.stream(f"/api/screens/{name}?after=0", 10) as answer,
        ):
            lines = answer.read().decode()
    return "".join(
        base64.b64decode(each.removeprefix("data: ")).decode()
        for each in lines.replace("\r", "").split("\n")
        if each.startswith("data: ") and len(each) > 9
    )


def test_keys_count_once_however_often_they_arrive(house):
    pit = house.terminal("pit-1")
    _, answer = opened_by(pit, ["dealer", "B01", "--plain", "--by", "D-204"])
    name = answer["screen"]
    for at_, keys in ((0, b"lo"), (0, b"lo"), (0, b"look\n"), (2, b"ok\n")):
        assert pit.post(f"/api/screens/{name}/keys?at={at_}", keys)[0] == 204
    ahead, _ = pit.post(f"/api/screens/{name}/keys?at=17", b"x")
    pit.post(f"/api/screens/{name}/keys?at=5&end=1", b"")

    assert ahead == 404
    assert text_of(pit, name).count("Not opened yet") == 2  # at the beginning, and once for `look`


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


def test_more_than_is_stored_comes_through_a_pipe_whole(house):
    lines = 9_000
    pit = house.terminal()
    done = subprocess.run(
        [sys.executable, "-c", "from ops.begin import main; main()", *D_204, "--plain"],
        cwd=ROOT,
        env={**os.environ, **pit.env},
        input="?\n" * lines,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.count("\n") == lines
    assert len(done.stdout) > 2 * MOST_WRITTEN
