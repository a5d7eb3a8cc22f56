"""The canonical form of events and commands, and their chains, computed without the server.

Version 1: the tag, then every column but the hash, each after its length in four bytes, as the
server sends it in binary: numbers in eight bytes, moments as microseconds and days since
2000-01-01; then the previous hash, which is 32 zeros for the first. What is known before an event
is recorded comes first. An event's hash is SHA-256(0x00, canonical form): it is the leaf of the
tree, too.

Commands with their answers are a chain of their own, of SHA-256(canonical form). The number is left
out, because it is the place in the chain, and a command without events has two positions of length
-1.

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
NULL = b"\xff\xff\xff\xff"  # a field that there is not
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_FIRST_DAY = _EPOCH.date()
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


def canonical(event: Recorded, previous: bytes) -> bytes:
    """The canonical form of an event, whose predecessor has this hash."""
    beginning = canonical_beginning(
        (event.gaming_day, event.table_code), (event.actor, event.command_id, event.metadata)
    )
    head = canonical_head(event.originator_id, event.originator_version, event.topic, event.state)
    place = event.position.to_bytes(8), moment(event.recorded_at), previous
    return beginning + head + b"".join(map(field, place))


class NotCanonical(ValueError):
    """Bytes are not the canonical form of an event."""


def read_canonical(form: bytes) -> tuple[Recorded, bytes]:
    """The event that has this canonical form, and the hash of the event before it.

    Raises NotCanonical.
    """
    if not form.startswith(TAG):
        raise NotCanonical("it begins with another tag")
    fields, at = [], len(TAG)
    while at < len(form):
        length = int.from_bytes(form[at : at + 4])
        fields.append(form[at + 4 : at + 4 + length])
        at += 4 + length
    try:
        command_id, actor, metadata, days, table, stream, version, topic, state, *place = fields
        position, recorded_at, previous = place
        event = Recorded(
            originator_id=UUID(bytes=stream),
            originator_version=int.from_bytes(version),
            topic=topic.decode(),
            state=state,
            position=int.from_bytes(position),
            recorded_at=_EPOCH + timedelta(microseconds=int.from_bytes(recorded_at, signed=True)),
            gaming_day=_FIRST_DAY + timedelta(days=int.from_bytes(days, signed=True)),
            table_code=table.decode(),
            actor=actor.decode(),
            command_id=command_id.decode(),
            metadata=metadata.decode(),
            hash=leaf(form),
        )
    except (ValueError, OverflowError) as error:
        raise NotCanonical(f"its fields cannot be read ({error})") from error
    if canonical(event, previous) != form:
        raise NotCanonical("its fields have another form")
    return event, previous


def canonical_beginning(place: tuple[date, str], command: tuple[str, str, str]) -> bytes:
    """How the forms of a command's events at a place begin.

    `place`: day and table. `command`: actor, id and metadata.
    """
    day, table = place
    actor, command_id, metadata = command
    days = (day - _FIRST_DAY).days.to_bytes(4, signed=True)
    fields = command_id.encode(), actor.encode(), metadata.encode(), days, table.encode()
    return TAG + b"".join(map(field, fields))


def canonical_head(stream: UUID, version: int, topic: str, state: bytes) -> bytes:
    """What else is known of an event before it is recorded."""
    return b"".join(map(field, (stream.bytes, version.to_bytes(8), topic.encode(), state)))


def canonical_command(command: Answered, previous: bytes) -> bytes:
    """The canonical form of a command, whose predecessor has this hash."""
    positions = (command.first_position, command.last_position)
    return b"".join(
        (
            command_head(command.command_id, command.content, command.answer, command.sent_at),
            field(command.seal),
            *(NULL if each is None else field(each.to_bytes(8, signed=True)) for each in positions),
            field(moment(command.recorded_at)),
            field(previous),
        )
    )


def command_head(command_id: str, content: bytes, answer: str, sent_at: datetime) -> bytes:
    """What is known of a command before it is sealed."""
    fields = command_id.encode(), content, answer.encode(), moment(sent_at)
    return COMMAND_TAG + b"".join(map(field, fields))


def moment(at: datetime) -> bytes:
    """Microseconds since 2000."""
    return ((at - _EPOCH) // timedelta(microseconds=1)).to_bytes(8, signed=True)


def link_command(before: bytes, command: Answered) -> bytes:
    """The hash that a command must have, given the hash of the command before it."""
    return hashlib.sha256(canonical_command(command, before)).digest()


def link(before: bytes, event: Recorded) -> bytes:
    """The hash that an event must have, given the hash of the event before it."""
    return leaf(canonical(event, before))


def leaf(form: bytes) -> bytes:
    """The hash of an event, from its canonical form."""
    return hashlib.sha256(b"\x00" + form).digest()


class Verification(Struct):
    """A check of the chain, event by event: how many are good, and the first bad position."""

    head: bytes = GENESIS
    events: int = 0
    gapless: bool = True
    first_bad: int | None = None

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
