"""Restores at random moments while writers write: what was acknowledged before is there.

In Sabot's own way, and in full counts by pgBackRest, too.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import Struct

from ops.backup.archive import Archive
from ops.backup.encrypted import new_key, private_key
from ops.backup.restoring import Restore, Restored, Target
from ops.cli import cli
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from tests.faults import FULL, SEED, times
from tests.faults.harness import Stand
from tests.worlds.pgbackrest import STANZA
from tests.worlds.pgbackrest import backed_up as backed_up_by_it

Noted = set[tuple[str, str]]  # of each acknowledged command its id, and its last position


class House(Struct):
    """Where its ledger is, if not in a PostgreSQL of Sabot's own, and what turns backups on."""

    url: str = ""
    words: tuple[object, ...] = ()


@contextmanager
def own() -> Iterator[House]:
    """In Sabot's own PostgreSQL and way."""
    yield House()


@contextmanager
def pgbackrest() -> Iterator[House]:
    """In a PostgreSQL that pgBackRest backs up already."""
    with backed_up_by_it() as server:
        Database(server.url).upgrade()
        yield House(server.url, ("--pgbackrest", STANZA, "--config", server.config))


# tests/ops/backup/test_pgbackrest.py is the quick form of the second.
@pytest.fixture(params=[own, pgbackrest] if FULL else [own], ids=lambda way: way.__name__)
def house(request, tmp_path, monkeypatch):
    """A house, which the programs find."""
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))
    with request.param() as house:
        monkeypatch.setenv("SABOT_DATABASE_URL", house.url)
        yield house


@pytest.fixture
def stand(house, tmp_path):
    """Two writers of the house."""
    stand = Stand(tmp_path, 2, times(3, 150), SEED, of=Database(house.url) if house.url else None)
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


def head(database: Database) -> tuple[int, datetime]:
    with database.session("sabot_auditor") as connection:
        return connection.execute(
            "SELECT max(position), max(recorded_at) FROM ledger.events"
        ).fetchone()


def test_a_restore_to_any_moment_has_all_that_was_acknowledged_before_it(house, stand, tmp_path):
    private, public = new_key()
    backed_up("--to", tmp_path / "archive", "--for", public, *house.words)
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
            position, newest = head(Database(home=place))
            assert (position, newest <= moment) == (restored.position, True)
            assert head(stand.database)[0] == position + lost[-1]
        finally:
            place.destroy()
    by = " by pgBackRest" if house.words else ""
    print(f"seed {SEED}: {len(moments)} restores{by}, 0 lost; after their moments {lost} events")
