"""Copies of a projection's rows: to replace the live ones, to check them, or for a past moment.

A copy is computed by the same changes as the live rows, but in other tables: in the schema
`beside`, from which they are swapped in, or in temporary tables of one session.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from msgspec import Struct
from psycopg import sql

from ops.ledger.archived import may_leave, require_here
from ops.ledger.database import NotFit, one_line
from ops.ledger.reading import head_of
from ops.ledger.schema.declared import changed, declare, make_beside, swap_in, to_be_declared
from ops.reports.batch import EVERY_DAY, Days, ProjectionStopped
from ops.reports.locking import LOCK, no_wait, note_stopped
from ops.reports.runner import (
    LedgerNotAsRead,
    OtherShape,
    catch_up,
    hold,
    positions_of,
    require_as_read,
)
from ops.words.failure import Failure
from projections import PROJECTIONS, Projection

PIECE = 40_000  # positions
PIECE_OF_DAYS = 10_000_000  # positions, nearly all of which are of other days
GIVES_WAY = "SET LOCAL lock_timeout = '400ms'"  # less than deadlock_timeout, which is a second
BREATH = 0.05  # seconds, in which readers who waited for a swap go on
WAIT = 0.2  # seconds, until another process may have done the same
SHOWN = 3  # rows that differ
REBUILDING = "sabot rebuild"  # the name of a rebuild among the server's sessions
Progress = Callable[[int], None]


class BeingRebuilt(Failure):
    """The projection {name} is being rebuilt by somebody else: wait until they are done."""

    def __init__(self, name: str) -> None:
        super().__init__((type(self).__doc__ or "").format(name=name))
        self.name = name

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name,)


class Checked(Struct, frozen=True):
    """The result of comparing a projection's rows with rows computed again, at one position."""

    projection: str
    position: int
    rows: int
    differing: list[str]  # the first few: `+` only in the live rows, `-` missing from them

    @property
    def equal(self) -> bool:
        """Whether no row differs."""
        return not self.differing


def rebuild(
    connection: "psycopg.Connection[Any]",
    projection: Projection,
    progress: Progress = lambda _: None,
) -> int:
    """Computes a projection again beside the live rows, and swaps it in; returns its position.

    The live rows answer until then. Raises BeingRebuilt, ProjectionStopped.
    """
    [position] = rebuild_together(connection, [projection], progress)
    return position


def rebuild_together(
    connection: "psycopg.Connection[Any]", projections: Sequence[Projection], progress: Progress
) -> list[int]:
    """Rebuilds several, in one reading of the ledger; returns the position of each.

    One that stops keeps its live rows, and its error is raised once the others are in place.
    """
    if to_be_declared(connection, projections):
        _declare(connection)
    other = changed(connection, projections)
    if other:
        recompute_changed(connection, progress)
    going = [each for each in projections if each not in other]
    stopped: list[ProjectionStopped] = []
    with _alone(connection, going):
        for each in going:
            with no_wait(connection):
                make_beside(connection, each)
        while going:
            try:
                _take_the_place(connection, going, progress)
                break
            except ProjectionStopped as error:
                stopped.append(error)
                going = [each for each in going if each.name != error.name]
    if stopped:
        raise stopped[0]
    reached = positions_of(connection, projections)
    return [reached[each.name] for each in projections]


def bring_up(
    connection: "psycopg.Connection[Any]", *projections: Projection, until: int | None = None
) -> int:
    """Catches up as `catch_up` does, after computing changed projections again."""
    while True:
        try:
            return catch_up(connection, *projections, until=until)
        except OtherShape:
            recompute_changed(connection)


def recompute_changed(
    connection: "psycopg.Connection[Any]", progress: Progress = lambda _: None
) -> None:
    """Computes every projection again whose live rows are not of this program's shape.

    All of them are swapped in at once, because views may read several. If another process already
    does so, this waits for it. Raises ProjectionStopped; MadeByNewer; NotFit, if the shapes are not
    declared and this login may not declare them.
    """
    while chosen := changed(connection, PROJECTIONS.values()):
        try:
            with _alone(connection, chosen):
                _recompute(connection, chosen, progress)
        except (BeingRebuilt, OtherShape):
            time.sleep(WAIT)
        except ProjectionStopped as error:
            for each in chosen:  # otherwise a follower would try again every second
                note_stopped(connection, ProjectionStopped(each.name, error.position, error.why))
            raise


def _recompute(
    connection: "psycopg.Connection[Any]", chosen: Sequence[Projection], progress: Progress
) -> None:
    """Computes these again, unless another process has done so meanwhile."""
    if chosen != changed(connection, PROJECTIONS.values()):
        return
    _declare(connection)
    for each in chosen:
        with no_wait(connection):
            make_beside(connection, each)
    _take_the_place(connection, chosen, progress)


def _declare(connection: "psycopg.Connection[Any]") -> None:
    try:
        with connection.transaction():
            declare(connection)
    except psycopg.errors.InsufficientPrivilege as error:
        raise NotFit(
            "This program's projections have other tables than the database knows of: have an "
            "administrator run `sabot db upgrade`."
        ) from error


def _take_the_place(
    connection: "psycopg.Connection[Any]", projections: Sequence[Projection], progress: Progress
) -> None:
    """Brings the copies to the ledger's end, and swaps them in."""
    try:
        with _searched_first(connection, "beside"):
            _compute(connection, projections, progress)
        _swap_in(connection, projections)
    except psycopg.errors.ObjectNotInPrerequisiteState as error:  # declared differently meanwhile
        raise OtherShape(projections[0].name) from error


def _swap_in(connection: "psycopg.Connection[Any]", projections: Sequence[Projection]) -> None:
    """Reads the last events and swaps the tables; tries again while a reader holds a lock.

    A swap that waits for a reader who waits for the swap is a deadlock, and PostgreSQL would end
    one of both. So the swap gives up long before that, and no report is ever ended by it.
    """
    while True:
        try:
            with no_wait(connection):
                connection.execute(LOCK)  # no process moves the live rows meanwhile
                connection.execute("SET LOCAL search_path = beside, projections")
                catch_up(connection, *projections, alone=True)
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
        return


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
    """Records that this session rebuilds these projections, as long as the session lasts.

    Raises BeingRebuilt. Only projectors can write the record.
    """
    before = connection.info.parameter_status("application_name") or ""
    names = [each.name for each in projections]
    as_known = f"{REBUILDING} {', '.join(names)}"[:63]
    connection.execute("SELECT set_config('application_name', %s, false)", (as_known,))
    try:
        with no_wait(connection):
            begun = connection.execute(_BEGIN_ALONE, (names, REBUILDING)).fetchall()
            if held := sorted(set(names) - {name for (name,) in begun}):
                raise BeingRebuilt(held[0])
        try:
            yield
        finally:
            _end_alone(connection, names)
    finally:
        if not connection.broken:
            connection.execute("SELECT set_config('application_name', %s, false)", (before,))


def _end_alone(connection: "psycopg.Connection[Any]", names: list[str]) -> None:
    if connection.broken:
        return
    with no_wait(connection):
        connection.execute("DELETE FROM beside.rebuilding WHERE projection = ANY(%s)", (names,))


@contextmanager
def _searched_first(connection: "psycopg.Connection[Any]", schema: str) -> Iterator[None]:
    """Makes tables of this schema hide the live ones."""
    path = sql.SQL("SET search_path = {}, projections").format(sql.Identifier(schema))
    connection.execute(path)
    try:
        yield
    finally:
        if not connection.broken:
            connection.execute("SET search_path = projections")


def _compute(
    connection: "psycopg.Connection[Any]",
    projections: Sequence[Projection],
    progress: Progress,
    until: int | None = None,
    days: Days = EVERY_DAY,
) -> None:
    """Brings the copy to the end; updates the planner's statistics now and then.

    Raises Archived, if it takes events that left the database.
    """
    for each in projections:
        require_here(connection, 0, each.changes if is_of_what_stays(each) else None, days)
    end = head_of(connection) if until is None else until
    piece = PIECE if days == EVERY_DAY else PIECE_OF_DAYS
    at, known = 0, piece
    while at < end:
        before = at
        at = catch_up(
            connection,
            *projections,
            until=min(known, end),
            progress=progress,
            days=days,
            batch=piece,
            alone=True,
        )
        if at == before:
            raise LedgerNotAsRead(f"it ended at {end:,} just now, and it ends at {at:,}")
        for table in (table for each in projections for table in each.tables):
            with no_wait(connection):
                connection.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(table)))
        known *= 4


def is_of_what_stays(projection: Projection) -> bool:
    """Whether the rows can be computed again without the events that may leave the database."""
    of_any = projection.over or projection.marks
    return not of_any and not any(map(may_leave, projection.changes))


@contextmanager
def temporary_rows(
    connection: "psycopg.Connection[Any]",
    projections: Sequence[Projection],
    until: int,
    days: Days = EVERY_DAY,
    progress: Progress = lambda _: None,
) -> Iterator[None]:
    """Gives this session rows of that position in temporary tables, for the block.

    Rows of days outside `days` may be missing. Raises ProjectionStopped.
    """
    tables = ["progress", *(table for each in projections for table in each.tables)]
    connection.execute("CREATE TEMP TABLE progress (LIKE projections.progress INCLUDING ALL)")
    try:
        with _searched_first(connection, "pg_temp"):
            for each in projections:
                connection.execute(each.schema.encode())
            _compute(connection, projections, progress, until, days)
            yield
    finally:
        if not connection.broken:
            for table in tables:
                connection.execute(
                    sql.SQL("DROP TABLE IF EXISTS pg_temp.{}").format(sql.Identifier(table))
                )


def check(
    connection: "psycopg.Connection[Any]",
    projection: Projection,
    progress: Progress = lambda _: None,
) -> Checked:
    """Computes a projection again in temporary tables, and compares the rows.

    Raises ProjectionStopped, LedgerNotAsRead.
    """
    [checked] = check_together(connection, [projection], progress)
    return checked


def check_together(
    connection: "psycopg.Connection[Any]", projections: Sequence[Projection], progress: Progress
) -> list[Checked]:
    """Checks several; those at one position share one reading of the ledger."""
    if changed(connection, projections):
        recompute_changed(connection, progress)
    require_as_read(connection, projections)
    reached = positions_of(connection, projections)
    checked: dict[str, Checked] = {}
    for live in sorted(set(reached.values())):
        those = [each for each in projections if reached[each.name] == live]
        with temporary_rows(connection, those, live, progress=progress), connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            hold(connection, those, "projections")
            checked |= {each.name: _compare(connection, each) for each in those}
    return [checked[each.name] for each in projections]


def _compare(connection: "psycopg.Connection[Any]", projection: Projection) -> Checked:
    """Compares the temporary rows with the live ones, which may have moved on meanwhile."""
    position = _live_position(connection, projection)
    catch_up(connection, projection, until=position, alone=True)
    differing = [line for table in projection.tables for line in _differing(connection, table)]
    rows = sum(_count(connection, table) for table in projection.tables)
    return Checked(projection.name, position, rows, differing)


def _live_position(connection: "psycopg.Connection[Any]", projection: Projection) -> int:
    """The position of the live rows, which the temporary ones hide."""
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
