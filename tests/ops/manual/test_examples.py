"""The files that an integrator copies: the reading shoe runs, and counts each card once."""

import json
import os
import subprocess
import sys
from pathlib import Path
from subprocess import DEVNULL

import pytest

from ops.manual.topics import PAGES
from tests.acceptance.channels import json_of
from tests.ops.manual.pages import fault_in

EXAMPLES = PAGES / "examples"
SABOT = Path(sys.executable).parent / "sabot"
CARDS = "9C\n5S\n7C\nQD\n"
# A feed that records its first line, and is gone before it can answer.
DIES_ONCE = f"""#!/bin/sh
if [ ! -e died ]; then
    touch died
    head -n 1 | {SABOT} "$@" >/dev/null
    exit 3
fi
exec {SABOT} "$@"
"""


BEFORE = [
    {
        "command": "table.open",
        "rules": "ez@1",
        "opener": {"10000": 200},
        "by": "D-1",
        "with": "S-1",
    },
    {"command": "table.seat", "seat": 3, "patron": "P-10417"},
    {"command": "shoe.load", "decks": 8},
    {"command": "shoe.inspect"},
    {"command": "shoe.shuffle", "method": "machine"},
    {"command": "shoe.cut", "seat": 3},
    {"command": "shoe.burn", "card": "3D"},
    {"command": "bet", "seat": 3, "spot": "banker", "amount": 100_00},
]


@pytest.fixture
def betting(database):
    """B01 has a bet, and no card of its coup is out; by the machine's own clock."""
    lines = "".join(json.dumps({**line, "table": "B01"}) + "\n" for line in BEFORE)
    env = {**os.environ, "SABOT_DATABASE_URL": database.url}
    subprocess.run([SABOT, "feed"], input=lines, env=env, text=True, check=True, stdout=DEVNULL)
    return database


def read_cards(database, place, path):
    """What the reading shoe prints when it reads four cards."""
    result = subprocess.run(
        [sys.executable, EXAMPLES / "reading_shoe.py", "B01", "--patience", "5"],
        input=CARDS,
        cwd=place,
        env={**os.environ, "SABOT_DATABASE_URL": database.url, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return result.stdout.splitlines()


def cards_of(database):
    (coup,) = json_of(database, "report", "coup")["rows"]
    return [each["card"] for each in coup["cards"]]


def test_the_shoe_enters_every_card(betting, tmp_path):
    printed = read_cards(betting, tmp_path, f"{SABOT.parent}:{os.environ['PATH']}")

    assert [f"{card} is recorded" for card in CARDS.split()] == printed
    assert CARDS.split() == cards_of(betting)


def test_a_card_whose_answer_was_lost_is_sent_again_and_counts_once(betting, tmp_path):
    fails = tmp_path / "sabot"
    fails.write_text(DIES_ONCE)
    fails.chmod(0o755)
    printed = read_cards(betting, tmp_path, f"{tmp_path}:{os.environ['PATH']}")

    assert (tmp_path / "died").exists()
    assert [f"{card} is recorded" for card in CARDS.split()] == printed
    assert CARDS.split() == cards_of(betting)


@pytest.mark.parametrize("unit", sorted(EXAMPLES.glob("*.service")), ids=lambda file: file.stem)
def test_a_service_starts_what_there_is(unit):
    settings = dict(line.split("=", 1) for line in unit.read_text().splitlines() if "=" in line)
    starts = settings["ExecStart"].split()

    if starts[0].endswith("/sabot"):
        assert fault_in(" ".join(["sabot", *starts[1:]])) is None
    else:
        assert (EXAMPLES / Path(starts[1]).name).is_file()
        assert fault_in(" ".join(["sabot", "feed", *starts[3:]])) is None
    assert "Restart" in settings or settings["Type"] == "oneshot"


def test_the_example_is_short_enough_to_read():
    lines = (EXAMPLES / "reading_shoe.py").read_text().partition("import json")[2].splitlines()

    assert len([line for line in lines if line.strip()]) <= 40
