"""The real program in a real terminal: a shoe of 80 coups by its keys, and a kill on the way."""

import json
from collections import Counter
from contextlib import closing

import pytest

from ops.recorded import shoes
from ops.terminal.session import Session
from tests.ops.terminal import typed
from tests.ops.terminal.real import Terminal

COUPS = 80
PROMPT = " › "
ESCAPE, ENTER, LEAVE = "\x1b", "\r", "\x1b[21~"  # F10


def facts(database):
    """What was recorded, without moments, positions and ids."""
    with database.connect("sabot_auditor") as connection:
        rows = connection.execute(
            "SELECT originator_id, originator_version, topic, state FROM ledger.events "
            "ORDER BY 1, 2"
        ).fetchall()
    return [(*row[:3], {**json.loads(row[3]), "at": None}) for row in rows]


@pytest.fixture
def sit_down(database, tmp_path):
    """`sabot dealer B01` on this ledger, as often as somebody sits down."""
    places = {"SABOT_DATABASE_URL": database.url, "SABOT_HOME": str(tmp_path / "home")}

    def start(*options):
        terminal = Terminal("dealer", "B01", "--by", "D-204", *options, surroundings=places)
        terminal.wait_for(lambda lines: "? help" in lines[-2])
        return terminal

    return start


def on_the_line(lines):
    """What is typed and not entered."""
    return next(line for line in reversed(lines) if line.startswith(PROMPT)).removeprefix(PROMPT)


def is_answered(lines):
    """Nothing is being said, and nothing waits."""
    beside = [line.partition("│ › ")[2] for line in lines if "│ › " in line]
    return not any(each.rstrip().endswith("…") for each in beside)


def stands(line, lines):
    """Whether it is on the line, perhaps with a ghost behind it, or with its beginning gone."""
    shown = on_the_line(lines).rstrip()
    return shown.startswith(line[:20]) or shown.endswith(line[-20:])


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


def test_a_shoe_of_eighty_coups_is_dealt_by_keys(sit_down, database, server):
    lines = [*typed.preparation(), *typed.coups(COUPS), *typed.ending()]
    with sit_down() as terminal:
        for line in lines[:-1]:
            enter(terminal, line)
        won = Counter(coup.winner for coup in shoes()[0].coups[:COUPS])
        counted = f"B {won['banker']}  P {won['player']}  T {won['tie']}"
        terminal.wait_for(counted)
        enter(terminal, lines[-1])
        terminal.wait_for("LOAD A SHOE")
        terminal.type(LEAVE)

        assert terminal.process.wait(10) == 0

    with server.database() as other, closing(Session(other, "B01", by="D-204")) as session:
        session.open()
        for line in lines:
            session.say(line)

        assert facts(other) == facts(database)


def test_a_killed_terminal_comes_back_to_the_same_coup_and_the_same_line(sit_down, database):
    with sit_down() as terminal:
        for line in [*typed.preparation(), "3 b 500 t 25"]:
            enter(terminal, line)
        terminal.type("5 p 2")
        terminal.wait_for("› 5 p 2")
        before = terminal.lines
    with sit_down() as again:
        again.wait_for("› 5 p 2")
        again.wait_for("BETS ARE OPEN")

        assert before[3:8] == again.lines[3:8]
        again.wait_for("is on record")
        enter(again, "5")
        again.wait_for("Seat 5 grey-jacket: player 25.00")
