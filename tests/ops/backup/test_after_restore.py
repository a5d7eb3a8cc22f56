"""From a backup to a house that goes on: every command is typed, and each finds what it needs."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from ops.backup.follower import read_failing
from ops.cli import cli
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.embedded.follower import only_one
from ops.ledger.embedded.processes import wait
from ops.ledger.embedded.programs import programs_for
from ops.ledger.recorder import Ledger
from tests.faults import FULL
from tests.worlds.gaming_table import PLAYER_WINS, GamingTable
from tests.worlds.house_server import house_server
from tests.worlds.two_servers import TwoServers


def typed(*words: object, status: int = 0) -> str:
    answer = CliRunner().invoke(cli, [*map(str, words)])
    assert answer.exit_code == status, answer.output
    return answer.stdout


def told(*words: object, status: int = 0) -> dict[str, object]:
    return json.loads(typed(*words, "--json", status=status))


@contextmanager
def dispatcher():
    with closing(Casino(Ledger(Database()))) as casino:
        yield Dispatcher(casino, "test")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.delenv("SABOT_DATABASE_URL", raising=False)
    for name in ("SABOT_PEPPER_FILE", "SABOT_AUDIT_KEYS", "SABOT_ACKNOWLEDGED"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))
    yield tmp_path
    for each in tmp_path.iterdir():
        if each.is_dir():
            Embedded(each).destroy()


def nobody_follows(home: Path) -> bool:
    with only_one(home) as free:
        return free


def alerts() -> set[str]:
    return {each["kind"] for each in told("board")["alerts"]}


def goes_on_in_epoch_2() -> None:
    """Two people accept what is missing; the record is signed under another name, and verified."""
    typed("audit", "checkpoint", status=1)
    assert "record restored" in alerts()
    typed("audit", "restored", "--look", status=1)
    typed("audit", "restored", "the disk failed", "--by", "A-1", "--with", "S-11")
    assert told("audit", "checkpoint")["origin"].endswith("/epoch-2")
    assert "record restored" not in alerts()
    assert told("audit", "verify")["ok"]


def test_a_house_that_was_restored_to_a_moment_goes_on_in_a_new_epoch(place, monkeypatch):
    typed("audit", "key", "new", "--by", "A-1")
    public = typed("db", "backup-key", place / "key.txt").strip()
    with dispatcher() as house:
        table = GamingTable(house).open().prepare()
    typed("db", "backup", "--to", place / "first", "--for", public)
    with dispatcher() as house:
        table.dispatcher = house
        table.play(PLAYER_WINS, (3, "banker", 100_00))
        moment = datetime.now(UTC)
        table.play(PLAYER_WINS, (3, "banker", 100_00))
    typed("db", "down")
    assert wait(lambda: nobody_follows(place / "home"), 20)
    assert read_failing(Database()) is None  # the server was stopped, which is no failure
    signed = told("audit", "checkpoint")["size"]  # at a server that was started again
    typed("db", "down")

    new, key = place / "new", ("--key", place / "key.txt")
    restored = told(
        *("db", "restore", "--from", place / "first", *key),
        *("--to", moment.isoformat(), "--into", new),
    )
    assert signed == restored["signed"]
    assert signed + 1 - restored["position"] == sum(each["events"] for each in restored["lost"])
    monkeypatch.setenv("SABOT_HOME", str(new))
    assert "They are known in the backup." in told("db", "status", status=1)["missing"]
    assert f"embedded, in {Embedded(new).data}; schema" in typed("db", "status", status=1)
    verified = typed("audit", "verify", status=1)
    missing = told("db", "status", status=1)["missing"]
    assert verified.startswith("The chain is intact")
    assert f"\n! {missing}\n" in verified
    assert told("audit", "verify", status=1)["missing"] == missing
    with house_server(Database(), new) as server:
        assert f"up to #{signed + 1}" in json.loads(server.terminal().get("/health")[2])["missing"]
    goes_on_in_epoch_2()
    typed("db", "backup", "--to", place / "second", "--for", public)
    typed("db", "down")
    assert told("db", "backup", "--check", "--to", place / "second", *key)["ok"]


@pytest.fixture
def servers(place) -> Iterator[TwoServers]:
    """A house that signs, on a server with a standby that need not have everything."""
    with closing(TwoServers(place / "two")) as servers:
        servers.run("ALTER SYSTEM SET synchronous_standby_names = ''")
        servers.run("SELECT pg_reload_conf()")
        yield servers


@contextmanager
def signing_at(url: str, monkeypatch) -> Iterator[GamingTable]:
    """A table of a house that signs what was played when this ends."""
    monkeypatch.setenv("SABOT_DATABASE_URL", url)
    typed("audit", "key", "new", "--by", "A-1")
    with dispatcher() as house:
        table = GamingTable(house).open().prepare()
        yield table
        table.play(PLAYER_WINS, (3, "banker", 100_00))
    typed("audit", "checkpoint")


@pytest.mark.skipif(not FULL, reason="scripts/faults does it; a promotion goes the same way")
def test_a_house_whose_dump_was_put_into_another_server_goes_on_in_a_new_epoch(
    servers, place, monkeypatch
):
    run = programs_for(servers.first.data).run
    roles, dump = (servers.first.socket_dir / name for name in ("roles", "dump"))
    with signing_at(servers.first.url(database="sabot"), monkeypatch):
        run("pg_dumpall", "--roles-only", "-d", servers.first.url(), "-f", str(roles))
        run("pg_dump", "-Fc", "-d", servers.first.url(database="sabot"), "-f", str(dump))
    other = Embedded(place / "other")
    other.ensure_running()
    run("psql", "-q", "-d", other.url(), "-f", str(roles), "-c", "CREATE DATABASE sabot")
    run("pg_restore", "-d", other.url(database="sabot"), str(dump))
    monkeypatch.setenv("SABOT_DATABASE_URL", other.url(database="sabot"))

    assert "that were signed are missing" in told("db", "status", status=1)["missing"]
    goes_on_in_epoch_2()


def test_a_standby_that_lacks_something_and_was_promoted_goes_on_in_a_new_epoch(
    servers, place, monkeypatch
):
    with signing_at(servers.first.url(database="sabot"), monkeypatch):
        assert wait(servers.caught_up, 60)
        servers.away()
    monkeypatch.setenv("SABOT_DATABASE_URL", servers.promote().url)

    assert "that were signed are missing" in told("db", "status", status=1)["missing"]
    goes_on_in_epoch_2()
