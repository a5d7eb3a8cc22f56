"""The disputes of one year, which are numbered without a gap."""

from datetime import datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import docket as events
from domain.rules.addresses import Case, stream_id


class Docket(Aggregate, events.State):
    """One year's cases of the house."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(year: int) -> UUID:
        """The stream of a year's cases."""
        return stream_id("docket", str(year))

    # Commands: decide; refuse, or record an event.
    @classmethod
    def begin_year(cls, year: int, at: datetime) -> Self:
        """Opens a year's docket, with its first case."""
        return cls.begin(events.Opened(year=year), cls.stream(year), at)

    def enter(self, coup: str) -> Case:
        """Gives the next number to a case about a coup."""
        case = Case(self.year, self.cases + 1)
        self.record(events.CaseEntered(case=str(case), coup=coup))
        return case
