"""The incidents of one year, which are numbered without a gap: none can be left out unseen."""

from datetime import datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import incident_book as events
from domain.rules.addresses import Incident, stream_id


class IncidentBook(Aggregate, events.State):
    """One year's incidents on the floor."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(year: int) -> UUID:
        """The stream of a year's incidents."""
        return stream_id("incident-book", str(year))

    # Commands: decide; refuse, or record an event.
    @classmethod
    def begin_year(cls, year: int, at: datetime) -> Self:
        """Opens a year's book, with its first incident."""
        return cls.begin(events.Opened(year=year), cls.stream(year), at)

    def number(self) -> Incident:
        """Gives the next number."""
        incident = Incident(self.year, self.incidents + 1)
        self.record(events.IncidentNumbered(incident=str(incident)))
        return incident
