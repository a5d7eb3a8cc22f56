"""Where one can only read: on a standby, which follows its leader, and on a copy of a ledger.

A copy is a database of its own, whose ledger a subscription fills with that of another one, or
which was made from a dump of another server's.
"""

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
# Whether this server follows another one; what fills the ledger's events, if it is another database
# (see `ledger.copied_by`); whether this login may ask which server it was copied from, of which
# older schemas do not know. In one question, because every connection asks it.
_KNOWN = """
    SELECT pg_catalog.pg_is_in_recovery(),
           (SELECT subname FROM pg_catalog.pg_subscription
              JOIN pg_catalog.pg_subscription_rel ON pg_subscription.oid = srsubid
              JOIN pg_catalog.pg_class ON pg_class.oid = srrelid
              JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
             WHERE nspname = 'ledger' AND relname IN ('events', 'event_rows')
             ORDER BY subname LIMIT 1),
           EXISTS (SELECT FROM pg_catalog.pg_proc
                    WHERE pronamespace = pg_catalog.to_regnamespace('ledger')
                      AND proname = 'copied_from'
                      AND pg_catalog.has_function_privilege(oid, 'EXECUTE'))
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


def only_reads(connection: "psycopg.Connection[Any]") -> str:
    """Why nothing can be recorded here; '' if it can.

    A standby may be promoted, a copy's subscription dropped, and a dump that was restored may take
    the place of its house, at any time.
    """
    follows, subscription, may_ask = _known(connection)
    if follows:
        return where_it_leads(connection)
    if subscription:
        words = f"this database is a copy, filled by the subscription {subscription}"
    elif may_ask and _copied_from(connection):
        words = "this database is a copy, made from a dump of another server's"
    else:
        return ""
    return _with_leader(f"{words}, from which you can only read", _configured_leader())


def is_of_a_dump(connection: "psycopg.Connection[Any]") -> bool:
    """Whether a dump of another server was restored here, and does not take that one's place."""
    *_, may_ask = _known(connection)
    return may_ask and bool(_copied_from(connection))


def _known(connection: "psycopg.Connection[Any]") -> tuple[bool, str | None, bool]:
    row = connection.execute(_KNOWN).fetchone()
    return row or (False, None, False)


def _copied_from(connection: "psycopg.Connection[Any]") -> str | None:
    row = connection.execute("SELECT ledger.copied_from()").fetchone()
    return row[0] if row else None


def take_place(connection: "psycopg.Connection[Any]") -> None:
    """Makes this server the one that has the ledger, as the ledger's owner."""
    connection.execute(
        "INSERT INTO ledger.servers (identifier) SELECT ledger.this_server()"
        " WHERE ledger.copied_from() IS NOT NULL"
    )


def where_it_leads(connection: "psycopg.Connection[Any]") -> str:
    """Why nothing can be recorded on this standby, and where its leader is, if that is known."""
    leader = _configured_leader() or _leader_of(connection)
    return _with_leader("this database is a standby, from which you can only read", leader)


def _with_leader(words: str, leader: str) -> str:
    return f"{words}; its leader is {leader}" if leader else words


def _configured_leader() -> str:
    return os.environ.get(LEADER, "").strip()


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
