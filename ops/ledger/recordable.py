"""Whether something could be recorded now, asked without recording anything.

A word in the server's log, which the synchronous standby must have; and a sort that is larger than
it may be in memory, which needs room on the disk. Values that are sorted alone stay in memory.
"""

from typing import TYPE_CHECKING, Any

from ops.ledger.database import one_line
from ops.ledger.fit import DISK_FULL
from ops.ledger.recorder import flush

if TYPE_CHECKING:
    import psycopg

_SORTS = """
    SELECT count(*)
      FROM (SELECT n, repeat(md5(n::text), 16) AS long
              FROM generate_series(1, 1000) AS n ORDER BY long OFFSET 0) AS sorted
"""


def why_not(connection: "psycopg.Connection[Any]") -> str:
    """Why nothing could be recorded now, in words; '' if it could."""
    import psycopg

    try:
        with connection.transaction():
            connection.execute("SET LOCAL work_mem = '64kB'")
            connection.execute(_SORTS)
        flush(connection)
    except psycopg.errors.DiskFull:
        return DISK_FULL
    except psycopg.Error as error:
        return one_line(error)
    return ""
