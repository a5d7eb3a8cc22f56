"""A ledger of every release, opened with the program of today: it upgrades, verifies and goes on.

`scripts/release keep` writes the newest one into `golden/kept`.
"""

import json
import os
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.cli.audit.verify import walk
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.embedded.programs import programs_for
from ops.ledger.schema.inventory import objects
from ops.ledger.upgrading import make_database
from tests.acceptance.channels import accepted, feed, shell
from tests.waiting import until
from tests.worlds.held_sessions import sessions_held
from tests.worlds.kept_ledgers import Kept, evening, read, released, reported
from tests.worlds.later_version import FAILS, WAITS, LaterVersion
from tests.worlds.later_version import LATER as LATER_VERSION

KEEP = os.environ.get("SABOT_KEEP")
FROM_SLEEPING = """
    FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()
"""
SLEEPING = f"SELECT count(*) {FROM_SLEEPING}"
LATER = {"at": "2026-11-21T23:30:00+01:00", "by": "D-204", "with": "S-11"}
OPENS = {"command": "table.open", "table": "K01", "rules": "classic@1", "opener": {"10000": 99}}
AFTERWARDS = [
    {**OPENS, **LATER, "id": "after-1"},
    {"command": "table.seat", "table": "K01", "seat": 3, "patron": "P-9", **LATER, "id": "after-2"},
]


@pytest.fixture(scope="module")
def pepper(tmp_path_factory):
    """The pepper of the house whose ledger is opened."""
    with pytest.MonkeyPatch.context() as patch:
        file = tmp_path_factory.mktemp("kept") / "pepper"
        patch.setenv("SABOT_PEPPER_FILE", str(file))
        yield file


@pytest.fixture(scope="module")
def of_today(server, pepper):
    """The ledger that is kept today, if SABOT_KEEP is set."""
    with server.database() as database, sessions_held():
        kept = evening(database, pepper, programs_for(Path("/")).directory)
    if KEEP:
        kept.write()
    return kept


@contextmanager
def empty(server):
    name = f"sabot_kept_{uuid4().hex}"
    server.run(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
    try:
        yield Database(server.address(name))
    finally:
        server.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module", params=released() or [None], ids=lambda file: file and file.name)
def opened(request, server, pepper):
    """A kept ledger, upgraded by the program of today."""
    kept: Kept = read(request.param) if request.param else request.getfixturevalue("of_today")
    pepper.write_bytes(kept.pepper)
    with empty(server) as database, sessions_held():
        kept.load(database)
        database.upgrade()
        yield kept, database


@pytest.mark.skipif(bool(released()) and not KEEP, reason="one of this release is there")
def test_one_is_taken_today(of_today):
    assert {True, False} == {answer["ok"] for answer in of_today.answers}


def test_it_is_whole_and_its_schema_is_as_if_it_were_made_today(opened):
    _, database = opened
    status = database.status()

    assert [] == status.advice
    assert walk(database).ok


def typed(*lines):
    """What each of these lines shows, and how it ends."""
    return [CliRunner().invoke(cli, line.split()) for line in lines]


@pytest.mark.skipif(not released(), reason="nothing is released")
def test_a_look_at_an_older_ledger_leaves_it_as_it_is(tmp_path, monkeypatch):
    """In Sabot's own PostgreSQL, which the first command upgrades; a look is not that command."""
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))
    own = Embedded()
    try:
        Database(home=own).upgrade()  # which makes the roles
        with psycopg.connect(own.url(), autocommit=True) as connection:
            connection.execute("DROP DATABASE sabot WITH (FORCE)")
            connection.execute("ALTER SYSTEM SET autovacuum = off")  # which counts rows
            connection.execute("SELECT pg_reload_conf()")
        make_database(own.url())
        oldest: Kept = read(released()[0])
        oldest.load(Database(own.url(database="sabot")))
        looked, planned, again = typed("db status", "db upgrade --dry-run", "db status")
        until(lambda: "events (0 rows" not in typed("db upgrade --dry-run")[0].stdout)
        counted, after = typed("report commission", "db status")
    finally:
        own.destroy()

    assert (1, looked.stdout) == (looked.exit_code, again.stdout)
    assert "! its schema is 0001_first: run `sabot db upgrade`" in looked.stdout
    assert "  run 0002_" in planned.stdout
    assert 0 == counted.exit_code
    assert "schema head" in after.stdout


def test_its_reports_have_the_rows_that_they_had(opened):
    """A field may have been added since."""
    kept, database = opened
    for name, rows in kept.reports.items():
        now = reported(database, name)

        assert len(rows) == len(now), name
        assert rows == [
            {field: row[field] for field in before} for before, row in zip(rows, now, strict=True)
        ], name


def test_its_commands_get_the_answers_that_they_got(opened):
    """Those that are on record; another is decided again."""
    kept, database = opened
    with database.connect("sabot_app") as connection:
        known = {known for (known,) in connection.execute("SELECT command_id FROM ledger.commands")}
    _, answers = feed(database, kept.lines)
    pairs = [pair for pair in zip(kept.answers, answers, strict=True) if pair[0].get("id") in known]

    assert len(pairs) > 100
    assert [before for before, _ in pairs] == [now for _, now in pairs]


def test_it_takes_commands(opened):
    _, database = opened
    accepted(database, AFTERWARDS)

    assert walk(database).ok
    assert 0 == shell(database, "projections", "check").exit_code


@pytest.fixture
def kept_one(server, pepper, request):
    """The newest kept ledger, not upgraded."""
    files = released()
    kept = read(files[-1]) if files else request.getfixturevalue("of_today")
    pepper.write_bytes(kept.pepper)
    with empty(server) as database:
        kept.load(database)
        yield kept, database


def everything(database):
    """What the database has: its objects, its versions, and its rows, as digests."""
    with database.connect_as_is() as connection:
        seen = {each.key: each.definition for each in objects(connection)}
        versions = connection.execute("SELECT * FROM public.schema_version").fetchall()
        rows = connection.execute(
            "SELECT md5(string_agg(e::text, ',' ORDER BY position)) FROM ledger.events e"
        ).fetchone()
    return seen, versions, rows


def test_the_next_release_upgrades_it_and_the_record_is_the_same(kept_one, tmp_path):
    kept, database = kept_one
    later = LaterVersion(tmp_path)

    upgraded, *well, reported = later.run(
        database.url,
        *("db upgrade", "db status", "audit verify", "projections check"),
        *("replay B01/2026-11-21/1/1", "report commission --json"),
    )

    assert (0, "", f"The schema is {LATER_VERSION}.\n") == upgraded
    assert [(0, "")] * 4 == [(status, errors) for status, _, errors in well]
    assert kept.reports["commission"] == json.loads(reported[1])["rows"]


def test_an_upgrade_that_fails_in_its_second_file_leaves_all_as_it_was(kept_one, tmp_path):
    _, database = kept_one
    before = everything(database)
    ((code, _, errors),) = LaterVersion(tmp_path, FAILS).run(database.url, "db upgrade")

    assert 3 == code
    assert "The schema cannot be upgraded, and is as it was: division by zero.\n" == errors
    assert before == everything(database)
    assert [] == database.status().differences


def test_a_schema_that_was_changed_by_hand_is_not_upgraded_until_it_is_put_back(kept_one, tmp_path):
    """What somebody added for themselves is theirs afterwards, too."""
    _, database = kept_one
    with database.connect_as_is() as administrator:
        administrator.execute("CREATE INDEX mine ON ledger.events (gaming_day)")
        administrator.execute("GRANT INSERT ON ledger.events TO sabot_app")
        later = LaterVersion(tmp_path)
        (refused,) = later.run(database.url, "db upgrade")
        administrator.execute("REVOKE INSERT ON ledger.events FROM sabot_app")
    upgraded, status = later.run(database.url, "db upgrade", "db status --json")

    assert (3, "") == refused[:2]
    assert "Right INSERT on ledger.events of sabot_app is not Sabot's" in refused[2]
    assert (0, 0) == (upgraded[0], status[0])
    assert [{"kind": "index", "name": "ledger.mine", "fault": "added"}] == json.loads(status[1])[
        "differences"
    ]


def test_an_upgrade_that_is_killed_in_the_middle_leaves_all_as_it_was(kept_one, tmp_path):
    _, database = kept_one
    before = everything(database)
    upgrade = LaterVersion(tmp_path, WAITS).start(database.url, "db", "upgrade")
    with database.connect_as_is() as looking:
        until(lambda: looking.execute(SLEEPING).fetchone() == (1,))
        upgrade.kill()
        upgrade.communicate()
        looking.execute(f"SELECT pg_terminate_backend(pid) {FROM_SLEEPING}")
        until(lambda: looking.execute(SLEEPING).fetchone() == (0,))

    assert before == everything(database)
    assert [] == database.status().differences
