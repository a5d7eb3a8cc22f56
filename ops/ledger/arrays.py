"""Arrays, and a moment, in PostgreSQL's binary format, for the statement that appends events.

The driver's general adapter would look up type and format of every parameter at every call, which
took four fifths of the time of an append on this side.

>>> texts(["B01"]).hex()
'000000010000000000000019000000010000000100000003423031'
"""

import struct
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

BOOL, BYTEA, INT8, INT4, TEXT, DATE, MOMENT, UUIDS = 16, 17, 20, 23, 25, 1082, 1184, 2950  # OIDs
ARRAYS_OF = {BYTEA: 1001, INT4: 1007, TEXT: 1009, INT8: 1016, DATE: 1182, UUIDS: 2951}
_EMPTY = struct.Struct(">iiI")
_HEAD = struct.Struct(">iiIii")
_LENGTH = struct.Struct(">i")
_EPOCH = date(2000, 1, 1).toordinal()
_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


def _array(kind: int, items: Sequence[bytes]) -> bytes:
    """An array of one dimension, counted from 1, without nulls."""
    if not items:
        return _EMPTY.pack(0, 0, kind)
    parts = [_HEAD.pack(1, 0, kind, len(items), 1)]
    for item in items:
        parts += (_LENGTH.pack(len(item)), item)
    return b"".join(parts)


def texts(items: Iterable[str]) -> bytes:
    """A `text[]`."""
    return _array(TEXT, [each.encode() for each in items])


def binaries(items: Iterable[bytes]) -> bytes:
    """A `bytea[]`."""
    return _array(BYTEA, list(items))


def uuids(items: Iterable[UUID]) -> bytes:
    """A `uuid[]`."""
    return _array(UUIDS, [each.bytes for each in items])


def bigints(items: Iterable[int]) -> bytes:
    """A `bigint[]`."""
    return _array(INT8, [each.to_bytes(8, signed=True) for each in items])


def integers(items: Iterable[int]) -> bytes:
    """An `int[]`."""
    return _array(INT4, [each.to_bytes(4, signed=True) for each in items])


def dates(items: Iterable[date]) -> bytes:
    """A `date[]`."""
    days = (each.toordinal() - _EPOCH for each in items)
    return _array(DATE, [each.to_bytes(4, signed=True) for each in days])


def moment(at: datetime) -> bytes:
    """A `timestamptz`."""
    return ((at - _BEGINNING) // timedelta(microseconds=1)).to_bytes(8, signed=True)
