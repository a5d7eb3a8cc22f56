"""The lock of the rows, and transactions about them that wait for nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ops.reports.batch import ProjectionStopped

if TYPE_CHECKING:
    import psycopg

# Only one process at a time changes the rows that the search path leads to. A login that only reads
# cannot take this lock, and a statement that it prepares does not conflict with it.
LOCK = "LOCK TABLE progress IN SHARE UPDATE EXCLUSIVE MODE"


def locked(connection: "psycopg.Connection[Any]") -> bool:
    """Takes the lock of these rows, unless another process has it now."""
    import psycopg

    try:
        with connection.transaction():
            connection.execute(f"{LOCK} NOWAIT")
    except psycopg.errors.LockNotAvailable:
        return False
    return True


@contextmanager
def no_wait(connection: "psycopg.Connection[Any]") -> Iterator[None]:
    """A transaction that waits neither for the disk nor, with its locks, for a standby.

    Of rows only: if they are lost in a crash, they are computed again.
    """
    with connection.transaction():
        connection.execute("SET LOCAL synchronous_commit = off")
        yield


def note_stopped(connection: "psycopg.Connection[Any]", stopped: ProjectionStopped) -> None:
    """Records the error for `sabot projections status` and the board, until it is solved."""
    with no_wait(connection):
        connection.execute(
            """
            INSERT INTO progress (projection, position, stopped_at, stopped_why)
            VALUES (%s, 0, %s, %s)
            ON CONFLICT (projection) DO UPDATE SET
                stopped_at = excluded.stopped_at, stopped_why = excluded.stopped_why
            """,
            (stopped.name, stopped.position, stopped.why),
        )
