"""The place after a checkpoint that somebody trusts, from which a verification may go on."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from ops.ledger.answers import answer_hash
from ops.ledger.growth import command_ending_at
from ops.ledger.reading import hashes_at
from ops.proof import stored
from ops.proof.checkpoint import Checkpoint
from ops.proof.tree import Growing, NotProven, inclusion, verify_inclusion
from ops.verify.bookmark import Bookmark
from ops.verify.pieces import Ends

if TYPE_CHECKING:
    import psycopg


def place_after(
    connection: "psycopg.Connection[Any]", checkpoint: Checkpoint, begun: datetime
) -> Bookmark | None:
    """The place after its events; None if the record does not show there what it signs.

    The stored tree must have its root, with the last of its events. Whether the earlier ones are
    still as the tree has them, nobody looked.
    """
    size, tiles = checkpoint.size, stored.tiles_of(connection)
    head = hashes_at(connection, [size]).get(size)
    number = command_ending_at(connection, size)
    if head is None or number is None:
        return None
    try:
        proof = inclusion(size - 1, size, tiles)
        verify_inclusion(head, size - 1, size, proof, checkpoint.root)
        edge = Growing.resumed(size, tiles).edge
    except NotProven:
        return None
    return Bookmark(Ends(size, number), head, answer_hash(connection, number), 0, edge, begun)
