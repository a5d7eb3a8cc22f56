"""What left the database at one time: coups and shoes of closed days, by two people."""

from datetime import datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import archiving as events
from domain.rules.addresses import stream_id


class Archiving(Aggregate, events.State):
    """Coups and shoes that left for an archive."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(at: datetime) -> UUID:
        """The stream of what left at a moment."""
        return stream_id("archiving", at.isoformat())

    # Commands
    @classmethod
    def let_leave(cls, left: events.CoupsLeft, *, at: datetime) -> Self:
        """Lets the coups and shoes up to an event leave."""
        return cls.begin(left, cls.stream(at), at)

    def bring_back(self, directory: str) -> None:
        """Records that all of it is in the database again, once."""
        if not self.brought_back:
            self.record(events.CoupsBroughtBack(directory=directory))
