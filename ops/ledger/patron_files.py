"""Patrons' files: stored beside the record, so that they can be erased.

The event that changes a file has its seal as its digest: it is made with the house's key and a
random number in the row. So nobody can try out what an erased file had in it.
"""

import secrets
from typing import TYPE_CHECKING, Any, LiteralString

from ops.ledger.appending import Statement
from ops.ledger.chain import Recorded
from ops.ledger.reading import recorded_where
from ops.ledger.row_seals import FILE, seal_of
from ops.ledger.secrets import digest

if TYPE_CHECKING:
    import psycopg

ERASE_FILE = "DELETE FROM people.patron_files WHERE patron = %s"
ERASE_NAME = "DELETE FROM people.patrons WHERE patron = %s"


def stored_file(connection: "psycopg.Connection[Any]", patron: str) -> str | None:
    """A patron's file as it is stored, or None if there is none."""
    row = connection.execute(
        "SELECT content FROM people.patron_files WHERE patron = %s", (patron,)
    ).fetchone()
    return row[0] if row else None


def stored_files(connection: "psycopg.Connection[Any]") -> dict[str, str]:
    """Every patron's file as it is stored, by patron."""
    return dict(connection.execute("SELECT patron, content FROM people.patron_files").fetchall())


def files_with_digits(connection: "psycopg.Connection[Any]", number: str) -> dict[str, str]:
    """The files that have the digits of a number in a row, whatever stands between, by patron."""
    digits = "".join(each for each in number if each in "0123456789")
    which = "regexp_replace(content, '[^0-9]', '', 'g') LIKE %s"
    rows = connection.execute(
        f"SELECT patron, content FROM people.patron_files WHERE {which}",  # noqa: S608
        (f"%{digits}%",),
    ).fetchall()
    return dict(rows)


def agents_by_file(connection: "psycopg.Connection[Any]", patron: str) -> list[str]:
    """Who plays on behalf of a patron, as the files say."""
    which = "content::jsonb ->> 'on_behalf_of' = %s AND patron <> %s ORDER BY patron"
    rows = connection.execute(
        f"SELECT patron FROM people.patron_files WHERE {which}",  # noqa: S608
        (patron, patron),
    ).fetchall()
    return [agent for (agent,) in rows]


def read_of_files(connection: "psycopg.Connection[Any]", after: int, until: int) -> list[Recorded]:
    """The events that have the digest of a file or of a case's text, or end it.

    Raises UnreadableEvent.
    """
    which: LiteralString = (
        "position > %s AND position <= %s AND topic IN ('patron-file.file-changed',"
        " 'patron-file.file-erased', 'aml-case.text-written') ORDER BY position"
    )
    return recorded_where(connection, which, (after, until))


def save_file(patron: str, content: str) -> tuple[Statement, str]:
    """The statement that stores a patron's file, and the digest of it for the record."""
    salt = secrets.token_hex(16)
    seal = seal_of(FILE, patron, digest(salt + content))
    statement: Statement = (
        "INSERT INTO people.patron_files (patron, content, salt, seal) VALUES (%s, %s, %s, %s) "
        "ON CONFLICT (patron) DO UPDATE "
        "SET content = excluded.content, salt = excluded.salt, seal = excluded.seal",
        (patron, content, salt, seal),
    )
    return statement, seal.hex()
