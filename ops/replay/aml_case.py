"""One case of money laundering from the record, with what people wrote beside it."""

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar
from zoneinfo import ZoneInfo

from msgspec import Struct, convert

from domain.aggregates.aml_case import AmlCase
from domain.events import aml_case as events
from domain.events import cash_day
from domain.review.replay import Line
from domain.rules import addresses
from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.ledger.aml_texts import stored_texts
from ops.ledger.reading import UnreadableEvent
from ops.ledger.streams import read_lines
from ops.replay.inquiry import line_as_dict

if TYPE_CHECKING:
    import psycopg

_Event = TypeVar("_Event", bound=events.Event)
COUNTED = (cash_day.CashCounted, cash_day.CashChanged)


class Filed(Struct, frozen=True, kw_only=True):
    """A report that was filed; `sha256`: of the file that was sent, '' if it is not known."""

    number: int
    filing: str
    reference: str
    filed_on: str
    late: bool
    sha256: str


class Summary(Struct, frozen=True, kw_only=True):
    """A case as it is now, in one row."""

    status: str
    patron: str
    with_others: list[str]
    alert: str
    detected: str
    paper: str
    due_at: str
    opened_by: str
    notes: int
    evidence: list[int]
    decision: str
    decided_by: str
    approved_by: str
    filed: list[Filed]
    closed_by: str


class AmlFile(Struct, frozen=True):
    """A case: its events, the opening first, and each text by the position of what it is of."""

    lines: list[Line]  # without those that only say that a text is stored
    texts: Mapping[int, str]

    @property
    def opened(self) -> events.Opened:
        """Whom it is about."""
        event: events.Opened = self.lines[0].event
        return event

    @property
    def subjects(self) -> list[str]:
        """Whom it is about, by the names that were typed: whom it was opened about is first."""
        subjects = [self.opened.patron]
        for line in self.lines:
            if isinstance(line.event, events.AmlSubjectNamed):
                subjects.append(line.event.patron)
            if isinstance(line.event, events.AmlSubjectWithdrawn):
                subjects.remove(line.event.patron)
        return subjects

    @property
    def decided(self) -> events.AmlDecided | None:
        """The decision of two that counts, the last; None: nobody decided."""
        return next((each for each in reversed(self._events(events.AmlDecided))), None)

    @property
    def filed(self) -> list[events.AmlFiled]:
        """The reports that were filed, without those that were taken back."""
        filed: list[events.AmlFiled] = []
        for line in self.lines:
            if isinstance(line.event, events.AmlFiled):
                filed.append(line.event)
            if isinstance(line.event, events.AmlFiledTakenBack):
                filed.pop()
        return filed

    @property
    def is_closed(self) -> bool:
        """Whether it is closed."""
        return bool(self._events(events.AmlCaseClosed))

    @property
    def status(self) -> str:
        """`open`, `decided`, `filed` or `closed`."""
        if self.is_closed:
            return "closed"
        return "filed" if self.filed else "decided" if self.decided else "open"

    def summary(self) -> Summary:
        """The case in one row."""
        opened, decided = self.opened, self.decided
        closed = self._events(events.AmlCaseClosed)
        return Summary(
            status=self.status,
            patron=opened.patron,
            with_others=self.subjects[1:],
            alert=opened.alert,
            detected=opened.detected,
            paper=opened.paper,
            due_at=opened.due_at,
            opened_by=opened.opened_by,
            notes=len(self._events(events.AmlNoteAdded)),
            evidence=self.positions,
            decision=decided.decision if decided else "",
            decided_by=decided.decided_by if decided else "",
            approved_by=decided.approved_by if decided else "",
            filed=[convert(each, Filed, from_attributes=True) for each in self.filed],
            closed_by=closed[-1].closed_by if closed else "",
        )

    def _events(self, kind: type[_Event]) -> list[_Event]:
        return [line.event for line in self.lines if isinstance(line.event, kind)]

    @property
    def positions(self) -> list[int]:
        """The events that are evidence, each once."""
        every = (getattr(line.event, "positions", ()) for line in self.lines)
        return sorted({each for some in every for each in some})

    def text_of(self, line: Line) -> str:
        """What somebody wrote with an event; '' for nothing."""
        return self.texts.get(line.position, "")

    @property
    def narrative(self) -> str:
        """The texts that go into a report, in their order."""
        return "\n".join(
            self.text_of(line)
            for line in self.lines
            if getattr(line.event, "narrative", False) and self.text_of(line)
        )

    def as_dict(self, zone: ZoneInfo) -> dict[str, object]:
        """The case as JSON fields, with its moments in the house's time."""
        return {
            "aml_case": self.opened.aml_case,
            "events": [
                line_as_dict(line, zone) | ({"text": text} if (text := self.text_of(line)) else {})
                for line in self.lines
            ],
        }


def whose_cash(event: object) -> set[str]:
    """The names under which the cash came that an event of evidence is about; empty for nobody's.

    Cash that was counted came under one name; an alert may be about several, whose names look the
    same, or who play for one person.
    """
    if isinstance(event, COUNTED):
        return {event.name}
    others = (*getattr(event, "alike", ()), *getattr(event, "agents", ()))
    return {*filter(None, (getattr(event, "patron", ""), *others))}


def read_aml_case(
    connection: "psycopg.Connection[Any]", address: addresses.AmlCase, until: int | None = None
) -> AmlFile:
    """A case with its texts, whole or up to a position.

    Refuses: NotFound. Raises UnreadableEvent.
    """
    every = _lines(connection, address, until)
    stored = stored_texts(connection, str(address))
    texts = {
        of.position: stored.get(line.event.number, "")
        for of, line in pairwise(every)
        if isinstance(line.event, events.TextWritten)
    }
    return AmlFile(_without_texts(every), texts)


def read_without_texts(
    connection: "psycopg.Connection[Any]", address: addresses.AmlCase, until: int | None = None
) -> AmlFile:
    """A case as the record has it, for a login that reads nothing beside the record.

    Refuses: NotFound. Raises UnreadableEvent.
    """
    return AmlFile(_without_texts(_lines(connection, address, until)), {})


def _lines(
    connection: "psycopg.Connection[Any]", address: addresses.AmlCase, until: int | None
) -> list[Line]:
    every = read_lines(connection, AmlCase.stream(address), until)
    if not every:
        raise NotFound(what=Words("case {case}", case=address))
    if not isinstance(every[0].event, events.Opened):
        raise UnreadableEvent(every[0].position)
    return every


def _without_texts(every: list[Line]) -> list[Line]:
    return [line for line in every if not isinstance(line.event, events.TextWritten)]
