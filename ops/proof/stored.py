"""The tree as it is in the database: its tiles, and the hashes of the newest events."""

from functools import cache
from typing import TYPE_CHECKING, Any

from ops.ledger.chain import canonical
from ops.ledger.reading import head_of, read_events
from ops.proof.tree import HASH, WIDTH, NotProven, Tiles, leaf_hash

if TYPE_CHECKING:
    import psycopg


class NotGrown(NotProven):
    """The tree in the database does not reach as far as it should: rebuild the projection."""


def tiles_of(connection: "psycopg.Connection[Any]", schema: str = "projections") -> Tiles:
    """The tiles of the events' tree. It raises NotGrown where a tile has too few hashes.

    The last hashes of level 0, which fill no tile, are made from their events.
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
        first = WIDTH * index
        events = read_events(connection, first, WIDTH, first + WIDTH) if level == 0 else []
        return b"".join(leaf_hash(canonical(each)) for each in events)

    def tile(level: int, index: int, width: int) -> bytes:
        hashes = stored(level, index)[: HASH * width]
        if len(hashes) < HASH * width:
            raise NotGrown(f"tile {index} of level {level} has fewer than {width} hashes")
        return hashes

    return tile


def grown(connection: "psycopg.Connection[Any]") -> int:
    """How many events the tree has: as many as the ledger, once its projection has caught up."""
    return head_of(connection)
