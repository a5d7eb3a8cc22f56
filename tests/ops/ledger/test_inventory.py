"""The schema's contents and not only its version's name: what made it, and what is there now."""

import json
import os
import subprocess

import pytest

from ops.ledger.database import NotFit, SchemaOfOthers
from ops.ledger.schema import VERSIONS, digests, head, tables_made
from ops.ledger.schema.declared import make_beside, swap_in
from ops.ledger.schema.inventory import differences
from projections import PROJECTIONS
from tests.worlds.gaming_table import GamingTable
from tests.worlds.programs import run

FLUSH = """
    CREATE OR REPLACE FUNCTION ledger.flush() RETURNS void LANGUAGE sql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS 'SELECT'
"""
REFUSE = "EXECUTE FUNCTION ledger.refuse_change()"
# What somebody does by hand, and what the status calls it.
BY_HAND = {
    FLUSH: ("function", "ledger.flush()", "changed"),
    "DROP INDEX ledger.events_gaming_day": ("index", "ledger.events_gaming_day", "missing"),
    "GRANT INSERT ON ledger.events TO sabot_app": (
        *("right", "INSERT on ledger.events of sabot_app", "added"),
    ),
    "GRANT SELECT ON projections.wagers TO PUBLIC": (
        *("right", "SELECT on projections.wagers of everybody", "added"),
    ),
    "GRANT UPDATE (name) ON people.staff TO sabot_auditor": (
        *("right", "UPDATE on people.staff.name of sabot_auditor", "added"),
    ),
    "REVOKE SELECT ON ledger.events FROM sabot_app": (
        *("right", "SELECT on ledger.events of sabot_app", "missing"),
    ),
    "DROP TRIGGER written_once ON ledger.event_rows": (
        *("trigger", "ledger.event_rows.written_once", "missing"),
    ),
    "ALTER TABLE ledger.event_rows DISABLE TRIGGER written_once": (
        *("trigger", "ledger.event_rows.written_once", "changed"),
    ),
    f"CREATE TRIGGER mine BEFORE INSERT ON projections.wagers {REFUSE}": (
        *("trigger", "projections.wagers.mine", "added"),
    ),
    "ALTER TABLE ledger.servers ALTER by_login TYPE varchar(99)": (
        *("column", "ledger.servers.by_login", "changed"),
    ),
    "ALTER TABLE ledger.command_rows ADD note text": (
        "column",
        "ledger.command_rows.note",
        "added",
    ),
    "ALTER TABLE people.staff DROP CONSTRAINT staff_pkey": (
        *("constraint", "people.staff.staff_pkey", "missing"),
    ),
    "ALTER FUNCTION ledger.flush() SECURITY INVOKER": ("function", "ledger.flush()", "changed"),
    "ALTER TABLE ledger.event_rows OWNER TO sabot_app": (
        "owner of",
        "ledger.event_rows",
        "changed",
    ),
    "DROP TABLE locks.turns": ("table", "locks.turns", "missing"),
    "DROP VIEW analysis.events": ("view", "analysis.events", "missing"),
    "CREATE FUNCTION ledger.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'": (
        *("function", "ledger.mine()", "added"),
    ),
    "CREATE RULE mine AS ON INSERT TO people.staff DO INSTEAD NOTHING": (
        *("rule", "people.staff.mine", "added"),
    ),
}


@pytest.fixture(scope="module")
def made(server):
    with server.database() as database:
        yield database


@pytest.mark.parametrize(("statement", "named"), BY_HAND.items(), ids=map(str, BY_HAND.values()))
def test_what_was_changed_by_hand_is_named(made, statement, named):
    with made.connect_as_is() as connection, connection.transaction(force_rollback=True):
        connection.execute(statement)
        actual = differences(connection)

    assert named in [(each.kind, each.name, each.fault) for each in actual]
    assert all(not each.harmless for each in actual if each.kind == named[0])


# The same for the tables of a report.
OF_A_REPORT = {
    "DROP INDEX projections.alerts_by_day": ("index", "projections.alerts_by_day", "missing"),
    "ALTER TABLE projections.wagers ADD note text": (
        *("column", "projections.wagers.note", "added"),
    ),
    "ALTER TABLE projections.wagers ALTER stake TYPE numeric": (
        *("column", "projections.wagers.stake", "changed"),
    ),
}


@pytest.mark.parametrize(
    ("statement", "named"), OF_A_REPORT.items(), ids=map(str, OF_A_REPORT.values())
)
def test_what_was_changed_by_hand_of_a_report_is_named(made, statement, named):
    with made.connect_as_is() as connection, connection.transaction(force_rollback=True):
        connection.execute("DROP SCHEMA analysis CASCADE")  # its views read the columns
        connection.execute(statement)
        actual = tables_made.differences(connection)

    assert [named] == [(each.kind, each.name, each.fault) for each in actual]


def test_what_somebody_added_for_themselves_is_shown_and_is_safe(database, superuser):
    superuser.execute("CREATE TABLE ledger.mine (n int PRIMARY KEY CHECK (n > 0))")
    superuser.execute("CREATE INDEX mine_day ON ledger.event_rows (gaming_day)")
    superuser.execute("GRANT SELECT ON ledger.mine TO PUBLIC")
    status = database.status()

    assert status.ok
    assert ["index ledger.mine_day is not Sabot's", "table ledger.mine is not Sabot's"] == (
        status.advice
    )


def test_a_role_that_may_more_than_it_should_is_named(made):
    with made.connect_as_is() as connection, connection.transaction(force_rollback=True):
        connection.execute("ALTER ROLE sabot_app CREATEDB; GRANT sabot_owner TO sabot_app")
        actual = [str(each) for each in differences(connection)]

    assert [
        "power CREATEDB of sabot_app is not Sabot's",
        "power membership in sabot_owner of sabot_app is not Sabot's",
    ] == actual


def test_reports_that_were_rebuilt_differ_in_nothing(dispatcher, database, projector):
    GamingTable(dispatcher).open()
    with projector.transaction():
        make_beside(projector, PROJECTIONS["wagers"])
        swap_in(projector, [PROJECTIONS["wagers"]])

    assert [] == database.status().differences


def test_a_schema_that_was_changed_is_not_safe_and_the_status_says_why(database, superuser):
    superuser.execute(FLUSH)
    url = database.url
    shown = run(["db", "status"], env={**os.environ, "SABOT_DATABASE_URL": url})
    as_json = run(["db", "status", "--json"], env={**os.environ, "SABOT_DATABASE_URL": url})

    assert 1 == shown.returncode == as_json.returncode
    assert "! function ledger.flush() was changed\nNot safe" in shown.stdout
    assert [{"kind": "function", "name": "ledger.flush()", "fault": "changed"}] == json.loads(
        as_json.stdout
    )["differences"]


def as_of_old(superuser):
    """The table of the versions as it was before they had digests."""
    superuser.execute(
        "ALTER TABLE public.schema_version DROP digest, DROP serves, DROP program, DROP made_at"
    )


def as_of_another(superuser):
    superuser.execute("UPDATE public.schema_version SET digest = 'f00', program = '0.9'")


@pytest.mark.parametrize(
    ("made_otherwise", "program"), [(as_of_old, "a Sabot before 1.0"), (as_of_another, "Sabot 0.9")]
)
def test_a_ledger_of_this_version_s_name_and_other_contents_is_refused(
    database, superuser, made_otherwise, program
):
    made_otherwise(superuser)
    env = {**os.environ, "SABOT_DATABASE_URL": database.url}
    said = [
        run(words, env=env)
        for words in (["board"], ["db", "upgrade"], ["bet", "B01", "3", "banker", "100"])
    ]
    expected = (
        f"its schema {min(digests())} was made by {program} and is another than this program's, "
        "and a record is never written anew. With the program that made it run"
    )

    assert [3] * 3 == [each.returncode for each in said]
    assert all(expected in " ".join(each.stderr.split()) for each in said)
    assert not any("Traceback" in each.stderr for each in said)
    assert not database.status().ok
    with pytest.raises(SchemaOfOthers):
        database.connect("sabot_app")


def test_a_version_is_the_digest_that_anybody_computes(superuser):
    place = VERSIONS / head()
    command = "LC_ALL=C sha256sum * | sha256sum"
    by_hand = subprocess.run(command, shell=True, cwd=place, capture_output=True, check=True)
    (stored,) = superuser.execute(
        "SELECT digest FROM public.schema_version WHERE version_num = %s", (head(),)
    ).fetchone()

    assert f"{stored}  -\n" == by_hand.stdout.decode()
    assert digests()[head()] == stored


def test_a_newer_schema_that_serves_this_program_is_worked_with(database, superuser):
    later = "INSERT INTO public.schema_version VALUES ('9999_later', 'd', %s, '9.0')"
    superuser.execute(later, [head()])
    database.connect("sabot_app").close()

    assert database.status().ok
    with pytest.raises(NotFit, match="made by a newer Sabot"):
        database.upgrade()
