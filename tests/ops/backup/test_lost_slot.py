"""A follower that was away too long: the server has removed a part of the log."""

import json
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
import pytest
from click.testing import CliRunner

from ops.backup.archive import Archive
from ops.cli import cli
from ops.ledger.embedded import Embedded
from ops.ledger.embedded.follower import ensure_followed
from ops.ledger.embedded.processes import wait
from tests.faults import FULL
from tests.worlds.power_cut import kill_all

SMALL = ("ALTER SYSTEM SET max_slot_wal_keep_size = '16MB'", "SELECT pg_reload_conf()")
GROWS = "SELECT pg_logical_emit_message(false, '', ''), pg_switch_wal()"
LOST = "SELECT wal_status = 'lost' FROM pg_replication_slots"
SECONDS = 60.0


def run(*words: object) -> str:
    answer = CliRunner().invoke(cli, ["db", *map(str, words)])
    assert answer.exit_code == 0, answer.output
    return answer.output


def end_follower(home: Path) -> None:
    for each in psutil.process_iter(["cmdline"]):
        with suppress(psutil.Error):
            if "--follow" in (each.info["cmdline"] or ()) and (
                each.environ().get("SABOT_HOME") == str(home)
            ):
                each.kill()
                each.wait()
    every = psutil.process_iter(["cmdline"])
    kill_all([e for e in every if f"--directory={home}/backup/wal" in (e.info["cmdline"] or ())])


def is_lost(superuser: psycopg.Connection) -> bool:
    """Whether the slot is lost, after some more of the log."""
    superuser.execute(GROWS)
    superuser.execute("CHECKPOINT")
    return superuser.execute(LOST).fetchone() == (True,)


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.delenv("SABOT_DATABASE_URL", raising=False)
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))
    public = run("backup-key", tmp_path / "key.txt").splitlines()[-1]
    run("backup", "--to", tmp_path / "archive", "--for", public)
    yield tmp_path / "home"
    Embedded(tmp_path / "home").destroy()


@pytest.mark.skipif(not FULL, reason="half a minute: scripts/faults does it")
def test_a_backup_whose_log_was_removed_says_so_and_begins_again_with_one_command(home, tmp_path):
    end_follower(home)
    with psycopg.connect(Embedded(home).url(), autocommit=True) as superuser:
        for each in SMALL:
            superuser.execute(each)
        assert wait(lambda: is_lost(superuser), SECONDS)
    ensure_followed(home)
    assert wait(lambda: "Run `sabot db backup`: it begins again" in run("status"), SECONDS)

    assert "the backup begins again with a new base" in run("backup")
    archive = Archive(tmp_path / "archive")
    archive.require_no_gap(archive.bases()[-1])
    assert json.loads(run("status", "--json"))["backup"]["failing"] is None
