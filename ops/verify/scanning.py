"""Hashes a range of one of the two chains from the server's binary rows.

A binary row has each column behind its length, as the canonical form has: so only the moment and
the gaming day are written anew, and nothing is decoded that need not be.
"""

import hashlib
import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, LiteralString

from msgspec import Struct

from ops.ledger.chain import COLUMNS, COMMAND_COLUMNS, COMMAND_TAG, GENESIS, TAG, field
from ops.ledger.seals import digest_of_command, digest_of_event, sealed

if TYPE_CHECKING:
    import psycopg

MOST_BAD = 100  # runs of bad positions in one range that are listed
_HEADER = 19  # bytes before the first row
_LENGTH, _LONG, _DAYS = struct.Struct(">i"), struct.Struct(">q"), struct.Struct(">i")
_SINCE_2000 = 946_684_800_000_000  # microseconds from 1970 to 2000
_2000 = date(2000, 1, 1)


class Bad(Struct, frozen=True):
    """Positions, or numbers of commands, that do not fit: `missing`, `twice` or `changed`."""

    kind: str
    first: int
    last: int


class Run(Struct, frozen=True):
    """Positions in a row that belong to one command."""

    first: int
    last: int
    command_id: bytes

    @property
    def as_command(self) -> tuple[int, int, bytes]:
        """The positions and the command, to compare events with what their command says."""
        return self.first, self.last, self.command_id


class Events(Run, frozen=True):
    """Events that name one command, with the digest of each."""

    digests: bytes
    recorded: tuple[int, int]  # the earliest and the latest moment; microseconds since 2000

    def joined(self, more: "Events") -> "Events":
        """These, and those of the same command that follow."""
        moments = *self.recorded, *more.recorded
        digests = self.digests + more.digests
        return Events(self.first, more.last, self.command_id, digests, (min(moments), max(moments)))


class Command(Run, frozen=True):
    """The positions that a command says, and its seal; refused, it ends before it begins."""

    number: int
    digest: bytes
    seal: bytes
    recorded: int  # microseconds since 2000
    sent: int

    @property
    def refused(self) -> bool:
        """Whether it recorded no event."""
        return self.last < self.first

    def is_named(self, events: Sequence[Bad], commands: Sequence[Bad]) -> bool:
        """Whether it or one of its events does not fit into its chain, and has a fault already."""
        return any(bad.first <= self.last and self.first <= bad.last for bad in events) or any(
            bad.first <= self.number <= bad.last for bad in commands
        )

    def is_sealed(self, key: bytes, digests: bytes) -> bool:
        """Whether a program of the house sealed it, with events of these digests."""
        return sealed(key, self.digest, digests) == self.seal


class Scanned(Struct):
    """A range that was scanned: (after, until]."""

    after: int
    until: int
    rows: int = 0
    head: bytes | None = None  # the hash of the last row; None: no row
    bad: list[Bad] = []
    events: list[Events] = []
    commands: list[Command] = []
    leaves: bytes = b""  # SHA-256(0x00, canonical form) of each event


def scan_events(
    connection: "psycopg.Connection[Any]", after: int, until: int, *, leaves: bool = False
) -> Scanned:
    """Hashes the events after one position until another, and notes their commands."""
    result = Scanned(after, until, bad=[], events=[])
    walk = _Walk(result, _hash_at(connection, _EVENT_AT, after), b"\x02")
    hashed: list[bytes] = []
    runs: list[_Growing] = []
    run: _Growing | None = None
    for row, ends in _rows(connection, _EVENTS, after, until):
        position = _long(row, ends, 4)
        form = _event_form(row, ends)
        walk.take(position, form, row[ends[10] + 4 :])
        if leaves:
            hashed.append(hashlib.sha256(b"\x00" + (form or b"")).digest())
        command_id = row[ends[8] + 4 : ends[9]]
        if run is None or command_id != run.command_id:
            run = _Growing(command_id, position)
            runs.append(run)
        run.last = position
        run.digests.append(_event_digest(row, ends))
        run.moments.append(_long(row, ends, 5))
    result.events = [run.as_events() for run in runs]
    walk.end()
    result.leaves = b"".join(hashed)
    return result


def scan_commands(connection: "psycopg.Connection[Any]", after: int, until: int) -> Scanned:
    """Hashes the commands after one number until another, and notes them."""
    result = Scanned(after, until, bad=[], commands=[])
    walk = _Walk(result, _hash_at(connection, _COMMAND_AT, after), b"\x03")
    for row, ends in _rows(connection, _COMMANDS, after, until):
        number = _long(row, ends, 8)
        sent = _sent(row, ends)
        walk.take(number, _command_form(row, ends, sent), row[ends[8] + 4 :])
        result.commands.append(
            Command(
                *_places(row, ends),
                command_id=row[4 : ends[0]],
                number=number,
                digest=digest_of_command(row[: ends[2]] + sent),
                seal=row[ends[3] + 4 : ends[4]],
                recorded=_long(row, ends, 7),
                sent=_long(row, ends, 3),
            )
        )
    walk.end()
    return result


class _Growing:
    """The events of one command so far."""

    def __init__(self, command_id: bytes, first: int) -> None:
        self.command_id = command_id
        self.first = self.last = first
        self.digests: list[bytes] = []
        self.moments: list[int] = []

    def as_events(self) -> Events:
        """All of them."""
        moments = min(self.moments), max(self.moments)
        return Events(self.first, self.last, self.command_id, b"".join(self.digests), moments)


class _Walk:
    """The chain, row by row: counts, and notes what does not fit."""

    def __init__(self, result: Scanned, before: bytes | None, mark: bytes) -> None:
        self.result = result
        self.before = before  # None: nobody knows, because the row is missing
        self.mark = mark
        self.at = result.after

    def take(self, place: int, form: bytes | None, stored: bytes) -> None:
        """Checks a row: its place, and its hash over the hash before and its form."""
        self.result.rows += 1
        if place == self.at:
            self._note("twice", place, place)
            return
        if place > self.at + 1:
            self._note("missing", self.at + 1, place - 1)
            self.before = None
        if form is None or (
            self.before is not None
            and hashlib.sha256(self.mark + self.before + form).digest() != stored
        ):
            self._note("changed", place, place)
        self.before = self.result.head = stored
        self.at = place

    def end(self) -> None:
        """Notes what is missing at the end of the range."""
        if self.at < self.result.until:
            self._note("missing", self.at + 1, self.result.until)

    def _note(self, kind: str, first: int, last: int) -> None:
        join(self.result.bad, [Bad(kind, first, last)])


def join(bad: list[Bad], more: list[Bad]) -> None:
    """Adds bad places; those of one kind in a row become one. At most MOST_BAD are listed."""
    for each in more:
        if bad and bad[-1].kind == each.kind and bad[-1].last + 1 == each.first:
            bad[-1] = Bad(each.kind, bad[-1].first, each.last)
        elif len(bad) < MOST_BAD:
            bad.append(each)


_EVENTS: LiteralString = (
    f"COPY (SELECT {COLUMNS} FROM ledger.events WHERE position > %s AND position <= %s "  # noqa: S608
    "ORDER BY position) TO STDOUT (FORMAT binary)"
)
_COMMANDS: LiteralString = (
    f"COPY (SELECT {COMMAND_COLUMNS} FROM ledger.commands WHERE number > %s AND number <= %s "  # noqa: S608
    "ORDER BY number) TO STDOUT (FORMAT binary)"
)
_EVENT_AT: LiteralString = "SELECT hash FROM ledger.events WHERE position = %s LIMIT 1"
_COMMAND_AT: LiteralString = "SELECT hash FROM ledger.commands WHERE number = %s LIMIT 1"


def _hash_at(
    connection: "psycopg.Connection[Any]", query: LiteralString, place: int
) -> bytes | None:
    """The hash that the chain goes on from; None if that row is missing."""
    if place == 0:
        return GENESIS
    row = connection.execute(query, (place,)).fetchone()
    return bytes(row[0]) if row else None


def _rows(
    connection: "psycopg.Connection[Any]", query: LiteralString, after: int, until: int
) -> Iterator[tuple[bytes, list[int]]]:
    """Each row without its count of columns, and where each column ends; a NULL has no bytes."""
    with connection.cursor() as cursor, cursor.copy(query, (after, until)) as copy:
        begun = False
        for message in copy:
            row = bytes(message)
            if not begun:
                row, begun = row[_HEADER:], True
            if len(row) <= 2:  # the end
                continue
            row = row[2:]
            at, ends = 0, []
            while at < len(row):
                (length,) = _LENGTH.unpack_from(row, at)
                at += 4 + max(length, 0)
                ends.append(at)
            yield row, ends


def _event_form(row: bytes, ends: list[int]) -> bytes | None:
    """The canonical form of an event; None if a column cannot be one."""
    try:
        moment = _moment(_long(row, ends, 5))
        day = _day(row[ends[5] + 4 : ends[6]])
    except (ValueError, OverflowError, struct.error):
        return None
    return TAG + row[: ends[4]] + moment + day + row[ends[6] : ends[10]]


def _command_form(row: bytes, ends: list[int], sent: bytes) -> bytes | None:
    """The canonical form of a command; None if a column cannot be one."""
    try:
        recorded = _moment(_long(row, ends, 7))
    except struct.error:
        return None
    places = field(row[ends[4] + 4 : ends[5]]) + field(row[ends[5] + 4 : ends[6]])
    return COMMAND_TAG + row[: ends[2]] + sent + row[ends[3] : ends[4]] + places + recorded


def _sent(row: bytes, ends: list[int]) -> bytes:
    """When a command was sent, in the canonical form; empty if that cannot be one."""
    with suppress(struct.error):
        return _moment(_long(row, ends, 3))
    return b""


def _places(row: bytes, ends: list[int]) -> tuple[int, int]:
    """The positions that a command says; (0, -1) if it says none."""
    first, last = row[ends[4] + 4 : ends[5]], row[ends[5] + 4 : ends[6]]
    return (_LONG.unpack(first)[0], _LONG.unpack(last)[0]) if first and last else (0, -1)


def _event_digest(row: bytes, ends: list[int]) -> bytes:
    """The digest of an event, as its command's seal has it; any other if its day cannot be one."""
    with suppress(ValueError, OverflowError, struct.error):
        tail = _day(row[ends[5] + 4 : ends[6]]) + row[ends[6] : ends[10]]
        return digest_of_event(row[: ends[3]], tail)
    return bytes(32)


def _long(row: bytes, ends: list[int], column: int) -> int:
    """The number, or the moment in microseconds since 2000, of a column after the first."""
    stored = row[ends[column - 1] + 4 : ends[column]]
    return int(_LONG.unpack(stored)[0]) if stored else 0


def _moment(microseconds: int) -> bytes:
    """A moment in the canonical form. Raises struct.error, for infinity."""
    return field(_LONG.pack(microseconds + _SINCE_2000))


@cache
def _day(since_2000: bytes) -> bytes:
    (days,) = _DAYS.unpack(since_2000)
    return field((_2000 + timedelta(days=days)).isoformat().encode())
