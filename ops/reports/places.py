"""The place of each row of a report: the values that its list is sorted by."""

import re
from typing import NamedTuple

from msgspec.structs import replace

from projections import Report

PLACE, DAY = "sorted_by", "of_day"  # the names of their column, and of that of the gaming day
_WORDS = re.compile(r"'[^']*'|--[^\n]*|[()]|\b(?:FROM|ORDER BY)\b")
_COMMA = re.compile(r",\s*(?![^()]*\))")  # outside of parentheses


class Sorted(NamedTuple):
    """A report's SQL in parts, and the expressions by which its rows rise."""

    columns: str
    source: str  # from FROM on, without the order
    order: str
    keys: list[str]


def sorted_parts(report: Report) -> Sorted:
    """The report's SQL in parts; a report without an order has one row."""
    outside = _outside_parentheses(report.sql)
    beside, order = outside["FROM"], outside.get("ORDER BY", len(report.sql))
    keys = report.sql[order:].removeprefix("ORDER BY") or "0"
    rising = re.sub(r"(\w+) DESC", r"-\1", keys).strip()
    sql = report.sql
    return Sorted(sql[:beside], sql[beside:order], sql[order:], _COMMA.split(rising))


def with_places(report: Report) -> Report:
    """The report with one more column, the last: the place of each row, as a list."""
    parts = sorted_parts(report)
    place = f"json_build_array({', '.join(parts.keys)}) AS {PLACE}"
    sql = f"{parts.columns}, {place}\n  {parts.source}{parts.order}"
    return replace(report, sql=sql, columns=(*report.columns, PLACE))


def _outside_parentheses(sql: str) -> dict[str, int]:
    """Where the last FROM and the last ORDER BY begin that are in no parentheses."""
    depth, places = 0, {}
    for word in _WORDS.finditer(sql):
        depth += {"(": 1, ")": -1}.get(word.group(), 0)
        if not depth:
            places[word.group()] = word.start()
    return places
