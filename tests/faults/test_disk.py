"""A disk that is full: nothing acknowledged is lost, and room is all that it takes to go on."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from ops.cli.audit.verify import walk
from ops.ledger.database import Database, LedgerLost
from ops.ledger.embedded import Embedded
from ops.ledger.embedded.place import EmbeddedError
from ops.ledger.recordable import why_not
from ops.simulation.run import Plan
from tests.acceptance.channels import recorded
from tests.faults import SEED, times
from tests.worlds.programs import run

MB = 1024 * 1024
SIZE = 160 * MB  # a fresh cluster with a ledger takes some 80
PLAN = Plan(tables=2, coups=times(40, 120), seed=SEED, trouble=0.1)
COUP = f"S01/{PLAN.day}/1/1"
LINES = b"".join(msgspec.json.encode(line) + b"\n" for line in PLAN.lines([1, 2]))


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Embedded]:
    """A cluster on a small file system of its own, which only root can make."""
    embedded = Embedded(tmp_path / "home")
    embedded.cluster.mkdir(parents=True)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(embedded.cluster)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("a small file system can only be made by root, where it may mount")
    try:
        yield embedded
    finally:
        embedded.stop("immediate")
        subprocess.run(["umount", "--lazy", str(embedded.cluster)], check=True)


def sent(home: Path) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "SABOT_HOME": str(home), "SABOT_DATABASE_URL": ""}
    return run(["feed", "--patience", "1"], env=env, input=LINES, text=False, timeout=300)


def cannot_record(database: Database) -> str:
    """What is asked although nobody records."""
    try:
        with database.session("sabot_auditor") as connection:
            return why_not(connection)
    except LedgerLost as error:
        return error.why


@pytest.mark.parametrize("run", range(times(1, 6)))
def test_a_full_disk_loses_nothing_that_was_acknowledged(
    small: Embedded, tmp_path: Path, run: int
) -> None:
    database = Database(home=small)
    database.connect("sabot_app").close()
    room = os.statvfs(small.cluster)
    free = Random(SEED + run).randrange(400 * 1024, 1500 * 1024)  # some pieces of a feed fit
    ballast = small.cluster / "ballast"
    ballast.write_bytes(bytes(room.f_bavail * room.f_frsize - free))
    full = sent(tmp_path / "home")
    answered = full.stdout.splitlines()

    assert full.returncode == 3, full.stderr
    assert b"cannot be reached" in full.stderr
    assert b"Traceback" not in full.stderr
    assert 0 < len(answered) < LINES.count(b"\n")
    assert cannot_record(database) != ""
    ballast.unlink()
    again = sent(tmp_path / "home")
    answers = again.stdout.splitlines()
    caused = {row[8] for row in recorded(database)}
    accepted = {json.loads(answer)["id"] for answer in answers if json.loads(answer)["ok"]}

    assert cannot_record(database) == ""
    assert again.returncode in (0, 1), again.stderr
    assert answers[: len(answered)] == answered
    assert len(answers) == LINES.count(b"\n")
    assert accepted <= caused
    assert walk(database).ok


def test_whoever_reads_on_a_full_disk_is_answered_and_told_how_far_the_rows_are(
    small: Embedded, tmp_path: Path
) -> None:
    assert sent(tmp_path / "home").returncode in (0, 1)
    room = os.statvfs(small.cluster)
    ballast = small.cluster / "ballast"
    ballast.write_bytes(bytes(room.f_bavail * room.f_frsize))
    env = {**os.environ, "SABOT_HOME": str(tmp_path / "home"), "SABOT_DATABASE_URL": ""}
    lines = ("report coup", "board --once", "audit verify", f"replay {COUP}")
    full = {line: run(line.split(), env=env, timeout=300) for line in lines}
    ballast.unlink()
    again = run(["report", "coup"], env=env, timeout=300)

    assert {line: (each.returncode, each.stderr) for line, each in full.items()} == dict.fromkeys(
        lines, (0, "")
    )
    for line in ("report coup", "board --once"):
        assert "The disk of the database is full" in full[line].stdout, line
    assert again.returncode == 0
    assert "full" not in again.stdout


def test_a_server_that_cannot_start_on_a_full_disk_says_what_to_do(small: Embedded) -> None:
    small.ensure_running()
    small.stop("immediate")  # so that the next start needs room, for what it recovers
    room = os.statvfs(small.cluster)
    ballast = small.cluster / "ballast"
    ballast.write_bytes(bytes(room.f_bavail * room.f_frsize))
    with pytest.raises(EmbeddedError, match=r"is full|No space left on device") as refused:
        small.ensure_running()

    assert "Free space" in str(refused.value)
    ballast.unlink()
    small.ensure_running()
