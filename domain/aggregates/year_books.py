"""The cases, inquiries and incidents of a year, numbered without a gap: none is left out unseen."""

from datetime import datetime
from typing import ClassVar, Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import aml_book, docket, incident_book, inquiry_book
from domain.rules.addresses import AmlCase, Case, Incident, Inquiry, stream_id

_Opened = (
    type[aml_book.Opened]
    | type[docket.Opened]
    | type[incident_book.Opened]
    | type[inquiry_book.Opened]
)


class YearBook(Aggregate):
    """What has a number of its year; the year's first one begins its book."""

    MANY_CLOCKS = True
    OPENED: ClassVar[_Opened]

    @classmethod
    def stream(cls, year: int) -> UUID:
        """The stream of a year's book."""
        return stream_id(cls.OPENED.TOPIC.partition(".")[0], str(year))

    # Commands: decide; refuse, or record an event.
    @classmethod
    def begin_year(cls, year: int, at: datetime) -> Self:
        """Opens a year's book, with its first number."""
        return cls.begin(cls.OPENED(year=year), cls.stream(year), at)


class Docket(YearBook, docket.State):
    """One year's disputes of the house."""

    OPENED = docket.Opened

    def enter(self, coup: str) -> Case:
        """Gives the next number to a case about a coup."""
        case = Case(self.year, self.cases + 1)
        self.record(docket.CaseEntered(case=str(case), coup=coup))
        return case


class InquiryBook(YearBook, inquiry_book.State):
    """One year's inquiries of surveillance."""

    OPENED = inquiry_book.Opened

    def number(self) -> Inquiry:
        """Gives the next number."""
        inquiry = Inquiry(self.year, self.inquiries + 1)
        self.record(inquiry_book.InquiryNumbered(inquiry=str(inquiry)))
        return inquiry


class IncidentBook(YearBook, incident_book.State):
    """One year's incidents on the floor."""

    OPENED = incident_book.Opened

    def number(self) -> Incident:
        """Gives the next number."""
        incident = Incident(self.year, self.incidents + 1)
        self.record(incident_book.IncidentNumbered(incident=str(incident)))
        return incident


class AmlBook(YearBook, aml_book.State):
    """One year's cases of money laundering."""

    OPENED = aml_book.Opened

    def number(self) -> AmlCase:
        """Gives the next number."""
        case = AmlCase(self.year, self.cases + 1)
        self.record(aml_book.AmlCaseNumbered(aml_case=str(case)))
        return case
