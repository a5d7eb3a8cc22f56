"""What a terminal must not forget when it is cut off: the line that has no answer yet, and the
half-typed one.

A small file beside the pepper and not in the record, one for each terminal that is open at a
table; what stands in it outlives the process, not the machine. No PIN is ever in it.
"""

import fcntl
import os
from hashlib import sha256
from itertools import count
from typing import Any, Self

import msgspec

from ops.database import Database
from ops.people import data_home

Line = dict[str, Any]
ONE_READ = 1 << 20  # bytes: more than any line is long


class Unanswered(msgspec.Struct, frozen=True):
    """A typed line and the lines of the feed it became, each with its id; `done` of them are."""

    typed: str
    lines: list[Line]
    done: int = 0


class _Kept(msgspec.Struct):
    draft: str = ""
    unanswered: Unanswered | None = None


class Journal:
    """One terminal's file, for as long as the terminal is open."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._kept = _read(file)

    @classmethod
    def at(cls, database: Database, table: str) -> Self:
        """The one that a terminal left behind that was cut off, else a fresh one."""
        place = data_home() / "terminal"
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        free: list[Self] = []
        for number in count(1):
            path = place / f"{_name(database)}-{table}-{number}.json"
            is_last = not path.exists()
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                free.append(cls(file))
            except BlockingIOError:
                os.close(file)  # another terminal's
            if is_last and free:
                break
        found = next((each for each in free if each.left_behind), free[0])
        for each in free:
            if each is not found:
                each.close()
        return found

    @property
    def left_behind(self) -> bool:
        """Whether there is something in it that somebody typed."""
        return bool(self._kept.draft or self._kept.unanswered)

    @property
    def draft(self) -> str:
        """The line as far as it was typed."""
        return self._kept.draft

    @property
    def unanswered(self) -> Unanswered | None:
        """The line that was said and had no answer yet."""
        return self._kept.unanswered

    def keep_draft(self, typed: str) -> None:
        """At every key."""
        self._kept.draft = typed
        self._write()

    def begin(self, said: Unanswered) -> None:
        """Before anything of it is sent."""
        self._kept.unanswered = said
        self._write()

    def answered(self) -> None:
        """One line more of it; the next is about to be sent."""
        said = self._kept.unanswered
        assert said is not None
        self._kept.unanswered = Unanswered(said.typed, said.lines, said.done + 1)
        self._write()

    def end(self) -> None:
        """Whoever typed it knows what it came to."""
        self._kept.unanswered = None
        self._write()

    def close(self) -> None:
        """Another terminal may have the file."""
        os.close(self._file)

    def _write(self) -> None:
        """In one stroke, which no kill tears; only the first line of the file counts."""
        os.pwrite(self._file, msgspec.json.encode(self._kept) + b"\n", 0)


def _read(file: int) -> _Kept:
    """What was kept; a file that somebody else wrote into is as good as none."""
    first, _, _ = os.pread(file, ONE_READ, 0).partition(b"\n")
    try:
        return msgspec.json.decode(first, type=_Kept)
    except msgspec.MsgspecError:
        return _Kept()


def _name(database: Database) -> str:
    """Which ledger: two of them have tables of the same name."""
    where = str(database.embedded.data) if database.embedded else database.given or ""
    return sha256(where.encode()).hexdigest()[:12]
