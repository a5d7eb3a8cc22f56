"""One serial of a deck or a sealed batch: the shoe that it was loaded into, once (R-SHOE-1).

Used cards never come back to a table. One stream a serial, whichever table it comes to.
"""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from eventsourcing.domain import event

from domain.aggregates.base import Aggregate
from domain.rules import addresses
from domain.rules.refusals import SerialReused


class Deck(Aggregate):
    """A deck, or a batch, by the serial on its seal."""

    TOPIC = "deck"
    MANY_CLOCKS = True

    # Facts: stored for years under TOPIC; add fields, never rename or retype one.
    class Created(Aggregate.Created):
        TOPIC = "deck.loaded"
        serial: str
        kind: str  # `deck`, or `batch`
        shoe: str

    class ReuseRefused(Aggregate.Event):
        TOPIC = "deck.reuse-refused"
        serial: str
        kind: str
        shoe: str  # for which it came again
        loaded_in: str

    # State: what later decisions ask.
    def __init__(self, serial: str, kind: str, shoe: str) -> None:
        self.serial = serial
        self.kind = kind
        self.loaded_in = shoe
        self.came_to = addresses.Shoe.parse(shoe)  # last, used or not

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that it came to last."""
        return self.came_to.table_day.day, self.came_to.table_day.table

    @property
    def own_name(self) -> dict[str, str]:
        """Every fact says whose it is."""
        return {"serial": self.serial, "kind": self.kind}

    @staticmethod
    def stream(kind: str, serial: str) -> UUID:
        """Where the facts of a serial are."""
        return addresses.stream_id("deck", f"{kind} {serial}")

    # Commands: decide; refuse, or state a fact.
    @classmethod
    def load(cls, kind: str, serial: str, shoe: addresses.Shoe, at: datetime) -> Self:
        """It comes to a table the first time."""
        stream = cls.stream(kind, serial)
        return cls.begin(cls.Created, stream, at, serial=serial, kind=kind, shoe=str(shoe))

    def refuse_reuse(self, shoe: addresses.Shoe) -> SerialReused:
        """The fact that it came a second time; what it returns is to be raised."""
        self._reuse_refused(shoe=str(shoe), loaded_in=self.loaded_in)
        return SerialReused(kind=self.kind.title(), serial=self.serial, shoe=self.loaded_in)

    # Changes: run again at every replay, so no rule, clock, id or I/O.
    @event(ReuseRefused)
    def _reuse_refused(self, shoe: str, loaded_in: str) -> None:
        self.came_to = addresses.Shoe.parse(shoe)
