"""Rows that are far behind are shown as they are, while another process counts the rest.

One process, for whatever is asked for: those that are at one place read each event once, and what
is worked out once, such as the tables of odds, is there for the next time.
"""

import math
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from ops.ledger.database import Database
from ops.ledger.reading import head_of
from ops.reports.counted import Counted, counted_at
from ops.reports.follow import catch_up_or_drop
from ops.reports.runner import SLOW, positions_of
from ops.words.failure import Failure
from projections import PROJECTIONS, Projection

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    import psycopg

FAR = 500  # events; fewer are counted while somebody waits
GIVES_WAY = 10  # by how much the counting gives way to the tables
PIECE = 2_000  # events, after which whatever else was asked for comes in
LINGERS = 600.0  # seconds until the process ends, if nobody asks for anything
_FURTHEST = """
    SELECT coalesce(reached.position, 0), reached.rate,
           bool_or(reached.position > 0) OVER ()
      FROM unnest(%s::text[]) AS name
      LEFT JOIN progress AS reached ON reached.projection = name
     WHERE reached.stopped_at IS NULL
     ORDER BY 1 LIMIT 1
"""


def far_behind(
    connection: "psycopg.Connection[Any]",
    projections: Iterable[Projection],
    zone: ZoneInfo,
    far: int,
) -> Counted | None:
    """How far these are, if they are more than `far` events behind; without those that stopped."""
    names = [each.name for each in projections]
    row = connection.execute(_FURTHEST, (names,)).fetchone()
    behind = head_of(connection) - row[0] if row else 0
    if row is None or behind <= far:
        return None
    position, rate, some = row
    seconds = math.ceil(behind / rate) if rate else None
    return replace(
        counted_at(connection, position, zone), goes_on=True, seconds=seconds, some=bool(some)
    )


def count(given: str | None, asked: "Connection[Any, Any]") -> None:
    """Counts for the projections whose names come, in a process of its own.

    Sends None when none of them is behind any more. Its status is 1 if it cannot count.
    """
    import psycopg

    os.nice(GIVES_WAY)
    try:
        while asked.poll(LINGERS):
            with Database(given).session("sabot_projector") as connection:
                connection.prepared_max = None
                _count_for(connection, asked)
            asked.send(None)
    except (EOFError, BrokenPipeError):  # the server has ended
        return
    except (Failure, psycopg.Error):  # whoever asks next waits for the rows, and sees why not
        sys.exit(1)


def _count_for(connection: "psycopg.Connection[Any]", asked: "Connection[Any, Any]") -> None:
    """Counts until none is behind of what was asked for, also meanwhile; the slow ones last."""
    wanted: set[str] = set()
    stopped: set[str] = set()
    while True:
        while asked.poll():
            wanted |= set(asked.recv())
        going, head = wanted - stopped, head_of(connection)
        for names in (going - SLOW, going & SLOW):
            these = [PROJECTIONS[each] for each in sorted(names)]
            lowest = min(positions_of(connection, these).values(), default=head)
            if lowest < head:
                catch_up_or_drop(connection, these, stopped, until=lowest + PIECE)
                break
        else:
            return
