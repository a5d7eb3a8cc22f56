"""An inquiry of surveillance: what it is about, notes, evidence, and its outcome."""

from domain.events import base
from domain.rules import addresses

Part = dict[str, str | int | None]  # of an event
# A row of the report `protection`, as it was then, with what its question found; empty: none.
Row = dict[str, str | int | None]


class Event(base.Event):
    """About one inquiry."""

    NAMED_BY = ("inquiry",)
    inquiry: str = ""


class Opened(Event, topic="inquiry.opened", first=True):
    """Surveillance began to look into something."""

    about: str  # `coup`, `shoe`, `patron` or `dealer`
    subject: str
    text: str
    row: Row
    opened_by: str


class State(base.State):
    """The status of the inquiry."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.address = addresses.Inquiry.parse(opened.inquiry)
        self.closed = False


class NoteAdded(Event, topic="inquiry.note-added"):
    """A note, with what cameras saw."""

    text: str
    evidence: list[Part]  # camera, at, ahead (ms), by_record: `at` less `ahead`
    by: str


class EvidenceAttached(Event, topic="inquiry.evidence-attached"):
    """A coup, a shoe, or a row of the report `protection` belongs to the inquiry."""

    about: str  # `coup`, `shoe`, `patron` or `dealer`
    subject: str
    text: str
    row: Row
    by: str


class InquiryClosed(Event, topic="inquiry.inquiry-closed"):
    """Two people closed the inquiry."""

    outcome: str
    reason: str
    closed_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.closed = True


class InquiryExported(Event, topic="inquiry.inquiry-exported"):
    """A pack of the inquiry was made: one JSON file, and one PDF."""

    position: int  # of the last event in it
    json_sha256: str
    pdf_sha256: str
    by: str


class InquiryReopened(Event, topic="inquiry.inquiry-reopened"):
    """A closed inquiry goes on."""

    reason: str
    by: str

    def apply(self, state: State) -> None:
        state.closed = False
