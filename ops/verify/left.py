"""What can be verified without the coups and shoes that left the database for an archive.

The tree has the hash of every event, and checkpoints sign it. So whatever stayed is compared with
the tree, and the tree with the checkpoints; what left is for `sabot db archive --check`.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Any, LiteralString

from ops.ledger.answers import answer_hash
from ops.ledger.archived import Left, left_hashes
from ops.ledger.chain import GENESIS, Recorded, link
from ops.ledger.growth import command_ending_at
from ops.ledger.reading import UnreadableEvent, recorded_where
from ops.proof import stored
from ops.proof.tree import WIDTH, NotProven
from ops.verify.bookmark import Bookmark
from ops.verify.diagnosis import name_commands
from ops.verify.faults import Fault
from ops.verify.pieces import Ends
from ops.verify.scanning import Bad, join, scan_commands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import psycopg

    Connection = psycopg.Connection[Any]

_STAYED: LiteralString = "position > %s AND position <= %s ORDER BY position LIMIT %s"
_PIECE = 5_000  # rows that are read together


def go_past(
    connection: "Connection", left: Left, begun: datetime, leaves: "Callable[[bytes], None]"
) -> tuple[Bookmark | None, list[Fault]]:
    """The place after what left, and what is wrong with what stayed before it.

    `leaves` gets the tree's hash of each event before it. None: the tree itself is damaged.
    """
    tiles = stored.tiles_of(connection)
    try:
        for index in range(-(-left.events // WIDTH)):
            leaves(tiles(0, index, min(WIDTH, left.events - index * WIDTH)))
    except NotProven as error:
        return None, [Fault(1, "tree", f"The tree over the events that left is damaged: {error}.")]
    number = command_ending_at(connection, left.events) or 0
    faults = [*_of_events(connection, left), *_of_commands(connection, number)]
    head = left_hashes(connection, [left.events])[left.events]
    place = Bookmark(
        Ends(left.events, number), head, answer_hash(connection, number), 0, None, begun
    )
    return place, faults


def not_read(left: Left) -> str:
    """What such a verification relies on."""
    return (
        f"The coups and shoes up to event #{left.events:,}: they left the database, and only their "
        "hashes were compared with the checkpoints, and not the answers with them. `sabot db "
        f"archive {left.directory} --check` reads them."
    )


def _of_events(connection: "Connection", left: Left) -> "Iterator[Fault]":
    """Which events that stayed are not those of the tree, or are missing."""
    after, stayed = 0, 0
    try:
        while rows := recorded_where(connection, _STAYED, (after, left.events, _PIECE)):
            yield from _unlike_the_tree(connection, rows)
            after, stayed = rows[-1].position, stayed + len(rows)
    except UnreadableEvent as error:
        yield Fault(error.position, "changed", str(error))
        return
    if stayed < left.stay:
        many = left.stay - stayed
        words = f"{many:,} of the events up to #{left.events:,} that stayed are missing."
        yield Fault(left.events, "missing", words)


def _unlike_the_tree(connection: "Connection", rows: list[Recorded]) -> "Iterator[Fault]":
    places = {each.position for each in rows}
    hashes = {0: GENESIS, **left_hashes(connection, places | {each - 1 for each in places})}
    for each in rows:
        before, here = hashes.get(each.position - 1, b""), hashes.get(each.position)
        if not link(before, each) == each.hash == here:
            yield Fault(each.position, "changed", f"The event at {each.position:,} was changed.")


def _of_commands(connection: "Connection", until: int) -> list[Fault]:
    """Which answers up to a command are not those of their chain."""
    bad: list[Bad] = []
    for after in range(0, until, _PIECE):
        join(bad, scan_commands(connection, after, min(after + _PIECE, until)).bad)
    return name_commands(connection, bad)
