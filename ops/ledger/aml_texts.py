"""What people wrote in cases of money laundering: stored beside the record, never in an event.

The event of a text has its seal as its digest, as that of a patron's file has (`patron_files`).
"""

import secrets
from typing import TYPE_CHECKING, Any

from ops.ledger.appending import Statement
from ops.ledger.row_seals import AML_TEXT, seal_of
from ops.ledger.secrets import digest

if TYPE_CHECKING:
    import psycopg


def named(aml_case: str, number: int) -> str:
    """A text's name: the case, and its number there."""
    return f"{aml_case}/{number}"


def stored_texts(connection: "psycopg.Connection[Any]", aml_case: str) -> dict[int, str]:
    """The texts of a case as they are stored, by their numbers."""
    rows = connection.execute(
        "SELECT name, content FROM people.aml_texts WHERE name LIKE %s", (f"{aml_case}/%",)
    ).fetchall()
    return {int(name.rpartition("/")[2]): content for name, content in rows}


def save_text(name: str, content: str) -> tuple[Statement, str]:
    """The statement that stores a text, and the digest of it for the record."""
    salt = secrets.token_hex(16)
    seal = seal_of(AML_TEXT, name, digest(salt + content))
    statement: Statement = (
        "INSERT INTO people.aml_texts (name, content, salt, seal) VALUES (%s, %s, %s, %s) "
        "ON CONFLICT (name) DO NOTHING",  # then somebody else was first
        (name, content, salt, seal),
    )
    return statement, seal.hex()
