"""A report's rows for an export, each column with its type in the database."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ops.reports.ask import ReportAnswer
from ops.reports.export.files import Column, Content, Kind, ledger_at
from ops.reports.stored import IN_WORDS
from projections import Report

if TYPE_CHECKING:
    import psycopg

_KINDS: dict[int, Kind] = {  # by PostgreSQL's numbers of types
    16: "truth",
    20: "count",
    21: "count",
    23: "count",
    1082: "day",
    1184: "moment",
    1700: "decimal",
    114: "json",
    3802: "json",
}
_EXACT = ("accrued", "rounding", "commission_exact")  # amounts that may have a fraction
_NARROWING = re.compile(r"%\((\w+)\)s")


def rows(
    connection: "psycopg.Connection[Any]", answer: ReportAnswer, asked: Mapping[str, str | None]
) -> Content:
    """A report's rows under the column keys, each row with the currency."""
    names = answer.report.columns
    values = [(*(row[name] for name in names), *answer.beside.values()) for row in answer.rows]
    columns = [
        *(
            _with_values(column, [row[n] for row in values])
            for n, column in enumerate(columns_of(connection, answer.report))
        ),
        *(Column(name, "text") for name in answer.beside),
    ]
    asked_for: dict[str, object] = {
        "what": "report",
        "report": answer.report.name,
        "range": asked,
        "as_of": answer.as_of,
        "property": answer.house.name,
        "currency": answer.house.currency,
    }
    at = ledger_at(connection, answer.position)
    return Content(answer.report.name, asked_for, at, columns, [values])


def columns_of(connection: "psycopg.Connection[Any]", report: Report) -> list[Column]:
    """The columns with the types that the database gives; reads no row."""
    nothing = dict.fromkeys(_NARROWING.findall(report.sql))
    asked = connection.execute(f"SELECT * FROM ({report.sql}) AS asked LIMIT 0", nothing)  # noqa: S608
    assert asked.description is not None
    return [
        Column(name, _kind(report, name, described.type_code))
        for name, described in zip(report.columns, asked.description, strict=True)
    ]


def _kind(report: Report, name: str, type_code: int) -> Kind:
    if name in (*_EXACT, *report.exact):
        return "decimal"
    if name in IN_WORDS:
        return "text"
    return "money" if name in report.money else _KINDS.get(type_code, "text")


def _with_values(column: Column, values: list[Any]) -> Column:
    """The column; money by spot has several amounts."""
    several = any(isinstance(value, dict | list) for value in values)
    return Column(column.name, "json") if several else column
