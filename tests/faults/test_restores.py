"""Restores at random moments while writers write: what was acknowledged before is there."""

import json
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from ops.backup.archive import Archive
from ops.backup.encrypted import new_key, private_key
from ops.backup.restoring import Restore, Restored, Target
from ops.cli import cli
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from tests.faults import SEED, times
from tests.faults.harness import Stand

Noted = set[tuple[str, str]]  # of each acknowledged command its id, and its last position


@pytest.fixture
def stand(tmp_path, monkeypatch):
    """Two writers' house, whose backups are turned on."""
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SABOT_DATABASE_URL", raising=False)
    stand = Stand(tmp_path, 2, times(3, 150), SEED)
    try:
        yield stand
    finally:
        stand.close()


def backed_up(*words: object) -> dict[str, object]:
    answer = CliRunner().invoke(cli, ["db", "backup", "--json", *map(str, words)])
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.stdout)


def noted(stand: Stand) -> Noted:
    told = [line for table in (1, 2) for line in stand.told(table) if line != "done"]
    return {(line.split(" ")[0], line.split(" ")[1]) for line in told}


def written(stand: Stand, moments: int) -> list[tuple[datetime, Noted]]:
    """The writers write; moments, each with what was acknowledged before it."""
    for table in (1, 2):
        stand.start(table)
    chosen = []
    for number in range(moments):
        stand.wait_for_lines(stand.noted() + stand.random.randrange(5, times(20, 60)))
        time.sleep(stand.random.random() * 0.05)
        chosen.append((noted(stand), datetime.now(UTC)))
        if number == moments // 2 and moments > 1:
            backed_up()
    stand.finish()
    backed_up()
    return [(moment, before) for before, moment in chosen]


def kept(home: Path) -> Noted:
    with Database(home=Embedded(home)).session("sabot_auditor") as connection:
        rows = connection.execute("SELECT command_id, last_position FROM ledger.commands")
        return {(command, str(position)) for command, position in rows}


def head(database: Database) -> int:
    with database.session("sabot_auditor") as connection:
        row = connection.execute("SELECT max(position) FROM ledger.events").fetchone()
    return row[0]


def test_a_restore_to_any_moment_has_all_that_was_acknowledged_before_it(stand, tmp_path):
    private, public = new_key()
    backed_up("--to", tmp_path / "archive", "--for", public)
    moments = written(stand, times(1, 20))
    restore = Restore(Archive(tmp_path / "archive"), private_key(private), print)
    lost = []
    for number, (moment, before) in enumerate(moments):
        place = Embedded(tmp_path / f"restored-{number}")
        try:
            restored: Restored = restore.into(tmp_path / f"restored-{number}", Target(moment), [])

            assert [] == restored.faults  # the chain, and projections that equal a rebuild
            assert before - kept(tmp_path / f"restored-{number}") == set()
            lost.append(sum(each.events for each in restored.lost))
            assert head(stand.database) == restored.position + lost[-1]
        finally:
            place.destroy()
    print(f"seed {SEED}: {len(moments)} restores, 0 lost; after their moments {lost} events")
