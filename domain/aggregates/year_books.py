"""The cases, inquiries and incidents of a year, numbered without a gap: none is left out unseen."""

from datetime import datetime
from typing import Any, ClassVar, Generic, Self, TypeVar, cast
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
_Numbered = (
    type[aml_book.AmlCaseNumbered]
    | type[incident_book.IncidentNumbered]
    | type[inquiry_book.InquiryNumbered]
)
Name = TypeVar("Name", Inquiry, Incident, AmlCase)


class YearBook(Aggregate):
    """What has a number of its year; the year's first one begins its book."""

    MANY_CLOCKS = True
    OPENED: ClassVar[_Opened]
    year: int

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


class NumberedBook(YearBook, Generic[Name]):
    """A year's book of what has nothing but its number there."""

    NUMBERED: ClassVar[_Numbered]
    OF: ClassVar[type[Inquiry | Incident | AmlCase]]
    numbered: int  # so far

    def number(self) -> Name:
        """Gives the next number."""
        name = cast("Name", self.OF(self.year, self.numbered + 1))
        named: dict[str, Any] = {self.OF.WHAT: str(name)}
        self.record(self.NUMBERED(**named))
        return name


class InquiryBook(NumberedBook[Inquiry], inquiry_book.State):
    """One year's inquiries of surveillance."""

    OPENED, NUMBERED, OF = inquiry_book.Opened, inquiry_book.InquiryNumbered, Inquiry


class IncidentBook(NumberedBook[Incident], incident_book.State):
    """One year's incidents on the floor."""

    OPENED, NUMBERED, OF = incident_book.Opened, incident_book.IncidentNumbered, Incident


class AmlBook(NumberedBook[AmlCase], aml_book.State):
    """One year's cases of money laundering."""

    OPENED, NUMBERED, OF = aml_book.Opened, aml_book.AmlCaseNumbered, AmlCase
