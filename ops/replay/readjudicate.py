"""Every coup of a range adjudicated again, from the ledger alone.

A range is done shoe by shoe: three short queries for a few shoes of a table day, all about the
record at the moment of the beginning. A coup whose events were altered and cannot be read counts as
a disagreement; it does not stop the others.
"""

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from domain.events import coup as coup_events
from domain.review.adjudication import Adjudicated
from domain.review.replay import Disagreement
from ops.ledger.database import Database, LedgerLost
from ops.ledger.reading import head_of
from ops.ledger.recorder import flush
from ops.replay.coup_record import adjudicated
from ops.replay.shoes_of_range import Range, ShoeToWalk, shoes_of

if TYPE_CHECKING:
    import psycopg

AT_ONCE = 4  # shoes of one table day
FEW = 100  # shoes; fewer are done before other processes have started
HALF_THE_CORES = max((os.cpu_count() or 2) // 2, 1)  # PostgreSQL has the other half


class Walked(Struct):
    """The result for some coups, with those that disagree by table day, shoe and number."""

    coups: int = 0
    open: int = 0
    voided: int = 0
    events: int = 0
    wagers: int = 0
    payments: int = 0
    cards: int = 0
    disagreeing: list[tuple[str, list[Disagreement]]] = field(default_factory=list)

    def add(self, other: "Walked") -> None:
        """Adds the result of other coups."""
        for name in ("coups", "open", "voided", "events", "wagers", "payments", "cards"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.disagreeing += other.disagreeing

    def count(self, coup: Adjudicated, events: int) -> None:
        """Counts one more coup."""
        self.coups += 1
        self.events += events
        replay = coup.replay
        if replay:
            self.open += replay.phase not in coup_events.OVER
            self.voided += replay.phase == "voided"
            self.wagers += len(replay.in_play)
            self.payments += len(replay.payments)
            self.cards += len(replay.dealt)
        if coup.disagreements:
            self.disagreeing.append((coup.coup, coup.disagreements))

    @property
    def ok(self) -> bool:
        """Whether every coup agrees."""
        return not self.disagreeing


def walk(
    database: Database,
    asked: Range,
    processes: int | None = None,
    begins: Callable[[int], None] = lambda _: None,
    done: Callable[[int], None] = lambda _: None,
) -> tuple[int, Walked]:
    """Adjudicates a range; returns the last position read, and the result.

    Any number of processes gives the same result. `begins` is called with the number of shoes,
    `done` with each few that are finished.
    """
    total = Walked()
    with database.session("sabot_auditor") as connection:
        head = head_of(connection)
        flush(connection)
        shoes = shoes_of(connection, asked, head)
        begins(len(shoes))
        pieces = list(_pieces(shoes))
        workers = processes or (1 if len(shoes) <= FEW else HALF_THE_CORES)
        if workers == 1:
            for piece in pieces:
                total.add(walk_shoes(connection, piece, head))
                done(len(piece))
            return head, total
    for piece, walked in zip(pieces, _at_once(database.given, pieces, head, workers), strict=True):
        total.add(walked)
        done(len(piece))
    return head, total


def _pieces(shoes: Sequence[ShoeToWalk]) -> Iterator[list[ShoeToWalk]]:
    """Groups of a few shoes of one table day, so that its accounts are read once or twice."""
    for _, of_a_day in groupby(shoes, key=lambda each: each.address.table_day):
        together = list(of_a_day)
        for first in range(0, len(together), AT_ONCE):
            yield together[first : first + AT_ONCE]


def walk_shoes(
    connection: "psycopg.Connection[Any]", shoes: Sequence[ShoeToWalk], until: int
) -> Walked:
    """The result for every coup of some shoes of one table day."""
    walked = Walked()
    for coup, events in adjudicated(connection, shoes, until):
        walked.count(coup, events)
    return walked


# Several at once, in processes of their own.

_connection: Any = None  # in a worker


def _at_once(
    url: str | None, pieces: Sequence[Sequence[ShoeToWalk]], head: int, processes: int
) -> Iterator[Walked]:
    """The result of each piece, in order. Raises the first exception of any."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, spawn, _begin, (url,))
    try:
        with _deaf_to_interrupts():  # the workers inherit this; this process ends them
            results = pool.map(_do, pieces, [head] * len(pieces))
        yield from results
    except BrokenProcessPool as error:
        raise LedgerLost("a process that read it was ended") from error
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    import signal

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _begin(url: str | None) -> None:
    global _connection  # noqa: PLW0603  (a worker has one)
    gc.disable()  # events are dropped in order, and none refers to another
    _connection = Database(url).connect("sabot_auditor")


def _do(piece: Sequence[ShoeToWalk], head: int) -> Walked:
    import psycopg

    try:
        return walk_shoes(_connection, piece, head)
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise LedgerLost(str(error)) from None
