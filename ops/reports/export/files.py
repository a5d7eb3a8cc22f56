"""Rows for other programs: a directory with a file of CSV or Parquet, and a manifest.

Neither contains the moment at which it was made, so the same rows at the same position make the
same bytes. The directory appears only when both files are complete: they are written in another
one, which is then renamed.
"""

import csv
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import asdict

from ops import VERSION
from ops.ledger.chain import GENESIS
from ops.ledger.files import to_disk
from ops.ledger.reading import hash_at
from ops.words.csv_cells import GUARD, guarded
from ops.words.failure import Failure

if TYPE_CHECKING:
    import psycopg

Format = Literal["csv", "parquet"]
Kind = Literal["text", "money", "count", "decimal", "moment", "day", "truth", "json"]
Row = tuple[Any, ...]
MANIFEST = "manifest.json"
_GROUP = 20_000  # rows in memory at once, which Parquet keeps together
_SMALLEST, _LARGEST = -(2**63), 2**63 - 1


class Unwritable(Failure):
    """{column} has {value}, which is no number of 64 bits: take --format csv."""

    def __init__(self, column: str, value: object) -> None:
        super().__init__((type(self).__doc__ or "").format(column=column, value=value))


class ParquetMissing(Failure):
    """Parquet needs pyarrow, which is not installed: run `pip install 'sabot[parquet]'`, or take --format csv."""  # noqa: E501

    def __init__(self) -> None:
        super().__init__(type(self).__doc__)


class Column(Struct, frozen=True):
    """A column, with the kind of its values."""

    name: str
    kind: Kind

    @property
    def type(self) -> str:
        """The column's Parquet type."""
        return _TYPES.get(self.kind, "string")

    def as_dict(self) -> dict[str, str]:
        """The column as in the manifest."""
        return {"name": self.name, "type": self.type, "holds": _HOLDS[self.kind]}


_TYPES = {
    "money": "int64",
    "count": "int64",
    "moment": "timestamp[us, UTC]",
    "day": "date",
    "truth": "bool",
}
_HOLDS = {
    "text": "text",
    "money": "minor units of the currency",
    "count": "a number",
    "decimal": "an exact number; of money, in minor units",
    "moment": "a moment",
    "day": "a gaming day",
    "truth": "true or false",
    "json": "JSON",
}


class LedgerAt(Struct, frozen=True):
    """A position of the ledger with its hash, which covers every event up to there."""

    position: int
    head: str


class Content(Struct, frozen=True):
    """An export: `asked` and `ledger` open the manifest, `at_the_end` completes it."""

    name: str
    asked: dict[str, object]
    ledger: LedgerAt
    columns: list[Column]
    rows: Iterable[list[Row]]  # in groups
    at_the_end: Callable[[], dict[str, object]] = dict


class Written(Struct, frozen=True):
    """An export that was written: the name of its file, its rows, and its manifest."""

    file: str
    rows: int
    manifest: dict[str, object]


def write(content: Content, place: Path, form: Format, flush: Callable[[], object]) -> Written:
    """Writes `place`, a new or empty directory.

    `flush`: waits until all that was read is on the ledger's own disk. Raises Unwritable,
    ParquetMissing, OSError.
    """
    with _whole(place) as beside:
        file = beside / f"{content.name}.{form}"
        count = 0
        with _WRITERS[form](file, content.columns) as add:
            for piece in content.rows:
                add(piece)
                count += len(piece)
        with file.open("rb") as written:
            digest = hashlib.file_digest(written, "sha256").hexdigest()
        manifest = {
            **content.asked,
            **asdict(content.ledger),
            **content.at_the_end(),
            "rows": count,
            "columns": [column.as_dict() for column in content.columns],
            **({"guard": GUARD} if form == "csv" else {}),
            "file": file.name,
            "bytes": file.stat().st_size,
            "sha256": digest,
            "sabot": VERSION,
        }
        text = json.dumps(manifest, ensure_ascii=False, indent=2)
        (beside / MANIFEST).write_text(f"{text}\n", encoding="utf-8")
        flush()
    return Written(file.name, count, manifest)


def ledger_at(connection: "psycopg.Connection[Any]", position: int) -> LedgerAt:
    """A position of the ledger with its hash."""
    return LedgerAt(position, hash_at(connection, position) or GENESIS.hex())


@contextmanager
def _whole(place: Path) -> Iterator[Path]:
    """A second directory, renamed to `place` if all goes well and removed otherwise."""
    place = place.resolve()
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise FileExistsError(0, "it is there already, and not empty")
    beside = place.with_name(f".{place.name}.{os.getpid()}.part")
    beside.mkdir()
    try:
        yield beside
        for each in (*beside.iterdir(), beside):
            to_disk(each)
        beside.replace(place)
        to_disk(place.parent)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


_Add = Callable[[list[Row]], None]


@contextmanager
def _csv_file(path: Path, columns: list[Column]) -> Iterator[_Add]:
    """Writes the rows as `--csv` prints them."""
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow([column.name for column in columns])
        made = [n for n, column in enumerate(columns) if column.kind in _MADE]

        def add(piece: list[Row]) -> None:
            for row in piece:
                cells = list(row)
                for n in made:
                    cells[n] = _cell(cells[n])
                out.writerow(map(guarded, cells))

        yield add


_MADE = ("moment", "day", "truth", "json")  # CSV has all other kinds unchanged


def _cell(value: object) -> object:
    if isinstance(value, list | dict | bool):
        return json.dumps(value, ensure_ascii=False)
    return value.isoformat() if isinstance(value, date) else value  # includes datetime


@contextmanager
def _parquet_file(path: Path, columns: list[Column]) -> Iterator[_Add]:
    """Writes typed and compressed columns, in groups of rows."""
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError as error:
        raise ParquetMissing from error

    types = {
        "string": pa.string(),
        "int64": pa.int64(),
        "timestamp[us, UTC]": pa.timestamp("us", tz="UTC"),
        "date": pa.date32(),
        "bool": pa.bool_(),
    }
    schema = pa.schema([(column.name, types[column.type]) for column in columns])
    waiting: list[Row] = []

    def group(rows: list[Row]) -> None:
        values = zip(*rows, strict=True)
        arrays = [
            pa.array(map(partial(_typed, column), each), type=field.type)
            for column, field, each in zip(columns, schema, values, strict=True)
        ]
        writer.write_batch(pa.record_batch(arrays, schema=schema))

    def add(piece: list[Row]) -> None:
        waiting.extend(piece)
        while len(waiting) >= _GROUP:
            group(waiting[:_GROUP])
            del waiting[:_GROUP]

    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        yield add
        if waiting:
            group(waiting)


_WRITERS: dict[Format, Callable[[Path, list[Column]], AbstractContextManager[_Add]]] = {
    "csv": _csv_file,
    "parquet": _parquet_file,
}


def _typed(column: Column, value: Any) -> Any:
    """A plain value, converted to the column's Parquet type."""
    if value is None:
        return None
    match column.type:
        case "int64":
            if isinstance(value, int) and _SMALLEST <= value <= _LARGEST:
                return value
            raise Unwritable(column.name, value)
        case "timestamp[us, UTC]":
            moment = datetime.fromisoformat(value) if isinstance(value, str) else value
            return moment.astimezone(UTC)
        case "date":
            return date.fromisoformat(value) if isinstance(value, str) else value
        case "bool":
            return value
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
