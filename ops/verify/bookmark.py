"""How far this machine verified the record, kept under its seal: later runs go on from there.

Only who has the pepper can write such a file. It says nothing about what somebody altered before
that place since: a run from the beginning finds that.
"""

import hmac
import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from ops.ledger.answers import answer_hash
from ops.ledger.database import NotFit
from ops.ledger.files import data_home, write_whole
from ops.ledger.pepper import derived_key
from ops.ledger.reading import hash_at
from ops.proof.seen import record_of
from ops.verify.pieces import Ends

if TYPE_CHECKING:
    import psycopg


class Bookmark(Struct, frozen=True):
    """A place in the record up to which everything was verified."""

    ends: Ends
    head: bytes  # the hash of the last event
    command_head: bytes  # the hash of the last command
    first_sealed: int  # the number of the first command with a good seal
    edge: list[bytes] | None  # of the tree of these events, if it was grown
    whole_at: datetime  # when everything was verified in one run

    def is_unchanged(self, connection: "psycopg.Connection[Any]") -> bool:
        """Whether the record has these hashes at this place."""
        head = hash_at(connection, self.ends.events)
        command_head = answer_hash(connection, self.ends.commands)
        return (head, command_head) == (self.head.hex(), self.command_head)


class _Sealed(Struct):
    bookmark: msgspec.Raw
    seal: bytes


def read_bookmark(connection: "psycopg.Connection[Any]") -> Bookmark | None:
    """The place that this machine keeps of this record; None if it has none, or not its seal."""
    file = _file(connection)
    try:
        sealed = msgspec.json.decode(file.read_bytes() if file else b"", type=_Sealed)
        if hmac.compare_digest(sealed.seal, _seal(bytes(sealed.bookmark))):
            return msgspec.json.decode(sealed.bookmark, type=Bookmark)
    except (OSError, msgspec.MsgspecError, NotFit):
        pass
    return None


def write_bookmark(connection: "psycopg.Connection[Any]", bookmark: Bookmark) -> None:
    """Keeps a place, where the pepper is. Raises OSError."""
    content = msgspec.json.encode(bookmark)
    try:
        sealed = _Sealed(msgspec.Raw(content), _seal(content))
    except NotFit:
        return
    if file := _file(connection):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, msgspec.json.encode(sealed))


def _file(connection: "psycopg.Connection[Any]") -> Path | None:
    """The file of this record, which its first event names; None without an event."""
    record = record_of(connection)
    directory = Path(os.environ.get("SABOT_VERIFIED") or data_home() / "verified")
    return directory / f"{record}.json" if record else None


def _seal(content: bytes) -> bytes:
    return hmac.digest(derived_key(b"verified positions", anew=False), content, "sha256")
