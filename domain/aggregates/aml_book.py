"""The cases of money laundering of one year, numbered without a gap: none is left out unseen."""

from datetime import datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import aml_book as events
from domain.rules.addresses import AmlCase, stream_id


class AmlBook(Aggregate, events.State):
    """One year's cases of money laundering."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(year: int) -> UUID:
        """The stream of a year's cases."""
        return stream_id("aml-book", str(year))

    # Commands: decide; refuse, or record an event.
    @classmethod
    def begin_year(cls, year: int, at: datetime) -> Self:
        """Opens a year's book, with its first case."""
        return cls.begin(events.Opened(year=year), cls.stream(year), at)

    def number(self) -> AmlCase:
        """Gives the next number."""
        case = AmlCase(self.year, self.cases + 1)
        self.record(events.AmlCaseNumbered(aml_case=str(case)))
        return case
