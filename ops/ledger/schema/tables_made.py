"""The columns and indexes of projections' tables, compared with those of tables made for a moment.

The tables are made as this program declares them, for this session only, and taken back. Of a
projection whose live rows are of another program, or that is not made yet, nothing is compared.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ops.ledger.schema.inventory import Difference
from projections import PROJECTIONS, Projection
from projections.model import squeezed

if TYPE_CHECKING:
    import psycopg

_LIVE = "SELECT projection, live_shape FROM projections.declared"
_COLUMNS = """
    SELECT format('%%s.%%s', relname, attname),
           format('%%s %%s %%s', format_type(atttypid, atttypmod), attnotnull,
                  pg_get_expr(adbin, adrelid))
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE relnamespace = %(place)s::regnamespace AND relname = ANY(%(tables)s)
       AND attnum > 0 AND NOT attisdropped
"""
_INDEXES = """
    SELECT each.relname, regexp_replace(pg_get_indexdef(each.oid), ' ON [^ ]+ ', ' ON ')
      FROM pg_index JOIN pg_class AS each ON each.oid = indexrelid
      JOIN pg_class AS of ON of.oid = indrelid
     WHERE of.relnamespace = %(place)s::regnamespace AND of.relname = ANY(%(tables)s)
"""
_KINDS = {"column": _COLUMNS, "index": _INDEXES}


def differences(connection: "psycopg.Connection[Any]") -> list[Difference]:
    """What of the live tables is not as it was made; nothing where that cannot be compared."""
    import psycopg

    live = dict(connection.execute(_LIVE).fetchall())
    compared = [
        each for each in PROJECTIONS.values() if each.tables and live.get(each.name) == each.shape
    ]
    try:
        with connection.transaction(force_rollback=True):
            return sorted(_compared(connection, compared))
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction):
        return []


def _compared(
    connection: "psycopg.Connection[Any]", compared: list[Projection]
) -> Iterator[Difference]:
    connection.execute("SET LOCAL search_path = pg_temp, pg_catalog")
    for each in compared:
        connection.execute(squeezed(each.schema))
    connection.execute("SET LOCAL search_path = pg_catalog")
    tables = [table for each in compared for table in each.tables]
    row = connection.execute("SELECT pg_my_temp_schema()::regnamespace::text").fetchone()
    made_in = row[0] if row else ""
    for kind, statement in _KINDS.items():
        made, live = (
            dict(connection.execute(statement, {"place": place, "tables": tables}).fetchall())
            for place in (made_in, "projections")
        )
        for name in made.keys() | live.keys():
            if made.get(name) != live.get(name):
                only_there = "added" if name not in made else "changed"
                fault = "missing" if name not in live else only_there
                yield Difference(kind, f"projections.{name}", fault)
