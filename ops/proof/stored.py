"""The log as it is in the database: the tree's tiles, and the entries under them."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from ops.ledger.chain import canonical, link
from ops.ledger.reading import hashes_at, hashes_before, head_of, read_events
from ops.proof.tree import HASH, WIDTH, NotProven, Tiles

if TYPE_CHECKING:
    import psycopg


PIECE = 5_000  # events in one read


class NotGrown(NotProven):
    """The tree in the database does not reach as far as it should: rebuild the projection."""


def tiles_of(
    connection: "psycopg.Connection[Any]", schema: str = "projections", *, recorded: bool = False
) -> Tiles:
    """The tiles of the events' tree. It raises NotGrown where a tile has too few hashes.

    The last hashes of level 0, which fill no tile, are made from their events; with `recorded`
    they are those that were recorded with the events, whatever an event says now.
    """

    @cache
    def stored(level: int, index: int) -> bytes:
        row = connection.execute(
            f"SELECT hashes FROM {schema}.tiles WHERE level = %s AND index = %s",  # noqa: S608
            (level, index),
            binary=True,
        ).fetchone()
        if row:
            return bytes(row[0])
        hashed = _as_recorded if recorded else _hashed_again
        return hashed(connection, WIDTH * index) if level == 0 else b""

    def tile(level: int, index: int, width: int) -> bytes:
        hashes = stored(level, index)[: HASH * width]
        if len(hashes) < HASH * width:
            raise NotGrown(f"tile {index} of level {level} has fewer than {width} hashes")
        return hashes

    return tile


def _hashed_again(connection: "psycopg.Connection[Any]", after: int) -> bytes:
    """The hashes of a tile's events after a position, from what the events say."""
    events = read_events(connection, after, WIDTH, after + WIDTH)
    before = hashes_before(connection, [each.position for each in events])
    return b"".join(link(before[each.position], each) for each in events)


def _as_recorded(connection: "psycopg.Connection[Any]", after: int) -> bytes:
    """The hashes that were recorded with a tile's events after a position."""
    until = min(after + WIDTH, head_of(connection))
    hashes = hashes_at(connection, range(after + 1, until + 1))
    return b"".join(hashes[each] for each in sorted(hashes))


def entries_of(connection: "psycopg.Connection[Any]", after: int, until: int) -> Iterator[bytes]:
    """The entry of each event after a position, in order: its canonical form.

    Raises UnreadableEvent, Archived.
    """
    previous = hashes_before(connection, [after + 1])[after + 1]
    while after < until:
        piece = read_events(connection, after, min(PIECE, until - after), until)
        if not piece:
            return
        for event in piece:
            yield canonical(event, previous)
            previous = event.hash
        after = piece[-1].position


def grown(connection: "psycopg.Connection[Any]") -> int:
    """How many events the tree has: all, but for what fills a tile since it was brought up."""
    row = connection.execute("SELECT max(index) FROM tiles WHERE level = 0").fetchone()
    assert row
    whole = 0 if row[0] is None else row[0] + 1
    return min(head_of(connection), WIDTH * whole + WIDTH - 1)
