"""What appending takes: decisions, their events, and the streams that they read."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal, LiteralString
from uuid import UUID

from eventsourcing.persistence import StoredEvent
from msgspec import Struct, field

from ops.ledger.arrays import (
    ARRAYS_OF,
    BOOL,
    BYTEA,
    DATE,
    INT4,
    INT8,
    MOMENT,
    TEXT,
    UUIDS,
    bigints,
    binaries,
    dates,
    integers,
    moment,
    texts,
    uuids,
)
from ops.ledger.chain import canonical_beginning
from ops.ledger.forms import parted
from ops.ledger.seals import command_digest, event_digest, sealed

if TYPE_CHECKING:
    import psycopg
    from psycopg.pq.abc import PGresult

_VALUES = ", ".join(f"${n}" for n in range(1, 21))
_KINDS = (
    *(TEXT, BYTEA, TEXT, TEXT, TEXT, BYTEA),  # the commands
    *(INT4, UUIDS, INT8),  # the streams that they read
    *(INT4, UUIDS, INT8, TEXT, BYTEA, DATE, TEXT),  # their events
)
TYPES = [*(ARRAYS_OF[kind] for kind in _KINDS), MOMENT, BOOL, ARRAYS_OF[TEXT], ARRAYS_OF[TEXT]]
STATEMENTS = {
    b"append": f"SELECT outcomes, first_positions FROM ledger.append_by_forms({_VALUES})",  # noqa: S608
    b"append_and_flush": f"CALL ledger.append_by_forms_and_flush({_VALUES}, NULL, NULL, NULL)",
}
Outcome = Literal["done", "seen", "reused", "conflict"]
Appended = tuple[Outcome, int | None]  # what came of a decision, and its events' first position


class NotAppended(Exception):
    """Nothing was written: the command was `seen` before, its id `reused`, or a `conflict`."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


Statement = tuple[LiteralString, tuple[object, ...]]


class Decision(Struct, frozen=True):
    """A decided command, beside its events.

    `reads`: the streams that the decision read, each with its version then. `places`: for each
    written stream the gaming day and the table that its events belong to.
    """

    command_id: str
    content: bytes
    answer: str
    actor: str
    metadata: str
    reads: Mapping[UUID, int] = field(default_factory=dict)
    beside: Sequence[Statement] = ()  # SQL for the tables beside the record, same transaction
    places: Mapping[UUID, tuple[date, str]] = field(default_factory=dict)


class Decided(Struct, frozen=True):
    """A decision and its events, waiting to be appended with others in one call."""

    events: Sequence[StoredEvent]
    decision: Decision

    def seal(self, key: bytes, sent_at: datetime) -> bytes:
        """What the house's programs put on the command; `key`: of the house."""
        of = self.decision
        command = of.actor, of.command_id, of.metadata
        beginnings = {
            stream: canonical_beginning(place, command) for stream, place in of.places.items()
        }
        events = b"".join(
            event_digest(
                beginnings[stream := _stream_of(event)],
                stream,
                event.originator_version,
                event.topic,
                event.state,
            )
            for event in self.events
        )
        return sealed(key, command_digest(of.command_id, of.content, of.answer, sent_at), events)


class NotGathered(Exception):
    """A decision cannot be appended with others: it writes beside the record, or read the ledger.

    Reading a stream is no obstacle, unless some of its events still wait to be appended.
    """


Reads = Sequence[tuple[UUID, int]]  # streams, and the version of each when it was read


def _stream_of(event: StoredEvent) -> UUID:
    """The stream of an event: the library allows other names, ours are UUIDs."""
    stream = event.originator_id
    assert isinstance(stream, UUID)
    return stream


def reads_of(decided: Sequence[Decided], *, each: bool) -> list[Reads] | None:
    """The streams that each decision read, or None if the decisions conflict.

    A stream that an earlier decision read or wrote is left out: they are written together. With
    `each`, every decision has all of its streams.
    """
    if each:
        return [list(one.decision.reads.items()) for one in decided]
    at: dict[UUID, int] = {}  # the version of each stream after the decisions so far
    reads_each: list[Reads] = []
    for one in decided:
        reads = one.decision.reads
        if any(at.get(stream, version) != version for stream, version in reads.items()):
            return None
        reads_each.append([read for read in reads.items() if read[0] not in at])
        at.update(reads)
        at.update((_stream_of(event), event.originator_version) for event in one.events)
    return reads_each


def values_of(
    decided: Sequence[Decided],
    reads: Sequence[Reads],
    key: bytes,
    sent_at: datetime,
    *,
    each: bool,
) -> list[bytes]:
    """The parameters of appending, in their order; the commands are sealed with the key."""
    decisions = [one.decision for one in decided]
    all_reads = [read for of_one in reads for read in of_one]
    events = [event for one in decided for event in one.events]
    places = [one.decision.places[_stream_of(event)] for one in decided for event in one.events]
    forms = [
        *(parted(event.state) for event in events),
        *(parted(one.answer.encode()) for one in decisions),
        *(parted(one.metadata.encode()) for one in decisions),
    ]
    return [
        texts(one.command_id for one in decisions),
        binaries(one.content for one in decisions),
        texts(one.answer for one in decisions),
        texts(one.actor for one in decisions),
        texts(one.metadata for one in decisions),
        binaries(one.seal(key, sent_at) for one in decided),
        integers(len(of_one) for of_one in reads),
        uuids(stream for stream, _ in all_reads),
        bigints(version for _, version in all_reads),
        integers(len(one.events) for one in decided),
        uuids(map(_stream_of, events)),
        bigints(event.originator_version for event in events),
        texts(event.topic for event in events),
        binaries(event.state for event in events),
        dates(day for day, _ in places),
        texts(table for _, table in places),
        moment(sent_at),
        bytes([each]),
        texts(form for form, _ in forms),
        texts(content for _, content in forms),
    ]


def row_of(connection: "psycopg.Connection[Any]", result: "PGresult") -> tuple[Any, ...]:
    """The one row of a result, or () if it has none. Raises the server's error."""
    import psycopg
    from psycopg.adapt import Transformer
    from psycopg.pq import ConnStatus, ExecStatus

    if result.status == ExecStatus.TUPLES_OK:
        rows = Transformer(connection)
        rows.set_pgresult(result)
        return rows.load_row(0, tuple) or ()
    if result.status == ExecStatus.COMMAND_OK:
        return ()
    if connection.pgconn.status == ConnStatus.BAD:
        raise psycopg.OperationalError(result.get_error_message())
    raise psycopg.errors.error_from_result(result)
