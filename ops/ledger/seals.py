"""Seals: what the house's programs put on each command, with a key that is not in the database.

Whoever has the application's login can append a command that nobody gave. Without the pepper they
cannot seal it, and `sabot audit verify` names it.

A seal is HMAC-SHA256 over the digest of the command's id, content, answer and the moment when it
was sent, and the digest of each of its events: every column but the position, the moment and the
hash, which the database gives.
"""

import hashlib
import hmac
from datetime import date, datetime
from uuid import UUID

from ops.ledger.chain import field, moment
from ops.ledger.pepper import derived_key

_COMMAND, _EVENT = b"sabot-seal-command-1", b"sabot-seal-event-1"


def sealing_key(*, anew: bool) -> bytes:
    """The key of this house's seals; `anew`: a missing pepper may be made. Raises NotFit."""
    return derived_key(b"seals of commands", anew=anew)


def sealed(key: bytes, command: bytes, events: bytes) -> bytes:
    """The seal of a command with this digest, and with the digests of its events, in order."""
    return hmac.digest(key, command + events, "sha256")


def command_digest(command_id: str, content: bytes, answer: str, sent_at: datetime) -> bytes:
    """The digest of a command with its answer."""
    fields = command_id.encode(), content, answer.encode(), moment(sent_at)
    return digest_of_command(b"".join(map(field, fields)))


def ending(place: tuple[date, str], command: tuple[str, str, str]) -> bytes:
    """How the forms of a command's events at a place end.

    `place`: day and table. `command`: actor, id and metadata.
    """
    day, table = place
    return b"".join(field(each.encode()) for each in (day.isoformat(), table, *command))


def event_digest(stream: UUID, version: int, topic: str, state: bytes, ending: bytes) -> bytes:
    """The digest of an event."""
    begins = field(stream.bytes) + field(version.to_bytes(8)) + field(topic.encode()) + field(state)
    return digest_of_event(begins, ending)


def digest_of_command(fields: bytes) -> bytes:
    """The digest of a command, from its fields in the canonical form."""
    return hashlib.sha256(_COMMAND + fields).digest()


def digest_of_event(head: bytes, tail: bytes) -> bytes:
    """The digest of an event, from what is before its position in the canonical form, and after."""
    return hashlib.sha256(_EVENT + head + tail).digest()
