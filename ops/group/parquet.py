"""Facts as Parquet: a file for each house, kind and month, in directories that any engine reads.

The sums of a month's facts, row by row, are in a file of their own, whose name has the last event
that is in them. A question about all of a month reads those few rows in place of all its facts.

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

from ops.group.facts import DAY, POSITION, Fact, Kind
from ops.ledger.files import data_home, write_whole
from ops.words.failure import Failure

FACTS = "facts.parquet"
VIEW, SUMS = "group-view", "group-sums"  # directories in a home


class WithoutParquet(Failure):
    """Reports of a group need DuckDB and pyarrow, which are not installed: run `pip install 'sabot[group]'`."""  # noqa: E501

    def __init__(self) -> None:
        super().__init__(type(self).__doc__)


def place_of(kind: str, house: str, view: str = VIEW) -> Path:
    """The directory of a house's facts of a kind, or of their sums."""
    return data_home() / view / kind / f"property={house}"


def month_of(day: date) -> str:
    """The month of a gaming day, as its file is called."""
    return f"{day:%Y-%m}"


def clear(kind: str, house: str) -> None:
    """Removes a house's facts of a kind, and before them their sums."""
    for view in (SUMS, VIEW):
        if (place := place_of(kind, house, view)).exists():
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
        file = place_of(kind.name, house) / f"month={month}" / FACTS
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
        _write(file, table)
        _write_sums(kind, place_of(kind.name, house, SUMS) / file.parent.name, table)


def _write_sums(kind: Kind, place: Path, table: Any) -> None:
    """Writes the sums of a month's facts, under a name that has their last event."""
    names, numbers = [DAY, *kind.names], [*kind.numbers]
    summed = table.group_by(names).aggregate([(each, "sum") for each in numbers])
    columns = summed.select([*names, *(f"{each}_sum" for each in numbers)])
    last = table[POSITION][-1].as_py()
    before = _sums_in(place)
    _write(place / f"{last}.parquet", columns.rename_columns([*names, *numbers]))
    for until, old in before.items():
        if until != last:
            old.unlink()


def file_of(kind: str, house: str, month: str, position: int) -> tuple[Path, bool]:
    """The file that answers for a month up to an event, and whether it has sums.

    The newest sums do, if nothing in them came after that event; else the facts, of which those
    after it are left out.
    """
    sums = _sums_in(place_of(kind, house, SUMS) / month)
    until = max(sums, default=position + 1)
    if until <= position:
        return sums[until], True
    return place_of(kind, house) / month / FACTS, False


def _sums_in(month: Path) -> dict[int, Path]:
    """The files of sums of a month, by the last event that is in each."""
    return {int(each.stem): each for each in month.glob("[0-9]*.parquet")}


def _write(file: Path, table: Any) -> None:
    content = io.BytesIO()
    _arrow()[1].write_table(table, content, compression="zstd")
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, content.getvalue())


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError as error:
        raise WithoutParquet from error
    return pa, parquet
