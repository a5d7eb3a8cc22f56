"""Copies of what projections have grown: to take its place, to check it, to ask what once was.

Every copy grows by the same changes as the live rows do, only that its tables are found first:
in the schema `beside`, from which they are swapped in, or as temporary ones of one session.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from msgspec import Struct
from psycopg import sql

from ops.ledger.database import Database, NotFit, one_line
from ops.ledger.recorder import head_of
from ops.ledger.schema.declared import changed, declare, make_beside, swap_in
from ops.reports.runner import (
    EVERY_DAY,
    LOCK,
    Days,
    LedgerNotAsRead,
    OtherShape,
    ProjectionStopped,
    catch_up,
    hold,
    note_stopped,
    position_of,
    positions_of,
    require_as_read,
)
from ops.words.failure import Failure
from projections import PROJECTIONS, Projection

PIECE = 10_000  # positions
PIECE_OF_DAYS = 200_000  # of which most are of other days
GIVES_WAY = "SET LOCAL lock_timeout = '400ms'"  # deadlock_timeout is a second
BREATH = 0.05  # seconds, in which readers who waited behind a swap go on
WAIT = 0.2  # seconds, until somebody else may have done the same
SHOWN = 3  # rows that differ
REBUILDING = "sabot rebuild"  # the name by which whoever does is seen among the sessions
Said = Callable[[int], None]


class BeingRebuilt(Failure):
    """The projection {name} is being rebuilt by somebody else: wait until they are done."""

    def __init__(self, name: str) -> None:
        super().__init__((type(self).__doc__ or "").format(name=name))
        self.name = name

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name,)


class Checked(Struct, frozen=True):
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
    if changed(connection, [projection]):
        grow_changed(connection, said)
        return position_of(connection, projection)
    with _alone(connection, [projection]):
        return _grow_anew(connection, [projection], said)


def bring_up(connection: "psycopg.Connection[Any]", *projections: Projection) -> int:
    """Reads on to the ledger's end, as `catch_up` does; those that changed are grown anew first."""
    while True:
        try:
            return catch_up(connection, *projections)
        except OtherShape:
            grow_changed(connection)


def grow_changed(connection: "psycopg.Connection[Any]", said: Said = lambda _: None) -> None:
    """Every projection whose live rows are not what this program declares is grown anew.

    All of them are swapped in at once, since views may read several. When somebody else does so
    already, they are waited for. Raises ProjectionStopped; MadeByNewer; NotFit, when they are not
    declared and this login may not do it.
    """
    while chosen := changed(connection, PROJECTIONS.values()):
        try:
            with _alone(connection, chosen):
                if chosen == changed(connection, PROJECTIONS.values()):
                    _declare(connection)
                    _grow_anew(connection, chosen, said)
        except (BeingRebuilt, OtherShape):
            time.sleep(WAIT)
        except ProjectionStopped as error:
            for each in chosen:  # or whoever follows would try again every second
                note_stopped(connection, ProjectionStopped(each.name, error.position, error.why))
            raise


def _declare(connection: "psycopg.Connection[Any]") -> None:
    try:
        with connection.transaction():
            declare(connection)
    except psycopg.errors.InsufficientPrivilege as error:
        raise NotFit(
            "This program's projections have other tables than the database knows of: have an "
            "administrator run `sabot db upgrade`."
        ) from error


def _grow_anew(
    connection: "psycopg.Connection[Any]", projections: Sequence[Projection], said: Said
) -> int:
    try:
        for each in projections:
            make_beside(connection, each)
        with _found_first(connection, "beside"):
            _grow(connection, projections, said)
        return _swap_in(connection, projections)
    except psycopg.errors.ObjectNotInPrerequisiteState as error:  # declared otherwise meanwhile
        raise OtherShape(projections[0].name) from error


def _swap_in(connection: "psycopg.Connection[Any]", projections: Sequence[Projection]) -> int:
    """The last facts, and the names; again, when somebody who reads stands in the way.

    Who waits for a reader, and is waited for by them, would end one of both. It gives way long
    before the server looks for such a circle, so that nobody's report is ever ended by it.
    """
    while True:
        try:
            with connection.transaction():
                connection.execute(LOCK)  # nobody moves the live rows on meanwhile
                connection.execute("SET LOCAL search_path = beside, projections")
                position = catch_up(connection, *projections)
                connection.execute(GIVES_WAY)
                swap_in(connection, projections)
        except psycopg.errors.LockNotAvailable:
            time.sleep(BREATH)
            continue
        except _IN_THE_WAY as error:
            raise NotFit(
                f"A view of somebody's own is in the way of other tables: {one_line(error)}. Drop "
                "it, and ask again."
            ) from error
        return position


_IN_THE_WAY = (
    psycopg.errors.DependentObjectsStillExist,
    psycopg.errors.InvalidTableDefinition,
    psycopg.errors.UndefinedColumn,
    psycopg.errors.UndefinedFunction,
    psycopg.errors.UndefinedTable,
)
_BEGIN_ALONE = """
    INSERT INTO beside.rebuilding AS held SELECT name, pg_backend_pid() FROM unnest(%s::text[]) name
    ON CONFLICT (projection) DO UPDATE SET pid = excluded.pid
    WHERE NOT EXISTS (SELECT FROM pg_stat_activity AS session
                       WHERE session.pid = held.pid AND session.datname = current_database()
                         AND starts_with(session.application_name, %s))
    RETURNING projection
"""


@contextmanager
def _alone(
    connection: "psycopg.Connection[Any]", projections: Sequence[Projection]
) -> Iterator[None]:
    """Rows that only projectors write say who rebuilds them, for as long as their session lasts."""
    before = connection.info.parameter_status("application_name") or ""
    names = [each.name for each in projections]
    as_known = f"{REBUILDING} {', '.join(names)}"[:63]
    connection.execute("SELECT set_config('application_name', %s, false)", (as_known,))
    try:
        with connection.transaction():
            found = connection.execute(_BEGIN_ALONE, (names, REBUILDING)).fetchall()
            if held := sorted(set(names) - {name for (name,) in found}):
                raise BeingRebuilt(held[0])
        try:
            yield
        finally:
            if not connection.broken:
                connection.execute(
                    "DELETE FROM beside.rebuilding WHERE projection = ANY(%s)", (names,)
                )
    finally:
        if not connection.broken:
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
    if changed(connection, [projection]):
        grow_changed(connection, said)
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
