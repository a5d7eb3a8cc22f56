"""How far a house's log is counted, and the rows that the next events will change.

In a file of SQLite beside the log, which can be made anew from it. What is in it is there up to one
event, and so the facts in Parquet count up to that event, too.
"""

import fcntl
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from domain.rules.wording import plain
from projections.rows import Page, Row, Table, Value, Wanted

PATIENCE = 60.0  # seconds, while another process writes


class Counted(Struct, frozen=True):
    """Up to which event a house is counted, that event's hash, and by which shapes of rows.

    `stopped`: why the next event cannot be counted.
    """

    position: int = 0
    hash: str = ""
    shape: str = ""
    stopped: str = ""


_TABLES = """
CREATE TABLE IF NOT EXISTS counted (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), it TEXT);
CREATE TABLE IF NOT EXISTS settings (position INTEGER PRIMARY KEY, topic TEXT, state BLOB);
"""


class Folded:
    """The file, open. Nothing is in it before `commit`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._made: set[Table[Any]] = set()

    @property
    def counted(self) -> Counted:
        """How far the house is counted."""
        row = self._connection.execute("SELECT it FROM counted").fetchone()
        return msgspec.json.decode(row[0], type=Counted) if row else Counted()

    def note(self, counted: Counted) -> None:
        """Writes how far it is."""
        encoded = msgspec.json.encode(counted).decode()
        self._connection.execute("INSERT OR REPLACE INTO counted VALUES (1, ?)", (encoded,))

    def commit(self) -> None:
        """Puts everything on disk, and goes on."""
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN IMMEDIATE")

    def clear(self) -> None:
        """Removes everything: the house is counted from its first event again."""
        names = self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (name,) in names.fetchall():
            self._connection.execute(f'DROP TABLE "{name}"')
        self._made.clear()
        for each in _TABLES.split(";\n"):
            self._connection.execute(each)

    def add_setting(self, position: int, topic: str, state: bytes) -> None:
        """Adds an event of the house's settings."""
        row = position, topic, state
        self._connection.execute("INSERT INTO settings VALUES (?, ?, ?)", row)

    def settings(self, position: int) -> list[tuple[str, bytes]]:
        """The topic and the state of each event of the house's settings, up to a position."""
        rows = self._connection.execute(
            "SELECT topic, state FROM settings WHERE position <= ? ORDER BY position", (position,)
        )
        return rows.fetchall()

    def load(self, wanted: Wanted) -> Iterator[tuple[Page[Any], list[Any]]]:
        """The rows of these pages."""
        for page, values in wanted.items():
            self._make(page.table)
            asked = " AND ".join(f'"{each}" IS ?' for each in page.columns)
            sql = f'SELECT row FROM "{page.table.name}" WHERE {asked}'  # noqa: S608
            decode = msgspec.json.Decoder(page.table.kind).decode
            yield (
                page,
                [
                    decode(row)
                    for value in values
                    for (row,) in self._connection.execute(sql, _as_text(value))
                ],
            )

    def write(self, table: Table[Any], rows: Mapping[Value, Row | None]) -> None:
        """Writes the rows of a table by their keys; None removes one."""
        self._make(table)
        columns = _indexed(table)
        removed = " AND ".join(f'"{each}" IS ?' for each in table.key)
        self._connection.executemany(
            f'DELETE FROM "{table.name}" WHERE {removed}',  # noqa: S608
            [_as_text(key) for key, row in rows.items() if row is None],
        )
        places = ", ".join("?" * (len(columns) + 1))
        self._connection.executemany(
            f'INSERT OR REPLACE INTO "{table.name}" VALUES ({places})',  # noqa: S608
            [
                (
                    *_as_text(getattr(row, each) for each in columns),
                    msgspec.json.encode(row, enc_hook=plain).decode(),
                )
                for row in rows.values()
                if row is not None
            ],
        )

    def _make(self, table: Table[Any]) -> None:
        """Makes the table for rows of a table, unless it is there."""
        if table in self._made:
            return
        columns = ", ".join(f'"{each}" TEXT' for each in _indexed(table))
        key = ", ".join(f'"{each}"' for each in table.key)
        self._connection.execute(
            f'CREATE TABLE IF NOT EXISTS "{table.name}" ({columns}, row TEXT NOT NULL,'
            f" PRIMARY KEY ({key})) WITHOUT ROWID"
        )
        for n, page in enumerate(table.pages):
            by = ", ".join(f'"{each}"' for each in page.columns)
            self._connection.execute(
                f'CREATE INDEX IF NOT EXISTS "{table.name}_{n}" ON "{table.name}" ({by})'
            )
        self._made.add(table)


def _indexed(table: Table[Any]) -> list[str]:
    """The columns by which rows are asked for."""
    asked = (column for page in table.pages for column in page.columns)
    return [*dict.fromkeys((*table.key, *asked))]


def _as_text(values: Iterable[object]) -> tuple[str | None, ...]:
    return tuple(None if each is None else str(each) for each in values)


@contextmanager
def counting(file: Path) -> Iterator[Folded]:
    """The file, for one process alone. What was not committed is as if it had not been."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.with_suffix(".lock").open("wb") as held, _open(file) as connection:
        fcntl.flock(held, fcntl.LOCK_EX)
        connection.execute("BEGIN IMMEDIATE")
        yield Folded(connection)
        connection.execute("COMMIT")


@contextmanager
def reading(file: Path) -> Iterator[Folded]:
    """The file, for reading."""
    with _open(file) as connection:
        yield Folded(connection)


@contextmanager
def _open(file: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        for each in _TABLES.split(";\n"):
            connection.execute(each)
        yield connection
