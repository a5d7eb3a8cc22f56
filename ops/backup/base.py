"""One base backup: the cluster's files in the house's way, and the files of its home."""

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ops.backup.archive import ABOUT, HOME, Archive, Base, House, Program, stamps
from ops.backup.encrypted import BackupFailed, of_bytes, write_encrypted
from ops.backup.home import packed
from ops.backup.own import RIGHTS
from ops.backup.setting import Setting, home_of
from ops.backup.ways import way_of
from ops.ledger.database import Database, LedgerLost, one_line
from ops.ledger.reading import head_of

if TYPE_CHECKING:
    import psycopg


def prepare(database: Database, archive: Archive, key: str, by: Program | None) -> None:
    """Begins the archive, and requires that the server's log goes there, or where `by` keeps it.

    Raises BackupFailed, LedgerLost.
    """
    import psycopg

    with database.connect_as_is() as connection:
        try:
            house = house_of(connection, key, by)
            archive.require_for(house)
            way_of(archive, house).begin(connection)
            archive.begin(house)
        except psycopg.errors.InsufficientPrivilege as error:
            words = one_line(error)
            raise BackupFailed(f"This login may not copy the server: {words}. {RIGHTS}") from error
        except psycopg.Error as error:
            raise LedgerLost(error) from error


def house_of(connection: "psycopg.Connection[Any]", key: str, by: Program | None = None) -> House:
    """Whose backup it will be."""
    row = connection.execute(
        "SELECT system_identifier::text, timeline_id, setting::bigint FROM pg_control_system(), "
        "pg_control_checkpoint(), pg_settings WHERE name = 'wal_segment_size'"
    ).fetchone()
    assert row is not None
    return House(row[0], row[1], row[2], key, by)


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
        copied = way_of(archive, archive.house).copy(database, part, count)
        base = Base(
            name=name,
            begun_at=begun,
            ended_at=datetime.now(UTC),
            first_wal=copied.first_wal,
            last_wal=copied.last_wal,
            server=server,
            position=position,
            bytes=copied.bytes,
            label=copied.label,
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
