"""Hashes a range of one of the two chains from the server's binary rows, each row once.

A row is the canonical form of an event, and then its hash. What the database gave the event, its
position and moment, stands at the end and has a fixed length: it is read without decoding the rest.
"""

import struct
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops.ledger.answers import answer_hash
from ops.ledger.chain import COMMAND_TAG, GENESIS, NULL, TAG
from ops.ledger.reading import hashes_before
from ops.ledger.rows import NUMBERED, POSITION, columns, command_rows, event_rows
from ops.ledger.seals import sealed

if TYPE_CHECKING:
    import psycopg

MOST_BAD = 100  # runs of bad positions in one range that are listed
_COUNT = 2  # bytes before the first column
_HASH, _STORED = -36, -32  # where the hash begins, with its length and without
_HASH_LENGTH = len(GENESIS).to_bytes(4)
_SEAL = 36
# Of an event: where its position begins, with its length and without. Of a command: its number, its
# moment, and what it has before that, with events and refused.
_PLACE, _NUMBERS = -60, -56
_NUMBER, _MOMENT = -48, -60
_DONE, _REFUSED = _MOMENT - 24 - _SEAL, _MOMENT - 8 - _SEAL
_WITHOUT_PLACES = NULL * 2
_PLACE_AND_MOMENT = struct.Struct(">q4xq").unpack_from
_leaf = sha256(b"\x00" + TAG).copy
_command = sha256(COMMAND_TAG).copy


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
    """Events of one moment that name one command, with the digest of each."""

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


# Where a command's events begin: how many came before, the command's id, and the moment.
_Begun = tuple[int, bytes, int]


class Scanned(Struct):
    """A range of a chain that was scanned: (after, until]."""

    after: int
    until: int
    rows: int = 0
    head: bytes | None = None  # the hash of the last row; None: no row
    bad: list[Bad] = []
    events: list[Events] = []
    commands: list[Command] = []
    leaves: bytes = b""  # of each event


def scan_events(connection: "psycopg.Connection[Any]", after: int, until: int) -> Scanned:
    """Hashes the events after one position until another, and notes their commands."""
    walk = _Walk(after, hashes_before(connection, [after + 1])[after + 1], POSITION)
    at, before = walk.at, walk.before
    leaves, digests, places = list[bytes](), list[bytes](), list[int]()
    begun: list[_Begun] = []
    prefix, recorded = b"?", 0  # what each row of the present command begins with; none begins so
    for row in event_rows(connection, after, until):
        form = _leaf()
        form.update(row[_COUNT:_PLACE])
        digests.append(form.digest())
        form.update(row[_PLACE:_HASH] + _HASH_LENGTH + before)
        linked = form.digest()
        leaves.append(linked)
        place, moment = _PLACE_AND_MOMENT(row, len(row) + _NUMBERS)
        if place == at + 1 and linked == row[_STORED:]:
            at, before = place, linked
        else:
            at, before = walk.take(at, before, row, linked)
        if moment != recorded or not row.startswith(prefix):
            prefix, recorded = _first_column(row), moment
            begun.append((len(places), prefix[_COUNT + 4 :], moment))
        places.append(place)
    result = walk.ended(at, before, len(places), until)
    result.events, result.leaves = _runs(begun, places, digests), b"".join(leaves)
    return result


def _runs(begun: list[_Begun], places: list[int], digests: list[bytes]) -> list[Events]:
    """The events of each command, and of each moment."""
    ends = [*(first for first, *_ in begun[1:]), len(places)]
    return [
        Events(
            places[first], places[end - 1], command, b"".join(digests[first:end]), (moment, moment)
        )
        for (first, command, moment), end in zip(begun, ends, strict=False)
    ]


def scan_commands(connection: "psycopg.Connection[Any]", after: int, until: int) -> Scanned:
    """Hashes the commands after one number until another, and notes them."""
    walk = _Walk(after, answer_hash(connection, after), NUMBERED)
    at, before = walk.at, walk.before
    commands: list[Command] = []
    for row in command_rows(connection, after, until):
        refused = row[_MOMENT - 8 : _MOMENT] == _WITHOUT_PLACES
        seal = _REFUSED if refused else _DONE
        form = _command()
        form.update(row[_COUNT:seal])
        digest = form.digest()
        form.update(row[seal:_NUMBER] + _HASH_LENGTH + before)
        linked = form.digest()
        number = _number(row[_NUMBER + 4 : _HASH])
        if number == at + 1 and linked == row[_STORED:]:
            at, before = number, linked
        else:
            at, before = walk.take(at, before, row, linked)
        places = (0, -1) if refused else _places(row[_MOMENT - 24 : _MOMENT])
        commands.append(
            Command(
                *places,
                _first_column(row)[_COUNT + 4 :],
                number,
                digest,
                row[seal + 4 : seal + _SEAL],
                _number(row[_MOMENT + 4 : _NUMBER]),
                _number(row[seal - 8 : seal]),
            )
        )
    result = walk.ended(at, before, len(commands), until)
    result.commands = commands
    return result


def _first_column(row: bytes) -> bytes:
    """A row up to the end of its first column."""
    return row[: _COUNT + 4 + max(_number(row[_COUNT : _COUNT + 4]), 0)]


def _number(stored: bytes) -> int:
    return int.from_bytes(stored, signed=True)


def _places(stored: bytes) -> tuple[int, int]:
    return _number(stored[4:12]), _number(stored[16:])


class _Walk:
    """A chain row by row: notes what does not fit. `column`: which one has a row's place."""

    def __init__(self, after: int, before: bytes, column: int) -> None:
        self.after = self.at = after
        self.before = before  # b"": nobody knows, because the row is missing
        self.bad: list[Bad] = []
        self._column = column

    def take(self, at: int, before: bytes, row: bytes, linked: bytes) -> tuple[int, bytes]:
        """Notes a row that does not follow on the one `at` a place with this hash.

        `linked`: the hash that it should have, if that one came before it. It gives where the chain
        is then.
        """
        of = columns(row)
        place, stored = _number(of[self._column] or b""), of[-1] or b""
        if place == at:
            self._note("twice", place, place)
            return at, before
        if place > at + 1:
            self._note("missing", at + 1, place - 1)
        elif before and linked != stored:
            self._note("changed", place, place)
        return place, stored

    def ended(self, at: int, head: bytes, rows: int, until: int) -> Scanned:
        """The result; what is missing at the end of the range is noted."""
        if at < until:
            self._note("missing", at + 1, until)
        return Scanned(self.after, until, rows, head if rows else None, self.bad)

    def _note(self, kind: str, first: int, last: int) -> None:
        join(self.bad, [Bad(kind, first, last)])


def join(bad: list[Bad], more: Iterable[Bad]) -> None:
    """Adds bad places; those of one kind in a row become one. At most MOST_BAD are listed."""
    for each in more:
        if bad and bad[-1].kind == each.kind and bad[-1].last + 1 == each.first:
            bad[-1] = Bad(each.kind, bad[-1].first, each.last)
        elif len(bad) < MOST_BAD:
            bad.append(each)
