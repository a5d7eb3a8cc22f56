"""Coups and shoes of closed days leave the database once they are archived, and come back."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops.archive.chains import Chain
from ops.archive.checking import Count, check, good_rows, require_archive
from ops.archive.files import EVENTS
from ops.archive.manifest import PIECE, ArchiveFailed, Manifest
from ops.archive.writing import require_continued
from ops.ledger.archived import Left, is_missing, may_leave, what_left
from ops.ledger.growth import what_stays
from ops.ledger.reading import head_of
from ops.proof import on_record
from ops.proof.checkpoint import Checkpoint
from ops.proof.tree import WIDTH
from projections.ranks import WRONG

if TYPE_CHECKING:
    import psycopg

_AT_ONCE = 10_000  # positions of which events leave in one transaction


class Leaving(Struct, frozen=True):
    """Up to which event coups and shoes may leave, and what the event says that lets them."""

    until: int
    root: str
    stay: int
    first_day: date
    last_day: date


def plan_leaving(connection: "psycopg.Connection[Any]", directory: Path, until: int) -> Leaving:
    """The newest checkpoint, over events up to a position, whose events are in full files.

    The files are not read. Raises ArchiveFailed.
    """
    manifest = require_archive(directory)
    require_continued(connection, directory, manifest)
    full = max((each.last for each in manifest.events if each.is_full), default=0)
    in_tiles = head_of(connection) // WIDTH * WIDTH
    signed = on_record.newest(connection, min(until, full, in_tiles))
    if signed is None:
        raise ArchiveFailed(
            f"Nothing of it can leave the database yet: no checkpoint before that day signs events "
            f"that are all in full files of {directory}. A file is full with {PIECE:,} events."
        )
    left = what_left(connection)
    staying = what_stays(connection, signed.size)
    if staying.first_day is None or staying.last_day is None:
        raise ArchiveFailed(f"No coup and no shoe is in the database up to #{signed.size:,}.")
    first_day = min(left.first_day, staying.first_day) if left else staying.first_day
    root = Checkpoint.of(signed.note).root.hex()
    return Leaving(signed.size, root, staying.stay, first_day, staying.last_day)


def open_alerts(connection: "psycopg.Connection[Any]", until: int) -> list[str]:
    """The alerts of rank one about events up to a position that nobody acknowledged, by name.

    The reports' rows must have caught up.
    """
    rows = connection.execute(
        "SELECT replace(kind, ' ', '-') || '/' || position FROM ("
        " SELECT kind, position, rank FROM exceptions WHERE acknowledged_at IS NULL UNION ALL"
        " SELECT kind, position, rank FROM alerts"
        "  WHERE acknowledged_at IS NULL AND ended_at IS NULL) AS waiting"
        " WHERE position <= %s AND rank = %s ORDER BY position",
        (until, WRONG),
    ).fetchall()
    return [name for (name,) in rows]


def require_good(directory: Path, count: Count = lambda _: None) -> None:
    """Reads every file of the archive again. Raises ArchiveFailed if anything is wrong with it."""
    checked = check(directory, count=count)
    if not checked.ok:
        raise ArchiveFailed(f"Nothing leaves the database. {' '.join(checked.faults)}")


def remove(connection: "psycopg.Connection[Any]", until: int, count: Count) -> int:
    """Removes what may leave, as the owner of the ledger; how many events."""
    removed = 0
    for after in range(0, until, _AT_ONCE):
        row = connection.execute(
            "SELECT ledger.remove_archived(%s, %s)", (after, after + _AT_ONCE)
        ).fetchone()
        assert row is not None
        removed += row[0]
        count(min(_AT_ONCE, until - after))
    return removed


def bring_back(
    connection: "psycopg.Connection[Any]", directory: Path, count: Count = lambda _: None
) -> tuple[Left, int]:
    """Puts back what left, as the owner of the ledger, each event only as the tree has it.

    Returns what it was, and how many events. Raises ArchiveFailed.
    """
    left, manifest = what_left(connection), require_archive(directory)
    if left is None:
        raise ArchiveFailed("Nothing left the database.")
    brought = 0
    for rows in _leavers(directory, manifest, left.events, count):
        columns = [[getattr(row, name) for row in rows] for name in EVENTS.columns][:-1]
        row = connection.execute(_BRING_BACK, columns).fetchone()
        assert row is not None
        brought += row[0]
    if is_missing(connection, left):
        raise ArchiveFailed(
            f"{directory} does not have all that left the database: give the archive "
            f"{left.directory}, or a copy of it."
        )
    return left, brought


_BRING_BACK = """
    SELECT ledger.bring_back(%b::uuid[], %b::bigint[], %b::text[], %b::bytea[], %b::bigint[],
                             %b::timestamptz[], %b::date[], %b::text[], %b::text[], %b::text[],
                             %b::text[])
"""


def _leavers(directory: Path, manifest: Manifest, until: int, count: Count) -> Iterator[list[Any]]:
    """The events of an archive that left the database, up to a position, group by group."""
    chain = Chain(EVENTS)
    for piece in manifest.events:
        if piece.first > until:
            return
        for rows in good_rows(directory, piece, EVENTS, chain):
            yield [each for each in rows if each.position <= until and may_leave(each.topic)]
            count(len(rows))
