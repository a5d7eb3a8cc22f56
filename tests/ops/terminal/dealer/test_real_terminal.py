"""The real program in a real terminal: coups by its keys, and a kill on the way."""

import json
import signal
import time
from collections import Counter
from contextlib import closing

import pytest

from ops.simulation.recorded_shoes import shoes
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.session import Session
from tests.faults import times
from tests.ops.terminal import typed
from tests.ops.terminal.real import (
    ANOTHER_SCREEN,
    Terminal,
    is_answered,
    on_the_line,
    stands,
)
from tests.worlds.house_server import house_server

COUPS = times(8, 80)
ESCAPE, CLEAR, ENTER, LEAVE = "\x1b", "\x15", "\r", "\x1b[21~"  # Ctrl-U, F10


CURSOR, FOCUS, PASTED = 25, 1004, 2004
MOUSE = {1000, 1002, 1003, 1006, 1015}
DEALER = ("dealer", "B01", "--by", "D-204")


@pytest.fixture(params=["here", "through the house"])
def places(request, database, tmp_path):
    """This ledger or a house server on it, and a home in which nobody left anything."""
    if request.param == "here":
        yield {"SABOT_DATABASE_URL": database.url, "SABOT_HOME": str(tmp_path / "home")}
        return
    with house_server(database, tmp_path / "house") as house:
        yield house.terminal().env


@pytest.fixture
def sit_down(places):
    """`sabot dealer B01` on this ledger, as often as somebody sits down."""

    def start(rows=24):
        terminal = Terminal(*DEALER, surroundings=places, size=(80, rows))
        hints = "? help", "✗"
        terminal.wait_for(lambda lines: any(each in "".join(lines[-4:-1]) for each in hints))
        return terminal

    return start


@pytest.fixture
def face(places):
    """The dealer's screen."""
    with Terminal(*DEALER, surroundings=places) as terminal:
        terminal.wait_for(lambda lines: any("help" in line for line in lines[-2:]))
        yield terminal


def enter(terminal, line):
    """Types a line and waits for its answer; one that was refused is given up."""
    terminal.type(line)
    terminal.wait_for(lambda lines: stands(line, lines))
    terminal.type(ENTER)
    terminal.wait_for(
        lambda lines: is_answered(lines) and ("✗" in lines[-2] or not on_the_line(lines).strip())
    )
    if "✗" in terminal.lines[-2]:
        terminal.type(ESCAPE)
        terminal.wait_for(lambda lines: not on_the_line(lines).strip())


def test_a_shoe_is_dealt_by_keys(sit_down, places, database, server):
    through_the_house = "SABOT_HOUSE" in places
    many = times(4, 10) if through_the_house else COUPS
    lines = [*typed.preparation(), *typed.coups(many), *typed.ending()]
    with sit_down() as terminal:
        for line in lines[:-1]:
            enter(terminal, line)
        won = Counter(coup.winner for coup in shoes()[0].coups[:many])
        counted = f"B {won['banker']}  P {won['player']}  T {won['tie']}"
        terminal.wait_for(counted)
        enter(terminal, lines[-1])
        terminal.wait_for("LOAD A SHOE")
        terminal.type(LEAVE)

        assert terminal.process.wait(10) == 0

    with (
        server.database() as other,
        closing(Session(HouseHere(other), "B01", by="D-204")) as session,
    ):
        session.open()
        for line in lines:
            session.say(line)

        events = typed.recorded(database)
        assert typed.recorded(other) == typed.without_starts(events)
        started = "program-day.program-started"
        assert ["program-day.begun", *[started] * (2 if through_the_house else 1)] == [
            topic for _, _, topic, _ in events if topic.startswith("program-day.")
        ]


def is_on_disk(typed, place):
    """Whether a terminal's journal has it; the screen may show a key a moment earlier."""
    return any(f'"{typed}"' in file.read_text() for file in place.rglob("terminal/*.json"))


def test_a_killed_terminal_comes_back_to_the_same_coup_and_the_same_line(sit_down, tmp_path):
    with sit_down() as terminal:
        for line in [*typed.preparation(), "3 b 500 t 25"]:
            enter(terminal, line)
        terminal.type("5 p 2")
        terminal.wait_for("› 5 p 2")
        terminal.wait_for("▸ 5 grey")
        ends = time.monotonic() + 20
        while not is_on_disk("5 p 2", tmp_path) and time.monotonic() < ends:
            time.sleep(0.01)
        before = terminal.lines
    with sit_down() as again:
        again.wait_for("› 5 p 2")
        again.wait_for("BETS ARE OPEN")
        again.wait_for(lambda lines: lines[3:8] == before[3:8])
        again.wait_for("is on record")
        again.type("\x1b[F5")  # End: the line is selected, and a key alone would replace it
        again.wait_for("› 5 p 25")
        again.type("\r")
        again.wait_for("Seat 5 grey-jacket: Player 25.00")


@pytest.mark.parametrize("wait", [0, 0.3, 1.0])
def test_lines_that_are_typed_while_the_screen_starts_are_said_one_by_one(places, database, wait):
    lines = [*typed.preparation(), "3b100t25", "n"]
    with Terminal(*DEALER, surroundings=places) as terminal:
        time.sleep(wait)
        for line in lines:
            terminal.type(f"{line}{ENTER}")
        terminal.type("9c")
        terminal.wait_for("No more bets", 60)
        terminal.wait_for(lambda lines: stands("9c", lines))

    assert [event["seat"] for event in told(database, "coup.wager-placed")] == [3, 3]
    assert [event["serials"] for event in told(database, "shoe.loaded")] == [["N1"]]


def test_no_line_goes_on_from_one_that_was_refused_in_its_time_or_before_a_kill(sit_down, database):
    with sit_down() as terminal:
        for line in typed.preparation():
            enter(terminal, line)
        terminal.type(f"3b10{ENTER}")
        terminal.wait_for("Typing replaces it")
        terminal.type(f"5t25{ENTER}")
        terminal.wait_for("Seat 5 grey-jacket: Tie 25.00")
        terminal.type(f"3b10{ENTER}")
        terminal.wait_for(lambda lines: stands("3b10", lines) and is_answered(lines))
        time.sleep(0.2)  # it is kept a moment after it is drawn
    with sit_down() as again:
        again.wait_for(lambda lines: stands("3b10", lines))
        again.type(f"5t50{ENTER}")
        again.wait_for("Seat 5 grey-jacket: Tie 50.00")

    assert {event["seat"] for event in told(database, "coup.wager-placed")} == {5}


def told(database, topic):
    """Every event of that kind that is on record."""
    with database.connect("sabot_auditor") as connection:
        asked = "SELECT state FROM ledger.events WHERE topic = %s ORDER BY position"
        return [json.loads(row[0]) for row in connection.execute(asked, [topic])]


def test_a_terminal_that_hangs_up_leaves_no_program_behind(sit_down):
    with sit_down() as terminal:
        terminal.hang_up()

        assert terminal.process.wait(20) == 128 + signal.SIGHUP


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_whoever_ends_a_face_has_the_terminal_back_and_had_its_mouse(face, by):
    assert face.modes & {ANOTHER_SCREEN, *MOUSE} == {ANOTHER_SCREEN}

    assert face.end(by) == 128 + by
    assert face.tty == face.tty_before
    assert face.modes & {ANOTHER_SCREEN, CURSOR, FOCUS, PASTED, *MOUSE} == {CURSOR}


def test_a_byte_that_is_no_letter_is_nothing(sit_down):
    with sit_down() as terminal:
        terminal.type(b"void \xfcber\xc3x")
        terminal.wait_for(lambda lines: on_the_line(lines).startswith("void berx"))
        terminal.type(" 王")
        terminal.wait_for(lambda lines: on_the_line(lines).startswith("void berx 王"))
