"""Checkpoints: the sizes and roots that the house signed, where each went, and the keys.

Only the house's own copy of what it signed: somebody who may rewrite the record may rewrite this
too. What counts is the copy of a witness, or one on paper.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from domain.events import checkpoint, signing_keys, table_counts
from projections.model import Event, Projection
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a checkpoint.
CREATE TABLE checkpoints (
    size       bigint      NOT NULL PRIMARY KEY,  -- how many events it covers
    root       text        NOT NULL,
    key        text        NOT NULL,  -- as a C2SP verifier key
    note       text        NOT NULL,
    signed_at  timestamptz NOT NULL,
    gaming_day date        NOT NULL,
    position   bigint      NOT NULL   -- of its own event
);

-- One row a place that has a checkpoint, or a witness's answer.
CREATE TABLE checkpoint_copies (
    size        bigint NOT NULL,
    place       text   NOT NULL,
    what        text   NOT NULL,  -- sent, cosigned, refused
    cosignature text   NOT NULL DEFAULT '',
    status      int,
    position    bigint NOT NULL,
    PRIMARY KEY (size, place, what)
);
CREATE INDEX checkpoint_copies_by_place ON checkpoint_copies (place, size);

-- The keys of the house, the oldest first.
CREATE TABLE signing_keys (
    position bigint  NOT NULL PRIMARY KEY,
    origin   text    NOT NULL,
    key      text    NOT NULL,
    second   text    NOT NULL,  -- '' for none
    lost     boolean NOT NULL  -- the key before was lost, so that it did not sign this one
);

-- One row: the last closing of a table, after which the house signs.
CREATE TABLE to_sign (
    one       boolean NOT NULL DEFAULT true PRIMARY KEY CHECK (one),
    closed_at bigint  NOT NULL
);
"""


class Signed(Row):
    """A checkpoint."""

    size: int
    root: str
    key: str
    note: str
    signed_at: datetime
    gaming_day: date
    position: int


class CopyOfOne(Row):
    """A place that has a checkpoint, or a witness's answer."""

    size: int
    place: str
    what: str
    cosignature: str = ""
    status: int | None = None
    position: int


class Key(Row):
    """A key of the house."""

    position: int
    origin: str
    key: str
    second: str
    lost: bool


class ToSign(Row):
    """The last closing of a table."""

    one: bool = True
    closed_at: int


CHECKPOINTS = Table("checkpoints", Signed, "size")
COPIES = Table("checkpoint_copies", CopyOfOne, "size", "place", "what")
KEYS = Table("signing_keys", Key, "position")
TO_SIGN = Table("to_sign", ToSign, "one")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    if event.topic == table_counts.TableClosed.TOPIC:
        yield TO_SIGN.by_key, (True,)


def _signed(event: Event, rows: Rows) -> None:
    fields = event.fields
    signed = Signed(
        size=fields["size"],
        root=fields["root"],
        key=fields["key"],
        note=fields["note"],
        signed_at=event.at,
        gaming_day=event.gaming_day,
        position=event.position,
    )
    rows.put(CHECKPOINTS, signed)


def _sent(event: Event, rows: Rows) -> None:
    fields = event.fields
    copy = CopyOfOne(
        size=fields["size"], place=fields["place"], what="sent", position=event.position
    )
    rows.put(COPIES, copy)


def _cosigned(event: Event, rows: Rows) -> None:
    fields = event.fields
    copy = CopyOfOne(
        size=fields["size"],
        place=fields["witness"],
        what="cosigned",
        cosignature=fields["cosignature"],
        position=event.position,
    )
    rows.put(COPIES, copy)


def _refused(event: Event, rows: Rows) -> None:
    fields = event.fields
    copy = CopyOfOne(
        size=fields["size"],
        place=fields["witness"],
        what="refused",
        status=fields["status"],
        position=event.position,
    )
    rows.put(COPIES, copy)


def _introduced(event: Event, rows: Rows) -> None:
    fields = event.fields
    key = Key(
        position=event.position,
        origin=fields["origin"],
        key=fields["key"],
        second=fields["second"],
        lost=False,
    )
    rows.put(KEYS, key)


def _replaced(event: Event, rows: Rows) -> None:
    fields = event.fields
    origin = fields["key"].partition("+")[0]  # a key is named after the record that it signs
    key = Key(
        position=event.position,
        origin=origin,
        key=fields["key"],
        second=fields["second"],
        lost=fields["lost"],
    )
    rows.put(KEYS, key)


def _closed(event: Event, rows: Rows) -> None:
    if row := rows.change(TO_SIGN, True):
        row.closed_at = event.position
    else:
        rows.put(TO_SIGN, ToSign(closed_at=event.position))


PROJECTION = Projection(
    name="checkpoints",
    schema=_TABLES,
    changes={
        checkpoint.Signed.TOPIC: _signed,
        checkpoint.CheckpointSent.TOPIC: _sent,
        checkpoint.CheckpointCosigned.TOPIC: _cosigned,
        checkpoint.WitnessRefused.TOPIC: _refused,
        signing_keys.Introduced.TOPIC: _introduced,
        signing_keys.KeyReplaced.TOPIC: _replaced,
        table_counts.TableClosed.TOPIC: _closed,
    },
    loads=_loads,
)
