"""One table through the years, and the gaming day that is open at it now.

A table has one open day at a time; the events of a day are in the day's own stream.
"""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import table as events
from domain.rules import addresses
from domain.rules.refusals import AlreadyOpen, BadValue
from domain.rules.wording import Words


class Table(Aggregate, events.State):
    """One table code of the house."""

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day that is opened or closed, and the table."""
        return (addresses.parse_day(self.last_day) if self.last_day else None), self.table

    @staticmethod
    def stream(table: str) -> UUID:
        """The stream of a table, in capitals or not."""
        return addresses.stream_id("table", table.upper())

    # Commands
    @classmethod
    def place(cls, table: str, at: datetime) -> Self:
        """Begins a table that the house never had before."""
        return cls.begin(events.Placed(table=table), cls.stream(table), at)

    def open_day_of(self, day: date) -> None:
        """Begins a gaming day. Refuses: AlreadyOpen."""
        if self.open_day is not None:
            what, then = f"{self.table}/{self.open_day}", Words("close it first")
            raise AlreadyOpen(what=what, then=then)
        self.record(events.DayOpened(day=day.isoformat()))

    def close_day(self) -> None:
        """Ends the open gaming day."""
        assert self.open_day is not None
        self.record(events.DayClosed(day=self.open_day))

    def put_box_on(self, box: str) -> None:
        """Puts a drop box on the table. Refuses while another is on it: BadValue."""
        if self.box is not None:
            raise BadValue(
                message=Words(
                    "Box {box} is on {table}. Remove it first, with `box remove`.",
                    box=self.box,
                    table=self.table,
                )
            )
        self.record(events.BoxPutOn(box=box))

    def take_box_off(self) -> None:
        """Takes the drop box off the table."""
        assert self.box is not None
        self.record(events.BoxTakenOff(box=self.box))
