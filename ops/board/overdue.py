"""What should have been done about the record by now: a checkpoint, a round of verification."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ops.ledger.growth import first_not_about
from ops.verify.rounds import Round, read_round

if TYPE_CHECKING:
    import psycopg

UNSIGNED = timedelta(hours=26)  # a gaming day and the time to close it
UNVERIFIED = timedelta(hours=48)

# Without a key there are no checkpoints to wait for.
_SIGNED = """
    SELECT coalesce(max(size), 0) FROM checkpoints HAVING EXISTS (SELECT FROM signing_keys)
"""
_OF_CHECKPOINTS = "checkpoint", "signing-keys"


class Upkeep(Struct, frozen=True):
    """How the record is kept: the first event that is not signed yet, and the round."""

    unsigned: tuple[int, datetime] | None = None
    verified: Round | None = None

    def overdue(self, now: datetime) -> Iterator[tuple[str, int, dict[str, str | None]]]:
        """The alerts of what is overdue: kind, position and detail of each."""
        if self.unsigned and now - self.unsigned[1] > UNSIGNED:
            position, since = self.unsigned
            yield "checkpoint overdue", position, {"since": _short(since, now)}
        if self.verified and self.verified.failing_since:
            since, why = self.verified.failing_since, self.verified.failing_why
            detail = {"since": _short(since, now), "why": why}
            yield "verification overdue", self.verified.head, detail
        elif self.verified:
            since = self.verified.finished_at or self.verified.begun_at
            if now - since > UNVERIFIED:
                head = self.verified.head
                yield "verification overdue", head, {"since": _short(since, now)}


def read_upkeep(connection: "psycopg.Connection[Any]") -> Upkeep:
    """How the record is kept now."""
    signed = connection.execute(_SIGNED).fetchone()
    unsigned = signed and first_not_about(connection, _OF_CHECKPOINTS, signed[0])
    return Upkeep(unsigned or None, read_round(connection))


def _short(moment: datetime, now: datetime) -> str:
    return moment.astimezone(now.tzinfo).isoformat(timespec="minutes")
