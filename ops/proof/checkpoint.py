"""A checkpoint: the name of a record, how many events it has, and the root over them.

>>> print(Checkpoint("casino.example/baccarat", 17, bytes(32)).text, end="")
casino.example/baccarat
17
AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
"""

import re

from msgspec import Struct

from ops.proof.note import NotGood, Verifier, b64, open_note, split, unb64
from ops.proof.tree import HASH

_WORD = "/epoch-"
MOST_EPOCHS = 99  # that are tried where only a signature tells which one it is


def origin_of(base: str, epoch: int) -> str:
    """The name of the record in the checkpoints of an epoch; `base`: that of the first.

    >>> origin_of("casino.example/baccarat", 1), origin_of("casino.example/baccarat", 2)
    ('casino.example/baccarat', 'casino.example/baccarat/epoch-2')
    """
    return base if epoch == 1 else f"{base}{_WORD}{epoch}"


def epoch_of(origin: str, base: str) -> int | None:
    """The epoch whose checkpoints have this name; None for another record's.

    >>> epoch_of("casino.example/baccarat/epoch-2", "casino.example/baccarat")
    2
    """
    if origin == base:
        return 1
    number = origin.removeprefix(base + _WORD)
    known = origin.startswith(base + _WORD) and number.isdecimal() and not number.startswith("0")
    return int(number) if known and int(number) > 1 else None


def epoch_in(origin: str) -> int:
    """The epoch whose checkpoints have this name, where nobody knows that of the first.

    >>> epoch_in("casino.example/baccarat"), epoch_in("casino.example/epoch-club/epoch-2")
    (1, 2)
    """
    base = origin.rpartition(_WORD)[0]
    return epoch_of(origin, base) or 1


class Checkpoint(Struct, frozen=True):
    """What a signed note of C2SP's tlog-checkpoint says."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{b64(self.root)}\n"

    @classmethod
    def of(cls, note: str) -> "Checkpoint":
        """The checkpoint in a note, whose signatures are not checked. Raises NotGood."""
        lines = split(note)[0].removesuffix("\n").split("\n")
        if len(lines) < 3 or "" in lines:
            raise NotGood("It is not a checkpoint: that has a name, a size and a root.")
        origin, size, root = lines[:3]
        if not re.fullmatch(r"0|[1-9][0-9]{0,18}", size):
            raise NotGood("The size of the checkpoint is not a number.")
        checkpoint = cls(origin, int(size), unb64(root))
        if len(checkpoint.root) != HASH:
            raise NotGood("The root of the checkpoint is not 32 bytes long.")
        return checkpoint


def opened(note: str, origin: str, *vkeys: str) -> Checkpoint:
    """The checkpoint in a note that each of these keys of this record signed. Raises NotGood."""
    verifiers = [Verifier.parse(each) for each in vkeys]
    verified = open_note(note, verifiers).verified
    if missing := [each.name for each in verifiers if each not in verified]:
        raise NotGood(f"A signature of {missing[0]} is missing.")
    checkpoint = Checkpoint.of(note)
    if checkpoint.origin != origin:
        raise NotGood(f"The checkpoint is of {checkpoint.origin}, not of {origin}.")
    return checkpoint
