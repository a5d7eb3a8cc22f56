"""One serial of a deck or a sealed batch: the shoe that it was loaded into, once (R-SHOE-1).

Used cards never come back to a table. One stream a serial, whichever table it comes to.
"""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import deck as events
from domain.rules import addresses
from domain.rules.refusals import SerialReused


class Deck(Aggregate, events.State):
    """A deck, or a batch, by the serial on its seal."""

    MANY_CLOCKS = True

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that it came to last."""
        return self.came_to.table_day.day, self.came_to.table_day.table

    @staticmethod
    def stream(kind: str, serial: str) -> UUID:
        """Where the events of a serial are."""
        return addresses.stream_id("deck", f"{kind} {serial}")

    # Commands: decide; refuse, or record an event.
    @classmethod
    def load(cls, kind: str, serial: str, shoe: addresses.Shoe, at: datetime) -> Self:
        """It comes to a table the first time."""
        stream = cls.stream(kind, serial)
        return cls.begin(events.Loaded(serial=serial, kind=kind, shoe=str(shoe)), stream, at)

    def refuse_reuse(self, shoe: addresses.Shoe) -> SerialReused:
        """Records that it came a second time; what it returns is to be raised."""
        self.record(events.ReuseRefused(shoe=str(shoe), loaded_in=self.loaded_in))
        return SerialReused(kind=self.kind.title(), serial=self.serial, shoe=self.loaded_in)
