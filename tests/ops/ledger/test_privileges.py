"""Who may do what in the database: nobody writes but through `append`, and nobody changes."""

import os
from contextlib import suppress

import pytest
from psycopg.conninfo import make_conninfo
from psycopg.errors import InsufficientPrivilege

from ops.ledger.chain import GENESIS, link
from ops.ledger.database import Database
from ops.ledger.reading import read_events
from ops.ledger.recorder import flush
from projections import PROJECTIONS
from tests.acceptance.channels import shell

ROLES = ("sabot_app", "sabot_projector", "sabot_auditor")
TABLES = ("ledger.event_rows", "ledger.command_rows")
VIEWS = ("ledger.events", "ledger.commands")
FORMS = "ledger.forms"
READINGS = "ledger.readings"
KINDS_OF_EVENTS = "ledger.event_kinds"
DECLARED = "projections.declared"
READ_MODELS = (
    "projections.progress",
    "projections.rounds",
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
    SELECT outcomes[1] FROM ledger.append(
        '{{one}}', '{{"\\\\x{"00" * 32}"}}', '{{"{{}}"}}', '{{D-204}}', '{{"{{}}"}}',
        '{{"\\\\x{"00" * 32}"}}', '{{0}}', '{{}}', '{{}}',
        '{{1}}', '{{01a1fb67-1800-81b4-a602-de52bd4bd866}}', '{{1}}', '{{coup.betting-closed}}',
        '{{"{{}}"}}',
        '{{2026-11-21}}', '{{B01}}', now(), false)
"""
PEOPLE = ("people.staff", "people.patrons", "people.patron_files", "people.sessions")
COUNTERS = ("people.pin_places", "people.recovery", "people.device_lines")
# What no schema of ours has to say about itself: PostgreSQL's own.
OURS = "nspname !~ '^pg_' AND nspname <> 'information_schema'"
KINDS = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")
SELECT, WRITE = {"SELECT"}, {"SELECT", "INSERT", "UPDATE", "DELETE"}
BESIDE = ("beside.progress", "beside.rebuilding")
VERSION = dict.fromkeys(["public.schema_version", "public.schema_objects"], SELECT)
# What each login may, table by table and function by function, in every schema; the views for
# analysts are added as they are found. Whatever is not here, nobody may.
MAY = {
    "sabot_app": (
        VERSION
        | dict.fromkeys((*TABLES, *VIEWS, FORMS, DECLARED, *READ_MODELS), SELECT)
        | dict.fromkeys(PEOPLE, WRITE)
        | dict.fromkeys(COUNTERS, WRITE - {"DELETE"})
        | {"sealed.orders": WRITE - {"UPDATE"}}
        | {"people.aml_texts": SELECT | {"INSERT"}}
    ),
    "sabot_projector": (
        VERSION
        | dict.fromkeys((*TABLES, *VIEWS, FORMS, READINGS, DECLARED), SELECT)
        | dict.fromkeys((*READ_MODELS, *BESIDE), WRITE)
    ),
    "sabot_auditor": (
        VERSION
        | dict.fromkeys((*TABLES, *VIEWS, FORMS, READINGS, KINDS_OF_EVENTS), SELECT)
        | dict.fromkeys((DECLARED, *READ_MODELS), SELECT)
    ),
    "sabot_analyst": VERSION,
}
WHOLE = ("ledger.whole", "ledger.long")
READ_VIEWS = ("sabot_auditor", "sabot_analyst")
CANONICAL = (
    "ledger.fields",
    "ledger.canonical",
    "ledger.canonical_head",
    "ledger.canonical_beginning",
    "ledger.canonical_command",
    "ledger.canonical_decision",
    "ledger.canonical_place",
    "ledger.leaf",
    "ledger.canonical_span",
)
MAY_CALL = {
    "sabot_app": {
        *("ledger.append", "ledger.append_and_flush", "ledger.flush", "ledger.take_turn"),
        *("ledger.append_by_forms", "ledger.append_by_forms_and_flush", *WHOLE),
        *("ledger.may_leave", "ledger.stored_leaf", "ledger.copied_from"),
        *("projections.charge", "people.house_pepper", "people.known_pepper"),
    },
    "sabot_projector": {
        *("ledger.flush", *CANONICAL, *WHOLE, "projections.charge", "projections.make_beside"),
        *("ledger.may_leave", "ledger.stored_leaf", "ledger.copied_from"),
        *("projections.swap_in", "projections.tile_root", "projections.grow_tree"),
        "people.files_due",
    },
    "sabot_auditor": {
        *("ledger.flush", "ledger.note_reading", *CANONICAL, *WHOLE, "projections.charge"),
        *("ledger.may_leave", "ledger.stored_leaf", "ledger.copied_from"),
        *(
            "people.digests",
            "people.sealed_rows",
            "people.known_pepper",
            "ledger.canonical_reading",
        ),
        "people.files_due",
    },
    "sabot_analyst": set(),
}
LOGINS = (*ROLES, "sabot_analyst")  # what a login may be a member of
LARGE_OBJECTS = (
    "SELECT lo_create(0)",
    "SELECT lo_creat(-1)",
    "SELECT lo_from_bytea(0, 'much')",
    "SELECT lo_put(1, 0, 'much')",
    "SELECT lo_import('/etc/hostname')",
    "SELECT lo_open(1, 131072)",
)
LOG = (
    "SELECT pg_logical_emit_message(true, 'sabot', 'much')",
    "SELECT pg_logical_emit_message(false, 'sabot', 'much'::bytea)",
    "SELECT pg_notify('sabot_ledger', '1')",
    "SELECT txid_current()",
    "SELECT pg_current_xact_id()",
    "SELECT pg_switch_wal()",
    "SELECT pg_create_restore_point('here')",
)
LOCKS = (
    "SELECT pg_advisory_lock(1)",
    "SELECT pg_advisory_xact_lock(1, 2)",
    "SELECT pg_try_advisory_lock(1)",
    "SELECT pg_advisory_lock_shared(1)",
)
# Functions of the server that do something, or say another thing each time, and that every login
# may call: they read, they wait, they look after the caller's own session, or they ask for more
# than that by themselves. By their beginnings; what is not here has to be looked at first.
HARMLESS = (
    *("pg_stat_", "pg_get_", "pg_control_", "pg_last_", "pg_wal_", "pg_available_wal_"),
    *("pg_current_wal_", "pg_is_", "pg_sleep", "pg_xact_", "pg_replication_", "pg_safe_"),
    *("pg_blocking_", "pg_database_", "pg_tablespace_", "pg_table_", "pg_total_", "pg_relation_"),
    *("pg_indexes_", "pg_partition_", "pg_lock_status", "pg_jit_", "pg_notification_queue_usage"),
    *("pg_prepared_", "pg_isolation_", "pg_collation_", "pg_extension_", "pg_sequence_"),
    # Of one's own login only.
    *("pg_cancel_backend", "pg_terminate_backend"),
    # For the owner, for replication, or for the server's own upgrade; they refuse everybody else.
    *("binary_upgrade_", "brin_", "gin_", "pg_clear_", "pg_restore_", "pg_import_", "pg_nextoid"),
    *(
        "pg_copy_",
        "pg_create_",
        "pg_drop_",
        "pg_logical_slot_",
        "pg_sync_",
        "pg_stop_",
        "pg_walfile",
    ),
    *("setval", "nextval", "currval", "lastval", "pg_read_file_old", "pg_rotate_logfile_old"),
    # Handlers that SQL does not call, and what only reckons.
    *("amvalidate", "bthandler", "ginhandler", "gisthandler", "hashhandler", "spghandler"),
    *("heap_tableam_handler", "plpgsql_", "dsnowball_", "system", "bernoulli", "array_sample"),
    *("array_shuffle", "clock_timestamp", "timeofday", "current_query", "currtid", "cursor_to_xml"),
    *("query_to_xml", "gen_random_uuid", "uuidv", "random", "setseed", "set_config", "ts_rewrite"),
    *("ts_stat", "txid_status", "tsm_", "brinhandler"),
)


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


@pytest.mark.parametrize("role", LOGINS)
def test_a_login_has_these_rights_on_tables_and_views_of_every_schema_and_no_others(written, role):
    with written.connect_as_is() as connection:
        found = connection.execute(
            f"""
            SELECT nspname || '.' || relname, kind, relkind = 'v' AS is_view
              FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace, unnest(%s::text[]) kind
             WHERE {OURS} AND relkind IN ('r', 'v', 'm', 'p', 'f')
               AND has_schema_privilege(%s, n.oid, 'USAGE')
               AND (has_table_privilege(%s, pg_class.oid, kind)
                    OR kind IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES')
                       AND has_any_column_privilege(%s, pg_class.oid, kind))
            """,
            (list(KINDS), role, role, role),
        ).fetchall()
    views = {name for name, kind, is_view in found if is_view and kind == "SELECT"}
    may = MAY[role] | (dict.fromkeys(views, SELECT) if role in READ_VIEWS else {})

    assert sorted((table, kind) for table, kinds in may.items() for kind in kinds) == sorted(
        (name, kind) for name, kind, _ in found
    )


@pytest.mark.parametrize("role", LOGINS)
def test_a_login_calls_these_functions_of_every_schema_and_no_others(written, role):
    with written.connect_as_is() as connection:
        found = connection.execute(
            f"""
            SELECT DISTINCT nspname || '.' || proname
              FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace
             WHERE {OURS} AND has_schema_privilege(%s, n.oid, 'USAGE')
               AND has_function_privilege(%s, pg_proc.oid, 'EXECUTE')
            """,
            (role, role),
        ).fetchall()

    assert MAY_CALL[role] == {name for (name,) in found}


MODES = (
    *("ACCESS SHARE", "ROW SHARE", "ROW EXCLUSIVE", "SHARE UPDATE EXCLUSIVE", "SHARE"),
    *("SHARE ROW EXCLUSIVE", "EXCLUSIVE", "ACCESS EXCLUSIVE"),
)


@pytest.mark.parametrize("role", LOGINS)
def test_whatever_tables_a_login_locks_the_writers_go_on(database, role):
    """Every table of every schema in the strongest mode it may take, and every row it may lock."""
    with (
        database.connect_as_is() as holder,
        database.connect("sabot_app") as writer,
    ):
        tables = holder.execute(
            f"SELECT nspname, relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace"
            f" WHERE {OURS} AND relkind IN ('r', 'v')"
        ).fetchall()
        holder.execute(f"SET ROLE {role}; BEGIN")
        held = 0
        for schema, table in tables:
            for mode in reversed(MODES):
                with suppress(InsufficientPrivilege), holder.transaction():
                    holder.execute(f'LOCK TABLE "{schema}"."{table}" IN {mode} MODE')
                    held += 1
                    break
        writer.execute("SET lock_timeout = '2s'")
        writer.execute(APPEND)
        writer.execute("SELECT ledger.take_turn('B01')")
        flush(writer)

    assert held > (10 if role != "sabot_analyst" else 0)


@pytest.mark.parametrize("role", ["sabot_projector", "sabot_auditor"])
def test_only_the_application_appends(written, role):
    with (
        written.connect(role) as connection,
        pytest.raises(InsufficientPrivilege, match="permission denied for function"),
    ):
        connection.execute(APPEND)


@pytest.mark.parametrize("role", ROLES)
def test_every_role_may_flush(written, role):
    with written.connect(role) as connection:
        flush(connection)


@pytest.mark.parametrize("role", ROLES)
def test_no_role_may_log_in_or_become_the_owner(written, role):
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
def test_triggers_stop_even_the_owner_and_superusers(written, who, mode, table, change):
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
def test_a_login_without_grants_can_do_nothing(superuser, stranger, statement):
    superuser.execute(f"SET ROLE {stranger}")

    with pytest.raises(InsufficientPrivilege, match="permission denied for schema"):
        superuser.execute(statement)


def test_functions_are_not_executable_by_everybody_even_in_an_open_schema(superuser, stranger):
    superuser.execute(f"GRANT USAGE ON SCHEMA ledger TO {stranger}; SET ROLE {stranger}")

    for call in (APPEND, "SELECT ledger.flush()", "SELECT ledger.fields('')"):
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
        CREATE FUNCTION {schema}.set_config(text, text, boolean) RETURNS text LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'trapped'; END $$;
    """


@pytest.mark.parametrize("path", ["evil, pg_catalog", "pg_temp, evil, pg_catalog, ledger"])
def test_append_does_not_depend_on_the_caller_s_search_path(database, superuser, path):
    superuser.execute("CREATE SCHEMA evil; GRANT CREATE, USAGE ON SCHEMA evil TO sabot_app")
    superuser.execute(f"GRANT TEMPORARY ON DATABASE {superuser.info.dbname} TO sabot_app")
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


def test_the_projector_writes_rows_and_reads_events(written):
    with written.connect("sabot_projector") as connection:
        connection.execute("INSERT INTO projections.progress VALUES ('test', 1)")
        connection.execute("UPDATE projections.progress SET position = 2")
        connection.execute("DELETE FROM projections.progress")

        with pytest.raises(InsufficientPrivilege):
            connection.execute("TRUNCATE projections.progress")


# What every login could do that may only read: enough to fill the disk, or to hold up the others.
@pytest.mark.parametrize("role", LOGINS)
@pytest.mark.parametrize("statement", [*LARGE_OBJECTS, *LOG], ids=lambda each: each[7:40])
def test_no_login_can_fill_the_disk_with_the_server_s_functions(written, role, statement):
    with written.connect_as_is() as connection:
        connection.execute(f"SET ROLE {role}")
        with pytest.raises(InsufficientPrivilege, match="permission denied for function"):
            connection.execute(statement)


@pytest.mark.parametrize("role", LOGINS)
@pytest.mark.parametrize("statement", LOCKS, ids=lambda each: each[7:])
def test_no_login_may_take_advisory_locks(written, role, statement):
    with written.connect_as_is() as connection:
        connection.execute(f"SET ROLE {role}")
        with pytest.raises(InsufficientPrivilege, match="permission denied for function"):
            connection.execute(statement)


@pytest.mark.parametrize("role", LOGINS)
def test_only_the_projector_may_make_temporary_tables(written, role):
    with written.connect_as_is() as connection:
        connection.execute(f"SET ROLE {role}")
        if role == "sabot_projector":
            connection.execute("CREATE TEMP TABLE mine (n int)")
            return
        with pytest.raises(InsufficientPrivilege, match="temporary tables"):
            connection.execute("CREATE TEMP TABLE mine (n int)")


@pytest.mark.parametrize("role", LOGINS)
def test_every_server_function_that_a_role_may_call_was_reviewed(written, role):
    with written.connect_as_is() as connection:
        found = connection.execute(
            """
            SELECT DISTINCT proname FROM pg_proc
             WHERE pronamespace = 'pg_catalog'::regnamespace
               AND (provolatile = 'v' OR proname ~ 'xact_id$|^txid_current$')
               AND prorettype <> 'trigger'::regtype AND has_function_privilege(%s, oid, 'EXECUTE')
             ORDER BY 1
            """,
            (role,),
        ).fetchall()

    assert [] == [name for (name,) in found if not name.startswith(HARMLESS)]


@pytest.mark.parametrize("role", LOGINS)
def test_a_role_has_no_right_on_anything_else(written, role):
    """Not on the database, a schema, an installed language, a sequence, or a setting."""
    with written.connect_as_is() as connection:
        (database,) = connection.execute(
            "SELECT array_agg(kind) FROM unnest('{CONNECT,CREATE,TEMPORARY}'::text[]) kind "
            "WHERE has_database_privilege(%s, current_database(), kind)",
            (role,),
        ).fetchone()
        schemas = connection.execute(
            "SELECT nspname FROM pg_namespace WHERE has_schema_privilege(%s, oid, 'CREATE') "
            "AND nspname !~ '^pg_(toast_)?temp_'",
            (role,),
        ).fetchall()
        languages = connection.execute(
            "SELECT lanname FROM pg_language WHERE has_language_privilege(%s, oid, 'USAGE') "
            "AND lanname NOT IN ('sql', 'plpgsql', 'internal', 'c')",  # the last two: superusers'
            (role,),
        ).fetchall()
        sequences = connection.execute(
            "SELECT relname FROM pg_class WHERE CASE WHEN relkind = 'S' "
            "THEN has_sequence_privilege(%s, oid, 'USAGE, UPDATE') END",
            (role,),
        ).fetchall()
        foreign = connection.execute(
            "SELECT fdwname FROM pg_foreign_data_wrapper "
            "WHERE has_foreign_data_wrapper_privilege(%s, oid, 'USAGE')",
            (role,),
        ).fetchall()
        settings = connection.execute(
            "SELECT parname FROM pg_parameter_acl "
            "WHERE has_parameter_privilege(%s, parname, 'SET, ALTER SYSTEM')",
            (role,),
        ).fetchall()

    may = ["CONNECT", "TEMPORARY"] if role == "sabot_projector" else ["CONNECT"]
    assert database == may
    assert [] == schemas == languages == sequences == foreign == settings


def test_the_runner_is_still_notified_of_appended_events(database):
    with (
        database.connect("sabot_projector") as runner,
        database.connect("sabot_auditor") as board,
        database.connect("sabot_app") as connection,
    ):
        for each in (runner, board):
            each.execute("LISTEN sabot_ledger")
        connection.execute(APPEND)
        heard = [[each.payload for each in who.notifies(timeout=5, stop_after=1)]
                 for who in (runner, board)]  # fmt: skip

    assert heard == [["1"], ["1"]]


# Where an upgrade could not take all of it: a restored copy, a login that is no superuser.
GIVEN_BACK = (
    "GRANT TEMPORARY ON DATABASE {0} TO PUBLIC",
    "GRANT EXECUTE ON FUNCTION lo_create(oid) TO PUBLIC",
    "GRANT EXECUTE ON FUNCTION pg_notify(text, text) TO PUBLIC",
    "GRANT EXECUTE ON FUNCTION pg_advisory_lock(bigint) TO PUBLIC",
    "GRANT EXECUTE ON FUNCTION txid_current() TO PUBLIC",
)


@pytest.mark.parametrize("given", GIVEN_BACK, ids=lambda each: each[6:40])
def test_db_status_advises_and_an_upgrade_by_a_superuser_revokes_the_rights(
    database, superuser, given
):
    superuser.execute(given.format(superuser.info.dbname))
    status = database.status()
    result = shell(database, "db", "status")
    database.upgrade()

    assert status.ok
    assert "have a superuser of the server run `sabot db upgrade`" in status.advice[0]
    assert (result.exit_code, "Safe to use." in result.stdout) == (0, True)
    assert status.advice[0] in result.stdout
    assert database.status().advice == []


def test_an_upgrade_without_a_superuser_revokes_what_it_may(server, superuser):
    owner = f"sabot_test_owner_{os.getpid()}"
    superuser.execute(f"CREATE ROLE {owner} LOGIN CREATEROLE")
    roles = "sabot_owner, sabot_app, sabot_projector, sabot_auditor, sabot_analyst"
    superuser.execute(f"GRANT {roles} TO {owner} WITH ADMIN OPTION")
    name = f"sabot_test_owned_{os.getpid()}"
    server.run(f"CREATE DATABASE {name} OWNER {owner} ENCODING 'UTF8' TEMPLATE template0")
    try:
        database = Database(make_conninfo(server.address(name), user=owner))
        database.upgrade()
        status = database.status()
        with database.connect("sabot_app") as connection:
            connection.execute(APPEND)
            flush(connection)

        assert status.ok
        assert "large objects" in status.advice[0]
        assert "temporary tables" not in status.advice[0]
    finally:
        server.run(f"DROP DATABASE {name} WITH (FORCE)")
        superuser.execute(f"DROP OWNED BY {owner}; DROP ROLE {owner}")
