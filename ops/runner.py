"""Feeds the projections: batches of facts, rows and position in one transaction.

Reports are never stale: they catch their projections up, under a lock, before they answer.
`follow` keeps them caught up: it listens, polls every second, and starts again when its
connection breaks. A fact that cannot be processed stops that projection loudly, and no other.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from domain.aggregate import fact_name
from ops.database import Database, LedgerLost, NotFit
from ops.ledger.chain import Recorded
from ops.ledger.mapper import decoded
from ops.ledger.recorder import UnreadableEvent, read_events
from projections import PROJECTIONS, Change, Fact, Projection

if TYPE_CHECKING:
    import psycopg

BATCH = 1_000
POLL = 1.0  # seconds; a wake-up that was missed is made up for


class ProjectionStopped(Exception):
    """The projection {name} stopped at position {position}: {why}. Its rows stay as they were."""

    def __init__(self, name: str, position: int, why: object) -> None:
        words = (type(self).__doc__ or "").format(name=name, position=position, why=why)
        super().__init__(words)
        self.position = position


def fact_of(event: Recorded) -> Fact:
    """The event as projections read it."""
    _, told = decoded(event.topic, event.state)
    return Fact(
        position=event.position,
        topic=event.topic,
        name=fact_name(event.topic, first=event.originator_version == 1),
        at=datetime.fromisoformat(told.pop("at")),
        recorded_at=event.recorded_at,
        gaming_day=event.gaming_day,
        table=event.table_code,
        actor=event.actor,
        told=told,
        command_id=event.command_id,
        metadata=_metadata_of(event),
    )


def _metadata_of(event: Recorded) -> dict[str, Any]:
    known: dict[str, Any] = msgspec.json.decode(event.metadata)
    return known


def _changes_by(event: Recorded, projection: Projection) -> Iterator[Change]:
    """What an event changes by what it is, and by how its command came."""
    if event.topic in projection.changes:
        yield projection.changes[event.topic]
    if projection.marks:
        known = _metadata_of(event)
        yield from (change for mark, change in projection.marks.items() if mark in known)


def position_of(connection: "psycopg.Connection[Any]", projection: Projection) -> int:
    """How far a projection has read."""
    row = connection.execute(
        "SELECT position FROM progress WHERE projection = %s", (projection.name,)
    ).fetchone()
    return row[0] if row else 0


def head_of(connection: "psycopg.Connection[Any]") -> int:
    """The position of the ledger's last event."""
    row = connection.execute("SELECT coalesce(max(position), 0) FROM ledger.events").fetchone()
    assert row is not None
    return int(row[0])


def catch_up(
    connection: "psycopg.Connection[Any]",
    projection: Projection,
    said: Callable[[int], None] = lambda _: None,
    until: int | None = None,
) -> int:
    """Reads on to the ledger's end, or `until` there; the position reached.

    `said` hears the position after every batch. Raises ProjectionStopped.
    """
    while True:
        with connection.transaction():
            connection.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))",
                (f"sabot.projection.{projection.name}",),
            )
            position = position_of(connection, projection)
            try:
                events = read_events(connection, after=position, limit=BATCH, until=until)
            except UnreadableEvent as error:
                raise ProjectionStopped(projection.name, error.position, error) from error
            if not events:
                return position
            _project(connection, projection, events)
            connection.execute(
                """
                INSERT INTO progress VALUES (%s, %s)
                ON CONFLICT (projection) DO UPDATE SET position = excluded.position
                """,
                (projection.name, events[-1].position),
            )
        said(events[-1].position)


def _project(
    connection: "psycopg.Connection[Any]", projection: Projection, events: Iterable[Recorded]
) -> None:
    for event in events:
        try:
            for change in _changes_by(event, projection):
                for sql, values in change(fact_of(event)):
                    connection.execute(sql, values)
        except Exception as error:
            if connection.broken:
                raise
            raise ProjectionStopped(projection.name, event.position, error) from error


def follow(
    database: Database,
    projection: Projection,
    stop: threading.Event,
    said: Callable[[str], None] = lambda _: None,
) -> None:
    """Keeps one projection caught up until told to stop. Raises ProjectionStopped."""
    pause = 0.1
    while not stop.is_set():
        try:
            with database.session("sabot_projector") as connection:
                connection.execute("LISTEN sabot_ledger")
                pause = 0.1
                while not stop.is_set():
                    catch_up(connection, projection)
                    for _ in connection.notifies(timeout=POLL, stop_after=1):
                        pass
        except LedgerLost as error:
            said(f"{projection.name}: {error} Trying again in {pause:.1f} s.")
            stop.wait(pause)
            pause = min(pause * 2, 10.0)


def run(database: Database, stop: threading.Event, said: Callable[[str], None]) -> int:
    """Follows with every projection until told to stop; how many stopped by themselves."""
    stopped: list[Exception] = []

    def keep(projection: Projection) -> None:
        try:
            follow(database, projection, stop, said)
        except (ProjectionStopped, NotFit) as error:
            stopped.append(error)
            said(str(error))
        except Exception as error:  # noqa: BLE001  (a thread that dies must be heard of)
            stopped.append(error)
            said(f"{projection.name} stopped: {error!r}.")

    threads = [threading.Thread(target=keep, args=(each,)) for each in PROJECTIONS.values()]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.1)
    return len(stopped)
