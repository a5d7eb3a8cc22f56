"""An evening through the door is the evening without it, whatever breaks meanwhile."""

import re
import signal
import subprocess
from threading import Timer

import pytest

from ops.cli.audit.verify import walk
from ops.simulation.run import Plan
from tests import ROOT
from tests.acceptance.channels import ON_PAPER, as_text, recorded, shell
from tests.worlds.house_server import house_server
from tests.worlds.programs import Program

COUP = "B01/2026-11-21/1/2"


@pytest.fixture
def house(database, tmp_path):
    with house_server(database, tmp_path / "house") as server:
        yield server


@pytest.fixture
def evening(golden):
    return (golden / "evening.jsonl").read_text()


def events_of(database):
    """Every event but the server's starts, without its position and where it came from."""
    return [event[1:-1] for event in recorded(database) if not event[3].startswith("program-day")]


def unnumbered(text):
    """The lines without positions: the server's start comes before everything else."""
    text = re.sub(r'"position":[0-9]+', '"position":…', re.sub("#[0-9]+", "#…", text))
    return [line for line in text.splitlines() if "chain good" not in line and "head" not in line]


def test_the_answers_and_the_pages_are_those_without_a_door(house, server, evening, golden):
    pit = house.terminal()
    through = pit.run("feed", text=evening)
    with server.database() as without:
        shell(without, "feed", input=evening)
        for words in (["replay", COUP], ["report", "commission"], ["report", "coup", "--csv"]):
            here = shell(without, *words, env=ON_PAPER)
            there = pit.run(*words, env=ON_PAPER)
            assert (there.exit_code, there.stderr) == (here.exit_code, here.stderr)
            assert unnumbered(there.stdout) == unnumbered(here.stdout)

    stored = (golden / "evening.answers.jsonl").read_text()
    assert unnumbered(through.stdout) == unnumbered(stored)
    assert through.exit_code == 1


def test_an_evening_sent_again_is_answered_again_and_recorded_once(house, database, evening):
    pit = house.terminal()
    first = pit.run("feed", text=evening)
    events = recorded(database)

    assert pit.run("feed", text=evening).stdout == first.stdout
    assert recorded(database) == events


def feed_of(house, out):
    """A feed in a process of its own, whose answers go to a file."""
    env = {"PATH": "/usr/bin:/bin", **house.terminal().env}
    words = ["feed", "--patience", "60"]
    with out.open("wb") as answers:
        return Program(words, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=answers)


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_ends_and_is_back_loses_and_doubles_no_line(
    house, server, database, tmp_path, by
):
    """It is ended while lines are on their way; the terminal sends them again when it is back."""
    lines = list(Plan(tables=2, coups=8, seed=7).lines([1, 2]))
    out = tmp_path / "answers"
    feed = feed_of(house, out)
    watchdog = Timer(120, feed.kill)
    watchdog.start()
    pieces = [lines[at : at + 10] for at in range(0, len(lines), 10)]
    for n, piece in enumerate(pieces):
        feed.stdin.write(as_text(piece).encode())
        feed.stdin.flush()
        if n % 6 == 2:  # the lines may have arrived or not, and their answers too
            house.stop(by)
            house.start()
    feed.stdin.close()
    status = feed.wait()
    watchdog.cancel()
    with server.database() as without:
        expected = shell(without, "feed", input=as_text(lines))
        assert unnumbered(out.read_text()) == unnumbered(expected.stdout)
        assert status == expected.exit_code
        assert events_of(database) == events_of(without)

    assert len(pieces) > 12
    assert walk(database).ok
