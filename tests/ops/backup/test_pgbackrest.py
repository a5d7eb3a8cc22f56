"""A house whose PostgreSQL pgBackRest backs up: the same commands, and the same is said of it."""

import json
import shutil
import threading
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from msgspec import Struct
from msgspec.structs import replace

from ops.backup.archive import Archive
from ops.backup.archived import follower_of
from ops.backup.follower import read_failing
from ops.backup.setting import read_setting
from ops.cli import cli
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.recorder import Ledger
from ops.manual.topics import PAGES
from tests.waiting import until
from tests.worlds.gaming_table import PLAYER_WINS, TIE, GamingTable
from tests.worlds.pgbackrest import STANZA, BackedUp, backed_up

PAGE = (PAGES / "drill.md").read_text().partition("## 1 Restore")[2].partition("\n## 2")[0]
HEADS = "SELECT position, hash FROM ledger.events ORDER BY position"


def run(*words: object, status: int = 0, **environment: str | None) -> str:
    """A command's answer, with the exit status that it must have."""
    answer = CliRunner().invoke(cli, ["db", *map(str, words)], env=environment)
    if answer.exception and not isinstance(answer.exception, SystemExit):
        raise answer.exception
    assert answer.exit_code == status, answer.output
    return answer.output


class House(Struct):
    """A house with two backups, and what it had at a moment between them."""

    server: BackedUp
    archive: Path
    key: Path
    moment: datetime
    early: list[tuple[int, bytes]]
    events: list[tuple[int, bytes]]

    def check(self, *words: object, status: int = 0) -> str:
        line = "backup --check --to /mnt/backup --key key.txt"
        assert f"\nsabot db {line}\n" in PAGE
        places = {"/mnt/backup": self.archive, "key.txt": self.key}
        return run(*(places.get(word, word) for word in line.split()), *words, status=status)


def events() -> list[tuple[int, bytes]]:
    with Database().session("sabot_auditor") as connection:
        return connection.execute(HEADS).fetchall()


@contextmanager
def tables():
    with closing(Casino(Ledger(Database()))) as casino:
        yield Dispatcher(casino, "test")


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    place = tmp_path_factory.mktemp("pgbackrest")
    archive, key = place / "archive", place / "key.txt"
    with backed_up() as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SABOT_DATABASE_URL", server.url)
        patch.setenv("SABOT_HOME", str(place / "home"))
        run("upgrade")
        public = run("backup-key", key).splitlines()[-1]
        first = "backup --to /mnt/backup --for age1… --pgbackrest main"
        assert f"\nsabot db {first}\n" in PAGE
        given = {"/mnt/backup": archive, "age1…": public}
        words = [given.get(word, word) for word in first.split()]
        with tables() as dispatcher:
            GamingTable(dispatcher).open().prepare().play(PLAYER_WINS, (3, "banker", 100_00))
            made = run(*words, "--config", server.config)
            assert f"The base and the log up to now are kept by pgbackrest ({STANZA})." in made
            early, moment = events(), datetime.now(UTC)
            GamingTable(dispatcher, "B02").open().prepare().play(TIE, (3, "tie", 10_00))
        run("backup")
        yield House(server, archive, key, moment, early, events())


def test_a_check_restores_what_pgbackrest_has_and_verifies_it(house):
    checked = json.loads(house.check("--config", house.server.config, "--json").splitlines()[-1])

    assert checked["ok"], checked
    assert len(house.events) == checked["position"]
    status = run("status")
    assert f"Backup: by pgbackrest ({STANZA}), and in {house.archive}; base of " in status
    assert "ago, good." in status


def test_a_restore_to_a_moment_says_what_is_lost_and_the_new_home_knows_of_it(house, tmp_path):
    home = tmp_path / "restored"
    source = ("restore", "--from", house.archive, "--key", house.key, "--into", home)
    try:
        said = run(*source, "--to", house.moment.isoformat())
        with Database(home=Embedded(home)).session("sabot_auditor") as connection:
            there = connection.execute(HEADS).fetchall()
        new = {"SABOT_HOME": str(home), "SABOT_DATABASE_URL": None, "SABOT_ACKNOWLEDGED": None}
        status = run("status", status=1, **new)
    finally:
        Embedded(home).destroy()

    assert house.early == there
    assert (home / "pepper").exists()
    lost = len(house.events) - len(house.early)
    assert f"Lost by it: {lost} events from #{len(house.early) + 1} on." in said
    assert "The chain, the checkpoints and the projections are good." in said
    assert "They are known in the backup." in status


def test_the_follower_sees_what_is_archived_and_says_when_nothing_is(house):
    database, archive = Database(), Archive(house.archive)
    setting = read_setting(database)
    assert setting is not None
    stop, said = threading.Event(), []
    follower = threading.Thread(target=follower_of(database, setting, said.append).run, args=[stop])
    with psycopg.connect(house.server.url, autocommit=True) as superuser:
        try:
            begun = datetime.now(UTC)
            follower.start()
            superuser.execute("SELECT pg_logical_emit_message(false, '', 'something')")
            until(lambda: (now := archive.followed) and now.at > begun)
            superuser.execute("ALTER SYSTEM SET archive_command = 'false # pgbackrest'")
            superuser.execute("SELECT pg_reload_conf(), pg_switch_wal()")
            failing = until(lambda: read_failing(database))
            status = run("status")
            again = {"PGBACKREST_ARCHIVE_TIMEOUT": "1"}
            refused = run("backup", status=1, **again)
        finally:
            superuser.execute("ALTER SYSTEM RESET archive_command")
            superuser.execute("SELECT pg_reload_conf()")
            stop.set()
            follower.join()

    assert "PostgreSQL could not archive " in failing.why
    assert "! The backup gets nothing, for " in status
    assert failing.why in said
    assert "was not archived before the 1000ms timeout" in refused
    assert "see archive_command, and the server's log." in refused


def test_what_pgbackrest_lacks_is_in_words(house, tmp_path, monkeypatch):
    public = Archive(house.archive).house.key
    new = ("backup", "--to", tmp_path / "new", "--for", public)
    here = ("--config", house.server.config)
    without = house.check("--config", house.server.without_passphrase, status=1)
    stanza = run(*new, "--pgbackrest", "other", *here, status=1)
    by_sabot = run("backup", "--to", house.archive, "--pgbackrest", "other", *here, status=1)
    retention = run("backup", "--keep", 3, status=2)
    own = {"SABOT_DATABASE_URL": "", "SABOT_HOME": str(tmp_path / "own")}
    try:
        embedded = run(*new, "--pgbackrest", STANZA, status=1, **own)
    finally:
        Embedded(tmp_path / "own").destroy()
    copy = Archive(shutil.copytree(house.archive, tmp_path / "copy"))
    for base in copy.bases():
        copy.write(f"bases/{base.name}/about.json", replace(base, label="20261127-201407F"))
    gone = run(
        *("restore", "--from", copy.directory, "--key", house.key, "--into", tmp_path / "x"),
        status=1,
    )
    monkeypatch.setattr("ops.backup.pgbackrest.NAME", "no-pgbackrest-here")
    missing = run("backup", status=1)

    assert "Its repository is encrypted, and the passphrase is missing or is another" in without
    assert "There is no such stanza: `pgbackrest info` lists those that there are" in stanza
    assert f"has backups whose log is kept by pgbackrest ({STANZA})" in by_sabot
    assert "repo1-retention-full" in retention
    assert "This PostgreSQL archives no log. Set archive_mode = on" in embedded
    assert "The repository of pgBackRest no longer has 20261127-201407F" in gone
    assert "There is no pgBackRest on this machine" in missing
