"""What a terminal must not forget when it is cut off: the line that has no answer yet, and the
half-typed one.

A small file beside the pepper and not in the record, one for each terminal that is open at a
table; what stands in it outlives the process, not the machine. No PIN is ever in it.
"""

import fcntl
import os
from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from threading import Lock
from typing import Any, Self

import msgspec

from ops.database import Database
from ops.people import data_home

Line = dict[str, Any]
ONE_READ = 1 << 20  # bytes: more than any line is long


class Said(msgspec.Struct, frozen=True):
    """A typed line, and the lines of the feed that it became, each with its id."""

    typed: str
    lines: list[Line]


class _Kept(msgspec.Struct):
    draft: str = ""
    taken: str = ""
    waiting: list[str] = []
    last: Said | None = None


class Journal:
    """One terminal's file, for as long as the terminal is open."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._lock = Lock()  # one thread types while another says
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
        return self._kept != _Kept()

    @property
    def draft(self) -> str:
        """The line as far as it was typed."""
        return self._kept.draft

    @property
    def unsent(self) -> tuple[str, ...]:
        """Lines that were entered and never sent, in their order."""
        taken = (self._kept.taken,) if self._kept.taken else ()
        return (*taken, *self._kept.waiting)

    @property
    def last(self) -> Said | None:
        """The line that was said last; whoever was cut off may not know what it came to."""
        return self._kept.last

    def keep(self, draft: str, waiting: Sequence[str] = ()) -> None:
        """What is typed, at every key."""
        with self._lock:
            self._kept.draft, self._kept.waiting = draft, list(waiting)
            self._write()

    def take(self, typed: str) -> None:
        """The line is entered: it is not on the line any more, nor waits."""
        with self._lock:
            if self._kept.waiting[:1] == [typed]:
                del self._kept.waiting[0]
            else:
                self._kept.draft = ""
            self._kept.taken = typed
            self._write()

    def begin(self, said: Said) -> None:
        """Before anything of it is sent."""
        with self._lock:
            self._kept.taken = ""
            self._kept.last = said
            self._write()

    def give_back(self) -> None:
        """The line that was taken is not said, and stands where it was typed."""
        with self._lock:
            if self._kept.taken:
                self._kept.draft = self._kept.draft or self._kept.taken
                self._kept.taken = ""
                self._write()

    def end(self) -> None:
        """Whoever typed it knows what it came to."""
        with self._lock:
            self._kept.last = None
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
