"""The inquiries of one year, which are numbered without a gap: none can be left out unseen."""

from datetime import datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import inquiry_book as events
from domain.rules.addresses import Inquiry, stream_id


class InquiryBook(Aggregate, events.State):
    """One year's inquiries of surveillance."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(year: int) -> UUID:
        """The stream of a year's inquiries."""
        return stream_id("inquiry-book", str(year))

    # Commands: decide; refuse, or record an event.
    @classmethod
    def begin_year(cls, year: int, at: datetime) -> Self:
        """Opens a year's book, with its first inquiry."""
        return cls.begin(events.Opened(year=year), cls.stream(year), at)

    def number(self) -> Inquiry:
        """Gives the next number."""
        inquiry = Inquiry(self.year, self.inquiries + 1)
        self.record(events.InquiryNumbered(inquiry=str(inquiry)))
        return inquiry
