"""Fills a new ledger with rows of another one, as they were recorded there; for its owner."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, LiteralString

from ops.ledger.chain import COLUMNS, COMMAND_COLUMNS

if TYPE_CHECKING:
    import psycopg

_EVENTS: LiteralString = f"COPY ledger.events ({COLUMNS}) FROM STDIN"
_ANSWERS: LiteralString = f"COPY ledger.commands ({COMMAND_COLUMNS}) FROM STDIN"


def copied_events(
    connection: "psycopg.Connection[Any]", groups: Iterable[list[Any]]
) -> Iterator[list[Any]]:
    """Each group of events, once it is in the ledger."""
    return _copied(connection, _EVENTS, COLUMNS.split(", "), groups)


def copied_answers(
    connection: "psycopg.Connection[Any]", groups: Iterable[list[Any]]
) -> Iterator[list[Any]]:
    """Each group of commands with their answers, once it is there."""
    return _copied(connection, _ANSWERS, COMMAND_COLUMNS.split(", "), groups)


def _copied(
    connection: "psycopg.Connection[Any]",
    statement: LiteralString,
    columns: list[str],
    groups: Iterable[list[Any]],
) -> Iterator[list[Any]]:
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for rows in groups:
            for row in rows:
                copy.write_row([getattr(row, name) for name in columns])
            yield rows
