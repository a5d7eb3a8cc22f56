"""One connection: opened, given every setting that Sabot depends on, its session not shared.

A database, a role or a server may have other settings, and a pooler refuses those that come with
the connection's first message. So they are set by statement. What a pooler's last client left in
the session, such as prepared statements, is dropped.
"""

import time
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

    from ops.ledger.confirmed import Connection

SETTINGS = {
    "array_nulls": "on",
    "backslash_quote": "safe_encoding",
    "bytea_output": "hex",
    "client_min_messages": "warning",
    "datestyle": "ISO, YMD",
    "debug_parallel_query": "off",  # PostgreSQL 16 and newer
    "default_table_access_method": "heap",
    "default_tablespace": "",
    "default_transaction_deferrable": "off",
    "default_transaction_isolation": "read committed",
    "default_transaction_read_only": "off",
    "exit_on_error": "off",
    "extra_float_digits": "1",
    "force_parallel_mode": "off",  # PostgreSQL 15
    "geqo": "off",
    "idle_in_transaction_session_timeout": "0",
    "idle_session_timeout": "0",
    "intervalstyle": "postgres",
    "jit": "off",
    "lock_timeout": "30s",
    "quote_all_identifiers": "off",
    "random_page_cost": "1.1",  # a few rows by their index, however long the record is
    "restrict_nonsystem_relation_kind": "",
    "row_security": "on",
    "search_path": "projections",
    "standard_conforming_strings": "on",
    "temp_tablespaces": "",
    "timezone": "UTC",
    "transform_null_equals": "off",
}
_OPENED = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
    "application_name": "sabot",
}
# With SET LOCAL, because the server's session may be another client's a moment later.
_WHOSE = "SET LOCAL statement_timeout = 0; SELECT pg_catalog.pg_backend_pid()"
_SETTINGS = (
    "SELECT pg_catalog.set_config(name, value, false) FROM (VALUES {}) AS wanted (name, value) "
    "WHERE pg_catalog.current_setting(name, true) IS NOT NULL"
)
_LEFT = "CLOSE ALL; DEALLOCATE ALL; UNLISTEN *; DISCARD TEMP"
_ENDS_AFTER = (20, 100, 500, 2500)  # milliseconds; the later ones are for a busy machine


def opened(address: dict[str, Any]) -> "Connection":
    """A connection without any of the settings, in autocommit. Raises psycopg.Error."""
    from ops.ledger.confirmed import Connection

    given = {**_OPENED, **address, "client_encoding": "UTF8"}
    connection = Connection.connect(**given, autocommit=True)
    connection.beside = lambda: opened(address)
    return connection


def pooled(connection: "psycopg.Connection[Any]") -> bool:
    """Whether something between this program and the server answers for the server.

    A pooler tells its clients a number of its own, not that of the server's process.
    """
    answers = connection.execute(_WHOSE)
    answers.nextset()
    return answers.fetchone() != (connection.pgconn.backend_pid,)


def shared(address: dict[str, Any], ends_after: Sequence[int] = _ENDS_AFTER) -> bool:
    """Whether a pooler gives the session of a connection to others between transactions.

    It is tried with a connection of its own, whose session the server ends when it has been idle
    for so many milliseconds; if that told nothing, for the next number. Raises psycopg.Error.
    """
    for idle in ends_after:
        with closing(opened(address)) as connection:
            alone = _alone(connection, idle)
        if alone is not None:
            return not alone
    return True  # others kept the session from being idle


def _alone(connection: "psycopg.Connection[Any]", idle: int) -> bool | None:
    """Whether the connection ends with its session; None: it was too busy to tell.

    If it gets another session when it is used again, the pooler gave the first one away. A session
    that may have ended before the pooler could give it away tells nothing.
    """
    import psycopg

    asked = "SELECT pg_catalog.pg_backend_pid()"
    try:
        before = connection.execute(asked).fetchone()
        began = time.monotonic()
        connection.execute(f"SET idle_session_timeout = {idle}")
        in_time = time.monotonic() - began < idle / 1000
    except psycopg.OperationalError:  # a session that was tried before is just ending
        return None
    try:
        for _ in connection.notifies(timeout=2 * idle / 1000):
            pass
    except psycopg.OperationalError:
        return True if in_time else None
    try:
        return None if connection.execute(asked).fetchone() == before else False
    except psycopg.OperationalError:
        return None


def begin(connection: "Connection", role: str | None) -> None:
    """Gives the connection its settings and its role; None: the login's own rights.

    Raises psycopg.Error.
    """
    timeouts = ["statement_timeout"]
    if connection.info.server_version >= 17_00_00:
        timeouts.insert(0, "transaction_timeout")
    values = ", ".join(f"('{name}', '{value}')" for name, value in SETTINGS.items())
    answers = connection.execute(
        "; ".join(
            [
                "SELECT pg_catalog.pg_backend_pid()",
                *(f"SET {name} = 0" for name in timeouts),
                _SETTINGS.format(values),
                _LEFT,
                f"SET ROLE {role or 'NONE'}",
            ]
        )
    )
    (connection.server_pid,) = answers.fetchone() or (0,)
    if role:
        connection.again = b"SELECT ledger.flush()"
