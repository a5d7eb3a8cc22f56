"""One base backup: the cluster's files by pg_basebackup, and the home, both encrypted."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from ops.backup.archive import ABOUT, BASE, HOME, Archive, Base, House, stamps
from ops.backup.encrypted import BackupFailed, of_bytes, write_encrypted
from ops.backup.home import packed
from ops.backup.setting import Setting, home_of
from ops.ledger.database import Database, LedgerLost, one_line
from ops.ledger.embedded.programs import ENVIRONMENT, programs_here
from ops.ledger.reading import head_of

if TYPE_CHECKING:
    import psycopg

SLOT = "sabot_backup"
_RIGHTS = (
    "This must run on the server's machine by its superuser, or by a login that owns the ledger, "
    "has the right REPLICATION, and has a line `host replication` in pg_hba.conf."
)
_POINT = re.compile(r"write-ahead log (start|end) point: (\S+?)(?: on timeline \d+)?$", re.M)


def address(database: Database) -> str:
    """The address for PostgreSQL's own programs."""
    return database.url


def prepare(database: Database, archive: Archive, key: str) -> None:
    """Begins the archive, and has the server keep its log until it is followed.

    Raises BackupFailed, LedgerLost.
    """
    import psycopg

    with database.connect_as_is() as connection:
        try:
            archive.begin(house_of(connection, key))
            make_slot(connection)
        except psycopg.errors.InsufficientPrivilege as error:
            words = one_line(error)
            raise BackupFailed(f"This login may not copy the server: {words}. {_RIGHTS}") from error
        except psycopg.Error as error:
            raise LedgerLost(error) from error


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


def house_of(connection: "psycopg.Connection[Any]", key: str) -> House:
    """Whose backup it will be."""
    row = connection.execute(
        "SELECT system_identifier::text, timeline_id, setting::bigint FROM pg_control_system(), "
        "pg_control_checkpoint(), pg_settings WHERE name = 'wal_segment_size'"
    ).fetchone()
    assert row is not None
    return House(row[0], row[1], row[2], key)


def take(
    database: Database,
    archive: Archive,
    setting: Setting,
    begins: Callable[[int], object],
    count: Callable[[int], object],
) -> Base:
    """Makes a base backup; `begins` gets about how many bytes it will read, `count` each piece.

    Raises BackupFailed, LedgerLost.
    """
    begun = datetime.now(UTC)
    with database.connect_as_is() as connection:
        bytes_there, position, server = _standing(connection)
        login, place = connection.info.user, connection.info.dbname
    begins(bytes_there)
    name = next(each for each in stamps(begun) if not (archive.bases_dir / each).exists())
    part = archive.bases_dir / f"{name}.part"
    try:
        part.mkdir(mode=0o700)
        write_encrypted(of_bytes(packed(home_of(database))), part / HOME, setting.key)
        points = _copy(database, part / BASE, setting.key, count)
        base = Base(
            name=name,
            begun_at=begun,
            ended_at=datetime.now(UTC),
            first_wal=archive.house.file_of(points["start"]),
            last_wal=archive.house.file_of(points["end"]),
            server=server,
            position=position,
            bytes=(part / BASE).stat().st_size,
            login=login,
            database=place,
        )
        (part / ABOUT).write_bytes(msgspec.json.encode(base))
        part.rename(archive.bases_dir / name)
    except OSError as error:
        raise not_written(archive.directory, error) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return base


def not_written(directory: Path, error: OSError) -> BackupFailed:
    """Why a backup's directory cannot be written, and what to do."""
    return BackupFailed(
        f"The backup cannot be written in {directory}: {error.strerror}. Free space there or mount "
        "its disk; the bases before are as they were."
    )


def _standing(connection: "psycopg.Connection[Any]") -> tuple[int, int, str]:
    row = connection.execute(
        "SELECT sum(pg_database_size(oid))::bigint, "
        "current_setting('server_version_num')::int / 10000 FROM pg_database "
        "WHERE has_database_privilege(oid, 'CONNECT')"
    ).fetchone()
    assert row is not None
    return row[0], head_of(connection), str(row[1])


def _copy(
    database: Database, target: Path, key: str, count: Callable[[int], object]
) -> dict[str, str]:
    """The places in the log where the copy begins and ends."""
    # The log that the copy needs is in it, so that it can be restored by itself.
    options = ("--pgdata=-", "--format=tar", "--wal-method=fetch", "--checkpoint=fast", "--verbose")
    command = [str(programs_here() / "pg_basebackup"), *options, f"--dbname={address(database)}"]
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
        return f"This login may not copy the server: {words}. {_RIGHTS}"
    return f"pg_basebackup made no backup: {words}."
