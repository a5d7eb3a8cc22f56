"""The eventsourcing library's interfaces, kept by the ledger.

The library's own recorder has no gapless order and no chain of hashes.
"""

from collections.abc import Sequence
from typing import Any, Never
from uuid import UUID

from eventsourcing.persistence import (
    ApplicationRecorder,
    InfrastructureFactory,
    Mapper,
    ProgrammingError,
    StoredEvent,
    TrackingRecorder,
)

from ops.ledger.appending import NotGathered
from ops.ledger.archived import require_streams_here
from ops.ledger.mapper import EventMapper
from ops.ledger.recorder import Ledger


def _unused(*_: Any, **__: Any) -> Never:
    """Refuses what the library asks a recorder for and the ledger has no use of."""
    raise ProgrammingError("the ledger has one application, no snapshots and its own followers")


class LedgerRecorder(ApplicationRecorder):
    """The library's recorder, on the ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        """Appends the events of the argument `decision`."""
        return self.ledger.append(stored_events, kwargs["decision"])

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """A stream's events in order. Raises Archived, if some of them left the database.

        Raises NotGathered, if some of them wait to be appended.
        """
        if gt is None and self.ledger.waits(originator_id):
            raise NotGathered
        with self.ledger.stream_connection() as connection:
            rows = connection.execute(
                f"""
                SELECT originator_id, originator_version, topic, state FROM ledger.events
                 WHERE originator_id = %s
                   AND (%s::bigint IS NULL OR originator_version > %s)
                   AND (%s::bigint IS NULL OR originator_version <= %s)
                 ORDER BY originator_version {"DESC" if desc else "ASC"} LIMIT %s
                """,  # noqa: S608
                (originator_id, gt, gt, lte, lte, limit),
                binary=True,
            ).fetchall()
            if rows and (desc or rows[0][1] != (gt or 0) + 1):
                require_streams_here(connection, [rows[0][0]])
        return [StoredEvent(*row) for row in rows]

    select_notifications = max_notification_id = subscribe = _unused


class LedgerFactory(InfrastructureFactory[TrackingRecorder]):
    """Gives the library's application our recorder and our mapper, and creates no tables."""

    def __init__(self, env: Any, ledger: Ledger) -> None:
        super().__init__(env)
        self.ledger = ledger

    def mapper(self, *_: Any, **__: Any) -> Mapper[Any]:
        """The mapper to plain JSON."""
        return EventMapper()

    def application_recorder(self) -> ApplicationRecorder:
        """The recorder of the ledger."""
        return LedgerRecorder(self.ledger)

    aggregate_recorder = tracking_recorder = process_recorder = _unused

    def close(self) -> None:
        """Closes the connection."""
        self.ledger.close()
