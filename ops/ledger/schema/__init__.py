"""The database schema as SQL: a directory for each version; its files run in order of name."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

VERSIONS = Path(__file__).parent / "versions"
_VERSION = """
    CREATE TABLE IF NOT EXISTS public.schema_version (version_num varchar(32) PRIMARY KEY)
"""


def head() -> str:
    """The newest version."""
    return _versions()[-1].name


def _versions() -> list[Path]:
    """The versions' directories, from the first to the newest."""
    return sorted(VERSIONS.glob("[0-9]*"))


def ensure_version(connection: "psycopg.Connection[Any]") -> None:
    """Makes the table with the schema's version, still empty, if it does not exist."""
    from psycopg.errors import DuplicateTable, UniqueViolation

    with suppress(DuplicateTable, UniqueViolation):  # another process was faster
        connection.execute(_VERSION)


def walk(connection: "psycopg.Connection[Any]", version: str | None) -> None:
    """Runs the files of every version after this one (None: all), with the login's rights."""
    for place in _versions():
        if place.name <= (version or ""):
            continue
        for file in sorted(place.glob("*.sql")):
            connection.execute(file.read_bytes())
            connection.execute("SET ROLE NONE")
        connection.execute("DELETE FROM public.schema_version")
        connection.execute("INSERT INTO public.schema_version VALUES (%s)", (place.name,))
