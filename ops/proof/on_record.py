"""What the record says of its own keys and checkpoints, read from the events themselves."""

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from domain.aggregates.signing_keys import KEYS_STREAM
from domain.events import checkpoint, signing_keys
from ops.ledger.chain import Fields
from ops.ledger.reading import head_of, read_house, read_stream
from ops.proof.note import Verifier

if TYPE_CHECKING:
    import psycopg


class KeyOnRecord(Struct, frozen=True):
    """A key of the house, as its event has it."""

    position: int
    origin: str
    key: str
    second: str  # '' for none
    statement: str
    lost: bool  # the key before was lost, so it did not sign this one


class SignedOnRecord(Struct, frozen=True):
    """A checkpoint of the house that covers a position, with its cosignatures."""

    size: int
    note: str
    cosignatures: tuple[str, ...]

    @property
    def whole(self) -> str:
        """The note with every cosignature."""
        return self.note + "".join(self.cosignatures)


def keys(connection: "psycopg.Connection[Any]") -> list[KeyOnRecord]:
    """The keys of the house, the oldest first. Raises UnreadableEvent."""
    known: list[KeyOnRecord] = []
    for event in read_stream(connection, KEYS_STREAM):
        fields = msgspec.json.decode(event.state, type=Fields)
        first = event.topic == signing_keys.Introduced.TOPIC
        known.append(
            KeyOnRecord(
                position=event.position,
                origin=fields["origin"] if first else known[0].origin,
                key=fields["key"],
                second=fields["second"],
                statement=fields["statement"],
                lost=not first and fields["lost"],
            )
        )
    return known


def verifiers(connection: "psycopg.Connection[Any]") -> list[Verifier]:
    """Every key by which the house ever signed. Raises UnreadableEvent, NotGood."""
    return verifiers_of(keys(connection))


def verifiers_of(known: Iterable[KeyOnRecord]) -> list[Verifier]:
    """These keys, as signatures are checked by them. Raises NotGood."""
    vkeys = (vkey for each in known for vkey in (each.key, each.second))
    return list(map(Verifier.parse, filter(None, vkeys)))


def covering(connection: "psycopg.Connection[Any]", position: int) -> SignedOnRecord | None:
    """The first checkpoint that covers a position; the first cosigned one, if there is any.

    The first and not the newest, so that the same question gets the same proof later.
    """
    covers = [each for each in _signed(connection) if each.size >= position]
    return min(covers, key=lambda each: (not each.cosignatures, each.size), default=None)


def newest(
    connection: "psycopg.Connection[Any]", until: int | None = None
) -> SignedOnRecord | None:
    """The newest checkpoint, or the newest one over events up to a position."""
    signed = (each for each in _signed(connection) if until is None or each.size <= until)
    return max(signed, key=lambda each: each.size, default=None)


def of_size(connection: "psycopg.Connection[Any]", size: int) -> SignedOnRecord | None:
    """The checkpoint of this size."""
    return next((each for each in _signed(connection) if each.size == size), None)


def _signed(connection: "psycopg.Connection[Any]") -> list[SignedOnRecord]:
    """Every checkpoint of the house, in order. Raises UnreadableEvent."""
    topics = (checkpoint.Signed.TOPIC, checkpoint.CheckpointCosigned.TOPIC)
    notes: dict[int, str] = {}
    cosignatures: dict[int, dict[str, str]] = {}  # by witness, so that their order is settled
    for event in read_house(connection, topics, date.min, head_of(connection)):
        fields = msgspec.json.decode(event.state, type=Fields)
        if event.topic == checkpoint.Signed.TOPIC:
            notes[fields["size"]] = fields["note"]
        else:
            cosignatures.setdefault(fields["size"], {})[fields["witness"]] = fields["cosignature"]
    return [
        SignedOnRecord(size, note, tuple(dict(sorted(cosignatures.get(size, {}).items())).values()))
        for size, note in notes.items()
    ]
