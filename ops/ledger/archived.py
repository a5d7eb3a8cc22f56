"""Coups and shoes that left the database for an archive: a refusal names the archive.

Everything else stays, and of each coup and shoe the last event, by which it is known. What would
need an event that left is refused, never answered without it.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec
from msgspec import Struct, field

from domain.events.archiving import CoupsLeft
from ops.words.failure import Failure

if TYPE_CHECKING:
    import psycopg

NOUNS = ("coup", "shoe")
STAY = ("shoe.shuffled", "shoe.order-revealed", "shoe.order-untold")  # they have digests


class Archived(Failure):
    """Something is asked of events that left the database."""


class Left(Struct, frozen=True):
    """What left last, as the record says it."""

    events: int  # up to this event coups and shoes left
    stay: int  # so many events up to there stayed
    directory: str  # of the archive
    first_day: date  # of the gaming days of what left …
    last_day: date
    stream: UUID = field(default_factory=lambda: UUID(int=0))  # that says so

    def refusal(self) -> Archived:
        """Why something is not answered, and what to do."""
        return Archived(
            f"The coups and shoes up to event #{self.events:,}, of {self.first_day} to "
            f"{self.last_day}, are not in the database: they are in the archive {self.directory}. "
            f"To read them, `sabot db open-archive {self.directory} --into DIRECTORY` makes a "
            f"ledger of their own; `sabot db bring-back {self.directory}` puts them back."
        )


def what_left(connection: "psycopg.Connection[Any]") -> Left | None:
    """What is not in the database, or None."""
    row = connection.execute(
        "SELECT topic, state, originator_id FROM ledger.events"
        " WHERE topic IN ('archiving.coups-left', 'archiving.coups-brought-back')"
        " ORDER BY position DESC LIMIT 1",
        binary=True,
    ).fetchone()
    if row is None or row[0] != CoupsLeft.TOPIC:
        return None
    return msgspec.structs.replace(msgspec.json.decode(row[1], type=Left), stream=row[2])


def is_missing(connection: "psycopg.Connection[Any]", left: Left) -> bool:
    """Whether an event that left is not in the database."""
    row = connection.execute(
        "SELECT count(*) FROM ledger.events WHERE position BETWEEN 1 AND %s", (left.events,)
    ).fetchone()
    return row is None or row[0] < left.events


def may_leave(topic: str) -> bool:
    """Whether events of a topic, or some of a noun, may leave."""
    return topic.partition(".")[0] in NOUNS and topic not in STAY


def require_here(
    connection: "psycopg.Connection[Any]",
    after: int,
    topics: Iterable[str] | None = None,
    days: tuple[date | None, date | None] = (None, None),
) -> None:
    """Requires that no event after a position left, of these topics and days. Raises Archived."""
    if topics is not None and not any(map(may_leave, topics)):
        return
    if (left := what_left(connection)) and after < left.events and _overlap(left, *days):
        raise left.refusal()


def _overlap(left: Left, first: date | None, last: date | None) -> bool:
    return (first or date.min) <= left.last_day and left.first_day <= (last or date.max)


def require_streams_here(connection: "psycopg.Connection[Any]", streams: Sequence[UUID]) -> None:
    """Requires that nothing of these streams left. Raises Archived."""
    left = what_left(connection)
    if left is None:
        return
    row = connection.execute(
        "SELECT bool_or((SELECT min(originator_version) FROM ledger.events"
        "                 WHERE originator_id = stream) > 1) FROM unnest(%s::uuid[]) AS stream",
        (list(streams),),
    ).fetchone()
    if row == (True,):
        raise left.refusal()


def require_whole(
    connection: "psycopg.Connection[Any]", versions: Iterable[tuple[UUID, int]]
) -> None:
    """Requires that streams which were read have their first event. Raises Archived.

    `versions`: the stream and the version of each event, in order. What leaves of a stream are its
    first events, and never the last, so a stream of which something left has another first one.
    """
    first: dict[UUID, int] = {}
    for stream, version in versions:
        first.setdefault(stream, version)
    if late := [stream for stream, version in first.items() if version != 1]:
        require_streams_here(connection, late)


def left_hashes(
    connection: "psycopg.Connection[Any]", positions: Iterable[int]
) -> dict[int, bytes]:
    """The hashes of those of these events that left, as the tree has them."""
    left = what_left(connection)
    if left is None:
        return {}
    rows = connection.execute(
        "SELECT position, ledger.stored_leaf(position) FROM unnest(%s::bigint[]) AS position",
        ([each for each in positions if 0 < each <= left.events],),
        binary=True,
    )
    return {position: bytes(leaf) for position, leaf in rows if leaf}
