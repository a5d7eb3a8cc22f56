"""The values of a report on a page: as on a screen, and each moment to the minute with its day."""

from collections.abc import Collection
from datetime import datetime

from ops.reports import cells
from ops.reports.ask import ReportAnswer, Row
from ops.words import language
from ops.words.alerts import kind_name


def words_of(
    answer: ReportAnswer, name: str, row: Row, columns: Collection[str] | None = None
) -> str:
    """A value of a row; `columns`: those that are shown beside it, if not all of the row."""
    if name == "alert":
        return kind_name(row["kind"])
    return cells.words_of(answer, name, row, _at, columns)


def moment(value: str, *, with_day: bool) -> str:
    """A moment of the record: to the minute with its day, or to the second of a row's day."""
    return _at(datetime.fromisoformat(value), with_day)


def _at(at: datetime, with_day: bool) -> str:
    return language.minute(at) if with_day else language.clock(at)
