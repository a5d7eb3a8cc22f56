"""At a standby everything can be read, and nothing can be recorded: whatever is asked, in words."""

from collections.abc import Iterator
from contextlib import closing
from json import dumps

import pytest

from domain.rules.permissions import READINGS
from ops.commands.vocabulary import COMMANDS, OWN_COMMANDS
from ops.ledger.database import Database
from ops.ledger.embedded.processes import wait
from projections import REPORTS
from tests.acceptance.channels import feed, json_of, shell
from tests.ops.cli.leaves import LEAVES, asked_of, command_of
from tests.worlds.gaming_table import DAY, GamingTable, disputed, evening, mouth_on, trouble
from tests.worlds.held_sessions import sessions_held
from tests.worlds.two_servers import TwoServers

COUP = f"B04/{DAY}/1/1"
OF_ITS_OWN = {  # needs a screen, a file, or another record; a server has its own test
    *("serve", "dealer", "play", "demo", "feed", "projections run", "table run"),
    "group witness",  # a key of this home
}
RIGHT = {
    *("odds", "adjudicate", "manual", "rule", "rules list", "db status", "db views"),
    *("board", "replay", "road", "dispute show", "dispute list", "box report", "audit shoe"),
    *("audit verify", "audit program", "export events", "export report"),
    *("audit prove", "audit export", "audit key show", "audit adjudicate"),
    "db archive",
    *(f"report {name}" for name in REPORTS),
}
ARGUMENTS = {
    "road": [f"B04/{DAY}/1"],
    "rule": ["R-DRAW-3"],
    "adjudicate": [],
    "audit adjudicate": ["--all"],
    "manual": ["dealer"],
    "export report": ["wagers"],
    "projections rebuild": ["coups"],
    "projections check": ["coups"],
}
WORDS = "Nothing was recorded: this database is a standby, from which you can only read; its leader"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoServers]:
    with closing(TwoServers(tmp_path_factory.mktemp("two"))) as servers, sessions_held():
        with mouth_on(servers.database) as dispatcher:
            evening(dispatcher)
            disputed(trouble(GamingTable(dispatcher, "B04").open().prepare()))
        keys = {"SABOT_AUDIT_KEYS": str(tmp_path_factory.mktemp("keys"))}
        for words in ("key new --by A-1", "checkpoint"):
            signed = shell(servers.database, "audit", *words.split(), env=keys)
            assert signed.exit_code == 0, signed.output
        for name in REPORTS:
            json_of(servers.database, "report", name)
        json_of(servers.database, "board")
        assert wait(servers.caught_up, 10)
        yield servers


@pytest.fixture(autouse=True)
def at_home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SABOT_HOME", str(tmp_path))
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))


def count(database: Database) -> int:
    with database.connect("sabot_auditor") as connection:
        row = connection.execute("SELECT count(*) FROM ledger.commands").fetchone()
    assert row is not None
    return int(row[0])


def records(words: tuple[str, ...]) -> bool:
    return ".".join(words) in {*COMMANDS, *OWN_COMMANDS}


@pytest.mark.parametrize("words", [each for each in LEAVES if " ".join(each) not in OF_ITS_OWN])
def test_every_command_at_a_standby_answers_or_says_where_the_leader_is(servers, tmp_path, words):
    name, standby = " ".join(words), servers.standby
    options, arguments = next(iter(asked_of(command_of(words))))
    result = shell(standby, *words, *options, *ARGUMENTS.get(name, arguments), input="")

    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "in a read-only transaction" not in result.output
    if name in RIGHT:
        assert result.exit_code == 0, result.output
    if records(words) and name not in READINGS:
        assert (result.exit_code, WORDS in result.stderr) in ((3, True), (1, False)), result.output
    assert not (tmp_path / "keys").exists()


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_of_a_standby_is_that_of_its_leader_and_says_how_far_it_is_counted(servers, name):
    there = json_of(servers.database, "report", name)
    if name == "readings":  # asking for it is one more, at the leader
        there["rows"] = there["rows"][1:] if there["rows"] else []
    assert wait(servers.caught_up, 10)
    here = json_of(servers.standby, "report", name)

    assert here.pop("counted_up_to")[:10] >= "2026-11-21"
    if name != "readings":
        assert here == there
    assert "Read from a standby: counted up to " in shell(servers.standby, "report", name).stdout


def test_rows_that_a_standby_cannot_build_again_are_not_checked_there_and_it_says_so(servers):
    verified = shell(servers.standby, "audit", "verify", "--projections")
    checked = shell(servers.standby, "projections", "check")

    assert (verified.exit_code, checked.exit_code) == (0, 3)
    assert "The chain is intact" in verified.stdout
    assert "which a standby cannot make. Give --projections at the leader." in verified.stdout
    assert "check them at the leader" in checked.stderr
    assert "Nothing was recorded" not in verified.output + checked.output


def test_what_nobody_has_counted_yet_is_not_in_a_report_of_a_standby_which_says_so(servers):
    before = json_of(servers.standby, "report", "coup")
    with mouth_on(servers.database) as dispatcher:
        GamingTable(dispatcher, "B07").open().prepare()
    assert wait(servers.caught_up, 10)
    after, head = json_of(servers.standby, "report", "coup"), count(servers.standby)

    assert head == count(servers.database)
    assert after == before
    behind = shell(servers.standby, "report", "coup").stdout
    assert f"#{before['position']:,} of " in " ".join(behind.split())
    assert (
        json_of(servers.standby, "board")["position"]
        < json_of(servers.database, "board")["position"]
    )


def test_a_report_that_nobody_has_asked_for_yet_says_that_nothing_is_counted(servers):
    servers.run("CREATE TABLE reached AS TABLE projections.progress")
    servers.run("UPDATE projections.progress SET position = 0, hash = NULL")
    assert wait(servers.caught_up, 10)
    asked = json_of(servers.standby, "report", "wagers")
    words = " ".join(shell(servers.standby, "report", "wagers").stdout.split())
    servers.run(
        "UPDATE projections.progress AS now SET position = reached.position, hash = reached.hash "
        "FROM reached WHERE reached.projection = now.projection"
    )

    assert asked["counted_up_to"] is None
    assert "Read from a standby: nothing is counted yet of " in words


def test_a_report_of_an_earlier_moment_is_asked_for_at_the_leader(servers):
    asked = shell(servers.standby, "report", "wagers", "--as-of", "2026-11-21T20:01")

    assert (asked.exit_code, "ask with that login at the leader" in asked.stderr) == (3, True)


def test_a_feed_to_a_standby_ends_with_status_3_and_nothing_of_it_is_recorded(servers):
    before = count(servers.database)
    line = {"command": "table.buy-in", "table": "B01", "seat": 3, "amount": 100_00}
    lines = [{**line, "id": f"k-{n}", "by": "D-204"} for n in range(5)]
    for some in (lines, lines[:1]):
        result = shell(
            servers.standby, "feed", input="".join(f"{each}\n" for each in map(dumps, some))
        )
        assert (result.exit_code, result.stdout) == (3, "")
        assert result.stderr.startswith(WORDS)

    assert count(servers.database) == before
    assert feed(servers.database, [{**lines[0], "at": "2026-11-21T22:00:00+01:00"}])[1]


def test_where_the_leader_is_can_be_set(servers, monkeypatch):
    monkeypatch.setenv("SABOT_LEADER", "https://sabot.example")
    refused = shell(servers.standby, "open", "B01")

    assert "its leader is https://sabot.example. Give commands at the leader." in refused.stderr
    assert json_of(servers.standby, "db", "status")["standby"].endswith("https://sabot.example")
    assert json_of(servers.database, "db", "status")["standby"] is None


def test_nobody_types_a_pin_at_a_standby(servers):
    for words in ("sign-on", "sign-off", "change-pin", "recover"):
        refused = shell(servers.standby, "staff", words, "N-1", input="1234\n1234\n")
        assert (refused.exit_code, refused.stderr[: len(WORDS)]) == (3, WORDS), words


@pytest.mark.usefixtures("own_home")
def test_the_server_starts_on_a_standby_only_for_reading(servers):
    refused = shell(servers.standby, "serve", "--port", "0")

    assert refused.exit_code == 3
    assert "Start `sabot serve --reading`" in refused.stderr
