"""The proof that an event is in a record, as a file of C2SP's tlog-proof, which works offline."""

import re
from collections.abc import Sequence

from msgspec import Struct

from ops.proof.checkpoint import Checkpoint, opened
from ops.proof.note import NotGood, b64, unb64
from ops.proof.tree import HASH, leaf_hash, verify_inclusion

_HEAD = "c2sp.org/tlog-proof@v1"
_INDEX = "index "


class TlogProof(Struct, frozen=True):
    """Where an event is in the tree, the hashes up to the root, and the signed checkpoint."""

    index: int  # from 0: an event's position less 1
    hashes: Sequence[bytes]
    note: str

    @property
    def text(self) -> str:
        """The content of the file."""
        lines = [_HEAD, f"{_INDEX}{self.index}", *map(b64, self.hashes)]
        return "\n".join(lines) + "\n\n" + self.note

    @classmethod
    def parse(cls, text: str) -> "TlogProof":
        """The proof in a file; nothing is checked yet. Raises NotGood."""
        above, gap, note = text.partition("\n\n")
        head, *lines = above.split("\n")
        if lines and lines[0].startswith("extra "):
            unb64(lines.pop(0).removeprefix("extra "))
        if head != _HEAD or not gap or not lines:
            raise NotGood("It is not a proof of a transparency log.")
        index = lines[0].removeprefix(_INDEX)
        if not lines[0].startswith(_INDEX) or not re.fullmatch(r"0|[1-9][0-9]{0,18}", index):
            raise NotGood("The proof does not say which entry it is about.")
        hashes = [unb64(each) for each in lines[1:]]
        if any(len(each) != HASH for each in hashes):
            raise NotGood("A hash of the proof is not 32 bytes long.")
        return cls(int(index), hashes, note)

    def check(self, content: bytes, origin: str, *vkeys: str) -> Checkpoint:
        """The checkpoint that the content is in. Raises NotGood or NotProven if it is not.

        `content`: the canonical form of the event; `vkeys`: the keys of the house.
        """
        checkpoint = opened(self.note, origin, *vkeys)
        verify_inclusion(
            leaf_hash(content), self.index, checkpoint.size, self.hashes, checkpoint.root
        )
        return checkpoint
