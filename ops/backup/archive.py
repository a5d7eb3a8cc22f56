"""A backup's directory: what is where in it, what is missing, what is too old.

house.json                    whose backup it is, and for which key
bases/2026-11-27T20-14-07Z/   base.tar.gz.age, home.tar.gz.age, about.json
wal/NAME-DIGEST.gz.age        the log, a file for each 16 MB; the last one is NAME.partial.gz.age
followed.json                 until when everything is in it
checked.json                  when it was last restored and verified

Where another program keeps the base and the log, as pgBackRest does, they are in its repository,
and not here; all else is.
"""

import hashlib
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from ops.backup.encrypted import BackupFailed
from ops.ledger.files import write_whole

SUFFIX = ".gz.age"
BASE, HOME, ABOUT = f"base.tar{SUFFIX}", f"home.tar{SUFFIX}", "about.json"
_LOG = 1 << 32  # bytes of each of PostgreSQL's numbered logs
_WAL = re.compile(r"[0-9A-F]{24}")
T = TypeVar("T")


class Program(Struct, frozen=True):
    """Another program that keeps the base and the log: its name, and what it calls this server.

    `config`: its configuration's file, if that is not where the program looks for it.
    """

    name: str
    server: str
    config: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.server})"


class House(Struct, frozen=True, omit_defaults=True):
    """Whose backup a directory has: the cluster's identifier and timeline, and the public key.

    `segment`: how many bytes of the log are in each of its files. `by`: the program that keeps the
    base and the log, if it is not Sabot.
    """

    system: str
    timeline: int
    segment: int
    key: str
    by: Program | None = None

    def file_of(self, lsn: str, *, upto: bool = False) -> str:
        """The file of the log with a place in it; `upto`: the one with what is just before it.

        >>> House("", 1, 1 << 24, "").file_of("2/C5000028")
        '0000000100000002000000C5'
        >>> House("", 1, 1 << 24, "").file_of("2/C5000000", upto=True)
        '0000000100000002000000C4'
        """
        high, low = (int(part, 16) for part in lsn.split("/"))
        return self.file(((high << 32) + low - upto) // self.segment)

    def number(self, name: str) -> int:
        """The number of a file of the log, whatever its timeline."""
        return int(name[8:16], 16) * (_LOG // self.segment) + int(name[16:24], 16)

    def file(self, number: int) -> str:
        """The name of the file with this number."""
        log, of_log = divmod(number, _LOG // self.segment)
        return f"{self.timeline:08X}{log:08X}{of_log:08X}"


class Base(Struct, frozen=True):
    """One base backup; `position`: how many events the ledger had when it began.

    `login`, `database`: a superuser of the server, and where the ledger is in it. `label`: what
    another program that keeps it calls it.
    """

    name: str
    begun_at: datetime
    ended_at: datetime
    first_wal: str
    last_wal: str
    server: str
    position: int
    bytes: int
    login: str = "postgres"
    database: str = "sabot"
    label: str = ""


class Copied(Struct, frozen=True):
    """A base that was made: the first and the last file of the log that it needs, and its size."""

    first_wal: str
    last_wal: str
    bytes: int
    label: str = ""


class Followed(Struct, frozen=True):
    """Everything that was acknowledged before `at` is in the archive, up to event `position`."""

    at: datetime
    lsn: str
    position: int


class Checked(Struct, frozen=True):
    """A check of the backup, by restoring it: when, up to when and which event, and the result."""

    at: datetime
    up_to: datetime | None
    position: int
    ok: bool
    words: list[str] = []


class Archive:
    """The directory of one house's backups."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.bases_dir, self.wal_dir = directory / "bases", directory / "wal"

    def require_for(self, house: House) -> None:
        """Requires a directory that is empty, or has this house's backup. Raises BackupFailed."""
        with self._written():
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            before = self._read("house.json", House)
            if before is None and any(self.directory.iterdir()):
                raise BackupFailed(f"{self.directory} is not empty. Give a new directory.")
            if before not in (None, house):
                raise BackupFailed(self._of_another(before, house))

    def begin(self, house: House) -> None:
        """Begins a backup here, or goes on with this house's. Raises BackupFailed."""
        self.require_for(house)
        with self._written():
            for each in (self.bases_dir, self.wal_dir):
                each.mkdir(mode=0o700, exist_ok=True)
            self.write("house.json", house)

    @contextmanager
    def _written(self) -> Iterator[None]:
        """What is written meanwhile can be. Raises BackupFailed."""
        try:
            yield
        except OSError as error:
            raise BackupFailed(
                f"{self.directory} cannot be written: {error.strerror}. Mount its disk, free "
                "space there, or give another directory."
            ) from error

    def _of_another(self, before: House | None, house: House) -> str:
        assert before is not None
        if before.system != house.system:
            return f"{self.directory} has the backup of another house. Give a new directory."
        if before.timeline != house.timeline:
            return (
                f"{self.directory} has the backup of this ledger as it was before it was restored. "
                "Keep it, and give a new directory."
            )
        if before.by != house.by:
            return (
                f"{self.directory} has backups whose log is kept by {before.by or 'Sabot'}. Give a "
                "new directory."
            )
        return (
            f"{self.directory} has backups for another key, {before.key}. Give that key, or a new "
            "directory."
        )

    @property
    def house(self) -> House:
        """The house that this is a backup of. Raises BackupFailed if there is no backup."""
        house = self._read("house.json", House)
        if house is None:
            raise BackupFailed(
                f"There is no backup in {self.directory}: it has no house.json. Mount its disk, or "
                "give the directory that `sabot db backup --to` was given."
            )
        return house

    def bases(self) -> list[Base]:
        """The whole base backups, the oldest first."""
        try:
            names = sorted(each.parent.name for each in self.bases_dir.glob(f"*/{ABOUT}"))
        except OSError:
            names = []
        read = (self._read(f"bases/{name}/{ABOUT}", Base) for name in names)
        return [base for base in read if base]

    def base_for(self, until: datetime | None) -> Base:
        """The newest base from which that moment can be reached. Raises BackupFailed."""
        bases = self.bases() if self.house else []
        if not bases:
            raise BackupFailed(
                f"{self.directory} has no base backup. Run `sabot db backup` on the house's "
                "machine."
            )
        fit = [each for each in bases if until is None or each.ended_at <= until]
        if not fit:
            raise BackupFailed(
                f"The oldest base backup ended at {bases[0].ended_at.isoformat()}, with event "
                f"#{bases[0].position:,}; what you named was before it. Give a later moment or "
                "event, or take an older backup."
            )
        return fit[-1]

    @property
    def followed(self) -> Followed | None:
        """Until when everything is in the archive; None if its log was never followed."""
        return self._read("followed.json", Followed)

    @property
    def checked(self) -> Checked | None:
        """The last check; None if it was never checked."""
        return self._read("checked.json", Checked)

    def write(self, name: str, content: Struct) -> None:
        """Writes one of the small files. Raises OSError."""
        write_whole(self.directory / name, msgspec.json.encode(content))

    def _read(self, name: str, kind: type[T]) -> T | None:
        file = self.directory / name
        try:
            return msgspec.json.decode(file.read_bytes(), type=kind)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, msgspec.MsgspecError) as error:
            raise BackupFailed(f"{file} cannot be read: {error}.") from error

    # --- the log ---

    def wal(self) -> dict[str, Path]:
        """The files of the log, by PostgreSQL's names for them."""
        files: dict[str, Path] = {}
        for file in sorted(self.wal_dir.glob(f"*{SUFFIX}")):
            name = file.name.removesuffix(SUFFIX).partition("-")[0]
            if not name.endswith(".partial"):
                files[name] = file
            else:
                files.setdefault(name.removesuffix(".partial"), file)
        return files

    def place_of(self, name: str, content: bytes) -> Path:
        """Where a file of the log belongs. Raises BackupFailed if there is another in its place."""
        if name.endswith(".partial"):
            return self.wal_dir / f"{name}{SUFFIX}"
        digest = hashlib.sha256(content).hexdigest()[:16]
        for other in self.wal_dir.glob(f"{name}-*{SUFFIX}"):
            if other.name != f"{name}-{digest}{SUFFIX}":
                raise BackupFailed(
                    f"{other} has another content than this ledger's {name}: a copy of this house "
                    "uses the same directory. Give one of them a new directory."
                )
        return self.wal_dir / f"{name}-{digest}{SUFFIX}"

    def require_no_gap(self, base: Base) -> None:
        """Requires the log from a base on without a gap. Raises BackupFailed."""
        house, there = self.house, {name for name in self.wal() if _WAL.fullmatch(name)}
        needed = house.number(base.last_wal) + 1  # what it needs up to its end is in the base
        newest = max(map(house.number, there), default=needed)
        missing = (name for name in map(house.file, range(needed, newest)) if name not in there)
        if name := next(missing, None):
            raise BackupFailed(
                f"The log has a gap: {name} is missing in {self.wal_dir}. Without it nothing after "
                "it can be restored: give a moment before it, or find the file. A new "
                "`sabot db backup` makes later moments safe."
            )

    def drop(self, bases: list[Base]) -> list[str]:
        """Removes bases; returns their names."""
        for each in bases:
            shutil.rmtree(self.bases_dir / each.name)
        return [each.name for each in bases]

    def drop_old(self, keep: int) -> list[str]:
        """Removes all bases but the newest, and the log before them; returns the bases' names."""
        bases = self.bases()
        left = bases[-keep:]
        dropped = self.drop(bases[:-keep])
        if dropped:
            number = self.house.number
            for name, file in self.wal().items():
                if _WAL.fullmatch(name) and number(name) < number(left[0].first_wal):
                    file.unlink()
        return dropped


def stamps(moment: datetime) -> Iterator[str]:
    """Names for a base that begins at this moment."""
    yield f"{moment:%Y-%m-%dT%H-%M-%SZ}"
    yield from (f"{moment:%Y-%m-%dT%H-%M-%SZ}-{number}" for number in range(2, 100))
