"""A terminal that hangs up at any moment: its program is gone with it, and holds nothing."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from ops.cli.audit.verify import walk
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.session import Session
from tests.faults import SEED, times
from tests.ops.terminal import typed

# What is started; what it shows once it is there; and the keys that are pressed, again and again.
PROGRAMS = {
    "dealer": (("dealer", "B01", "--by", "D-204"), b"S-11", "3b100\r5p10\r\x1b"),
    "dealer --plain": (("dealer", "B01", "--plain", "--by", "D-204"), b"B01", "3b100\rzz\r"),
    "dealer --training": (("dealer", "--training", "--seed", "7"), b"leave", "?\r\x1b1b9\r"),
    "replay --step": (("replay", "B01/2026-11-21/1/1", "--step"), b"scroll", "\x1b[D\x1b[CtC]"),
    "board": (("board",), b"B01", " "),
}
KEY = re.compile(r"\x1b\[[A-Z]|.", re.DOTALL)  # an arrow comes whole: Escape alone leaves
# The line is cut, and the program told by SIGHUP as its session's leader, or told by nobody; or it
# is told, and its terminal is still there.
WAYS = ("told", "untold", "signal")
AT_ONCE = 6
STARTING, THERE = 3.0, 1.5  # seconds; up to so long after the start, or after it is there
STUCK = 120.0  # seconds in which each is there, on the slowest machine
GONE = 2.0  # seconds, but for those in which the machine had no processor for the program


@dataclass
class Line:
    """A program at a terminal of its own, and the moment at which that hangs up."""

    name: str
    way: str
    hangs_up: float  # seconds after the start, or after it is there
    when_there: bool
    surroundings: dict[str, str]
    ours: int = -1
    began: float = field(default_factory=time.monotonic)
    there: float | None = None  # when it showed that it was there
    shown: bytes = b""
    over: float | None = None  # when it was hung up
    before: float = 0.0  # seconds for which it had had no processor until then, as after it
    starved: float = 0.0
    typed: int = 0

    def __post_init__(self) -> None:
        arguments, self.shows, keys = PROGRAMS[self.name]
        self.keys = KEY.findall(keys)
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, b"\x18\0\x50\0\0\0\0\0")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ops.cli", *arguments],
            env={**os.environ, "TERM": "xterm-256color", **self.surroundings},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=self._before,  # noqa: PLW1509
        )
        os.close(theirs)

    def _before(self) -> None:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        if self.way == "told":
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def __str__(self) -> str:
        since = "it was there" if self.when_there else "the start"
        shown = "" if self.over else f", and never was: {self.shown!r}"
        return f"{self.name}, {self.way}, {self.hangs_up:.2f} s after {since}{shown}"

    def turn(self) -> None:
        """A key is pressed, or the time has come."""
        now = time.monotonic()
        since = self.there if self.when_there else self.began
        if self.over is None and since is not None and now - since >= self.hangs_up:
            self.over, self.before = now, self._starved()
            if self.way == "signal":
                self.process.send_signal(signal.SIGHUP)
            else:
                self.leave()
        elif self.over is None and now - self.began > 0.05 * self.typed:
            with suppress(OSError):  # it is full, or the program is gone
                os.write(self.ours, self.keys[self.typed % len(self.keys)].encode())
            self.typed += 1

    def see(self) -> None:
        """Whoever looks at the terminal; nobody waits because what it shows is not read."""
        with suppress(OSError):
            self.shown = self.shown[-200:] + os.read(self.ours, 1 << 16)
        if self.there is None and self.shows in self.shown:
            self.there = time.monotonic()

    def leave(self) -> None:
        if self.ours >= 0:
            os.close(self.ours)
            self.ours = -1

    @property
    def is_there(self) -> bool:
        return self.process.poll() is None

    def since(self) -> float:
        """Seconds from the hang-up, with a processor for it."""
        if self.over is None:
            return 0.0
        self.starved = max(self.starved, self._starved() - self.before)
        return time.monotonic() - self.over - self.starved

    def _starved(self) -> float:
        """Seconds in which it could have run, and did not; 0 where the kernel does not tell."""
        try:
            told = Path(f"/proc/{self.process.pid}/schedstat").read_text()
        except OSError:
            return 0.0
        return int(told.split()[1]) / 1e9

    def end(self) -> None:
        self.leave()
        self.process.kill()
        self.process.wait()


def run(lines: Iterator[Line]) -> tuple[dict[str, list[float]], list[str]]:
    """How long each program took to be gone, and those that were not gone in time."""
    took: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    late, here = [], []
    more = True
    while here or more:
        while more and len(here) < AT_ONCE:
            fresh = next(lines, None)
            here, more = [*here, *([fresh] if fresh else [])], fresh is not None
        _drain(here)
        for line in tuple(here):
            line.turn()
            since = line.since()
            if line.is_there and since < GONE and time.monotonic() - line.began < STUCK:
                continue
            if line.is_there or line.over is None:
                late.append(str(line))
            took[line.name].append(since)
            line.end()
            here.remove(line)
    return took, late


def _drain(here: list[Line]) -> None:
    lines = {line.ours: line for line in here if line.ours >= 0}
    for each in select.select(lines, [], [], 0.01)[0]:
        lines[each].see()


@pytest.fixture
def homes(database: Database, tmp_path: Path) -> Iterator[dict[str, str]]:
    """A coup at B01 to be told again, another in play, and a server for training."""
    home = tmp_path / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SABOT_HOME", str(home))
        with closing(Session(HouseHere(database), "B01", by="D-204")) as session:
            session.open()
            for line in (*typed.preparation(), *typed.coups(1), "1b100"):
                session.say(line)
    training = Embedded(home / "training")
    Database(home=training).connect("sabot_app").close()
    try:
        yield {"SABOT_HOME": str(home), "SABOT_DATABASE_URL": database.url}
    finally:
        training.destroy()


def held(home: Path) -> list[str]:
    """Journals that somebody has, or whose first line is not whole."""
    files = list((home / "terminal").glob("*.json"))
    assert files
    found = []
    for path in files:
        with path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                json.loads(file.readline() or b"{}")
            except (BlockingIOError, ValueError) as error:
                found.append(f"{path.name}: {error}")
    return found


def sessions(database: Database) -> list[str]:
    """What is still connected to that database, but for who asks; a server may take a moment."""
    ends = time.monotonic() + 5
    with database.connect("sabot_auditor") as connection:
        while True:
            there = connection.execute(
                "SELECT application_name || ' ' || state FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            ).fetchall()
            if not there or time.monotonic() > ends:
                return [str(row[0]) for row in there]
            time.sleep(0.05)


def test_a_program_ends_with_its_terminal(
    database: Database, homes: dict[str, str], tmp_path: Path
) -> None:
    random, many = Random(SEED), times(3, 50)
    in_training = {**homes, "SABOT_DATABASE_URL": ""}
    lines = (
        Line(name, WAYS[n % len(WAYS)], random.uniform(0, most), most == THERE, surroundings)
        for n in range(many)
        for name in PROGRAMS
        for most in [THERE if n % 2 else STARTING]
        for surroundings in [in_training if "training" in name else homes]
    )
    took, late = run(lines)
    longest = {name: f"{max(each, default=0):.2f} s" for name, each in took.items()}
    print(f"seed {SEED}: {many} each; gone after at most {longest}")

    assert Counter(late) == Counter()
    assert held(tmp_path / "home") == []
    assert sessions(database) == []
    assert walk(database).ok
