"""The database: upgraded once and in turn, and refused when money must not be trusted to it."""

import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from click.testing import CliRunner
from psycopg.conninfo import make_conninfo

from ops.cli import cli
from ops.ledger.database import Database, LedgerLost, NotFit
from ops.ledger.fit import ADVICE, REQUIRED_SETTINGS
from ops.ledger.schema import VERSIONS, ensure_version, head
from tests import ROOT
from tests.worlds.gaming_table import GamingTable

UPGRADE = (
    "import sys; from ops.ledger.database import Database; print(Database(sys.argv[1]).upgrade())"
)
WAITING = """
    SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
     WHERE NOT granted AND mode = 'ShareUpdateExclusiveLock' AND datname = current_database()
"""
ROLES = ("sabot_app", "sabot_projector", "sabot_auditor")


@pytest.fixture
def empty(server):
    """A database in which there is no Sabot yet."""
    name = f"sabot_empty_{uuid4().hex}"
    server.run(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
    yield Database(server.address(name))
    server.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def nowhere():
    """The address of a server that is not there."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield Database(f"postgresql://127.0.0.1:{taken.getsockname()[1]}/sabot")


def change(connection, database, what):
    """A setting of the database, for those who connect from now on."""
    name = connection.info.dbname
    connection.execute(f"ALTER DATABASE {name} SET {what}")


def test_upgrading_makes_the_newest_schema_and_doing_it_again_changes_nothing(
    empty, dispatcher, database, superuser
):
    GamingTable(dispatcher).open()
    asked = "SELECT md5(string_agg(events::text, ',' ORDER BY position)) FROM ledger.events"
    before = superuser.execute(asked).fetchone()

    assert {head()} == {empty.upgrade(), empty.upgrade(), database.upgrade()}
    assert before == superuser.execute(asked).fetchone()
    assert empty.status().ok


def upgrading(database):
    """Another process that upgrades."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", UPGRADE, database.url]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True)


def test_four_processes_may_upgrade_an_empty_database_at_once(empty):
    """They wait for each other; here until all four are there."""
    with empty.connect_as_is() as first:
        ensure_version(first)
        first.execute("BEGIN; LOCK TABLE public.schema_version IN SHARE UPDATE EXCLUSIVE MODE")
        four = [upgrading(empty) for _ in range(4)]
        end = time.monotonic() + 60
        while first.execute(WAITING).fetchone() != (4,):
            assert time.monotonic() < end
            assert {process.poll() for process in four} == {None}
    said = [process.communicate(timeout=60) for process in four]

    assert [(f"{head()}\n", "")] * 4 == said
    assert empty.status().ok


@pytest.mark.parametrize("role", ROLES)
def test_a_database_without_a_schema_says_how_to_make_it(empty, role):
    with pytest.raises(NotFit, match="run `sabot db upgrade`"):
        empty.connect(role)
    assert empty.status().schema is None
    assert not empty.status().ok


@pytest.mark.parametrize(
    ("version", "advice"),
    [("0000_before", "run `sabot db upgrade`"), ("9999_later", "made by a newer Sabot")],
)
def test_a_schema_of_another_version_is_refused(database, superuser, version, advice):
    superuser.execute("DELETE FROM public.schema_version WHERE version_num <> %s", (head(),))
    superuser.execute(
        "UPDATE public.schema_version SET version_num = %s, serves = %s", (version,) * 2
    )

    with pytest.raises(NotFit, match=rf"its schema is {version}.*{advice}"):
        database.connect("sabot_app")
    assert database.status().schema == version
    assert not database.status().ok


def test_a_schema_that_a_newer_program_made_is_not_upgraded(database, superuser):
    superuser.execute(
        "UPDATE public.schema_version SET version_num = '9999_later', serves = '9999' "
        "WHERE version_num = (SELECT max(version_num) FROM public.schema_version)"
    )

    with pytest.raises(
        NotFit, match=r"cannot be upgraded: its schema is 9999_later, made by a newer"
    ):
        database.upgrade()


@pytest.mark.parametrize("role", ROLES)
def test_every_connection_works_under_its_role_in_utc_and_commits_at_once(database, role):
    asked = "SELECT current_user, current_setting('TimeZone')"
    with database.connect(role) as connection:
        assert (role, "UTC") == connection.execute(asked).fetchone()
        assert connection.autocommit


def test_a_role_in_the_address_does_not_matter(database):
    given = Database(
        make_conninfo(database.url, options="-c role=sabot_owner -c timezone=Asia/Tokyo")
    )
    with given.connect("sabot_app") as connection:
        found = connection.execute("SELECT current_user, current_setting('TimeZone')").fetchone()

    assert found == ("sabot_app", "UTC")


def test_the_status_on_a_full_disk_has_the_place_and_says_that_it_is_full(database, monkeypatch):
    def full(*_):
        raise psycopg.errors.DiskFull("could not extend file: No space left on device")

    monkeypatch.setattr("ops.ledger.fit.differences", full)
    status = database.status()

    assert ["the disk of the database is full; free space there"] == status.unfit
    assert status.server
    assert not status.ok


def test_a_disk_that_is_full_ends_a_command_in_words(database, monkeypatch):
    def full(*_):
        raise psycopg.errors.DiskFull("could not extend file: No space left on device")

    monkeypatch.setattr(Database, "connect_as_is", full)
    result = CliRunner().invoke(cli, ["db", "views"], env={"SABOT_DATABASE_URL": database.url})

    assert 3 == result.exit_code
    assert "cannot be reached: could not extend file: No space left" in result.stderr


def test_the_status_of_a_good_database_has_no_advice(database):
    status = database.status()

    assert status.settings == REQUIRED_SETTINGS
    assert (status.ok, status.advice, status.schema) == (True, [], "head")
    assert (status.url, status.embedded) == (None, False)


@pytest.mark.parametrize(
    ("name", "value"),
    [("synchronous_commit", "off"), ("synchronous_commit", "local")],
)
def test_a_setting_that_loses_money_is_refused_with_advice(database, superuser, name, value):
    change(superuser, database, f"{name} = '{value}'")
    status = database.status()

    with pytest.raises(NotFit, match=re.escape(f"{name} is {value}: {ADVICE[name]}")):
        database.connect("sabot_app")
    assert [f"{name} is {value}: {ADVICE[name]}"] == status.advice
    assert value == status.settings[name]


def test_an_address_that_weakens_a_setting_is_refused_too(database):
    given = Database(make_conninfo(database.url, options="-c synchronous_commit=off"))

    with pytest.raises(NotFit, match="synchronous_commit is off"):
        given.connect("sabot_app")


@pytest.mark.parametrize("name", REQUIRED_SETTINGS)
def test_there_is_advice_for_every_setting(name):
    assert ADVICE[name]


@pytest.fixture
def encoded(server):
    """A database of another encoding."""
    name = f"sabot_encoded_{uuid4().hex}"

    def make(encoding):
        server.run(f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
        return Database(server.address(name))

    yield make
    server.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_of_another_encoding_is_refused(encoded, encoding):
    about, other = [], []
    for each in encoded(encoding).status().advice:
        (about if "encoding" in each else other).append(each)

    assert f"server_encoding is {encoding}: {ADVICE['server_encoding']}" in about
    assert other == ["its schema is missing: run `sabot db upgrade`"]


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_of_another_encoding_is_not_upgraded(encoded, encoding):
    with pytest.raises(NotFit, match="UTF8"):
        encoded(encoding).upgrade()


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_the_encoding_of_the_environment_does_not_matter(empty, superuser, monkeypatch, encoding):
    monkeypatch.setenv("PGCLIENTENCODING", encoding)
    empty.upgrade()

    assert empty.status().ok


def test_a_login_without_sabot_s_roles_learns_which_it_needs(database, superuser):
    name = f"sabot_test_login_{os.getpid()}"
    superuser.execute(f"CREATE ROLE {name} LOGIN")
    try:
        with pytest.raises(NotFit) as refused:
            Database(make_conninfo(database.url, user=name)).connect("sabot_app")
    finally:
        superuser.execute(f"DROP ROLE {name}")

    assert "permission denied" in str(refused.value)
    assert "db upgrade" not in str(refused.value)


@pytest.mark.parametrize("value", ["y", "yes", "true", "1", "banana"])
def test_the_librarys_own_functions_in_the_database_are_refused(database, monkeypatch, value):
    monkeypatch.setenv("POSTGRES_ENABLE_DB_FUNCTIONS", value)
    for role in ("sabot_app", "sabot_projector", "sabot_auditor"):
        with pytest.raises(NotFit, match="POSTGRES_ENABLE_DB_FUNCTIONS"):
            database.connect(role)


@pytest.mark.parametrize("value", ["", "n", "no", "false", "0", "Off"])
def test_nothing_is_refused_if_they_are_switched_off(database, monkeypatch, value):
    monkeypatch.setenv("POSTGRES_ENABLE_DB_FUNCTIONS", value)
    database.connect("sabot_app").close()


@pytest.mark.parametrize("url", ["sabot", "postgresql://[::1", "host=a nonsense=1", "http://x"])
@pytest.mark.parametrize("call", ["connect", "connect_as_is", "status"])
def test_an_invalid_address_is_refused_in_words(url, call):
    database = Database(url)

    with pytest.raises(NotFit, match="address cannot be read"):
        getattr(database, call)(*(["sabot_app"] if call == "connect" else []))


@pytest.mark.parametrize("call", ["connect", "connect_as_is", "status"])
def test_an_unreachable_server_is_a_lost_ledger(nowhere, call):
    with pytest.raises(LedgerLost, match=r"cannot be reached.*Try again when it is back"):
        getattr(nowhere, call)(*(["sabot_app"] if call == "connect" else []))


def test_an_upgrade_too_says_in_words_what_is_wrong(nowhere):
    with pytest.raises(LedgerLost):
        nowhere.upgrade()
    with pytest.raises(NotFit):
        Database("nonsense").upgrade()


def test_only_the_schema_and_the_projections_make_tables():
    making = re.compile(r"CREATE (UNLOGGED )?TABLE")
    history = VERSIONS.parent.relative_to(ROOT)
    makers = {
        path.relative_to(ROOT)
        for package in ("domain", "projections", "ops")
        for path in (ROOT / package).rglob("*")
        if path.suffix in (".py", ".sql") and making.search(path.read_text())
    }

    of_a_group = Path("ops/group")  # it counts in a SQLite file of its own, and needs no database
    allowed = {history, of_a_group, Path("projections")}
    assert makers
    assert all(allowed & set(path.parents) for path in makers)
