"""What PostgreSQL lets every login do, and Sabot's database lets only those do who need it.

Large objects, temporary tables, messages in the log and locks by number: any login that may only
read could fill the disk with them, or hold up the others. NOTIFY and LISTEN themselves are a right
that no server can take away.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

# Functions that everybody may call unless somebody revokes it, with who needs them.
_LARGE_OBJECTS = (
    *("lo_close", "lo_creat", "lo_create", "lo_from_bytea", "lo_get", "lo_lseek", "lo_lseek64"),
    *("lo_open", "lo_put", "lo_tell", "lo_tell64", "lo_truncate", "lo_truncate64", "lo_unlink"),
    *("loread", "lowrite"),
)
_LOCKS = (
    *("pg_advisory_lock", "pg_advisory_lock_shared", "pg_try_advisory_lock"),
    *("pg_try_advisory_lock_shared", "pg_advisory_xact_lock", "pg_advisory_xact_lock_shared"),
    *("pg_try_advisory_xact_lock", "pg_try_advisory_xact_lock_shared", "pg_advisory_unlock"),
    *("pg_advisory_unlock_shared", "pg_advisory_unlock_all"),
)
_TRANSACTIONS = ("pg_current_xact_id", "txid_current", "pg_export_snapshot")
NEEDED_BY: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_LARGE_OBJECTS, ()),
    **dict.fromkeys(_TRANSACTIONS, ()),
    **dict.fromkeys(("pg_notify", "pg_logical_emit_message"), ("sabot_owner",)),
    **dict.fromkeys(_LOCKS, ("sabot_owner", "sabot_projector")),
}
_STILL = """
    SELECT proname, oid::regprocedure::text FROM pg_proc
     WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY(%s)
       AND has_function_privilege('public', oid, 'EXECUTE')
     ORDER BY 1, 2
"""
_TEMPORARY = "SELECT has_database_privilege('public', current_database(), 'TEMPORARY')"
_OF_DATABASE = """
    DO $$ BEGIN
        EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO sabot_projector', current_database());
        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    EXCEPTION WHEN insufficient_privilege THEN NULL;
    END $$
"""
ADVICE = (
    "any login may still make {what}, enough to fill the disk or to hold up others: have a "
    "superuser of the server run `sabot db upgrade`"
)


def tighten(connection: "psycopg.Connection[Any]") -> None:
    """Takes from everybody what only some need, as far as this login may; `loose` tells the rest.

    What is taken already is left alone. Nobody else may do so at the same time.
    """
    if _may_temporary(connection):
        connection.execute(_OF_DATABASE)
    for name, function in _still(connection):
        for role in NEEDED_BY[name]:
            _try(connection, f"GRANT EXECUTE ON FUNCTION {function} TO {role}")
        _try(connection, f"REVOKE EXECUTE ON FUNCTION {function} FROM PUBLIC")


def loose(connection: "psycopg.Connection[Any]") -> list[str]:
    """Advice for whoever looks after the server; empty when nothing is left to take."""
    names = {name for name, _ in _still(connection)}
    kinds = {
        "temporary tables": _may_temporary(connection),
        "large objects": not names.isdisjoint(_LARGE_OBJECTS),
        "messages in the log": "pg_logical_emit_message" in names,
        "locks by number": not names.isdisjoint(_LOCKS),
    }
    found = [kind for kind, still in kinds.items() if still]
    if names and not found:
        found = [f"calls of {', '.join(sorted(names))}"]
    return [ADVICE.format(what=", ".join(found))] if found else []


def _still(connection: "psycopg.Connection[Any]") -> list[tuple[str, str]]:
    """The functions that everybody may still call."""
    return connection.execute(_STILL, (list(NEEDED_BY),)).fetchall()


def _may_temporary(connection: "psycopg.Connection[Any]") -> bool:
    return connection.execute(_TEMPORARY).fetchone() == (True,)


def _try(connection: "psycopg.Connection[Any]", statement: str) -> None:
    """Who owns neither the server nor the right is warned, or refused; either way it is theirs."""
    import psycopg
    from psycopg import sql

    try:
        with connection.transaction():
            connection.execute(sql.SQL(statement))
    except psycopg.errors.InsufficientPrivilege:
        return
