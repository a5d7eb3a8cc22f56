"""One inquiry: what surveillance looks into, with the evidence, until two people close it.

Only surveillance and auditors read it, so its events belong to no table. A row of the report
`protection` is in it with its numbers as they were, so that it stays when the report drops it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Self
from uuid import UUID

from msgspec import Struct

from domain.aggregates.base import Aggregate
from domain.events import inquiry as events
from domain.rules import addresses
from domain.rules.evidence import Evidence
from domain.rules.refusals import BadValue
from domain.rules.wording import Words


class Subject(Struct, frozen=True):
    """What something is about; `row`: of the report `protection` as it was, empty for none."""

    about: str  # `coup`, `shoe`, `patron` or `dealer`
    name: str
    row: events.Row


class Inquiry(Aggregate, events.State):
    """One inquiry of surveillance."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(address: addresses.Inquiry) -> UUID:
        """The stream of an inquiry."""
        return addresses.stream_id("inquiry", str(address))

    # Commands: decide; refuse, or record an event.
    @classmethod
    def open(
        cls, address: addresses.Inquiry, subject: Subject, text: str, *, by: str, at: datetime
    ) -> Self:
        """Begins an inquiry."""
        opened = events.Opened(
            inquiry=str(address),
            about=subject.about,
            subject=subject.name,
            text=text,
            row=subject.row,
            opened_by=by,
        )
        return cls.begin(opened, cls.stream(address), at)

    def note(self, text: str, evidence: Sequence[Evidence], by: str) -> None:
        """Adds a note, with what cameras saw. Refuses: BadValue."""
        self._require_open()
        seen = [each.as_recorded() for each in evidence]
        self.record(events.NoteAdded(text=text, evidence=seen, by=by))

    def attach(self, subject: Subject, text: str, by: str) -> None:
        """Adds a coup, a shoe or a row of the report `protection`. Refuses: BadValue."""
        self._require_open()
        self.record(
            events.EvidenceAttached(
                about=subject.about, subject=subject.name, text=text, row=subject.row, by=by
            )
        )

    def close(self, outcome: str, reason: str, *, by: str, approved_by: str) -> None:
        """Closes it, by two people. Refuses: BadValue."""
        self._require_open()
        self.record(
            events.InquiryClosed(
                outcome=outcome, reason=reason, closed_by=by, approved_by=approved_by
            )
        )

    def reopen(self, reason: str, by: str) -> None:
        """Goes on with a closed inquiry. Refuses: BadValue."""
        if not self.closed:
            raise BadValue(
                message=Words(
                    "{inquiry} is open. Add what is new, with `inquiry note`.",
                    inquiry=self.address,
                )
            )
        self.record(events.InquiryReopened(reason=reason, by=by))

    def hand_out(self, position: int, json_sha256: str, pdf_sha256: str, by: str) -> None:
        """Records that a pack of it was made; also after it closed."""
        self.record(
            events.InquiryExported(
                position=position, json_sha256=json_sha256, pdf_sha256=pdf_sha256, by=by
            )
        )

    def _require_open(self) -> None:
        if self.closed:
            raise BadValue(
                message=Words(
                    "{inquiry} is closed. To go on with it, reopen it with `inquiry reopen`.",
                    inquiry=self.address,
                )
            )
