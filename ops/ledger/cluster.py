"""Which server has the ledger: its system identifier and its timeline.

A server that was restored to a moment, or promoted, is on another timeline; one that a dump was
restored into has another identifier. A data directory that was copied back has neither.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

# In recovery there is no file that is written; the last checkpoint's timeline is close enough.
_SERVER = """
    SELECT s.system_identifier || '/' || CASE WHEN pg_is_in_recovery()
             THEN (SELECT timeline_id FROM pg_control_checkpoint())
             ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END
      FROM pg_control_system() AS s
"""


def server_of(connection: "psycopg.Connection[Any]") -> str:
    """The server, as in `7446122893/2`; '' if the login may not ask, as on a managed server."""
    import psycopg

    try:
        row = connection.execute(_SERVER).fetchone()
    except (psycopg.ProgrammingError, psycopg.NotSupportedError):
        return ""
    return str(row[0]) if row else ""
