"""How far the server has written: a moment, a place in the log, and an event."""

from datetime import UTC
from typing import TYPE_CHECKING, Any

from ops.backup.archive import Followed
from ops.ledger.reading import head_of

if TYPE_CHECKING:
    import psycopg

_PAGE, _HEADERS = 8192, (24, 40)  # of the log, in bytes: where a page's first record would begin


def written(connection: "psycopg.Connection[Any]") -> Followed:
    """How far the server has written now."""
    now, head = connection.execute("SELECT clock_timestamp()").fetchone(), head_of(connection)
    # Asked after the position, so that its event is before this place, flushed or not.
    place = connection.execute("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint").fetchone()
    assert now is not None
    assert place is not None
    into_page = place[0] % _PAGE
    end = place[0] - into_page if into_page in _HEADERS else place[0]
    return Followed(now[0].astimezone(UTC), f"{end >> 32:X}/{end & 0xFFFFFFFF:08X}", head)
