"""Reads the commands of the ledger, with their answers: the second chain."""

from typing import TYPE_CHECKING, Any

from ops.ledger.chain import COMMAND_COLUMNS, GENESIS, Answered

if TYPE_CHECKING:
    import psycopg


def read_answers(connection: "psycopg.Connection[Any]", after: int, until: int) -> list[Answered]:
    """The commands after one number until another, in order. Raises psycopg.DataError."""
    rows = connection.execute(
        f"SELECT {COMMAND_COLUMNS} FROM ledger.commands"  # noqa: S608
        " WHERE number > %s AND number <= %s ORDER BY number",
        (after, until),
        binary=True,
    )
    return [Answered(*row) for row in rows]


def answer_hash(connection: "psycopg.Connection[Any]", number: int) -> bytes:
    """The hash of a command, as the next one follows on it; b"" if it is missing."""
    if number == 0:
        return GENESIS
    row = connection.execute(
        "SELECT coalesce(hash, '') FROM ledger.commands WHERE number = %s LIMIT 1",
        (number,),
        binary=True,
    ).fetchone()
    return bytes(row[0]) if row else b""
