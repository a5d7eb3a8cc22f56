"""A case of money laundering: whom it is about, by when what is due, and what came of it.

What people wrote is in no event: it is stored beside the record, each text with a digest here.
"""

from typing import Annotated

from msgspec import Meta

from domain.events import base
from domain.rules import addresses


class Event(base.Event):
    """About one case."""

    NAMED_BY = ("aml_case",)
    aml_case: str = ""


class Opened(Event, topic="aml-case.opened", first=True):
    """Somebody suspects that money is laundered."""

    patron: str
    alert: str  # from which it was opened; '' for none
    positions: list[int]  # of events that are evidence
    detected: str  # the day on which it was noticed
    paper: str  # what a report is called, as the regime does; '': the house chose no regime
    due_at: str  # by when it is due; '': no term is known
    opened_by: str
    late: Annotated[bool, Meta(description="whether the report was due before it was opened")] = (
        False
    )


class State(base.State):
    """The status of the case."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.address = addresses.AmlCase.parse(opened.aml_case)
        self.patron = opened.patron
        self.subjects = [opened.patron]  # whom it is about, as they were named
        self.due_at = opened.due_at
        self.detected = opened.detected
        self.texts = 0
        self.decision = ""
        self.filings = 0
        self.reports: list[AmlFiled] = []  # in their order
        self.closed = False


class TextWritten(Event, topic="aml-case.text-written"):
    """Somebody wrote what belongs to the event before it; the text is stored beside the record."""

    number: int  # in the case, from 1
    digest: str  # of the text, made with a key and a random number that are in no event

    def apply(self, state: State) -> None:
        state.texts = self.number


class AmlNoteAdded(Event, topic="aml-case.aml-note-added"):
    """A note, with events that are evidence."""

    positions: list[int]
    narrative: bool  # whether its text goes into a report
    by: str


class AmlSubjectNamed(Event, topic="aml-case.aml-subject-named"):
    """Somebody acts together with those whom the case is about, and is in its report, too."""

    patron: str
    by: str

    def apply(self, state: State) -> None:
        state.subjects.append(self.patron)


class AmlSubjectWithdrawn(Event, topic="aml-case.aml-subject-withdrawn"):
    """The case is not about somebody any more who was named in it later."""

    patron: str
    by: str

    def apply(self, state: State) -> None:
        state.subjects.remove(self.patron)


class AmlDecided(Event, topic="aml-case.aml-decided"):
    """Two people decided whether it is reported."""

    decision: str
    decided_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.decision = self.decision


class AmlFiled(Event, topic="aml-case.aml-filed"):
    """A report about it was filed with the regulator."""

    number: int  # of the filing in the case, from 1
    filing: str  # `initial` or `amended`
    reference: str  # of the regulator
    filed_on: str
    late: bool  # whether it was due before
    sha256: str  # of the file that was sent; '': not known
    by: str

    def apply(self, state: State) -> None:
        state.filings = self.number
        state.reports.append(self)


class AmlFiledTakenBack(Event, topic="aml-case.aml-filed-taken-back"):
    """That a report was filed was typed by mistake, or with a wrong number or day."""

    number: Annotated[int, Meta(description="the number of the filing in the case, from 1")]
    reference: Annotated[str, Meta(description="the number under which it was typed")]
    filed_on: Annotated[str, Meta(description="the day that was typed")]
    by: str

    def apply(self, state: State) -> None:
        state.reports.pop()
        state.filings = len(state.reports)


class AmlCaseExported(Event, topic="aml-case.aml-case-exported"):
    """A pack of the case was made: one JSON file, and one PDF."""

    position: int  # of the last event in it
    json_sha256: str
    pdf_sha256: str
    by: str


class AmlCaseClosed(Event, topic="aml-case.aml-case-closed"):
    """The case is closed."""

    closed_by: str

    def apply(self, state: State) -> None:
        state.closed = True
