"""Tables that deal slower or faster than their rules want, over a whole hour without a pause.

A table without a coup for the idle minutes is not judged: it has the alert `no coup`. A table day
has one such alert, from when its pace was too slow or too fast until it is right again.
"""

from collections.abc import Iterable, Iterator

from msgspec import to_builtins

from domain.rules.house_rules import of
from ops.board.reading import TableOfTheDay
from ops.board.rows import Alert
from projections.attention.alerts import TOO_FAST, TOO_SLOW
from projections.ranks import RANKS


def paces(tables: Iterable[TableOfTheDay]) -> Iterator[Alert]:
    """The alerts of open tables whose pace is not the one that is wanted."""
    for each in tables:
        if kind := _kind(each):
            yield _alert(each, kind)


def _kind(row: TableOfTheDay) -> str:
    """What is wrong with the pace of a table, or ''."""
    pace = row.hands_per_hour
    if row.closed_at or not row.steady or pace is None:
        return ""
    wanted = of(row.rules, row.rules_digest).pace
    if wanted is None or wanted.slowest <= pace <= wanted.fastest:
        return ""
    return TOO_SLOW if pace < wanted.slowest else TOO_FAST


def _alert(row: TableOfTheDay, kind: str) -> Alert:
    wanted = to_builtins(of(row.rules, row.rules_digest).pace)
    return Alert(
        day=row.gaming_day.isoformat(),
        table=row.table_code,
        kind=kind,
        alert=f"{kind.replace(' ', '-')}/{row.table_code}/{row.gaming_day}",
        detail={"hands_per_hour": row.hands_per_hour, **wanted},
        gravity="notable",
        rank=RANKS[kind],
        acknowledgeable=False,
    )
