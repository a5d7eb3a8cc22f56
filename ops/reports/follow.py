"""Keeps projections caught up: listens, polls, and starts again if its connection breaks."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ops.ledger.database import Database, LedgerLost
from ops.reports.batch import ProjectionStopped
from ops.reports.rebuild import bring_up
from ops.reports.runner import POLL, RUNNER
from projections import PROJECTIONS, Projection

if TYPE_CHECKING:
    import psycopg


def follow(
    database: Database,
    projections: Sequence[Projection],
    stop: threading.Event,
    report: Callable[[str], None] = lambda _: None,
    caught_up: Callable[[], None] = lambda: None,
) -> int:
    """Keeps projections caught up until `stop` is set; returns how many stopped by themselves.

    `caught_up` is called whenever they are.

    A projection that stopped is followed again after a rebuild. Raises LedgerNotAsRead.
    """
    stopped: set[str] = set()
    pause = 0.1
    while len(stopped) < len(projections) and not stop.is_set():
        try:
            with _listening(database) as connection:
                pause = 0.1
                while len(stopped) < len(projections) and not stop.is_set():
                    stopped &= _stopped(connection)
                    catch_up_or_drop(connection, projections, stopped, report)
                    caught_up()
                    list(connection.notifies(timeout=POLL, stop_after=1))
        except LedgerLost as error:
            report(f"{error} Trying again in {pause:.1f} s.")
            stop.wait(pause)
            pause = min(pause * 2, 10.0)
    return len(stopped)


@contextmanager
def _listening(database: Database) -> "Iterator[psycopg.Connection[Any]]":
    with database.session("sabot_projector") as connection:
        connection.prepared_max = None
        connection.execute("SELECT set_config('application_name', %s, false)", (RUNNER,))
        connection.execute("LISTEN sabot_ledger")
        yield connection


def _stopped(connection: "psycopg.Connection[Any]") -> set[str]:
    """The names of the projections that stopped."""
    rows = connection.execute("SELECT projection FROM progress WHERE stopped_at IS NOT NULL")
    return {name for (name,) in rows}


def catch_up_or_drop(
    connection: "psycopg.Connection[Any]",
    projections: Sequence[Projection],
    stopped: set[str],
    report: Callable[[str], None] = lambda _: None,
    until: int | None = None,
) -> None:
    """Catches up every projection that has not stopped; reports one that stops now.

    `until`: no further than this position.
    """
    while going := [each for each in projections if each.name not in stopped]:
        try:
            bring_up(connection, *going, until=until)
        except ProjectionStopped as error:
            report(str(error))
            stopped |= {error.name, *_stopped(connection)}
        else:
            return


def run(
    database: Database,
    stop: threading.Event,
    report: Callable[[str], None],
    caught_up: Callable[[], None] = lambda: None,
) -> int:
    """Follows with every projection until `stop` is set; returns how many stopped by themselves."""
    return follow(database, list(PROJECTIONS.values()), stop, report, caught_up)
