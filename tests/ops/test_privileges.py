"""Who may do what in the database: nobody writes but through `append`, and nobody changes."""

import os

import pytest
from psycopg.errors import InsufficientPrivilege

from ops.ledger.chain import GENESIS, link
from ops.ledger.recorder import flush, read_events
from projections import PROJECTIONS

ROLES = ("sabot_app", "sabot_projector", "sabot_auditor")
TABLES = ("ledger.events", "ledger.commands")
READ_MODELS = (
    "projections.progress",
    *(f"projections.{table}" for each in PROJECTIONS.values() for table in each.tables),
)
CHANGES = {
    "INSERT": "INSERT INTO {0} SELECT * FROM {0}",
    "UPDATE": "UPDATE {0} SET recorded_at = now()",
    "DELETE": "DELETE FROM {0}",
    "TRUNCATE": "TRUNCATE {0}",
}
# Only literals: nothing in it depends on what the caller's search path finds.
APPEND = f"""
    SELECT outcome FROM ledger.append(
        'one', '\\x{"00" * 32}', '{{}}', 'D-204', '{{}}', '{{}}', '{{}}',
        '{{01a1fb67-1800-81b4-a602-de52bd4bd866}}', '{{1}}', '{{test.happened}}', '{{x}}',
        '{{2026-11-21}}', '{{B01}}')
"""
SELECT, WRITE = {"SELECT"}, {"SELECT", "INSERT", "UPDATE", "DELETE"}
# What each role may, table by table and function by function; the owner is not in it.
MAY = {
    "sabot_app": dict.fromkeys(TABLES + READ_MODELS, SELECT),
    "sabot_projector": dict.fromkeys(TABLES, SELECT) | dict.fromkeys(READ_MODELS, WRITE),
    "sabot_auditor": dict.fromkeys(TABLES + READ_MODELS, SELECT),
}
MAY_CALL = {
    "sabot_app": {"append", "flush"},
    "sabot_projector": {"flush", "field", "canonical"},
    "sabot_auditor": {"field", "canonical", "flush"},
}


@pytest.fixture(scope="module")
def written(server):
    """A ledger with something in it, which nobody here manages to change."""
    with server.database() as database:
        with database.connect("sabot_app") as connection:
            connection.execute(APPEND)
        yield database


@pytest.fixture
def stranger(superuser):
    """A role of this server to which nobody granted anything."""
    name = f"sabot_test_stranger_{os.getpid()}"  # roles belong to the server
    superuser.execute(f"CREATE ROLE {name}")
    yield name
    superuser.execute(f"RESET ROLE; DROP OWNED BY {name}")
    superuser.execute(f"DROP ROLE {name}")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("change", CHANGES)
def test_no_role_of_ours_writes_to_the_ledger_itself(written, role, table, change):
    with (
        written.connect(role) as connection,
        pytest.raises(InsufficientPrivilege, match="permission denied for table"),
    ):
        connection.execute(CHANGES[change].format(table))


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("table", TABLES)
def test_every_role_of_ours_reads_the_ledger(written, role, table):
    with written.connect(role) as connection:
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (1,)


@pytest.mark.parametrize("role", ROLES)
def test_a_role_has_these_privileges_and_no_others(written, role):
    kinds = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")
    with written.connect_as_is() as connection:
        found = connection.execute(
            "SELECT schemaname || '.' || tablename, kind FROM pg_tables, unnest(%s::text[]) kind "
            "WHERE schemaname IN ('ledger', 'projections') "
            "AND has_table_privilege(%s, schemaname || '.' || tablename, kind)",
            (list(kinds), role),
        ).fetchall()

    assert sorted((table, kind) for table, may in MAY[role].items() for kind in may) == sorted(
        found
    )


@pytest.mark.parametrize("role", ROLES)
def test_a_role_calls_these_functions_and_no_others(written, role):
    with written.connect_as_is() as connection:
        found = connection.execute(
            "SELECT proname FROM pg_proc WHERE pronamespace = 'ledger'::regnamespace "
            "AND has_function_privilege(%s, oid, 'EXECUTE')",
            (role,),
        ).fetchall()

    assert MAY_CALL[role] == {name for (name,) in found}


@pytest.mark.parametrize("role", ["sabot_projector", "sabot_auditor"])
def test_only_the_application_appends(written, role):
    with (
        written.connect(role) as connection,
        pytest.raises(InsufficientPrivilege, match="permission denied for function"),
    ):
        connection.execute(APPEND)


@pytest.mark.parametrize("role", ROLES)
def test_sealed_orders_are_the_applications_alone(written, role):
    with written.connect_as_is() as connection:
        found = connection.execute(
            "SELECT kind FROM unnest(%s::text[]) kind "
            "WHERE has_table_privilege(%s, 'sealed.orders', kind)",
            (["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE"], role),
        ).fetchall()

    assert {kind for (kind,) in found} == (
        {"SELECT", "INSERT", "DELETE"} if role == "sabot_app" else set()
    )


@pytest.mark.parametrize("table", ["people.staff", "people.patrons"])
@pytest.mark.parametrize("role", ROLES)
def test_names_are_the_applications_alone_and_may_be_erased(written, role, table):
    kinds = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")
    with written.connect_as_is() as connection:
        found = connection.execute(
            "SELECT kind FROM unnest(%s::text[]) kind WHERE has_table_privilege(%s, %s, kind)",
            (list(kinds), role, table),
        ).fetchall()
    may = {"SELECT", "INSERT", "UPDATE", "DELETE"} if role == "sabot_app" else set()

    assert may == {kind for (kind,) in found}


@pytest.mark.parametrize("role", ROLES)
def test_every_role_flushes_before_it_tells(written, role):
    with written.connect(role) as connection:
        flush(connection)


@pytest.mark.parametrize("role", ROLES)
def test_a_role_logs_nobody_in_and_is_no_way_to_the_owner(written, role):
    with written.connect_as_is() as connection:
        found = connection.execute(
            "SELECT rolcanlogin, rolsuper, rolcreaterole, rolbypassrls, "
            "pg_has_role(rolname, 'sabot_owner', 'MEMBER') FROM pg_roles WHERE rolname = %s",
            (role,),
        ).fetchone()

    assert not any(found)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("schema", ["ledger", "projections", "public"])
def test_a_role_makes_no_tables(written, role, schema):
    with (
        written.connect(role) as connection,
        pytest.raises(InsufficientPrivilege, match="permission denied for schema"),
    ):
        connection.execute(f"CREATE TABLE {schema}.mine (n int)")


@pytest.mark.parametrize("who", ["the superuser", "sabot_owner"])
@pytest.mark.parametrize("mode", ["origin", "replica"])
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("change", ["UPDATE", "DELETE", "TRUNCATE"])
def test_triggers_stop_even_those_who_may_do_anything(written, who, mode, table, change):
    with written.connect_as_is() as connection:
        connection.execute(f"SET session_replication_role = {mode}")
        if who == "sabot_owner":
            connection.execute("SET ROLE sabot_owner")

        with pytest.raises(InsufficientPrivilege, match=f"^{change}.*written once"):
            connection.execute(CHANGES[change].format(table))


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM ledger.events",
        "SELECT * FROM projections.coups",
        "CREATE TABLE public.mine (n int)",
        "SELECT ledger.flush()",
        APPEND,
    ],
    ids=["read", "read rows", "create", "flush", "append"],
)
def test_who_was_granted_nothing_can_do_nothing(superuser, stranger, statement):
    superuser.execute(f"SET ROLE {stranger}")

    with pytest.raises(InsufficientPrivilege, match="permission denied for schema"):
        superuser.execute(statement)


def test_the_functions_are_not_for_everybody_even_in_an_open_schema(superuser, stranger):
    superuser.execute(f"GRANT USAGE ON SCHEMA ledger TO {stranger}; SET ROLE {stranger}")

    for call in (APPEND, "SELECT ledger.flush()", "SELECT ledger.field('')"):
        with pytest.raises(InsufficientPrivilege, match="permission denied for function"):
            superuser.execute(call)


def traps(schema):
    """Our names, and names that we use, in a place of one's own."""
    return f"""
        CREATE FUNCTION {schema}.sha256(bytea) RETURNS bytea LANGUAGE sql
            AS $$ SELECT decode(repeat('ff', 32), 'hex') $$;
        CREATE FUNCTION {schema}.clock_timestamp() RETURNS timestamptz LANGUAGE sql
            AS $$ SELECT '1999-12-31 23:59:59Z'::timestamptz $$;
        CREATE FUNCTION {schema}.octet_length(bytea) RETURNS int LANGUAGE sql AS 'SELECT 7';
        CREATE FUNCTION {schema}.int8send(bigint) RETURNS bytea LANGUAGE sql AS $$ SELECT ''::bytea
            $$;
        CREATE FUNCTION {schema}.pg_advisory_xact_lock(bigint) RETURNS void LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'trapped'; END $$;
    """


@pytest.mark.parametrize("path", ["evil, pg_catalog", "pg_temp, evil, pg_catalog, ledger"])
def test_what_append_does_does_not_hang_on_the_callers_search_path(database, superuser, path):
    superuser.execute("CREATE SCHEMA evil; GRANT CREATE, USAGE ON SCHEMA evil TO sabot_app")
    with database.connect("sabot_app") as connection:
        connection.execute(traps("evil"))
        connection.execute(traps("pg_temp"))
        connection.execute("CREATE TEMP TABLE events (LIKE ledger.events)")
        connection.execute("CREATE TEMP TABLE commands (LIKE ledger.commands)")
        for kind in ("text", "bytea", "timestamptz", "uuid"):  # types are looked up as tables are
            connection.execute(f"CREATE TEMP TABLE {kind} (n int)")
        connection.execute(f"SET search_path = {path}")
        connection.execute(APPEND)
        connection.execute("SELECT ledger.flush()")
    (event,) = read_events(superuser, after=0, limit=2)

    assert event.hash == link(GENESIS, event)
    assert event.recorded_at.year > 1999


def test_the_projector_writes_rows_and_reads_facts(written):
    with written.connect("sabot_projector") as connection:
        connection.execute("INSERT INTO projections.progress VALUES ('test', 1)")
        connection.execute("UPDATE projections.progress SET position = 2")
        connection.execute("DELETE FROM projections.progress")

        with pytest.raises(InsufficientPrivilege):
            connection.execute("TRUNCATE projections.progress")
