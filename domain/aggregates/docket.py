"""The disputes of one year: every case has the next number, and no number is left out."""

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
        """Where that year's cases are counted."""
        return stream_id("docket", str(year))

    # Commands: decide; refuse, or record an event.
    @classmethod
    def begin_year(cls, year: int, at: datetime) -> Self:
        """The first case of a year opens its docket."""
        return cls.begin(events.Opened(year=year), cls.stream(year), at)

    def enter(self, coup: str) -> Case:
        """The next number, for a case about this coup."""
        case = Case(self.year, self.cases + 1)
        self.record(events.CaseEntered(case=str(case), coup=coup))
        return case
