"""This home as the other houses' witness, by C2SP's tlog-witness.

It cosigns a checkpoint of a house that is `only_seen` here, if that continues all that it saw of
that house: from the house itself, and when it was looked at. What it saw is on disk before it
answers. A signed checkpoint that is not shown to continue the record is stored; the next look at
the house compares it with what the house signs now.
"""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ops.group import members
from ops.group.members import Member, group_home
from ops.group.sources import seen_path
from ops.ledger.files import write_whole
from ops.proof import keys
from ops.proof.checkpoint import Checkpoint, epoch_of
from ops.proof.note import NotGood, require_lines, unb64
from ops.proof.tiles import CHECKPOINT
from ops.proof.tree import EMPTY_ROOT, HASH, NotProven, verify_consistency
from ops.words.failure import Failure

ADD = "add-checkpoint"
LARGEST = 64 << 10  # bytes of a request
MOST_HASHES = 63  # of a proof
TEXT, SIZE = "text/plain; charset=utf-8", "text/x.tlog.size"
_OLD = re.compile(r"old (0|[1-9][0-9]{0,18})")


class IsWitness(Failure):
    """This home is a witness already, or is nobody's."""


class Answer(Struct, frozen=True):
    """What the witness answers; `doubted`: the house that has to be looked at now."""

    status: int
    text: str
    media_type: str = TEXT
    doubted: str = ""


class _Refused(Exception):
    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.text)
        self.answer = answer


def key_here() -> str:
    """The verifier key by which this home cosigns; '' if it is nobody's witness."""
    try:
        return _file().read_text().strip()
    except FileNotFoundError:
        return ""


def become(name: str) -> str:
    """Makes this home a witness of this name; its verifier key. Raises IsWitness, NotGood."""
    if known := key_here():
        raise IsWitness(f"This home is a witness already, by this key: {known}")
    vkey = keys.make_witness_key(name)
    _file().parent.mkdir(parents=True, exist_ok=True)
    write_whole(_file(), f"{vkey}\n".encode())
    return vkey


def seen(path: str) -> bytes | None:
    """The checkpoint that this home has of a record, at the path of `seen_path`."""
    for each in members.seen():
        if seen_path(each.origin) == path:
            file = each.log / CHECKPOINT
            return file.read_bytes() if file.exists() else None
    return None


def add(body: bytes, now: Callable[[], datetime]) -> Answer:
    """The answer to a checkpoint that was sent. Raises NoKey."""
    vkey = key_here()
    if not vkey:
        return Answer(404, "This house is nobody's witness.\n")
    try:
        old, proof, note = _parsed(body)
        return _added(vkey, old, proof, note, now)
    except _Refused as refused:
        return refused.answer


def _added(
    vkey: str, old: int, proof: Sequence[bytes], note: str, now: Callable[[], datetime]
) -> Answer:
    checkpoint = _checkpoint_of(note)
    of = _house_of(checkpoint.origin)
    try:
        of.signed(note.encode())
    except NotGood as error:
        raise _Refused(Answer(403, f"{error}\n")) from error
    if old > checkpoint.size:
        raise _Refused(Answer(400, "The old size is larger than the checkpoint's.\n"))
    with of.alone():
        _require_continues(of, old, proof, checkpoint, note)
        if checkpoint != of.held:
            of.hold(note.encode())
    signer = replace(keys.signers(vkey)[0], seconds=int(now().timestamp()))
    return Answer(200, signer.line(checkpoint.text))


def _require_continues(
    of: Member, old: int, proof: Sequence[bytes], checkpoint: Checkpoint, note: str
) -> None:
    """Requires what a witness must, of a house that did not stop."""
    held = of.held
    standing = of.standing
    if standing and standing.stopped:
        raise _Refused(Answer(422, f"{standing.stopped}\n"))
    size = held.size if held else 0
    words = ""
    if held and held.origin != checkpoint.origin:
        words = f"{held.origin} is what this witness saw."
    elif old != size:
        raise _Refused(Answer(409, f"{size}\n", SIZE))
    elif held and old == checkpoint.size and held.root != checkpoint.root:
        words = "Another record of this size is signed."
    else:
        words = _not_proven(size, held.root if held else EMPTY_ROOT, proof, checkpoint)
    if words:
        of.claim(note.encode())
        raise _Refused(Answer(422, f"{words}\n", doubted=of.name))


def _not_proven(size: int, root: bytes, proof: Sequence[bytes], checkpoint: Checkpoint) -> str:
    """Why a proof does not show that a checkpoint continues what was seen; '' if it does."""
    try:
        verify_consistency(size, checkpoint.size, proof, root, checkpoint.root)
    except NotProven as error:
        return str(error)
    return ""


def _parsed(body: bytes) -> tuple[int, list[bytes], str]:
    """The old size, the proof and the checkpoint of a request."""
    try:
        head, gap, note = body.decode().partition("\n\n")
        first, *lines = head.split("\n")
        hashes = [unb64(each) for each in lines]
    except (UnicodeDecodeError, NotGood) as error:
        raise _Refused(Answer(400, "The request cannot be read.\n")) from error
    old = _OLD.fullmatch(first)
    if not (old and gap) or len(hashes) > MOST_HASHES or any(len(each) != HASH for each in hashes):
        raise _Refused(Answer(400, "The request cannot be read.\n"))
    return int(old[1]), hashes, note


def _checkpoint_of(note: str) -> Checkpoint:
    try:
        require_lines(note)
        return Checkpoint.of(note)
    except NotGood as error:
        raise _Refused(Answer(400, f"{error}\n")) from error


def _house_of(origin: str) -> Member:
    for each in members.seen():
        if epoch_of(origin, each.origin) is not None:
            return each
    raise _Refused(Answer(404, "This witness does not know that record.\n"))


def _file() -> Path:
    return group_home() / "witness"
