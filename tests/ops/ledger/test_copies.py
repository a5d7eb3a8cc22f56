"""A copy, which a subscription fills with another database's ledger: one can only read from it."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from ops.ledger.database import Database, OnStandby
from ops.ledger.embedded import Embedded
from ops.ledger.embedded.processes import wait
from ops.ledger.embedded.programs import Programs, programs_here
from tests.acceptance.channels import json_of, shell
from tests.worlds import clusters
from tests.worlds.browsers import PlainBrowser
from tests.worlds.gaming_table import BANKER_WINS, GamingTable, mouth_on
from tests.worlds.house_server import house_server

COPIED = "ledger.event_rows, ledger.command_rows, ledger.forms, ledger.readings"
ONLY_READS = (
    "this database is a copy, filled by the subscription follows, from which you can only read"
)
SECONDS = 20.0


class Copied:
    """A house, and a database whose ledger is kept as the house's is."""

    def __init__(self, place: Path) -> None:
        self._tables = 0
        self.servers = Embedded(place / "house"), Embedded(place / "copy")
        for each in self.servers:
            Database(home=each).connect("sabot_app").close()
        self.house, self.copy = (Database(each.url(database="sabot")) for each in self.servers)
        self.ask(self.house, "ALTER SYSTEM SET wal_level = 'logical'")
        self.servers[0].stop()
        Database(home=self.servers[0]).connect("sabot_app").close()
        self.ask(self.house, f"CREATE PUBLICATION house FOR TABLE {COPIED}")
        self.follow()

    def follow(self) -> None:
        self.ask(
            self.copy,
            f"CREATE SUBSCRIPTION follows CONNECTION '{self.house.url}' PUBLICATION house",
        )

    def ask(self, database: Database, statement: str) -> list[tuple[object, ...]]:
        """What a superuser is answered."""
        with psycopg.connect(database.url, autocommit=True) as superuser:
            done = superuser.execute(statement)  # type: ignore[call-overload]
            return done.fetchall() if done.description else []

    def recorded(self, database: Database) -> list[tuple[object, ...]]:
        return self.ask(database, "SELECT position, hash FROM ledger.events ORDER BY position")

    def is_as_the_house(self) -> bool:
        """Whether all tables are followed, and the copy has every event."""
        copying = self.ask(self.copy, "SELECT 1 FROM pg_subscription_rel WHERE srsubstate <> 'r'")
        return not copying and self.recorded(self.copy) == self.recorded(self.house)

    def play(self) -> None:
        """A coup more in the house, at another table."""
        self._tables += 1
        with mouth_on(self.house) as dispatcher:
            pit = GamingTable(dispatcher, f"B0{self._tables}").open().prepare()
            pit.play(BANKER_WINS, (3, "banker", 1_000_00))


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copied]:
    copied = Copied(tmp_path_factory.mktemp("copied"))
    try:
        copied.play()
        assert wait(copied.is_as_the_house, SECONDS)
        yield copied
    finally:
        for each in copied.servers:
            each.destroy()


def test_it_reads_as_the_house_does_and_says_what_it_is(copied):
    for report in ("commission", "coup", "table-win", "wagers"):
        assert json_of(copied.copy, "report", report) == json_of(copied.house, "report", report)
    verified = shell(copied.copy, "audit", "verify")
    status = shell(copied.copy, "db", "status")

    assert verified.exit_code == 0, verified.output
    assert status.exit_code == 0, status.output
    assert f"It only reads: {ONLY_READS}." in status.output


def test_a_command_is_refused_there_and_what_the_house_records_still_arrives(copied):
    before = copied.recorded(copied.copy)
    refused = [
        shell(copied.copy, "open", "B01", "--by", "D-204"),
        shell(copied.copy, "commission", "collect", "B01", "3", "50", "--by", "D-204"),
        shell(copied.copy, "feed", input='{"command": "open", "table": "B01"}\n'),
    ]

    assert [each.exit_code for each in refused] == [3, 3, 3]
    for each in refused:
        assert f"{ONLY_READS}. Give commands at the leader." in each.output
    assert copied.recorded(copied.copy) == before
    copied.play()
    assert wait(copied.is_as_the_house, SECONDS)
    assert len(copied.recorded(copied.copy)) > len(before)


def test_whoever_was_connected_before_it_was_a_copy_is_refused_too(copied):
    copied.ask(copied.copy, "DROP SUBSCRIPTION follows")
    with mouth_on(copied.copy) as dispatcher:
        pit = GamingTable(dispatcher, "B09")
        with dispatcher.casino.ledger.connection():
            assert dispatcher.casino.ledger.database.only_reads == ""
        before = copied.recorded(copied.copy)
        for name in ("readings", "command_rows", "event_rows", "forms"):
            copied.ask(copied.copy, f"ALTER TABLE ledger.{name} DISABLE TRIGGER written_once")
            copied.ask(copied.copy, f"TRUNCATE ledger.{name}")
            copied.ask(copied.copy, f"ALTER TABLE ledger.{name} ENABLE ALWAYS TRIGGER written_once")
        copied.follow()
        assert wait(copied.is_as_the_house, SECONDS)
        with pytest.raises(OnStandby, match="this database is a copy"):
            pit.open()

    assert copied.recorded(copied.copy) == before


def test_what_is_read_there_is_not_among_the_readings_of_the_house(copied):
    def readings(database: Database) -> list[tuple[object, ...]]:
        return copied.ask(database, "SELECT n, hash FROM ledger.readings ORDER BY n")

    before = readings(copied.copy)
    json_of(copied.copy, "report", "wagers", "--patron", "P-10417")
    assert readings(copied.copy) == before
    json_of(copied.house, "report", "wagers", "--patron", "P-10417")
    assert wait(lambda: readings(copied.copy) == readings(copied.house), SECONDS)
    assert len(readings(copied.copy)) > len(before)


def test_a_house_server_on_it_serves_what_can_be_read(copied, tmp_path, monkeypatch):
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))
    alone = shell(copied.copy, "serve", "--port", "0")
    with house_server(copied.copy, tmp_path / "reads", "--reading") as server:
        browser, terminal = PlainBrowser(server.address), server.terminal()
        pages = [browser.get(each)[0] for each in ("/", "/tables/B01", "/reports/coup", "/ledger")]
        status, answer = terminal.post("/api/commands", b'{"command": "open", "table": "B01"}\n')

    assert (alone.exit_code, ONLY_READS in alone.output) == (3, True)
    assert pages == [200] * 4
    assert (status, json.loads(answer)["error"]) == (503, "OnStandby")


def program(name: str, *arguments: str, given: str = "") -> str:
    """The output of one of PostgreSQL's programs."""
    directory = programs_here()
    done = subprocess.run(
        [directory / name, *arguments], input=given, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_what_was_made_from_a_dump_takes_no_commands_until_it_takes_the_place_of_the_house(
    copied, tmp_path, monkeypatch
):
    monkeypatch.setattr(Programs, "run", clusters.REAL)  # another server, no copy of the first
    other = Embedded(tmp_path / "other")
    Database(home=other).connect("sabot_app").close()  # its roles
    try:
        copied.ask(Database(other.url(database="postgres")), "CREATE DATABASE dumped")
        dumped = Database(other.url(database="dumped"))
        dump = program("pg_dump", "--dbname", copied.house.url)
        program("psql", "--quiet", "--dbname", dumped.url, given=dump)
        why = "a copy, made from a dump of another server's, from which you can only read"
        recorded = copied.recorded(dumped)

        refused = shell(dumped, "open", "B01", "--by", "D-204")
        assert (refused.exit_code, why in refused.output) == (3, True)
        assert f"It only reads: this database is {why}." in shell(dumped, "db", "status").output
        for report in ("commission", "table-win"):
            assert json_of(dumped, "report", report) == json_of(copied.house, "report", report)
        assert shell(dumped, "audit", "verify").exit_code == 0
        assert copied.recorded(dumped) == recorded == copied.recorded(copied.house)

        no_copy = shell(copied.house, "db", "take-place", "--yes")
        assert "was not made from a dump" in no_copy.output
        assert shell(dumped, "db", "take-place", "--yes").exit_code == 0
        with mouth_on(dumped) as dispatcher:
            GamingTable(dispatcher, "B08").open()
        assert len(copied.recorded(dumped)) > len(recorded)
        assert [each[0] for each in copied.ask(dumped, "SELECT count(*) FROM ledger.servers")] == [
            2
        ]
    finally:
        other.destroy()


def test_it_is_a_ledger_of_its_own_once_nothing_keeps_it(copied):
    copied.ask(copied.copy, "DROP SUBSCRIPTION follows")
    with closing(copied.copy.connect("sabot_app")):
        assert copied.copy.only_reads == ""
    assert shell(copied.copy, "open", "B01", "--by", "D-204").exit_code == 0
