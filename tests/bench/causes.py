"""What the time of a question is: every statement that it sent, explained as it was sent.

PostgreSQL runs each statement once more for its explanation, in the same transaction, just before
the statement itself.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from msgspec import Struct
from psycopg import Cursor
from psycopg.rows import tuple_row

HEAD = (
    *("", "statements", "planned", "executed", "rows read", "of them dropped", "blocks"),
    "most rows are read by",
)
_EXPLAIN = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "
_READS = re.compile(r"\s*(?:SELECT|WITH)\b.*\bFROM\b(?!.*\b(?:set_config|pg_\w*lock\w*)\()", re.S)


class _Scan(Struct, frozen=True):
    """One reading of a table or an index."""

    rows: float
    dropped: float  # of those, by a filter
    how: str


class Cause(Struct, frozen=True):
    """A statement's explanation; milliseconds, and blocks of 8 KB."""

    planned: float
    executed: float
    blocks: int
    scans: list[_Scan]


def causes_of(work: Callable[[], object]) -> list[Cause]:
    """Explains what this work reads; the work itself is done once."""
    with _explaining() as causes:
        work()
    return causes


def row_of(name: str, causes: list[Cause]) -> tuple[str, ...]:
    """A line of the causes' table, see HEAD."""
    scans = [scan for each in causes for scan in each.scans]
    most = max(scans, key=lambda each: each.rows, default=None)
    return (
        name,
        f"{len(causes)}",
        f"{sum(each.planned for each in causes):.2f} ms",
        f"{sum(each.executed for each in causes):.2f} ms",
        f"{sum(each.rows for each in scans):,.0f}",
        f"{sum(each.dropped for each in scans):,.0f}",
        f"{sum(each.blocks for each in causes):,}",
        f"{most.how}, {most.rows:,.0f}" if most else "",
    )


@contextmanager
def _explaining() -> Iterator[list[Cause]]:
    causes: list[Cause] = []
    execute: Callable[..., Any] = Cursor.execute

    def explained(self: Cursor[Any], query: Any, params: Any = None, **how: Any) -> Any:
        if isinstance(query, str) and _READS.match(query):
            with suppress(psycopg.Error), self.connection.transaction():
                cursor = self.connection.cursor(row_factory=tuple_row)
                execute(cursor, _EXPLAIN + query, params)
                causes.append(_cause(cursor.fetchall()[0][0][0]))
        return execute(self, query, params, **how)

    Cursor.execute = explained  # type: ignore[method-assign]
    try:
        yield causes
    finally:
        Cursor.execute = execute  # type: ignore[method-assign]


def _cause(explained: dict[str, Any]) -> Cause:
    plan = explained["Plan"]
    planning = explained.get("Planning", {})
    return Cause(
        explained["Planning Time"],
        explained["Execution Time"],
        sum(_blocks(each) for each in (plan, planning)),
        list(_scans(plan)),
    )


def _blocks(buffers: dict[str, Any]) -> int:
    return sum(buffers.get(f"Shared {which} Blocks", 0) for which in ("Hit", "Read"))


def _scans(plan: dict[str, Any]) -> Iterator[_Scan]:
    loops = plan["Actual Loops"]
    if "Relation Name" in plan:
        by = f" by {plan['Index Name']}" if "Index Name" in plan else ""
        dropped = loops * plan.get("Rows Removed by Filter", 0)
        how = f"{plan['Node Type']} of {plan['Relation Name']}{by}"
        yield _Scan(loops * plan["Actual Rows"] + dropped, dropped, how)
    for each in plan.get("Plans", ()):
        yield from _scans(each)
