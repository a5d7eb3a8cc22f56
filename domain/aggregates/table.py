"""One table through the years: which gaming day is open at it now.

A table has one open day at a time, whatever dates the days bear; the events of a day are in
its own stream.
"""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import table as events
from domain.rules import addresses
from domain.rules.refusals import AlreadyOpen


class Table(Aggregate, events.State):
    """One table code of the house."""

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """Opening and closing belong to the gaming day that they open and close."""
        return (addresses.parse_day(self.last_day) if self.last_day else None), self.table

    @staticmethod
    def stream(table: str) -> UUID:
        """Where this table's events are."""
        return addresses.stream_id("table", table)

    # Commands
    @classmethod
    def place(cls, table: str, at: datetime) -> Self:
        """A table that the house never had before."""
        return cls.begin(events.Placed(table=table), cls.stream(table), at)

    def open_day_of(self, day: date) -> None:
        """Begins a gaming day. Refuses: AlreadyOpen."""
        if self.open_day is not None:
            raise AlreadyOpen(what=f"{self.table}/{self.open_day}", then="close it first")
        self.record(events.DayOpened(day=day.isoformat()))

    def close_day(self) -> None:
        """Ends the open gaming day."""
        assert self.open_day is not None
        self.record(events.DayClosed(day=self.open_day))
