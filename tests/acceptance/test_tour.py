"""The README is run: every command of its tour, as a newcomer would paste it."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ops.ledger.embedded import Embedded
from tests import ROOT
from tests.faults import FULL
from tests.worlds.programs import run

README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
TOUR = BLOCKS[1] + BLOCKS[2]
# What differs from day to day: moments, hashes, how long before the first card.
PASSING = (
    (r"\b\d\d:\d\d:\d\d(\.\d)?", "HH:MM:SS"),
    (r"on \d{4}-\d\d-\d\d", "on YYYY-MM-DD"),
    (r"[0-9a-f]{64}", "HASH"),
    (r" +\d+\.\d s", " N s"),
    (r"begins in .*: its ledger", "begins in HOME: its ledger"),
)

ONE_AFTER_THE_OTHER = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}


def commands():
    """The tour's commands, with their comments and joined where a line goes on."""
    joined = TOUR.replace("\\\n", "")
    lines = (line.strip() for line in joined.splitlines())
    return [line for line in lines if line and not line.startswith(("#", "export"))]


def pasted(command, **more):
    """A command at a shell; one that needs none, and is not the first, begins sooner."""
    if "|" in command or command == commands()[0] or FULL:
        return subprocess.run(["/bin/sh", "-c", command], check=False, **more)
    _, *words = shlex.split(command, comments=True)
    return run(words, **more)


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What the terminal shows from the first command of the tour to the last."""
    home = tmp_path_factory.mktemp("a newcomer") / "home"
    surroundings = {
        **os.environ,
        "SABOT_HOME": str(home),
        "SABOT_DATABASE_URL": "",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "COLUMNS": "80",
        "NO_COLOR": "1",
    }
    shown = []
    try:
        for command in commands():
            result = pasted(command, env=surroundings, **ONE_AFTER_THE_OTHER)
            text = result.stdout
            for pattern, instead in PASSING:
                text = re.sub(pattern, instead, text)
            status = f"[{result.returncode}]\n" if result.returncode else ""
            shown.append(f"$ {command}\n{text}{status}")
    finally:
        Embedded(home).destroy()
    return "\n".join(shown)


def test_the_tour_shows_the_stored_pages(told, golden):
    stored = golden / "tour.txt"
    if not stored.exists():
        stored.write_text(told)

    assert stored.read_text() == told


def test_every_claim_of_the_tour_is_true(told):
    """Commands that are said to be refused are, and no other is."""
    for each in told.split("\n$ "):
        command, _, shown = each.partition("\n")

        assert ("refused" in command) == ("[1]" in shown), each
    assert "P-10417" in told
    assert "5.00" in told
