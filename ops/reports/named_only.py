"""A report that compares people, as it is read: only the rows of those whom it names, unless asked.

JSON, CSV and Parquet have every row, with `named` in it.
"""

from msgspec.structs import replace

from domain.rules.wording import Words, counted
from ops.reports.ask import ReportAnswer
from ops.reports.narrowings import ALL_ROWS


def named_only(answer: ReportAnswer) -> ReportAnswer:
    """The answer without the rows that chance explains, and how many they are."""
    column = answer.report.named_in
    if not column or answer.narrowed.get("rows") == ALL_ROWS:
        return answer
    at = answer.report.columns.index(column)
    named = [row for row in answer.raw if row[at]["named"]]
    return replace(answer, raw=named, unnamed=len(answer.raw) - len(named))


def unnamed_words(answer: ReportAnswer) -> Words | None:
    """How many rows are left out; None: none is."""
    if not answer.unnamed:
        return None
    return counted(
        answer.unnamed,
        "{n} row is not shown: chance explains it.",
        "{n} rows are not shown: chance explains them.",
    )
