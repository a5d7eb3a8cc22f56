"""The database schema as SQL: a directory for each version; its files run in order of name."""

import json
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ops import VERSION
from ops.ledger.schema import inventory

if TYPE_CHECKING:
    import psycopg

VERSIONS = Path(__file__).parent / "versions"
SERVES = "serves"  # in a version's directory: from which version on a program may work with it
# A row for each version that was made here. `digest`: of its files; `serves`: programs of this
# version and of later ones may work with the database.
_VERSION = """
    CREATE TABLE IF NOT EXISTS public.schema_version (
        version_num varchar(32) NOT NULL PRIMARY KEY,
        digest      text        NOT NULL,
        serves      varchar(32) NOT NULL,
        program     text        NOT NULL,
        made_at     timestamptz NOT NULL DEFAULT now()
    )
"""
_MADE = """
    INSERT INTO public.schema_version (version_num, digest, serves, program)
    VALUES (%s, %s, %s, %s)
"""


def head() -> str:
    """The newest version that this program knows."""
    return max(digests())


@cache
def digests() -> Mapping[str, str]:
    """Each version, from the first to the newest, and the SHA-256 of its files.

    As anybody computes it in the version's directory: `LC_ALL=C sha256sum * | sha256sum`.
    """
    return {place.name: _digest(place) for place in _versions()}


def _digest(place: Path) -> str:
    lines = (
        f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted(place.iterdir())
    )
    return sha256("".join(lines).encode()).hexdigest()


def _versions() -> list[Path]:
    """The versions' directories, from the first to the newest."""
    return sorted(each for each in VERSIONS.glob("[0-9]*") if each.is_dir())


def released() -> dict[str, dict[str, str]]:
    """Of each released version: its release, and the digests of its files and its objects."""
    return {
        file.stem: json.loads(file.read_bytes()) for file in sorted(VERSIONS.glob("[0-9]*.json"))
    }


def missing_after(version: str | None) -> list[Path]:
    """The directories of the versions after this one; None: all."""
    return [place for place in _versions() if place.name > (version or "")]


def ensure_version(connection: "psycopg.Connection[Any]") -> None:
    """Makes the table with the schema's versions, still empty, if it does not exist."""
    from psycopg.errors import DuplicateTable, UniqueViolation

    with suppress(DuplicateTable, UniqueViolation):  # another process was faster
        connection.execute(_VERSION)


def walk(connection: "psycopg.Connection[Any]", version: str | None) -> None:
    """Runs the files of every version after this one (None: all), with the login's rights."""
    for place in missing_after(version):
        for file in sorted(place.glob("*.sql")):
            connection.execute(file.read_bytes())
            connection.execute("SET ROLE NONE")


def note(
    connection: "psycopg.Connection[Any]", version: str | None, but: set[inventory.Key]
) -> None:
    """Writes which versions were made after this one, and what is there now."""
    inventory.write(connection, but)
    for place in missing_after(version):
        row = (place.name, digests()[place.name], _serves(place), VERSION)
        connection.execute(_MADE, row)


def _serves(place: Path) -> str:
    """From which version on a program may work with this one: the one before, if none is named."""
    named = place / SERVES
    if named.exists():
        return named.read_text().strip()
    names = [each.name for each in _versions()]
    return names[max(0, names.index(place.name) - 1)]
