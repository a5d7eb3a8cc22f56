"""Copies of what projections have grown: to take its place, to check it, to ask what once was.

Every copy grows by the same changes as the live rows do, only that its tables are found first:
in the schema `beside`, from which they are swapped in, or as temporary ones of one session.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from ops.ledger.database import Database
from ops.ledger.recorder import head_of
from ops.ledger.schema.declared import make_beside, swap_in
from ops.reports.runner import (
    EVERY_DAY,
    LOCK,
    Days,
    LedgerNotAsRead,
    catch_up,
    hold,
    positions_of,
    require_as_read,
)
from ops.words.failure import Failure
from projections import PROJECTIONS, Projection

PIECE = 10_000  # positions
PIECE_OF_DAYS = 200_000  # of which most are of other days
GIVES_WAY = "SET LOCAL lock_timeout = '400ms'"  # deadlock_timeout is a second
BREATH = 0.05  # seconds, in which readers who waited behind a swap go on
SHOWN = 3  # rows that differ
Said = Callable[[int], None]


class BeingRebuilt(Failure):
    """The projection {name} is being rebuilt by somebody else: wait until they are done."""

    def __init__(self, name: str) -> None:
        super().__init__((type(self).__doc__ or "").format(name=name))
        self.name = name

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name,)


@dataclass(frozen=True)
class Checked:
    """A projection beside what the ledger makes of it anew, at one position."""

    projection: str
    position: int
    rows: int
    differing: list[str]  # the first few: `+` only in the live rows, `-` missing from them

    @property
    def equal(self) -> bool:
        """Whether not a single row differs."""
        return not self.differing


def rebuild(
    connection: "psycopg.Connection[Any]", projection: Projection, said: Said = lambda _: None
) -> int:
    """Grows a projection from nothing beside the live rows, and swaps it in; the position.

    The live ones answer until then. Raises BeingRebuilt, ProjectionStopped.
    """
    with _alone(connection, projection):
        make_beside(connection, projection)
        with _found_first(connection, "beside"):
            _grow(connection, [projection], said)
        return _swap_in(connection, projection)


def _swap_in(connection: "psycopg.Connection[Any]", projection: Projection) -> int:
    """The last facts, and the names; again, when somebody who reads stands in the way.

    Who waits for a reader, and is waited for by them, would end one of both. It gives way long
    before the server looks for such a circle, so that nobody's report is ever ended by it.
    """
    while True:
        try:
            with connection.transaction():
                connection.execute(LOCK)  # nobody moves the live rows on meanwhile
                connection.execute("SET LOCAL search_path = beside, projections")
                position = catch_up(connection, projection)
                connection.execute(GIVES_WAY)
                swap_in(connection, [projection])
        except psycopg.errors.LockNotAvailable:
            time.sleep(BREATH)
            continue
        return position


_BEGIN_ALONE = """
    INSERT INTO beside.rebuilding AS held VALUES (%s, pg_backend_pid())
    ON CONFLICT (projection) DO UPDATE SET pid = excluded.pid
    WHERE NOT EXISTS (SELECT FROM pg_stat_activity AS session
                       WHERE session.pid = held.pid AND session.datname = current_database()
                         AND session.application_name = %s)
"""


@contextmanager
def _alone(connection: "psycopg.Connection[Any]", projection: Projection) -> Iterator[None]:
    """A row that only projectors write says who rebuilds it, for as long as their session lasts."""
    before = connection.info.parameter_status("application_name") or ""
    name = f"sabot rebuild {projection.name}"
    connection.execute("SELECT set_config('application_name', %s, false)", (name,))
    if not connection.execute(_BEGIN_ALONE, (projection.name, name)).rowcount:
        raise BeingRebuilt(projection.name)
    try:
        yield
    finally:
        if not connection.broken:
            connection.execute(
                "DELETE FROM beside.rebuilding WHERE projection = %s", (projection.name,)
            )
            connection.execute("SELECT set_config('application_name', %s, false)", (before,))


@contextmanager
def _found_first(connection: "psycopg.Connection[Any]", schema: str) -> Iterator[None]:
    """Tables of this schema are found before the live ones."""
    path = sql.SQL("SET search_path = {}, projections").format(sql.Identifier(schema))
    connection.execute(path)
    try:
        yield
    finally:
        if not connection.broken:
            connection.execute("SET search_path = projections")


def _grow(
    connection: "psycopg.Connection[Any]",
    projections: Sequence[Projection],
    said: Said,
    until: int | None = None,
    days: Days = EVERY_DAY,
) -> None:
    """From where the copy stands to the end; the planner hears of it as it grows."""
    end = head_of(connection) if until is None else until
    piece = PIECE if days == EVERY_DAY else PIECE_OF_DAYS
    at, known = 0, piece
    while at < end:
        before, at = (
            at,
            catch_up(
                connection, *projections, until=min(known, end), said=said, days=days, batch=piece
            ),
        )
        if at == before:
            raise LedgerNotAsRead(f"it ended at {end:,} just now, and it ends at {at:,}")
        for table in (table for each in projections for table in each.tables):
            connection.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(table)))
        known *= 4


@contextmanager
def own(
    connection: "psycopg.Connection[Any]",
    projections: Sequence[Projection],
    until: int,
    days: Days = EVERY_DAY,
    said: Said = lambda _: None,
) -> Iterator[None]:
    """For as long as the block lasts this session's rows are those of that position.

    Of other days than `days` some may be missing. Raises ProjectionStopped.
    """
    tables = ["progress", *(table for each in projections for table in each.tables)]
    connection.execute("CREATE TEMP TABLE progress (LIKE projections.progress INCLUDING ALL)")
    try:
        with _found_first(connection, "pg_temp"):
            for each in projections:
                connection.execute(each.schema.encode())
            _grow(connection, projections, said, until, days)
            yield
    finally:
        if not connection.broken:
            for table in tables:
                connection.execute(
                    sql.SQL("DROP TABLE IF EXISTS pg_temp.{}").format(sql.Identifier(table))
                )


def check(
    connection: "psycopg.Connection[Any]", projection: Projection, said: Said = lambda _: None
) -> Checked:
    """Grows a projection once more to one side, and compares it row by row.

    Raises ProjectionStopped, LedgerNotAsRead.
    """
    require_as_read(connection, [projection])
    live = positions_of(connection, [projection])[projection.name]
    with own(connection, [projection], live, said=said), connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        hold(connection, [projection], "projections")
        position = _live_position(connection, projection)
        catch_up(connection, projection, until=position)
        differing = [line for table in projection.tables for line in _differing(connection, table)]
        rows = sum(_count(connection, table) for table in projection.tables)
    return Checked(projection.name, position, rows, differing)


def _live_position(connection: "psycopg.Connection[Any]", projection: Projection) -> int:
    """Of the rows that this session's own hide."""
    row = connection.execute(
        "SELECT position FROM projections.progress WHERE projection = %s", (projection.name,)
    ).fetchone()
    return row[0] if row else 0


def _differing(connection: "psycopg.Connection[Any]", table: str) -> Iterator[str]:
    """The first rows that only one side has."""
    name = sql.Identifier(table)
    for sign, has, lacks in (("+", "projections", "pg_temp"), ("-", "pg_temp", "projections")):
        only = sql.SQL(
            "SELECT found::text FROM (SELECT * FROM {}.{} EXCEPT ALL SELECT * FROM {}.{}) AS found"
            " ORDER BY 1 LIMIT {}"
        ).format(sql.Identifier(has), name, sql.Identifier(lacks), name, SHOWN)
        for (row,) in connection.execute(only):
            yield f"{sign} {table} {row}"


def _count(connection: "psycopg.Connection[Any]", table: str) -> int:
    count = sql.SQL("SELECT count(*) FROM projections.{}").format(sql.Identifier(table))
    row = connection.execute(count).fetchone()
    assert row is not None
    return int(row[0])


# Several at once, in processes of their own.

Work = Callable[["psycopg.Connection[Any]", Projection, Said], Any]
_reached: Any = None  # in a worker: how far each projection is, for whoever shows progress


def at_once(
    url: str | None,
    projections: Sequence[Projection],
    work: Work,
    watch: Callable[[Sequence[int]], None] = lambda _: None,
    processes: int = max((os.cpu_count() or 2) // 2, 1),
) -> list[Any]:
    """The same work for several projections; what came of each, in their order.

    `watch` hears now and then how far each is. Raises what one of them raises first.
    """
    import multiprocessing
    from concurrent.futures import FIRST_EXCEPTION, ProcessPoolExecutor, wait

    spawn = multiprocessing.get_context("spawn")
    reached = spawn.Array("q", len(projections), lock=False)
    with ProcessPoolExecutor(processes, spawn, _begin, (reached,)) as pool:
        jobs = [pool.submit(_do, url, work, each.name, n) for n, each in enumerate(projections)]
        try:
            while True:
                done, going = wait(jobs, timeout=0.2, return_when=FIRST_EXCEPTION)
                watch(list(reached))
                for job in done:
                    job.result()  # raises what it raised
                if not going:
                    return [job.result() for job in jobs]
        finally:
            pool.shutdown(cancel_futures=True)


def _begin(reached: Any) -> None:
    global _reached  # noqa: PLW0603  (a worker has one)
    _reached = reached


def _do(url: str | None, work: Work, name: str, n: int) -> Any:
    def said(position: int) -> None:
        _reached[n] = position

    with Database(url).session("sabot_projector") as connection:
        connection.prepared_max = None
        return work(connection, PROJECTIONS[name], said)
