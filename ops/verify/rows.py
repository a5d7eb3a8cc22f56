"""Rows of the ledger as the server sends them in binary, in order, without decoding them.

Four bytes before each column have its length, as in the canonical form.
"""

import select
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, LiteralString

if TYPE_CHECKING:
    import psycopg

_HEADER = 19  # bytes before the first row
_END = 2  # bytes after the last row
_LENGTH = 4  # bytes before each column


def binary_rows(
    connection: "psycopg.Connection[Any]", query: LiteralString, after: int, until: int
) -> Iterator[bytes]:
    """The rows of a query; two bytes before each have its number of columns.

    The query takes two numbers. No cursor of psycopg is used: that takes longer for a row than
    hashing it does.
    """
    from psycopg.errors import error_from_result
    from psycopg.pq import ExecStatus

    server = connection.pgconn
    copy = f"COPY ({query.format(after=after, until=until)}) TO STDOUT (FORMAT binary)"
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
