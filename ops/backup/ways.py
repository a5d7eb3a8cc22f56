"""The ways in which a house's bases and log are kept: each is an object with these six functions.

Sabot's own is PostgreSQL's programs and a directory of encrypted files. A house whose PostgreSQL is
backed up by another program already goes on with that. The files of the home, what a backup has,
and all of a restore but where its files come from are the same for each.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ops.backup.archive import Archive, Base, Copied, House
from ops.backup.own import Own
from ops.backup.pgbackrest import PgBackRest
from ops.ledger.database import Database

if TYPE_CHECKING:
    import psycopg
    from pyrage.x25519 import Identity

    from ops.ledger.embedded.programs import Programs


class Way(Protocol):
    """How bases are made and brought back. Each function may raise BackupFailed."""

    def begin(self, connection: "psycopg.Connection[Any]") -> None:
        """Requires that the server's log is kept from now on. Raises psycopg's errors, too."""

    def copy(self, database: Database, place: Path, count: Callable[[int], object]) -> Copied:
        """Makes a base; what is in files of Sabot's goes into a place. Raises OSError, too."""

    def drop_old(self, keep: int) -> list[str]:
        """Removes the bases that are too old; returns their names."""

    def require_there(self, base: Base) -> None:
        """Requires that a base can be brought back, with what came after it."""

    def unpack(
        self,
        base: Base,
        key: "Identity",
        data: Path,
        programs: "Programs",
        count: Callable[[int], object],
    ) -> None:
        """Brings a base into a new directory of the server's account. Raises OSError, too."""

    def log(self, key: "Identity", data: Path) -> Callable[[str], bytes]:
        """What reads a file of the log by its name, for the cluster there; it raises KeyError."""


def way_of(archive: Archive, house: House, config: str = "") -> Way:
    """The way of a house. `config`: its program's configuration here, if it is another file."""
    if house.by is None:
        return Own(archive)
    return PgBackRest(archive, house, config or house.by.config)
