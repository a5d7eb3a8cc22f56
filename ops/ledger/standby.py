"""A standby: a server that follows another one, its leader, and from which one can only read."""

import os
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ops.ledger.connection import with_own_rights

if TYPE_CHECKING:
    import psycopg

LEADER = "SABOT_LEADER"  # where commands are given, in words for people; the server may not say it
# With the login's own rights, because Sabot's roles do not see how the server follows.
_FOLLOWS = """
    SELECT sender_host, sender_port FROM pg_catalog.pg_stat_wal_receiver
"""
_CONFIGURED = """
    SELECT setting FROM pg_catalog.pg_settings WHERE name = 'primary_conninfo'
"""


def is_standby(connection: "psycopg.Connection[Any]") -> bool:
    """Whether this server follows another one now; it may be promoted at any time."""
    row = connection.execute("SELECT pg_catalog.pg_is_in_recovery()").fetchone()
    return row == (True,)


def listen(connection: "psycopg.Connection[Any]") -> bool:
    """Listens for new events; False on a standby, which is told of none and has to be asked."""
    if is_standby(connection):
        return False
    connection.execute("LISTEN sabot_ledger")
    return True


def replayed_at(connection: "psycopg.Connection[Any]") -> datetime | None:
    """When the newest commit that a standby has was made at its leader; None: not known."""
    row = connection.execute("SELECT pg_catalog.pg_last_xact_replay_timestamp()").fetchone()
    return row[0] if row else None


def where_it_leads(connection: "psycopg.Connection[Any]") -> str:
    """Why nothing can be recorded on this standby, and where its leader is, if that is known."""
    leader = os.environ.get(LEADER, "").strip() or _leader_of(connection)
    words = "this database is a standby, from which you can only read"
    return f"{words}; its leader is {leader}" if leader else words


def _leader_of(connection: "psycopg.Connection[Any]") -> str:
    """The server that a standby follows; '' where the login may not see it."""
    from psycopg.conninfo import conninfo_to_dict

    host, port = with_own_rights(connection, _FOLLOWS) or (None, None)
    if not host:
        (configured,) = with_own_rights(connection, _CONFIGURED) or ("",)
        address = conninfo_to_dict(configured or "")
        host, port = address.get("host"), address.get("port")
    if not host:
        return ""
    return f"{host}, port {port}" if port else str(host)
