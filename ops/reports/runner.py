"""Feeds the projections: batches of events, with rows and position in one transaction.

Projections at one position are fed together, each event read once (see `ops.reports.batch`).
Reports are never stale: their projections are caught up, under a lock, before the answer. An event
that cannot be processed stops that projection, with an error, and no other.

The search path decides which rows change: the live ones, or a copy (see `ops.reports.rebuild`).
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from ops.ledger.database import Database, NotFit, RoleDenied
from ops.ledger.growth import seconds_since
from ops.ledger.reading import hashes_at, head_of
from ops.ledger.schema.declared import changed
from ops.ledger.standby import is_standby
from ops.reports.batch import EVERY_DAY, Days, Piece, ProjectionStopped, feed
from ops.reports.locking import LOCK, locked, note_stopped
from ops.words.failure import LOST, Failure
from projections import PROJECTIONS, Projection, Rows

if TYPE_CHECKING:
    import psycopg

BATCH = 1_000  # positions
POLL = 1.0  # seconds; a poll makes up for a missed wake-up
PATIENCE = 3.0  # seconds that a login that only reads waits for a follower
SLOW = frozenset({"protection"})  # it takes longer than all others together
RUNNER = "sabot runner"  # the name of a follower among the server's sessions


class OtherShape(Failure):
    """The projection {name} is another one in this program than in the database: run `sabot db upgrade`, or upgrade this program."""  # noqa: E501

    status = LOST

    def __init__(self, name: str) -> None:
        super().__init__((type(self).__doc__ or "").format(name=name))
        self.name = name

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name,)  # for an error that crosses processes


class LedgerNotAsRead(NotFit):
    """The ledger is not as it was read: {why}. Run `sabot audit verify`, restore the ledger from a backup that is whole, then run `sabot projections rebuild`."""  # noqa: E501

    def __init__(self, why: str) -> None:
        super().__init__((type(self).__doc__ or "").format(why=why))
        self.why = why

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.why,)  # for an error that crosses processes


def position_of(connection: "psycopg.Connection[Any]", projection: Projection) -> int:
    """The position up to which a projection has read."""
    return positions_of(connection, [projection])[projection.name]


def positions_of(
    connection: "psycopg.Connection[Any]", projections: Iterable[Projection]
) -> dict[str, int]:
    """The position up to which each projection has read."""
    rows = connection.execute("SELECT projection, position FROM progress").fetchall()
    reached = dict(rows)
    return {each.name: reached.get(each.name, 0) for each in projections}


_READ = "SELECT projection, position, hash FROM progress ORDER BY position DESC, projection"


def not_as_read(connection: "psycopg.Connection[Any]") -> dict[str, str]:
    """Projections that read events that the ledger no longer has, with what is missing."""
    rows = connection.execute(_READ, binary=True).fetchall()
    there = hashes_at(connection, sorted({position for _, position, _ in rows}))
    head = head_of(connection)
    return {
        name: _what_is_missing(name, position, head, gone=position not in there)
        for name, position, read in rows
        if position > head or read not in (None, there.get(position))
    }


def _what_is_missing(name: str, position: int, head: int, *, gone: bool) -> str:
    if position > head:
        return f"{name} has read up to {position:,}, and the ledger ends at {head:,}"
    what = "is gone" if gone else "is not the one that it read"
    return f"{name} has read up to {position:,}, and the event there {what}"


def require_as_read(
    connection: "psycopg.Connection[Any]", projections: Iterable[Projection]
) -> None:
    """Raises LedgerNotAsRead if the ledger lost events that one of these has read."""
    missing = not_as_read(connection)
    for each in projections:
        if each.name in missing:
            raise LedgerNotAsRead(missing[each.name])


LATE = 300.0  # seconds: a runner is never so far behind, however much there is to read


class Standing(Struct, frozen=True):
    """A projection's state: how far behind it is, how fast it reads, and its error."""

    projection: str
    position: int
    behind: int | None  # events; None: the ledger no longer has what was read
    lag: float  # seconds since the oldest unread event was recorded
    rate: float | None  # events a second, in the last large batch
    stopped_at: int | None
    stopped_why: str | None
    missing: str | None  # what was read and the ledger no longer has
    to_be_grown: bool  # the rows are of another shape than this program declares

    @property
    def late(self) -> bool:
        """Whether it is behind for so long that nobody can be reading for it."""
        return bool(self.behind) and self.lag > LATE

    @property
    def well(self) -> bool:
        """Whether nobody needs to look after it."""
        return not (self.stopped_at or self.missing or self.late)

    def as_dict(self) -> dict[str, object]:
        """The state as JSON fields."""
        return {**asdict(self), "lag": round(self.lag, 3), "rate": self.rate and round(self.rate)}


def standings(connection: "psycopg.Connection[Any]") -> tuple[bool, list[Standing]]:
    """Whether a runner is at work, and the state of every projection."""
    head, missing = head_of(connection), not_as_read(connection)
    other_shape = {each.name for each in changed(connection, PROJECTIONS.values())}
    rows = connection.execute(
        """
        SELECT name, coalesce(reached.position, 0), rate, stopped_at, stopped_why
          FROM unnest(%s::text[]) WITH ORDINALITY AS known (name, n)
          LEFT JOIN progress AS reached ON reached.projection = name
         ORDER BY n
        """,
        (list(PROJECTIONS),),
    ).fetchall()
    lags = seconds_since(connection, sorted({position + 1 for _, position, *_ in rows}))
    return is_at_work(connection), [
        Standing(
            projection=name,
            position=position,
            behind=None if name in missing else max(head - position, 0),
            lag=lags.get(position + 1, 0.0),
            rate=rate,
            stopped_at=stopped_at,
            stopped_why=stopped_why,
            missing=missing.get(name),
            to_be_grown=name in other_shape,
        )
        for name, position, rate, stopped_at, stopped_why in rows
    ]


def is_at_work(connection: "psycopg.Connection[Any]") -> bool:
    """Whether a runner follows this ledger."""
    row = connection.execute(
        """
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s
           AND pg_has_role(usesysid, 'sabot_projector', 'MEMBER')
        """,
        (RUNNER,),
    ).fetchone()
    return row is not None


def hold(
    connection: "psycopg.Connection[Any]", projections: Iterable[Projection], schema: str = ""
) -> None:
    """Keeps these tables from being swapped until the transaction ends.

    Run it before anything else: a snapshot older than a swap misses rows. The tables are those of
    the search path, or of `schema`.
    """
    tables = sorted({"progress", *(table for each in projections for table in each.tables)})
    named = (f"{schema}.{table}" if schema else table for table in tables)
    connection.execute(f"LOCK TABLE {', '.join(named)} IN ACCESS SHARE MODE")


def catch_up(
    connection: "psycopg.Connection[Any]",
    *projections: Projection,
    progress: Callable[[int], None] = lambda _: None,
    until: int | None = None,
    days: Days = EVERY_DAY,
    batch: int | None = None,
    alone: bool = False,
) -> int:
    """Catches these up to the ledger's end, or to `until`; returns the position reached.

    `progress` is called with the position after every batch. `alone`: these rows are a copy that no
    other process changes, so that no lock is needed and copies can be made side by side. Raises
    ProjectionStopped, LedgerNotAsRead; OtherShape, if the live rows are not of this program's
    shape.
    """
    while True:
        try:
            with connection.transaction():
                if not alone and not locked(connection):
                    if _next(connection, projections, until, batch or BATCH, days) is None:
                        return min(positions_of(connection, projections).values(), default=0)
                    connection.execute(LOCK)
                piece = _next(connection, projections, until, batch or BATCH, days)
                if piece is None:
                    return min(positions_of(connection, projections).values(), default=0)
                held = _feed(connection, piece)
            _HELD[connection] = held
        except ProjectionStopped as error:
            note_stopped(connection, error)
            raise
        progress(piece.last)
        if piece.is_last:
            return piece.last


def require_caught_up(
    connection: "psycopg.Connection[Any]", projections: Sequence[Projection]
) -> None:
    """Waits until a follower has reached the ledger's present end. Raises NotFit.

    On a standby the rows are as far as its leader has brought them, and nobody waits.
    """
    if not projections:
        return
    if is_standby(connection):
        require_as_read(connection, projections)
        if other := changed(connection, projections):
            raise OtherShape(other[0].name)
        return
    head, gives_up = head_of(connection), time.monotonic() + PATIENCE
    while True:
        require_as_read(connection, projections)
        reached = positions_of(connection, projections)
        reached |= {each.name: -1 for each in changed(connection, projections)}
        name, position = min(reached.items(), key=lambda each: each[1])
        if position >= head:
            return
        if time.monotonic() > gives_up:
            raise NotFit(
                f"The projection {name} is {head - position:,} events behind, and this login may "
                "not catch it up: keep `sabot projections run` at work, or ask again when it has "
                "caught up."
            )
        time.sleep(0.02)


@contextmanager
def reading_session(database: Database) -> Iterator[tuple["psycopg.Connection[Any]", bool]]:
    """A connection for reading rows, and whether it may catch them up. Raises LedgerLost.

    A login that only reads may not, and waits for a follower; nor may anybody on a standby.
    """
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(database.session("sabot_projector"))
            may = not is_standby(connection)
        except RoleDenied:
            connection, may = stack.enter_context(database.session("sabot_auditor")), False
        _read_json_fast(connection)
        yield connection, may


def _read_json_fast(connection: "psycopg.Connection[Any]") -> None:
    from psycopg.types.json import set_json_loads

    set_json_loads(msgspec.json.decode, connection)


def _next(
    connection: "psycopg.Connection[Any]",
    projections: Sequence[Projection],
    until: int | None,
    batch: int,
    days: Days,
) -> Piece | None:
    """The next batch, or None when done; it ends early at another projection's position.

    Under the lock of these rows it is that; without, only None is sure.
    """
    if other := changed(connection, projections):
        raise OtherShape(other[0].name)
    require_as_read(connection, projections)
    end = min(head_of(connection), until if until is not None else 2**63)
    reached = positions_of(connection, projections)
    behind = {name: at for name, at in reached.items() if at < end}
    if not behind:
        return None
    lowest = min(behind.values())
    last = min([lowest + batch, end, *(at for at in reached.values() if at > lowest)])
    chosen = [each for each in projections if reached[each.name] == lowest]
    is_last = last == end and len(chosen) == len(behind)
    return Piece(chosen, lowest, last, days, is_last)


# Rows and position are lost together in a crash and computed again, so no commit waits for the
# disk. Pages are few and have an index; the planner does not know how few, and would read a small
# table whole.
_AS_FEEDS = """
    SELECT set_config('synchronous_commit', 'off', true),
           set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true),
           set_config('enable_seqscan', 'off', true)
"""


class _Held(Struct):
    """Rows that a session wrote last, which it need not read again while they are still those.

    `moved`: the position of each of their projections, and the moment at which it was reached; any
    other process that changes these rows, and a rebuild that replaces them, writes another one.
    """

    moved: list[tuple[str, int, datetime]]
    rows: Rows | None = None

    def still(self, connection: "psycopg.Connection[Any]", piece: Piece) -> Rows | None:
        """These rows, if they are all that the piece begins with; else None."""
        names = [each.name for each in piece.projections]
        if self.rows is None or sorted(names) != [name for name, *_ in self.moved]:
            return None
        moved = connection.execute(
            "SELECT projection, position, moved_at FROM progress WHERE projection = ANY(%s)",
            (names,),
        )
        return self.rows if sorted(moved) == self.moved else None


_HELD: "WeakKeyDictionary[psycopg.Connection[Any], _Held]" = WeakKeyDictionary()


def _feed(connection: "psycopg.Connection[Any]", piece: Piece) -> _Held:
    """Writes rows and positions of one batch. Raises ProjectionStopped, for one projection."""
    connection.execute(_AS_FEEDS)
    held = _HELD.pop(connection, None)  # nothing is held if this fails
    rows = feed(connection, piece, held.still(connection, piece) if held else None)
    moved = connection.execute(
        """
        INSERT INTO progress (projection, position, hash, moved_at)
        SELECT name, %(last)s, %(hash)s, clock_timestamp() FROM unnest(%(names)s::text[]) AS name
        ON CONFLICT (projection) DO UPDATE SET
            position = excluded.position, hash = excluded.hash, moved_at = excluded.moved_at,
            stopped_at = NULL, stopped_why = NULL,
            rate = CASE WHEN %(many)s < 100 THEN progress.rate
                        ELSE %(many)s
                             / extract(epoch FROM clock_timestamp() - transaction_timestamp())
                   END
        RETURNING progress.projection, progress.position, progress.moved_at
        """,
        {
            "last": piece.last,
            "hash": hashes_at(connection, [piece.last]).get(piece.last),
            "names": [each.name for each in piece.projections],
            "many": piece.last - piece.after,
        },
    )
    return _Held(sorted(moved), rows)
