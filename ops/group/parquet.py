"""Facts as Parquet: a file for each house, kind and month, in directories that any engine reads.

A file may have facts of events after the one up to which its house is counted: a count was killed
before it was done. They are left out by everybody who reads, and replaced by the next count.
"""

import io
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from shutil import rmtree
from typing import Any

from ops.group.facts import DAY, Fact, Kind
from ops.ledger.files import data_home, write_whole
from ops.words.failure import Failure


class WithoutParquet(Failure):
    """Reports of a group need DuckDB and pyarrow, which are not installed: run `pip install 'sabot[group]'`."""  # noqa: E501

    def __init__(self) -> None:
        super().__init__(type(self).__doc__)


def place_of(kind: str, house: str) -> Path:
    """The directory of a house's facts of a kind."""
    return data_home() / "group-view" / kind / f"property={house}"


def month_of(day: date) -> str:
    """The month of a gaming day, as its file is called."""
    return f"{day:%Y-%m}"


def clear(kind: str, house: str) -> None:
    """Removes a house's facts of a kind."""
    if (place := place_of(kind, house)).exists():
        rmtree(place)


def add(kind: Kind, house: str, after: int, facts: Sequence[Fact]) -> None:
    """Adds the facts of events after a position; those that are there already are replaced."""
    pa, parquet = _arrow()
    day = list(kind.columns).index(DAY)
    by_month: dict[str, list[Fact]] = defaultdict(list)
    for each in facts:
        by_month[month_of(each[day])].append(each)
    types = {
        "number": pa.int64(),
        "text": pa.string(),
        "day": pa.date32(),
        "moment": pa.timestamp("us", tz="UTC"),
    }
    schema = pa.schema([(name, types[holds]) for name, holds in kind.columns.items()])
    for month, added in by_month.items():
        file = place_of(kind.name, house) / f"month={month}" / "facts.parquet"
        columns = zip(*added, strict=True)
        arrays = [
            pa.array(each, type=field.type) for each, field in zip(columns, schema, strict=True)
        ]
        table = pa.table(arrays, schema=schema)
        if file.exists():
            before = parquet.read_table(
                file, filters=[("position", "<=", after)], partitioning=None
            )
            table = pa.concat_tables([before.cast(schema), table])
        content = io.BytesIO()
        parquet.write_table(table, content, compression="zstd")
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, content.getvalue())


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError as error:
        raise WithoutParquet from error
    return pa, parquet
