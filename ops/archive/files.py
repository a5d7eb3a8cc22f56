"""Rows of the record as Parquet: every column, in groups, and back again."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

from msgspec import Struct

from ops.ledger.chain import Answered, Recorded
from ops.words.failure import Failure

GROUP = 8_192  # rows that are kept together
Row = Recorded | Answered
Add = Callable[[Sequence[Row]], None]
_LEVEL = 9  # of compression: more takes much longer for little


class Kind(Struct, frozen=True):
    """Events, or commands with their answers: the columns of their rows and what each holds."""

    name: str
    row: type[Recorded] | type[Answered]
    columns: Mapping[str, str]


EVENTS = Kind(
    "events",
    Recorded,
    {
        "originator_id": "uuid",
        "originator_version": "number",
        "topic": "text",
        "state": "json",
        "position": "number",
        "recorded_at": "moment",
        "gaming_day": "day",
        "table_code": "text",
        "actor": "text",
        "command_id": "text",
        "metadata": "text",
        "hash": "digest",
    },
)
COMMANDS = Kind(
    "commands",
    Answered,
    {
        "command_id": "text",
        "content": "digest",
        "answer": "text",
        "sent_at": "moment",
        "seal": "digest",
        "first_position": "number",
        "last_position": "number",
        "recorded_at": "moment",
        "number": "number",
        "hash": "digest",
    },
)


class WithoutParquet(Failure):
    """The files of an archive need pyarrow, which is not installed: run `pip install 'sabot[parquet]'`."""  # noqa: E501

    def __init__(self) -> None:
        super().__init__(type(self).__doc__)


class Unreadable(Failure):
    """A file of an archive cannot be read as one."""


@contextmanager
def writing(path: Path, kind: Kind) -> Iterator[Add]:
    """Writes rows to a file, in the order in which they are added. Raises OSError."""
    pa, parquet = _arrow()
    types = _types(pa)
    schema = pa.schema([(name, types[holds]) for name, holds in kind.columns.items()])
    waiting: list[Row] = []

    def group(rows: Sequence[Row]) -> None:
        arrays = [
            pa.array([_packed(getattr(row, name), holds) for row in rows], type=types[holds])
            for name, holds in kind.columns.items()
        ]
        writer.write_batch(pa.record_batch(arrays, schema=schema))

    def add(rows: Sequence[Row]) -> None:
        waiting.extend(rows)
        while len(waiting) >= GROUP:
            group(waiting[:GROUP])
            del waiting[:GROUP]

    with parquet.ParquetWriter(
        path, schema, compression="zstd", compression_level=_LEVEL
    ) as writer:
        yield add
        if waiting:
            group(waiting)


def rows_in(path: Path, kind: Kind) -> Iterator[list[Any]]:
    """The rows of a file, group by group. Raises Unreadable, OSError."""
    pa, parquet = _arrow()
    try:
        with parquet.ParquetFile(path) as file:
            for number in range(file.num_row_groups):
                table = file.read_row_group(number, columns=list(kind.columns))
                columns = [
                    [_unpacked(value, holds) for value in table.column(name).to_pylist()]
                    for name, holds in kind.columns.items()
                ]
                yield [kind.row(*values) for values in zip(*columns, strict=True)]
    except (pa.ArrowException, KeyError, ValueError) as error:
        raise Unreadable(f"{path} cannot be read as Parquet: it is damaged.") from error


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError as error:
        raise WithoutParquet from error
    return pa, parquet


def _types(pa: Any) -> dict[str, object]:
    return {
        "text": pa.string(),
        "json": pa.string(),
        "number": pa.int64(),
        "moment": pa.timestamp("us", tz="UTC"),
        "day": pa.date32(),
        "uuid": pa.binary(16),
        "digest": pa.binary(32),
    }


def _packed(value: Any, holds: str) -> Any:
    if holds == "uuid":
        return value.bytes
    return value.decode() if holds == "json" else value


def _unpacked(value: Any, holds: str) -> Any:
    if holds == "uuid":
        return UUID(bytes=value)
    return value.encode() if holds == "json" else value
