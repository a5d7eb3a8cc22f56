"""Time is handed in: who may ask a clock what time it is."""

import ast
from functools import cache

import pytest

from tests import ROOT

NOW = {("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today"), ("date", "today")}
NOW |= {("time", "time"), ("time", "time_ns"), ("time", "localtime"), ("time", "gmtime")}
OURS = {"wall_clock", "record_clock"}
# Who asks the machine, not `ops.ledger.clock`, and why.
OF_THE_MACHINE = {
    "ops/ledger/clock.py": "it is the clock",
    "ops/ledger/fit.py": "it compares this machine's time with the server's",
    "ops/ledger/confirmed.py": "since when this machine waits for a standby",
    "ops/door/acknowledged.py": "when this terminal had an answer",
    "ops/door/fresh_id.py": "an id begins with the time, so that ids rise",
    "ops/door/signature.py": "when a request was signed",
    "ops/manual/examples/reading_shoe.py": "it is a program of others, for the manual",
    "ops/web/callers.py": "a signature is fresh by the clocks of two machines",
    "ops/web/pages/live.py": "by it a browser sets its clocks",
    "ops/cli/backup.py": "how old the files of a backup are",
    "ops/backup/base.py": "when the files of a backup were made",
    "ops/backup/follower.py": "since when nothing comes into the backup",
    "ops/backup/checking.py": "when the files of a backup were checked",
}
# What is handed every moment, and asks no clock at all.
ROOMS = ("finding", "handlers", "now", "pack", "proof", "replay", "roads", "words")
HANDED = ("domain", "projections", *(f"ops/{room}/" for room in ROOMS))


def asked(file):
    """The clocks that a file asks."""
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Attribute(attr=name, value=ast.Name(id=of)) if (of, name) in NOW:
                yield f"{of}.{name}"
            case ast.Attribute(attr=name) | ast.Name(id=name) if name in OURS:
                yield name


@cache
def files():
    """The clocks that each file asks."""
    return {
        str(file.relative_to(ROOT)): {*asked(file)}
        for room in ("domain", "projections", "ops")
        for file in (ROOT / room).rglob("*.py")
    }


def test_only_these_ask_the_machine_itself():
    assert {name for name, clocks in files().items() if clocks - OURS} == {*OF_THE_MACHINE}


@pytest.mark.parametrize("room", HANDED)
def test_a_room_that_is_handed_the_time_asks_no_clock(room):
    assert {
        name: clocks for name, clocks in files().items() if name.startswith(room) and clocks
    } == {}


def test_a_clock_that_is_asked_is_noticed(tmp_path):
    file = tmp_path / "reader.py"
    file.write_text("from datetime import UTC, datetime\nnow = datetime.now(UTC)\n")

    assert {*asked(file)} == {"datetime.now"}
