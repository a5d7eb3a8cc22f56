"""What the meters of the pit are at, once each, however many tables feed it (R-PROG-1)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from domain.rules.house_rules import of
from ops.board.reading import TableOfTheDay
from ops.board.rows import MeterNow

if TYPE_CHECKING:
    from decimal import Decimal

    import psycopg

_LAST = """
    SELECT meter, closing FROM progressives JOIN progressives_last USING (meter, gaming_day)
     WHERE meter = ANY(%s)
"""


def meters_of(
    connection: "psycopg.Connection[Any]", tables: Iterable[TableOfTheDay]
) -> list[MeterNow]:
    """The meters that the open tables among these feed, by name."""
    terms = {
        each.address(spot, row.table_code, rules.currency): each
        for row in tables
        if row.closed_at is None
        for rules in [of(row.rules, row.rules_digest)]
        for spot, each in rules.progressives.items()
    }
    inside: Mapping[str, Decimal] = {}
    if terms:
        inside = dict(connection.execute(_LAST, (list(terms),)).fetchall())
    return [
        MeterNow(meter, int(each.payable(Fraction(inside.get(meter, each.seed))) // 1))
        for meter, each in sorted(terms.items())
    ]
