"""Sabot's own way: bases by pg_basebackup, and the log by a slot, in files encrypted for a key."""

import os
import re
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any

from ops.backup.archive import BASE, Archive, Base, Copied
from ops.backup.encrypted import BackupFailed, decrypted, read_encrypted, write_encrypted
from ops.ledger.database import Database
from ops.ledger.embedded.programs import ENVIRONMENT, programs_here

if TYPE_CHECKING:
    import psycopg
    from pyrage.x25519 import Identity

    from ops.ledger.embedded.programs import Programs

SLOT = "sabot_backup"
RIGHTS = (
    "This must run on the server's machine by its superuser, or by a login that owns the ledger, "
    "has the right REPLICATION, and has a line `host replication` in pg_hba.conf."
)
_POINT = re.compile(r"write-ahead log (start|end) point: (\S+?)(?: on timeline \d+)?$", re.M)


class Own:
    """The bases and the log in the archive's own directory."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def begin(self, connection: "psycopg.Connection[Any]") -> None:
        """Has the server keep its log from now on until it was followed."""
        make_slot(connection)

    def copy(self, database: Database, place: Path, count: Callable[[int], object]) -> Copied:
        """Makes a base, encrypted; `count` gets each piece. Raises BackupFailed, OSError."""
        house = self._archive.house
        points = _base_backup(database, place / BASE, house.key, count)
        return Copied(
            first_wal=house.file_of(points["start"]),
            last_wal=house.file_of(points["end"]),
            bytes=(place / BASE).stat().st_size,
        )

    def drop_old(self, keep: int) -> list[str]:
        """Removes all bases but the newest, and the log before them; returns their names."""
        return self._archive.drop_old(keep)

    def require_there(self, base: Base) -> None:
        """Requires the log from a base on without a gap. Raises BackupFailed."""
        self._archive.require_no_gap(base)

    def unpack(
        self,
        base: Base,
        key: "Identity",
        data: Path,
        programs: "Programs",
        count: Callable[[int], object],
    ) -> None:
        """Unpacks a base into a directory of the server's account. Raises BackupFailed, OSError."""
        file = self._archive.bases_dir / base.name / BASE
        programs.own(data)
        try:
            with decrypted(file, key) as content, tarfile.open(fileobj=content, mode="r|") as tar:
                for each in tar:
                    _require_within(each)
                    tar.extract(each, data, set_attrs=False)
                    place = data / each.name
                    place.chmod(0o700 if each.isdir() else 0o600)
                    os.chown(place, programs.uid, programs.gid)
                    count(each.size)
        except tarfile.TarError as error:
            raise BackupFailed(f"{file} is cut or damaged. Restore from another base.") from error

    def log(self, key: "Identity", data: Path) -> Callable[[str], bytes]:
        """What reads a file of the log by its name. It raises KeyError, BackupFailed."""
        return _Log(self._archive, key).read


class _Log:
    """The log as it was when it was first asked for."""

    def __init__(self, archive: Archive, key: "Identity") -> None:
        self._archive, self._files, self._key = archive, archive.wal(), key

    def read(self, name: str) -> bytes:
        """A file of the log. Raises KeyError, BackupFailed.

        Where the archive is followed meanwhile, the whole file may just have replaced a part of it.
        """
        try:
            return read_encrypted(self._files[name], self._key)
        except BackupFailed:
            now = self._archive.wal()
            if now.get(name) == self._files[name]:
                raise
            self._files = now
            return read_encrypted(now[name], self._key)


def make_slot(connection: "psycopg.Connection[Any]") -> None:
    """The server keeps its log from now on until it was followed."""
    connection.execute(
        "SELECT pg_create_physical_replication_slot(%s, true) WHERE NOT EXISTS "
        "(SELECT FROM pg_replication_slots WHERE slot_name = %s)",
        (SLOT, SLOT),
    )


def slot_is_lost(connection: "psycopg.Connection[Any]") -> bool:
    """Whether the server could not keep its log any longer, and removed a part of it."""
    row = connection.execute(
        "SELECT wal_status = 'lost' FROM pg_replication_slots WHERE slot_name = %s", (SLOT,)
    ).fetchone()
    return bool(row and row[0])


def _base_backup(
    database: Database, target: Path, key: str, count: Callable[[int], object]
) -> dict[str, str]:
    """The places in the log where the copy begins and ends."""
    # The log that the copy needs is in it, so that it can be restored by itself.
    options = ("--pgdata=-", "--format=tar", "--wal-method=fetch", "--checkpoint=fast", "--verbose")
    command = [str(programs_here() / "pg_basebackup"), *options, f"--dbname={database.url}"]
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=ENVIRONMENT | passwords(),
        ) as process,
    ):
        try:
            assert process.stdout is not None
            source = _UntilGood(process, process.stdout, errors)
            write_encrypted(source, target, key, count)
        finally:
            process.kill()
        return dict(_POINT.findall(_text(errors)))


def passwords() -> dict[str, str]:
    """The variables from which libpq finds a password."""
    return {k: v for k, v in os.environ.items() if k in ("HOME", "PGPASSWORD", "PGPASSFILE")}


class _UntilGood:
    """What a program writes; its end is good only if the program ended well."""

    def __init__(self, process: subprocess.Popen[bytes], out: IO[bytes], errors: IO[bytes]) -> None:
        self._process, self._out, self._errors = process, out, errors

    def read(self, size: int = -1) -> bytes:
        piece = self._out.read(size)
        if not piece and self._process.wait() != 0:
            raise BackupFailed(_refused(_text(self._errors)))
        return piece


def _text(errors: IO[bytes]) -> str:
    errors.seek(0)
    return errors.read().decode(errors="replace")


def _refused(output: str) -> str:
    """Why PostgreSQL made no base backup, and what to do."""
    last = [each for each in output.strip().splitlines() if "error" in each or "FATAL" in each]
    words = " ".join((last or output.strip().splitlines() or ["it said nothing"])[0].split())
    if any(each in words for each in ("replication", "WAL sender", "pg_hba.conf")):
        return f"This login may not copy the server: {words}. {RIGHTS}"
    return f"pg_basebackup made no backup: {words}."


def _require_within(member: tarfile.TarInfo) -> None:
    """Whoever has the public key can make a backup: nothing is written anywhere else."""
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or not (member.isfile() or member.isdir()):
        raise BackupFailed(f"The backup has {member.name!r}, which does not belong in a cluster.")
