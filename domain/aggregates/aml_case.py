"""One case of money laundering, until two people have decided it and what they decided is done.

The patron, and nobody at the tables, may learn that there is one. So its events belong to no table,
and what people wrote is not in them.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Self
from uuid import UUID

from msgspec import Struct

from domain.aggregates.base import Aggregate
from domain.events import aml_case as events
from domain.rules import addresses
from domain.rules.aml import MOST_SUBJECTS, Filing
from domain.rules.refusals import BadValue
from domain.rules.wording import Words


class Suspected(Struct, frozen=True, kw_only=True):
    """Whom a case is about, what began it, and by when a report is due."""

    patron: str
    alert: str
    positions: Sequence[int]
    detected: str  # a day
    paper: str
    due_at: str


class AmlCase(Aggregate, events.State):
    """One case of money laundering."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(address: addresses.AmlCase) -> UUID:
        """The stream of a case."""
        return addresses.stream_id("aml-case", str(address))

    # Commands: decide; refuse, or record an event.
    @classmethod
    def open(
        cls, address: addresses.AmlCase, suspected: Suspected, *, by: str, at: datetime
    ) -> Self:
        """Begins a case."""
        opened = events.Opened(
            aml_case=str(address),
            patron=suspected.patron,
            alert=suspected.alert,
            positions=list(suspected.positions),
            detected=suspected.detected,
            paper=suspected.paper,
            due_at=suspected.due_at,
            opened_by=by,
            late=bool(suspected.due_at) and at >= datetime.fromisoformat(suspected.due_at),
        )
        return cls.begin(opened, cls.stream(address), at)

    def write(self, digest: str) -> None:
        """Records that the case has one text more, with its digest."""
        self.record(events.TextWritten(number=self.texts + 1, digest=digest))

    def note(self, positions: Sequence[int], by: str, *, narrative: bool) -> None:
        """Adds a note; `narrative`: it goes into a report. Refuses: BadValue."""
        self._require_open()
        self.record(events.AmlNoteAdded(positions=list(positions), narrative=narrative, by=by))

    def name_subject(self, patron: str, by: str) -> None:
        """Names somebody who acts together with the others. Refuses: BadValue."""
        self._require_open()
        if patron in self.subjects:
            raise BadValue(
                message=Words(
                    "{case} is about {patron} already. Write what is new with `aml note`.",
                    case=self.address,
                    patron=patron,
                )
            )
        if len(self.subjects) == MOST_SUBJECTS:
            raise BadValue(
                message=Words(
                    "{case} is about {most} patrons, and has no place for more. Open another one.",
                    case=self.address,
                    most=MOST_SUBJECTS,
                )
            )
        self.record(events.AmlSubjectNamed(patron=patron, by=by))

    def withdraw_subject(self, patron: str, by: str) -> None:
        """Takes somebody out who was named in it later. Refuses: BadValue."""
        self._require_open()
        if patron == self.patron:
            raise BadValue(
                message=Words(
                    "{case} was opened about {patron}, who stays in it. Decide `no-report`, and "
                    "open another one about the others.",
                    case=self.address,
                    patron=patron,
                )
            )
        if patron not in self.subjects:
            raise BadValue(
                message=Words(
                    "{case} is not about {patron}. `aml show` lists whom it is about.",
                    case=self.address,
                    patron=patron,
                )
            )
        self.record(events.AmlSubjectWithdrawn(patron=patron, by=by))

    def decide(self, decision: str, *, by: str, approved_by: str) -> None:
        """Decides whether it is reported, by two people. Refuses: BadValue."""
        self._require_open()
        if self.filings:
            raise BadValue(
                message=Words(
                    "{case} was reported already. What is new goes into an amended report: `aml "
                    "filed`.",
                    case=self.address,
                )
            )
        if decision == self.decision:
            raise BadValue(
                message=Words(
                    "It is decided so already. Write what is new about {case} with `aml note`.",
                    case=self.address,
                )
            )
        self.record(events.AmlDecided(decision=decision, decided_by=by, approved_by=approved_by))

    def file(self, filing: Filing, by: str) -> None:
        """Records that a report was filed; an amended one also after it closed. Refuses: BadValue.

        Only what two people decided is reported, and only what was reported is amended.
        """
        if self.decision != "report":
            raise BadValue(
                message=Words(
                    "Nobody decided that {case} is reported. Decide it first, with `aml decide`.",
                    case=self.address,
                )
            )
        filing.require_order(str(self.address), self.filings)
        filing.require_day(str(self.address), date.fromisoformat(self.detected), self._filed_on)
        self.record(
            events.AmlFiled(
                number=self.filings + 1,
                filing=filing.filing,
                reference=filing.reference,
                filed_on=filing.filed_on,
                late=filing.late,
                sha256=filing.sha256,
                by=by,
            )
        )

    @property
    def _filed_on(self) -> str:
        return self.reports[-1].filed_on if self.reports else ""

    def take_back(self, reference: str, by: str) -> None:
        """Records that the newest report was typed by mistake; also once closed. Refuses: BadValue.

        The number, or the day, may have been wrong: then it is recorded anew.
        """
        newest = self.reports[-1] if self.reports else None
        if newest is None or newest.reference != reference:
            raise BadValue(
                message=Words(
                    "{reference} is not the newest report about {case}: {known}.",
                    reference=reference,
                    case=self.address,
                    known=newest.reference if newest else Words("there is none"),
                )
            )
        self.record(
            events.AmlFiledTakenBack(
                number=newest.number, reference=reference, filed_on=newest.filed_on, by=by
            )
        )

    def close(self, by: str) -> None:
        """Closes it, once what was decided is done. Refuses: BadValue."""
        self._require_open()
        if not self.decision:
            raise BadValue(
                message=Words(
                    "{case} is not decided. Two people decide it, with `aml decide`.",
                    case=self.address,
                )
            )
        if self.decision == "report" and not self.filings:
            raise BadValue(
                message=Words(
                    "{case} is to be reported. Record the report first, with `aml filed`.",
                    case=self.address,
                )
            )
        self.record(events.AmlCaseClosed(closed_by=by))

    def hand_out(self, position: int, json_sha256: str, pdf_sha256: str, by: str) -> None:
        """Records that a pack of it was made; also after it closed."""
        self.record(
            events.AmlCaseExported(
                position=position, json_sha256=json_sha256, pdf_sha256=pdf_sha256, by=by
            )
        )

    def _require_open(self) -> None:
        if self.closed:
            raise BadValue(
                message=Words(
                    "{case} is closed. Open another one with what is new, and name this one in it.",
                    case=self.address,
                )
            )
