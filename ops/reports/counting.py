"""Rows that are far behind are shown as they are, while another process counts the rest.

One process, for whatever is asked for: those that are at one place read each event once, and what
is worked out once, such as the tables of odds, is there for the next time. It gives way to the
tables while much is missing; what little is missing somebody waits for, and it does not give way.
"""

import math
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
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

FAR = 500  # events; fewer are counted by whoever asks
FEW = 3_000  # events; as many are worth waiting for
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

    try:
        while asked.poll(LINGERS):
            with Database(given).session("sabot_projector") as connection, aside() as much:
                connection.prepared_max = None
                _count_for(connection, asked, much)
            asked.send(None)
    except (EOFError, BrokenPipeError):  # the server has ended
        return
    except (Failure, psycopg.Error):  # whoever asks next waits for the rows, and sees why not
        sys.exit(1)


def aside() -> ThreadPoolExecutor:
    """A thread that gives way; one cannot stop to give way, and priority is a thread's in Linux."""
    return ThreadPoolExecutor(1, initializer=os.nice, initargs=(GIVES_WAY,))


def _count_for(
    connection: "psycopg.Connection[Any]", asked: "Connection[Any, Any]", much: ThreadPoolExecutor
) -> None:
    """Counts until none is behind of what was asked for, also meanwhile; the slow ones last.

    `much`: counts where much is missing.
    """
    wanted: set[str] = set()
    stopped: set[str] = set()
    while True:
        while asked.poll():
            wanted |= set(asked.recv())
        if not _count_on(connection, wanted - stopped, stopped, much):
            return


def _count_on(
    connection: "psycopg.Connection[Any]",
    names: set[str],
    stopped: set[str],
    much: ThreadPoolExecutor,
) -> bool:
    """Counts a piece; False if none of these is behind."""
    head = head_of(connection)
    for some in (names - SLOW, names & SLOW):
        these = [PROJECTIONS[each] for each in sorted(some)]
        lowest = min(positions_of(connection, these).values(), default=head)
        if lowest < head:
            piece = partial(catch_up_or_drop, connection, these, stopped, until=lowest + PIECE)
            if head - lowest > FEW:
                much.submit(piece).result()
            else:
                piece()
            return True
    return False
