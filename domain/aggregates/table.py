"""One table through the years: which gaming day is open at it now.

A table has one open day at a time, whatever dates the days bear; the facts of a day are in
its own stream.
"""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from eventsourcing.domain import event

from domain.aggregates.base import Aggregate
from domain.rules import addresses
from domain.rules.refusals import AlreadyOpen


class Table(Aggregate):
    """One table code of the house."""

    TOPIC = "table"

    # Facts
    class Created(Aggregate.Created):
        TOPIC = "table.placed"
        table: str

    class DayOpened(Aggregate.Event):
        TOPIC = "table.day-opened"
        day: str

    class DayClosed(Aggregate.Event):
        TOPIC = "table.day-closed"
        day: str

    # State
    def __init__(self, table: str) -> None:
        self.table = table
        self.open_day: str | None = None
        self.last_day: str | None = None

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """Opening and closing belong to the gaming day that they open and close."""
        return (addresses.parse_day(self.last_day) if self.last_day else None), self.table

    @staticmethod
    def stream(table: str) -> UUID:
        """Where this table's facts are."""
        return addresses.stream_id("table", table)

    # Commands
    @classmethod
    def place(cls, table: str, at: datetime) -> Self:
        """A table that the house never had before."""
        return cls.begin(cls.Created, cls.stream(table), at, table=table)

    def open_day_of(self, day: date) -> None:
        """Begins a gaming day. Refuses: AlreadyOpen."""
        if self.open_day is not None:
            raise AlreadyOpen(what=f"{self.table}/{self.open_day}", then="close it first")
        self._day_opened(day=day.isoformat())

    def close_day(self) -> None:
        """Ends the open gaming day."""
        assert self.open_day is not None
        self._day_closed(day=self.open_day)

    # Changes: run again at every replay, so no rule, clock, id or I/O.
    @event(DayOpened)
    def _day_opened(self, day: str) -> None:
        self.open_day = self.last_day = day

    @event(DayClosed)
    def _day_closed(self, day: str) -> None:
        self.open_day = None
