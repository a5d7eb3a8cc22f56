"""Proves that events are in the record that a checkpoint signs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops.ledger.chain import Recorded, canonical, link
from ops.ledger.reading import hashes_before
from ops.proof import stored, tlog_proof, tree
from ops.proof.checkpoint import Checkpoint
from ops.proof.on_record import SignedOnRecord

if TYPE_CHECKING:
    import psycopg


class Proven(Struct, frozen=True):
    """An event with the proof that it is in a checkpoint."""

    event: Recorded
    previous: bytes  # the hash of the event before
    hashes: tuple[bytes, ...]  # from the leaf's neighbour up to the root's
    checkpoint: Checkpoint
    note: str

    @property
    def leaf(self) -> bytes:
        """What is hashed as the leaf: the event's canonical form."""
        return canonical(self.event, self.previous)

    @property
    def text(self) -> str:
        """The proof as a C2SP tlog-proof."""
        return tlog_proof.TlogProof(self.event.position - 1, self.hashes, self.note).text


def proven(
    connection: "psycopg.Connection[Any]", events: Sequence[Recorded], signed: SignedOnRecord
) -> list[Proven]:
    """Each event with its proof. Raises NotProven if the record is not what was signed."""
    checkpoint = Checkpoint.of(signed.note)
    tiles = stored.tiles_of(connection)
    before = hashes_before(connection, [event.position for event in events])
    proofs = []
    for event in events:
        index, previous = event.position - 1, before[event.position]
        hashes = tuple(tree.inclusion(index, checkpoint.size, tiles))
        tree.verify_inclusion(
            link(previous, event), index, checkpoint.size, hashes, checkpoint.root
        )
        proofs.append(Proven(event, previous, hashes, checkpoint, signed.whole))
    return proofs


def consistency(
    connection: "psycopg.Connection[Any]", old: Checkpoint, new: Checkpoint
) -> list[bytes]:
    """The proof that a record continues an older one. Raises NotProven if it does not."""
    hashes = tree.consistency(old.size, new.size, stored.tiles_of(connection))
    tree.verify_consistency(old.size, new.size, hashes, old.root, new.root)
    return hashes
