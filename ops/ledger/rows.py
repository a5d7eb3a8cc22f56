"""Rows of the ledger as the server sends them in binary, in order, without decoding them.

Four bytes before each column have its length, as in the canonical form.
"""

import select
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, LiteralString

if TYPE_CHECKING:
    import psycopg

# The columns in the order of the canonical form; then the place of a command, and the hash.
_EVENTS: LiteralString = (
    "SELECT command_id, actor, metadata, gaming_day, table_code, originator_id, originator_version,"
    " topic, state, position, recorded_at, hash"
    " FROM ledger.events WHERE position > {after} AND position <= {until} ORDER BY position"
)
_COMMANDS: LiteralString = (
    "SELECT command_id, content, answer, sent_at, seal, first_position, last_position,"
    " recorded_at, number, hash"
    " FROM ledger.commands WHERE number > {after} AND number <= {until} ORDER BY number"
)
POSITION, NUMBERED = 9, 8  # the columns that have a row's place
_HEADER = 19  # bytes before the first row
_END = 2  # bytes after the last row
_LENGTH = 4  # bytes before each column


def event_rows(connection: "psycopg.Connection[Any]", after: int, until: int) -> Iterator[bytes]:
    """The events of a range; two bytes before each have its number of columns."""
    return _rows(connection, _EVENTS.format(after=after, until=until))


def command_rows(connection: "psycopg.Connection[Any]", after: int, until: int) -> Iterator[bytes]:
    """The commands of a range, likewise."""
    return _rows(connection, _COMMANDS.format(after=after, until=until))


def _rows(connection: "psycopg.Connection[Any]", query: str) -> Iterator[bytes]:
    """The rows of a query, without a cursor of psycopg: it takes longer for a row than hashing."""
    from psycopg.errors import error_from_result
    from psycopg.pq import ExecStatus

    server = connection.pgconn
    copy = f"COPY ({query}) TO STDOUT (FORMAT binary)"
    result = server.exec_(copy.encode())
    if result.status != ExecStatus.COPY_OUT:
        raise error_from_result(result)
    header = _HEADER
    while True:
        size, row = server.get_copy_data(1)
        if size > header + _END:
            yield bytes(row)[header:]
            header = 0
        elif size == 0:  # nothing has arrived yet
            select.select([server.socket], [], [])
            server.consume_input()
        elif size < 0:
            break
    for ended in list(iter(server.get_result, None)):
        if ended.status != ExecStatus.COMMAND_OK:
            raise error_from_result(ended)


def columns(row: bytes) -> list[bytes | None]:
    """The columns of a row; None: it is NULL."""
    at, read = 2, list[bytes | None]()
    while at < len(row):
        length = int.from_bytes(row[at : at + _LENGTH], signed=True)
        at += _LENGTH
        read.append(row[at : at + length] if length >= 0 else None)
        at += max(length, 0)
    return read
