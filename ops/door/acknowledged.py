"""The lines that the house acknowledged to this machine: what a restored record may lack.

A file for each house, in this account's directory and only for it. A line is written when its
answer comes, without waiting for the disk: it survives a kill of the process, not a crash of the
machine. On each new connection a feed or a terminal asks, before it sends anything, whether the
newest of them is on record.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import Struct

from ops.ledger.files import data_home
from ops.words.feed_lines import in_few_words

MOST = 32 << 20  # bytes of a file; then a new one begins, and the one before it is kept
TAIL = 1 << 19  # bytes, which hold a line and its neighbours
TOGETHER = 50  # lines that are offered at once


class Acknowledged(Struct, frozen=True):
    """A line that the house recorded, as its answer said.

    `record`: the hash of the first event of the record, as far as it names it. `epoch`: of it.
    """

    record: str
    epoch: int
    id: str
    position: int
    at: datetime
    line: Mapping[str, object] = {}

    @property
    def words(self) -> str:
        """The line in few words, and when its answer came by this machine's clock."""
        return f"{in_few_words(self.line)} at {self.at.astimezone():%H:%M:%S}"


class Compared(Struct, frozen=True):
    """What a house says of the newest line that it acknowledged.

    `missing`: it is not on record, and nobody decided about it. `can_tell`: not so at a standby,
    which may be behind. `lost_after`: lines after this event may have been lost by a restore; None
    if the newest one is on record.
    """

    record: str
    epoch: int
    missing: bool = False
    can_tell: bool = True
    lost_after: int | None = None


class LinesHere:
    """The acknowledged lines of one house, which its address or its database names."""

    def __init__(self, house: str) -> None:
        directory = Path(os.environ.get("SABOT_ACKNOWLEDGED") or data_home() / "acknowledged")
        self._file, self._before = (directory / name for name in of_house(house))
        self._record, self._epoch = "", 1  # '' until a house was asked
        self._lost_after: int | None = None
        self.newest = newest_in(self._file) or newest_in(self._before)

    def of(self, record: str) -> Iterator[Acknowledged]:
        """Every line that is kept of a record, the oldest first."""
        for file in (self._before, self._file):
            with suppress(OSError), file.open("rb") as opened:
                lines = filter(None, map(_read, opened))
                yield from (each for each in lines if each.record == record)

    @property
    def question(self) -> bytes:
        """The question whether the newest line is on record, as it is sent."""
        known = msgspec.structs.asdict(self.newest) if self.newest else {}
        return msgspec.json.encode({"ask": "on-record", **known, "line": {}})

    def hear(self, answer: bytes) -> tuple[bool, str]:
        """Whether that was answered, and why nothing more is sent to the house, or ''."""
        with suppress(msgspec.MsgspecError):
            compared = msgspec.json.decode(answer, type=Compared)
            return compared.can_tell, self.learn(compared)
        return True, ""

    def learn(self, compared: Compared) -> str:
        """Takes what the house says; why nothing more is sent to it, or ''."""
        if not compared.can_tell:
            return ""
        self._record, self._epoch = compared.record, compared.epoch
        self._lost_after = compared.lost_after
        if not (compared.missing and self.newest):
            return ""
        return (
            "The house's record was restored: the newest line this terminal had acknowledged, "
            f"{self.newest.words}, is not on it. Nothing more is sent until two people have "
            "decided: sabot audit restored."
        )

    def lost(self) -> Iterator[list[Acknowledged]]:
        """The lines that the house may have lost, in groups, to be offered to it."""
        if self._lost_after is None:
            return
        after = self._lost_after
        lines = (each for each in self.of(self._record) if each.position > after)
        while group := list(islice(lines, TOGETHER)):
            yield group

    def offers(self) -> Iterator[bytes]:
        """The same, as they are sent."""
        for group in self.lost():
            yield msgspec.json.encode(
                {"ask": "offer-lines", "lines": group, "lost_after": self._lost_after}
            )

    def note(self, answered: Iterable[tuple[str, Mapping[str, object], int]]) -> None:
        """Keeps lines that were recorded, each with its id and the position in its answer."""
        if not self._record:
            return
        now = datetime.now(UTC)
        fresh = [
            Acknowledged(self._record, self._epoch, name, position, now, line)
            for name, line, position in answered
        ]
        if fresh:
            self.newest = fresh[-1]
            with suppress(OSError):  # it still compares, as long as it runs
                self._write(b"".join(msgspec.json.encode(each) + b"\n" for each in fresh))

    def _write(self, content: bytes) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        try:
            file = os.open(self._file, flags, 0o600)
        except FileNotFoundError:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = os.open(self._file, flags, 0o600)
        try:
            os.write(file, content)  # in one piece: several processes write it
            full = os.fstat(file).st_size > MOST
        finally:
            os.close(file)
        if full:
            self._file.replace(self._before)


def of_house(house: str) -> tuple[str, str]:
    """The names of a house's two files: of the lines, and of those before them."""
    name = sha256(house.encode()).hexdigest()[:32]
    return f"{name}.lines", f"{name}.before"


def newest_in(file: Path) -> Acknowledged | None:
    """The newest line that is kept in a file; None if there is none."""
    return next(_backwards(file), None)


def _backwards(file: Path) -> Iterator[Acknowledged]:
    """The newest lines of a file, the newest first."""
    with suppress(OSError), file.open("rb") as opened:
        opened.seek(max(0, opened.seek(0, os.SEEK_END) - TAIL))
        yield from filter(None, map(_read, reversed(opened.read().splitlines())))


def _read(line: bytes) -> Acknowledged | None:
    """A line of the file; None if it was cut off."""
    with suppress(msgspec.MsgspecError, UnicodeDecodeError):
        return msgspec.json.decode(line, type=Acknowledged)
    return None
