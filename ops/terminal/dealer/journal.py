"""The draft, the unanswered lines and the late entry of a terminal, for the case that it is killed.

A small file beside the pepper, outside the record, one for each terminal that is open at a table.
It survives a kill of the process, not a crash of the machine. No PIN is ever written to it.
"""

import errno
import fcntl
import os
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Self

import msgspec

from domain.rules.pins import may_be_pin
from ops.commands.read import Line
from ops.ledger.database import NotFit
from ops.ledger.files import data_home
from ops.terminal.dealer.late_entry import NOW, LateEntry
from ops.terminal.dealer.log import Log

ONE_READ = 1 << 20  # bytes: more than any line is long


class Sent(msgspec.Struct, frozen=True):
    """A typed line that was sent, with its lines of the feed, each with its id."""

    typed: str
    lines: list[Line]

    @property
    def is_sound(self) -> bool:
        """Whether the ledger can be asked for its answer."""
        ids = [line.get("id") for line in self.lines]
        return bool(ids) and all(isinstance(each, str) and "\x00" not in each for each in ids)


class _Content(msgspec.Struct):
    draft: str = ""
    refused: bool = False  # whether the draft was entered and refused
    taken: str = ""
    waiting: list[str] = []
    last: Sent | None = None
    late: LateEntry = NOW


class Journal:
    """One terminal's file, for as long as the terminal is open."""

    def __init__(self, path: Path, file: int) -> None:
        self._path = path
        self._file = file
        self._lock = Lock()  # one thread types while another sends
        self._content = _read(file)
        self._taking = False  # whether `taken` is this terminal's, and not that of a killed one

    @classmethod
    def at(cls, house: str, table: str) -> Self:
        """The journal of a terminal that was killed, else a new one. Raises NotFit."""
        place = data_home() / "terminal"
        try:
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            return cls._first_free(place, _name(house, table))
        except OSError as error:
            raise NotFit(
                f"What is typed is kept in {place}, which cannot be written: {error.strerror}."
            ) from error

    @classmethod
    def _first_free(cls, place: Path, name: str) -> Self:
        """A file that no other terminal has open, if possible one with something in it."""
        free: Self | None = None
        for journal in cls._free(sorted(place.glob(f"{name}-*.json"))):
            if free:
                free.release()
            free = journal
            if journal.left_behind:
                return journal
        fresh = (place / f"{name}-{number}.json" for number in count(1))
        return free or next(cls._free(path for path in fresh if not path.exists()))

    @classmethod
    def _free(cls, paths: Iterator[Path] | list[Path]) -> Iterator[Self]:
        """The files that no other terminal has open; each is locked."""
        for path in paths:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                mine = path.exists() and path.stat().st_ino == os.fstat(file).st_ino
            except BlockingIOError:
                mine = False  # another terminal's
            if mine:
                yield cls(path, file)
            else:
                os.close(file)

    @property
    def log(self) -> Log:
        """What was typed and answered at this terminal before."""
        return Log(self._path.with_suffix(".log"))

    @property
    def left_behind(self) -> bool:
        """Whether anything typed is in it."""
        return self._content != _Content()

    @property
    def draft(self) -> str:
        """The line that was typed and not entered."""
        return self._content.draft

    @property
    def draft_refused(self) -> bool:
        """Whether that line was entered and refused; else it is half typed."""
        return self._content.refused

    @property
    def unsent(self) -> tuple[str, ...]:
        """Lines that were entered and never sent, in their order."""
        taken = (self._content.taken,) if self._content.taken else ()
        return (*taken, *self._content.waiting)

    @property
    def last(self) -> Sent | None:
        """The last line that was sent, if its outcome may not have been shown; else None."""
        return self._content.last

    @property
    def late(self) -> LateEntry:
        """The late entry that was on, so that lines left behind do not happen now."""
        return self._content.late

    # All of these raise OSError, when the file cannot be written.
    def keep(self, draft: str, waiting: Sequence[str] = (), *, refused: bool = False) -> None:
        """Saves the draft and the lines that wait, at every key; nothing that may be a PIN.

        `refused`: the draft was entered and refused, and was not changed since.
        """
        with self._lock:
            self._content.draft = "" if may_be_pin(draft) else draft
            self._content.waiting = [each for each in waiting if not may_be_pin(each)]
            self._content.refused = refused
            if not self._taking:
                self._content.taken = ""
            self._write()

    def take(self, typed: str) -> None:
        """Saves a line that is entered now; it is no draft any more, and does not wait."""
        if may_be_pin(typed):
            return
        with self._lock:
            if self._content.waiting[:1] == [typed]:
                del self._content.waiting[0]
            else:
                self._content.draft, self._content.refused = "", False
            self._content.taken, self._taking = typed, True
            self._write()

    def enter_late(self, late: LateEntry) -> None:
        """Saves when what is typed happened."""
        with self._lock:
            self._content.late = late
            self._write()

    def begin(self, sent: Sent) -> None:
        """Saves a line before it is sent."""
        with self._lock:
            self._content.taken, self._taking = "", False
            self._content.last = sent
            self._write()

    def forget(self) -> None:
        """Forgets the last line: its outcome is known."""
        with self._lock:
            self._content.last = None
            self._write()

    def let_go(self, left: str = "") -> None:
        """Forgets the line that was entered; what is `left` of it is the draft again."""
        with self._lock:
            if self._taking:
                if not self._content.draft:
                    self._content.draft, self._content.refused = left, left != ""
                self._content.taken, self._taking = "", False
                self._write()

    def close(self) -> None:
        """Ends in good order: forgets the last line, and removes the file if nothing is left."""
        with self._lock:
            self._content.last, self._content.late = None, NOW
            if self.left_behind:
                self._write()
            else:
                self._path.unlink(missing_ok=True)

    def release(self) -> None:
        """Lets another terminal open the file."""
        os.close(self._file)

    def _write(self) -> None:
        """Writes all of it at once, so that no kill tears it; the file's first line counts."""
        content = msgspec.json.encode(self._content) + b"\n"
        if os.pwrite(self._file, content, 0) < len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _read(file: int) -> _Content:
    """The content of a file; an empty one if the file cannot be read as a journal."""
    first, _, _ = os.pread(file, ONE_READ, 0).partition(b"\n")
    try:
        content = msgspec.json.decode(first, type=_Content)
    except (msgspec.MsgspecError, RecursionError):
        return _Content()
    if content.last and not content.last.is_sound:
        content.last = None
    return content


def _name(house: str, table: str) -> str:
    """A name for this table of this house, short enough for any file system."""
    return sha256(f"{house}\0{table}".encode()).hexdigest()[:16]
