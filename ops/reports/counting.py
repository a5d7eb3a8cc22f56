"""Rows that are far behind are shown as they are, while another process counts the rest."""

import math
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from ops.ledger.database import Database
from ops.ledger.reading import head_of
from ops.reports.counted import Counted, counted_at
from ops.reports.rebuild import bring_up
from ops.words.failure import Failure
from projections import PROJECTIONS, Projection

if TYPE_CHECKING:
    import psycopg

FAR = 3_000  # events; fewer are counted while somebody waits
GIVES_WAY = 10  # by how much the counting gives way to the tables
_FURTHEST = """
    SELECT coalesce(reached.position, 0), reached.rate,
           bool_or(reached.position > 0) OVER ()
      FROM unnest(%s::text[]) AS name
      LEFT JOIN progress AS reached ON reached.projection = name
     WHERE reached.stopped_at IS NULL
     ORDER BY 1 LIMIT 1
"""


def far_behind(
    connection: "psycopg.Connection[Any]", projections: Iterable[Projection], zone: ZoneInfo
) -> Counted | None:
    """How far these are, if it takes long to count the rest; without those that stopped."""
    names = [each.name for each in projections]
    row = connection.execute(_FURTHEST, (names,)).fetchone()
    behind = head_of(connection) - row[0] if row else 0
    if row is None or behind <= FAR:
        return None
    position, rate, some = row
    seconds = math.ceil(behind / rate) if rate else None
    return replace(
        counted_at(connection, position, zone), goes_on=True, seconds=seconds, some=bool(some)
    )


def count(given: str | None, names: Sequence[str]) -> None:
    """Counts for these projections, in a process of its own; its status is 1 if it cannot."""
    import psycopg

    os.nice(GIVES_WAY)
    try:
        with Database(given).session("sabot_projector") as connection:
            connection.prepared_max = None
            bring_up(connection, *(PROJECTIONS[each] for each in names))
    except (Failure, psycopg.Error):  # whoever asks next waits for the rows, and sees why not
        sys.exit(1)
