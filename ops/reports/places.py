"""The place of each row of a report: the values that its list is sorted by."""

import re

from msgspec.structs import replace

from projections import Report

PLACE = "sorted_by"  # the name of their column
_WORDS = re.compile(r"'[^']*'|--[^\n]*|[()]|\b(?:FROM|ORDER BY)\b")


def with_places(report: Report) -> Report:
    """The report with one more column, the last: the place of each row, as a list."""
    outside = _outside_parentheses(report.sql)
    order, beside = outside.get("ORDER BY"), outside["FROM"]
    keys = report.sql[order:].removeprefix("ORDER BY") if order else "0"  # it has one row
    rising = re.sub(r"(\w+) DESC", r"-\1", keys).strip()
    sql = report.sql
    sql = f"{sql[:beside]}, json_build_array({rising}) AS {PLACE}\n  {sql[beside:]}"
    return replace(report, sql=sql, columns=(*report.columns, PLACE))


def _outside_parentheses(sql: str) -> dict[str, int]:
    """Where the last FROM and the last ORDER BY begin that are in no parentheses."""
    depth, places = 0, {}
    for word in _WORDS.finditer(sql):
        depth += {"(": 1, ")": -1}.get(word.group(), 0)
        if not depth:
            places[word.group()] = word.start()
    return places
