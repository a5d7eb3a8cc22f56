"""The canonical form of events and commands, and their chains, computed without the server.

Version 1: the tag, then every column but the hash, each after its length in four bytes. An event's
hash is SHA-256(0x02, previous hash, canonical form); the first event's previous hash is 32 zeros.
Commands with their answers are a chain of their own, with 0x03: the number is left out, because it
is the place in the chain, and a command without events has two empty positions.

>>> GENESIS.hex()[:8], field(b"B01").hex()
('00000000', '00000003423031')
"""

import hashlib
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

from msgspec import Struct

GENESIS = bytes(32)
TAG = b"sabot-event-1"
COMMAND_TAG = b"sabot-command-1"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
COLUMNS = (
    "originator_id, originator_version, topic, state, position, recorded_at, gaming_day, "
    "table_code, actor, command_id, metadata, hash"
)


Fields = dict[str, Any]  # of an event, by the names under which its state has them


class Recorded(Struct, frozen=True):
    """One row of the ledger: an event, column by column."""

    originator_id: UUID
    originator_version: int
    topic: str
    state: bytes
    position: int
    recorded_at: datetime
    gaming_day: date
    table_code: str
    actor: str
    command_id: str
    metadata: str
    hash: bytes


COMMAND_COLUMNS = (
    "command_id, content, answer, sent_at, seal, first_position, last_position, recorded_at, "
    "number, hash"
)


class Answered(Struct, frozen=True):
    """One row of the ledger's commands: a command's answer, column by column.

    `content`: the digest of the command. `sent_at`: by the clock of the machine that decided it.
    Without events both positions are None.
    """

    command_id: str
    content: bytes
    answer: str
    sent_at: datetime
    seal: bytes
    first_position: int | None
    last_position: int | None
    recorded_at: datetime
    number: int
    hash: bytes


def field(content: bytes) -> bytes:
    """A field of the canonical form: its length, then its bytes."""
    return len(content).to_bytes(4) + content


def canonical(event: Recorded) -> bytes:
    """The canonical form of an event: every column but the hash."""
    return TAG + b"".join(
        field(content)
        for content in (
            event.originator_id.bytes,
            event.originator_version.to_bytes(8),
            event.topic.encode(),
            event.state,
            event.position.to_bytes(8),
            moment(event.recorded_at),
            event.gaming_day.isoformat().encode(),
            event.table_code.encode(),
            event.actor.encode(),
            event.command_id.encode(),
            event.metadata.encode(),
        )
    )


def canonical_command(command: Answered) -> bytes:
    """The canonical form of a command: every column but the number and the hash."""
    positions = (command.first_position, command.last_position)
    return COMMAND_TAG + b"".join(
        field(content)
        for content in (
            command.command_id.encode(),
            command.content,
            command.answer.encode(),
            moment(command.sent_at),
            command.seal,
            *(b"" if each is None else each.to_bytes(8, signed=True) for each in positions),
            moment(command.recorded_at),
        )
    )


def moment(at: datetime) -> bytes:
    """Microseconds since 1970."""
    return ((at - _EPOCH) // timedelta(microseconds=1)).to_bytes(8, signed=True)


def link_command(before: bytes, command: Answered) -> bytes:
    """The hash that a command must have, given the hash of the command before it."""
    return hashlib.sha256(b"\x03" + before + canonical_command(command)).digest()


def link(before: bytes, event: Recorded) -> bytes:
    """The hash that an event must have, given the hash of the event before it."""
    return hashlib.sha256(b"\x02" + before + canonical(event)).digest()


class Verification(Struct):
    """A check of the chain, event by event: how many are good, and the first bad position."""

    head: bytes = GENESIS
    events: int = 0
    gapless: bool = True
    first_bad: int | None = None

    def stop_at(self, position: int) -> None:
        """Ends the check at a position whose event cannot be read."""
        self.first_bad = position

    @property
    def ok(self) -> bool:
        """Whether every event checked so far is unaltered and in its place."""
        return self.first_bad is None

    def walk(self, events: Iterable[Recorded]) -> None:
        """Checks the next events, in order of position; stops at the first bad one."""
        for event in events:
            if not self.ok:
                return
            self.events += 1
            if event.position != self.events:
                self.gapless = False
                self.first_bad = min(event.position, self.events)
            elif link(self.head, event) != event.hash:
                self.first_bad = event.position
            else:
                self.head = event.hash
