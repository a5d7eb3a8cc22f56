"""A file of commands: cut, sent again, sent twice at once; the server gone in the middle."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from ops.cli.audit.verify import walk
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.simulation.run import Plan
from ops.words.failure import LOST
from tests.acceptance.channels import feed, recorded
from tests.conftest import Server
from tests.faults import FULL, SEED, times
from tests.faults.harness import Stand
from tests.worlds.programs import Program

PLAN = Plan(tables=1, coups=times(8, 60), seed=SEED, trouble=0.2)
LINES = [msgspec.json.encode(line) + b"\n" for line in PLAN.lines([1])]


def feeding(database: Database, lines: list[bytes], place: Path, name: str) -> "Sending":
    return Sending(database, lines, place / name)


class Sending:
    """`sabot feed` of a file, in a process of its own."""

    def __init__(self, database: Database, lines: list[bytes], file: Path) -> None:
        file.write_bytes(b"".join(lines))
        self.answers = file.with_suffix(".answers")
        with self.answers.open("wb") as out:
            self.process = Program(
                ["--database", database.url, "feed", str(file)],
                stdout=out,
                stderr=subprocess.PIPE,
            )

    def told(self) -> list[str]:
        """The answers so far, whole ones."""
        return self.answers.read_text().split("\n")[:-1]

    def finish(self) -> tuple[int, list[str]]:
        _, words = self.process.communicate(timeout=120)
        assert words == b""
        return self.process.returncode, self.told()


@pytest.fixture(scope="module")
def undisturbed(server: Server) -> Iterator[tuple[int, list[str], list[object]]]:
    """What the file is answered when nothing happens, and what is then recorded."""
    with server.database() as database:
        status, answers = feed(database, b"".join(LINES))
        told = [msgspec.json.encode(answer).decode() for answer in answers]
        yield status, told, recorded(database)


Undisturbed = tuple[int, list[str], list[object]]


@pytest.mark.parametrize(
    "cut", [Random(SEED + n).randrange(len(LINES)) for n in range(times(2, 25))]
)
def test_a_file_cut_anywhere_and_sent_again(
    server: Server, undisturbed: Undisturbed, cut: int
) -> None:
    status, answers, events = undisturbed
    with server.database() as database:
        _, first = feed(database, b"".join(LINES[:cut]))
        again = feed(database, b"".join(LINES))

        assert (status, answers) == (again[0], _as_text(again[1]))
        assert answers[:cut] == _as_text(first)
        assert events == recorded(database)
        assert walk(database).ok


@pytest.mark.parametrize("run", range(times(1, 10)))
def test_a_file_sent_by_two_processes_at_once(
    server: Server, undisturbed: Undisturbed, tmp_path: Path, run: int
) -> None:
    status, answers, events = undisturbed
    with server.database() as database:
        both = [feeding(database, LINES, tmp_path, name) for name in ("one", "other")]
        told = [each.finish() for each in both]

        assert told == [(status, answers)] * 2, run
        assert events == recorded(database)
        assert walk(database).ok


@pytest.mark.parametrize("run", range(times(1, 10)))
def test_a_file_sent_whole_while_another_sends_its_other_half(
    server: Server, undisturbed: Undisturbed, tmp_path: Path, run: int
) -> None:
    status, answers, events = undisturbed
    half = Random(SEED - run).randrange(len(LINES) // 4, len(LINES) // 2)
    with server.database() as database:
        feed(database, b"".join(LINES[:half]))
        whole = feeding(database, LINES, tmp_path, "whole")
        other = feeding(database, LINES[half:], tmp_path, "other")

        assert whole.finish() == (status, answers)
        assert other.finish()[1] == answers[half:]
        assert events == recorded(database)
        assert walk(database).ok


def _as_text(answers: list[object]) -> list[str]:
    return [msgspec.json.encode(answer).decode() for answer in answers]


@pytest.mark.parametrize("run", range(times(1, 3)))
def test_a_feed_waits_for_a_server_that_is_down_for_a_while(
    tmp_path: Path, undisturbed: Undisturbed, run: int
) -> None:
    """Killed with every child in the middle of the feed, and away for ten seconds."""
    status, answers, events = undisturbed
    stand = Stand(tmp_path, 1, PLAN.coups, SEED + run)
    try:
        remote = Database(stand.server.url(database="sabot"))
        sending = feeding(remote, LINES, tmp_path, "evening")
        reached = stand.random.randrange(10, len(LINES) // 2)
        while len(sending.told()) < reached:
            assert sending.process.poll() is None
            time.sleep(0.002)
        stand.kill_server()
        time.sleep(10 if FULL else 1.5)
        stand.server.ensure_running()

        assert sending.finish() == (status, answers)
        assert events == recorded(remote)
        assert walk(remote).ok
    finally:
        stand.close()


def test_eight_processes_on_an_empty_ledger_found_one_house(tmp_path: Path) -> None:
    """A process that waited too long for the others is told so, and asks again under its id."""
    home = tmp_path / "home"

    def opening(n: int) -> subprocess.Popen[str]:
        words = f"table open T{n} classic@1 --opener 100=20 --day 2026-11-21 --id open-{n}"
        return Program(
            words.split(),
            env={"SABOT_HOME": str(home), "PATH": "/usr/bin:/bin"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    try:
        processes = list(map(opening, range(8)))
        told = [(*each.communicate(timeout=120), each.returncode) for each in processes]
        again = [n for n, each in enumerate(told) if each[-1] == LOST]
        for n in again:
            process = opening(n)
            told[n] = (*process.communicate(timeout=120), process.returncode)
        database = Database(home=Embedded(home))
        topics = [row[3] for row in recorded(database)]

        assert [each for each in told if each[-1] != 0] == []
        assert topics.count("property.founded") == topics.count("rule-set.adopted") == 1
        assert topics.count("table-day.opened") == 8
        assert walk(database).ok
    finally:
        Embedded(home).destroy()
