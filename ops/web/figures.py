"""What a scrape reads of the ledger: its size and disks, its projections, what is signed.

Each figure is read as `sabot db status`, `sabot projections status` and the board read it.
"""

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops.board.overdue import Upkeep, read_upkeep
from ops.ledger.connection import with_own_rights
from ops.ledger.database import Database
from ops.ledger.embedded.place import home_dir
from ops.ledger.growth import bytes_of_record
from ops.ledger.recorder import flush_to_show
from ops.ledger.standby import is_standby, replayed_at
from ops.reports.runner import Standing, standings

if TYPE_CHECKING:
    import psycopg

_SIZES = """
    SELECT pg_catalog.pg_database_size(current_database()),
           current_setting('synchronous_standby_names') <> ''
"""
_SIGNED = "SELECT size, signed_at FROM checkpoints ORDER BY size DESC LIMIT 1"
_DIRECTORY = """
    SELECT setting FROM pg_catalog.pg_settings
     WHERE name = 'data_directory' AND pg_catalog.inet_server_addr() IS NULL
"""


class Disk(Struct, frozen=True):
    """A disk's bytes, and how many of them are free."""

    size: int
    free: int


class Figures(Struct, frozen=True):
    """What one scrape has read."""

    database_bytes: int
    ledger_bytes: int
    disks: Mapping[str, Disk]  # by what is on them: `home`, and `database` if that can be seen here
    runs: bool  # whether a runner is at work
    standings: list[Standing]
    upkeep: Upkeep
    signed: tuple[int, datetime] | None  # the newest checkpoint's size and moment
    standby_required: bool
    standby_away: bool
    replayed_at: datetime | None  # where the ledger is read from a standby


def read_figures(database: Database, connection: "psycopg.Connection[Any]") -> Figures:
    """The figures now. Raises psycopg.Error."""
    sizes = connection.execute(_SIZES).fetchone()
    assert sizes is not None
    runs, projections = standings(connection)
    follows = is_standby(connection)
    return Figures(
        database_bytes=sizes[0],
        ledger_bytes=bytes_of_record(connection),
        disks=_disks(database, connection),
        runs=runs,
        standings=projections,
        upkeep=read_upkeep(connection),
        signed=connection.execute(_SIGNED).fetchone(),
        standby_required=sizes[1] and not follows,
        standby_away=flush_to_show(connection) is not None,
        replayed_at=replayed_at(connection) if follows else None,
    )


def _disks(database: Database, connection: "psycopg.Connection[Any]") -> dict[str, Disk]:
    """The disks that this machine sees."""
    places = {"home": str(home_dir(os.environ.get("SABOT_HOME")))}
    if database.embedded:
        places["database"] = str(database.embedded.data)
    elif directory := _directory_here(connection):
        places["database"] = directory
    disks = {}
    for name, place in places.items():
        with suppress(OSError):
            total, _, free = shutil.disk_usage(_existing(Path(place)))
            disks[name] = Disk(total, free)
    return disks


def _existing(place: Path) -> Path:
    """The place, or what is nearest above it."""
    return next((each for each in (place, *place.parents) if each.exists()), place)


def _directory_here(connection: "psycopg.Connection[Any]") -> str:
    """Where a server on this machine has its data; '' elsewhere, or if the login may not see it."""
    row = with_own_rights(connection, _DIRECTORY)
    return str(row[0]) if row else ""
