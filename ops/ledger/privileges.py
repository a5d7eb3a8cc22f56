"""Rights that PostgreSQL gives to every login, and Sabot's database only to some.

With large objects, temporary tables, messages in the log or advisory locks, a login that may only
read could fill the disk or block the others. Sabot itself takes no advisory locks. The projector
alone makes temporary tables, for `projections check` and for reports of an earlier moment; it may
fill the disk with rows anyway. NOTIFY and LISTEN cannot be revoked on any server.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

_AUDITORS = (
    "This is an auditor's login, which can only read: reports, replays, cases, exports, the board "
    "and the pit. For commands and terminals use the application's login."
)
_ANALYSTS = (
    "This is an analyst's login, which can only read the views of the schema analysis, with an SQL "
    "client (`sabot db views` explains them). For reports, have an administrator GRANT "
    "sabot_auditor to it."
)
# Functions that everybody may call by default, and the roles that need them.
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
    **dict.fromkeys(_LOCKS, ()),
}
_PUBLIC_FUNCTIONS = """
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
    "any login may still make {what}, and so fill the disk or block others: have a superuser of "
    "the server run `sabot db upgrade`"
)


def tighten(connection: "psycopg.Connection[Any]") -> None:
    """Revokes these rights from everybody, as far as this login may; `loose` lists the rest.

    Only one process at a time may do it.
    """
    if _may_temporary(connection):
        connection.execute(_OF_DATABASE)
    for name, function in _public_functions(connection):
        for role in NEEDED_BY[name]:
            _try(connection, f"GRANT EXECUTE ON FUNCTION {function} TO {role}")
        _try(connection, f"REVOKE EXECUTE ON FUNCTION {function} FROM PUBLIC")


def loose(connection: "psycopg.Connection[Any]") -> list[str]:
    """Advice for the server's administrator; empty if every right is revoked."""
    names = {name for name, _ in _public_functions(connection)}
    kinds = {
        "temporary tables": _may_temporary(connection),
        "large objects": not names.isdisjoint(_LARGE_OBJECTS),
        "messages in the log": "pg_logical_emit_message" in names,
        "advisory locks": not names.isdisjoint(_LOCKS),
    }
    left = [kind for kind, public in kinds.items() if public]
    if names and not left:
        left = [f"calls of {', '.join(sorted(names))}"]
    return [ADVICE.format(what=", ".join(left))] if left else []


def _public_functions(connection: "psycopg.Connection[Any]") -> list[tuple[str, str]]:
    """The name and the signature of each function that everybody may still call."""
    return connection.execute(_PUBLIC_FUNCTIONS, (list(NEEDED_BY),)).fetchall()


def _may_temporary(connection: "psycopg.Connection[Any]") -> bool:
    return connection.execute(_TEMPORARY).fetchone() == (True,)


def _try(connection: "psycopg.Connection[Any]", statement: str) -> None:
    """Runs a GRANT or REVOKE, if this login may; PostgreSQL only warns about some it may not."""
    import psycopg
    from psycopg import sql

    try:
        with connection.transaction():
            connection.execute(sql.SQL(statement))
    except psycopg.errors.InsufficientPrivilege:
        return


def instead(connection: "psycopg.Connection[Any]") -> str:
    """What a login may do that may not use the application's roles; '' if nothing."""
    row = connection.execute(
        "SELECT bool_or(rolname = 'sabot_auditor'), bool_or(rolname = 'sabot_analyst') "
        "FROM pg_roles WHERE pg_has_role(session_user, oid, 'MEMBER')"
    ).fetchone()
    audits, analyses = row or (False, False)
    return _AUDITORS if audits else _ANALYSTS if analyses else ""
