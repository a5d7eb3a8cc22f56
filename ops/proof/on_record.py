"""What the record says of its own keys and checkpoints, read from the events themselves."""

from typing import TYPE_CHECKING, Any, LiteralString

import msgspec
from msgspec import Struct

from domain.aggregates.signing_keys import KEYS_STREAM
from domain.events import signing_keys
from ops.ledger.reading import read_stream

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
        fields = msgspec.json.decode(event.state, type=dict[str, Any])
        first = event.topic == signing_keys.KeyIntroduced.TOPIC
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


_SIGNED = """
SELECT size, note, cosignatures
  FROM (SELECT size, note,
               ARRAY(SELECT cosignature FROM checkpoint_copies AS copy
                      WHERE copy.size = signed.size AND what = 'cosigned'
                      ORDER BY place) AS cosignatures
          FROM checkpoints AS signed WHERE size >= %s) AS known
"""


def covering(connection: "psycopg.Connection[Any]", position: int) -> SignedOnRecord | None:
    """The first checkpoint that covers a position; the first cosigned one, if there is any.

    The first and not the newest, so that the same question gets the same proof later. It reads
    rows, which must be caught up.
    """
    return _one(connection, _SIGNED + "ORDER BY cosignatures = '{}', size LIMIT 1", position)


def newest(connection: "psycopg.Connection[Any]") -> SignedOnRecord | None:
    """The newest checkpoint. It reads rows, which must be caught up."""
    return _one(connection, _SIGNED + "ORDER BY size DESC LIMIT 1", 0)


def _one(
    connection: "psycopg.Connection[Any]", sql: LiteralString, position: int
) -> SignedOnRecord | None:
    row = connection.execute(sql, (position,)).fetchone()
    return SignedOnRecord(row[0], row[1], tuple(row[2])) if row else None
