"""Seals: what the house's programs put on each command, with a key that is not in the database.

Whoever has the application's login can append a command that nobody gave. Without the pepper they
cannot seal it, and `sabot audit verify` names it.

A seal is HMAC-SHA256 over the digest of the command's id, content, answer and the moment when it
was sent, and the digest of each of its events: every column but the position, the moment and the
hash, which the database gives. The digests are over what a canonical form begins with, so that who
verifies hashes a row once.
"""

import hashlib
import hmac
from datetime import datetime
from uuid import UUID

from ops.ledger.chain import canonical_head, command_head, leaf
from ops.ledger.pepper import derived_key


def sealing_key(*, anew: bool) -> bytes:
    """The key of this house's seals; `anew`: a missing pepper may be made. Raises NotFit."""
    return derived_key(b"seals of commands", anew=anew)


def sealed(key: bytes, command: bytes, events: bytes) -> bytes:
    """The seal of a command with this digest, and with the digests of its events, in order."""
    return hmac.digest(key, command + events, "sha256")


def command_digest(command_id: str, content: bytes, answer: str, sent_at: datetime) -> bytes:
    """The digest of a command with its answer."""
    return hashlib.sha256(command_head(command_id, content, answer, sent_at)).digest()


def event_digest(beginning: bytes, stream: UUID, version: int, topic: str, state: bytes) -> bytes:
    """The digest of an event. `beginning`: of its canonical form."""
    return leaf(beginning + canonical_head(stream, version, topic, state))
