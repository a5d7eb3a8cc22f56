"""One serial number of a deck or a sealed batch, which is loaded into one shoe once (R-SHOE-1).

Used cards never come back to a table. A serial has one stream, whichever table it comes to.
"""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import deck as events
from domain.rules import addresses
from domain.rules.refusals import SerialReused
from domain.rules.wording import N_, Words

_USED = {
    "deck": N_(
        "Deck {serial} was already used in shoe {shoe}. Take another deck, and call the pit boss."
    ),
    "batch": N_(
        "Batch {serial} was already used in shoe {shoe}. Take another batch, and call the pit boss."
    ),
}


class Deck(Aggregate, events.State):
    """A deck, or a batch, by the serial on its seal."""

    MANY_CLOCKS = True

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that it last came to."""
        return self.came_to.table_day.day, self.came_to.table_day.table

    @staticmethod
    def stream(kind: str, serial: str) -> UUID:
        """The stream of a serial, in capitals or not."""
        return addresses.stream_id("deck", f"{kind} {serial.upper()}")

    # Commands: decide; refuse, or record an event.
    @classmethod
    def load(cls, kind: str, serial: str, shoe: addresses.Shoe, at: datetime) -> Self:
        """Loads it into its shoe."""
        stream = cls.stream(kind, serial)
        return cls.begin(events.Loaded(serial=serial, kind=kind, shoe=str(shoe)), stream, at)

    def refuse_reuse(self, shoe: addresses.Shoe) -> SerialReused:
        """Records that it came a second time, and returns the refusal to raise."""
        self.record(events.ReuseRefused(shoe=str(shoe), loaded_in=self.loaded_in))
        return SerialReused(
            message=Words(_USED[self.kind], serial=self.serial, shoe=self.loaded_in)
        )
