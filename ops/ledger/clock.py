"""The clocks: the machine's, for what does not state when it happens, and the record's.

`recorded_at` comes from the record's clock, and so do queries by it. Both are read where a command,
a page or a screen begins, and handed on.
"""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

AHEAD = timedelta(minutes=5)  # a moment further in the future is taken for a mistake


def wall_clock() -> datetime:
    """The current time; always called as `clock.wall_clock()`, so that tests can replace it."""
    return datetime.now(UTC)


def record_clock(connection: "psycopg.Connection[Any]") -> datetime:
    """The database's time, by which events are recorded."""
    row = connection.execute("SELECT clock_timestamp()").fetchone()
    assert row
    return row[0]  # type: ignore[no-any-return]
