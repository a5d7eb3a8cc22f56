"""One connection: opened, given every setting that Sabot depends on, its session not shared.

A database, a role or a server may have other settings, and a pooler refuses those that come with
the connection's first message. So they are set by statement. What a pooler's last client left in
the session, such as prepared statements, is dropped.
"""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, LiteralString

if TYPE_CHECKING:
    import psycopg

    from ops.ledger.confirmed import Connection

# It warns of what fails after an error that is raised anyway.
logging.getLogger("psycopg").setLevel(logging.ERROR)

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
_IN_FORCE = (
    "SELECT current_user, pg_catalog.jsonb_object_agg(name, "
    "pg_catalog.current_setting(name, true)) FROM pg_catalog.unnest(ARRAY[{}]) AS name"
)
_LEFT = "CLOSE ALL; DEALLOCATE ALL; UNLISTEN *; DISCARD TEMP"
_ENDS_AFTER = (20, 100, 500, 2500)  # milliseconds; the later ones are for a busy machine
# What people read about a pooler, or a server, that Sabot cannot work with.
SHARED = (
    "Sabot cannot work through this pooler, which gives a session of the server to other programs "
    "between two transactions. Set pool_mode = session for this database, or connect to PostgreSQL "
    "itself."
)
OVERRIDDEN = (
    "The server does not keep what Sabot sets on its connection: {what}. A pooler or the server "
    "sets it again: take that out of its configuration."
)
FROM_POOLERS = {
    "unsupported startup parameter": "Take `options` out of the database's address and unset "
    "PGOPTIONS: Sabot sets what it needs by itself.",
    "query_wait_timeout": "Every session of the pooler is taken: raise its default_pool_size above "
    "the number of Sabot's connections.",
}


def with_own_rights(
    connection: "psycopg.Connection[Any]", question: LiteralString
) -> tuple[Any, ...] | None:
    """The row that a question gives with the login's own rights, which may be more than its role's.

    Raises psycopg.Error.
    """
    answers = connection.execute(f"SET LOCAL ROLE NONE; {question}")  # together one transaction
    answers.nextset()
    return answers.fetchone()


def opened(address: Mapping[str, Any]) -> "Connection":
    """A connection without any of the settings, in autocommit. Raises psycopg.Error."""
    from ops.ledger.confirmed import Connection

    given = {**_OPENED, **address, "client_encoding": "UTF8"}
    connection = Connection.connect(**given, autocommit=True)
    connection.beside = lambda: opened(address)
    return connection


@contextmanager
def closed_if_wrong(connection: "psycopg.Connection[Any]") -> Iterator[None]:
    """Closes a connection with which something fails in the block."""
    try:
        yield
    except Exception:
        connection.close()
        raise


def first_opened(address: Mapping[str, Any]) -> "tuple[Connection, bool] | None":
    """A connection, and whether a pooler is in between; None: one that gives sessions to others.

    Raises psycopg.Error.
    """
    connection = opened(address)
    with closed_if_wrong(connection):
        if not pooled(connection):
            return connection, False
    connection.close()  # or the pooler may have no session left to try
    return None if shared(address) else (opened(address), True)


def pooled(connection: "psycopg.Connection[Any]") -> bool:
    """Whether something between this program and the server answers for the server.

    A pooler tells its clients a number of its own, not that of the server's process.
    """
    answers = connection.execute(_WHOSE)
    answers.nextset()
    return answers.fetchone() != (connection.pgconn.backend_pid,)


def shared(address: Mapping[str, Any], ends_after: Sequence[int] = _ENDS_AFTER) -> bool:
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


def begin(connection: "Connection", role: str | None) -> list[str]:
    """Gives the connection its settings and its role; None: the login's own rights.

    Returns what the server then says otherwise, which is asked in the same trip. Raises
    psycopg.Error.
    """
    timeouts = ["statement_timeout"]
    if connection.info.server_version >= 17_00_00:
        timeouts.insert(0, "transaction_timeout")
    values = ", ".join(f"('{name}', '{value}')" for name, value in SETTINGS.items())
    wanted = {**SETTINGS, **dict.fromkeys(timeouts, "0")}
    answers = connection.execute(
        "; ".join(
            [
                "SELECT pg_catalog.pg_backend_pid()",
                *(f"SET {name} = 0" for name in timeouts),
                _SETTINGS.format(values),
                _LEFT,
                f"SET ROLE {role or 'NONE'}",
                _IN_FORCE.format(", ".join(f"'{name}'" for name in wanted)),
            ]
        )
    )
    (connection.server_pid,) = answers.fetchone() or (0,)
    if role:
        connection.again = b"SELECT ledger.flush()"
    while answers.nextset():
        pass
    row = answers.fetchone()
    assert row
    user, in_force = row
    return [
        *([f"the role is {user} and not {role}"] if role not in (None, user) else []),
        *(
            f"{name} is {in_force[name]} and not {value}"
            for name, value in wanted.items()
            if in_force[name] not in (None, value)
        ),
    ]
