"""One case from the record: every event of it, in the order of its steps."""

from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import asdict

from domain.aggregates.dispute import Dispute
from domain.events import dispute
from domain.events.base import Event
from domain.review.replay import Line
from domain.rules import addresses
from domain.rules.refusals import NotFound
from ops.ledger.chain import Fields, Recorded
from ops.ledger.mapper import fields_of
from ops.ledger.reading import UnreadableEvent, read_stream
from ops.ledger.streams import lines, recorded_until
from ops.words.values import CaseDue, Deadlines

if TYPE_CHECKING:
    import psycopg


class Footage(Struct, frozen=True):
    """A moment on a camera by its own clock, and by the record's."""

    camera: str
    at: str
    ahead: int  # milliseconds by which the camera's clock is ahead
    by_record: str


class Hold(Struct, frozen=True):
    """A step in holding a table: `placed`, `released` or `decided`."""

    at: datetime
    step: str
    by: str


class CaseFile(Struct, frozen=True, dict=True):
    """A case: the events of each kind, with the moment and the second person's proof of each."""

    lines: list[Line]  # the opening first

    @property
    def opened(self) -> dispute.Opened:
        """The complaint, with the state of the record at that time."""
        event: dispute.Opened = self.lines[0].event
        return event

    @property
    def opened_at(self) -> datetime:
        """When the case was opened."""
        return self.lines[0].at

    @cached_property
    def notes(self) -> list[Line]:
        """Notes, with their evidence and questions."""
        return self._of(dispute.Noted)

    @cached_property
    def decisions(self) -> list[Line]:
        """Every decision; the last one holds."""
        return self._of(dispute.Decided)

    @cached_property
    def patron_informed(self) -> list[Line]:
        """The events of informing the patron, each about one decision."""
        return self._of(dispute.PatronTold)

    @cached_property
    def notified(self) -> list[Line]:
        """The events of notifying the regulator."""
        return self._of(dispute.RegulatorNotified)

    @cached_property
    def packs(self) -> list[Line]:
        """The packs made of the case."""
        return self._of(dispute.PackMade)

    @cached_property
    def closed(self) -> Line | None:
        """The closing of the case, or None while it is open."""
        return next(iter(self._of(dispute.Closed)), None)

    @cached_property
    def holds(self) -> list[Hold]:
        """The steps of holding the table."""
        return list(self._holds())

    @property
    def informed_of_last(self) -> list[Line]:
        """The events of informing the patron of the last decision."""
        return [line for line in self.patron_informed if line.event.number == len(self.decisions)]

    @property
    def notify_by(self) -> str | None:
        """The deadline for notifying the regulator, or None if it need not be notified."""
        by: str | None = [self.lines[0], *self.decisions][-1].event.notify_by
        return by

    @property
    def due(self) -> CaseDue:
        """The deadlines, with what was done about them."""
        informed = self.informed_of_last
        return CaseDue(
            deadlines=Deadlines(
                notify_by=self.notify_by,
                tell_by=self.decisions[-1].event.tell_by if self.decisions else None,
                patron_until=informed[-1].event.until if informed else None,
            ),
            status=self.status,
            regulator_notified_at=self.notified[-1].at.isoformat() if self.notified else None,
            patron_told_at=informed[-1].at.isoformat() if informed else None,
        )

    @property
    def changes_hands(self) -> int:
        """The amount paid to patrons by all decisions, in minor units; negative if taken back."""
        return sum(line.event.changes_hands for line in self.decisions)

    @property
    def status(self) -> str:
        """The status: `open`, `decided`, `told` (the patron is informed), or `closed`."""
        if self.closed:
            return "closed"
        return "told" if self.informed_of_last else "decided" if self.decisions else "open"

    def as_dict(self, zone: ZoneInfo) -> dict[str, object]:
        """The case as JSON fields, with its moments in the house's time."""
        opened = self.opened
        return {
            **{name: getattr(opened, name) for name in ("case", "coup", "patron", "complaint")},
            "status": self.status,
            "in_dispute": opened.amount,
            "as_named": opened.amount_named,
            "wagers": opened.wagers,
            "opened_at": _at(self.opened_at, zone),
            "opened_by": opened.opened_by,
            "frozen_at": opened.frozen_at,
            "coup_phase": opened.coup_phase,
            "agrees": opened.agrees,
            "disagreements": opened.disagreements,
            "others": opened.others,
            "notify_by": self.notify_by,
            "notes": _steps(self.notes, zone),
            "decisions": _steps(self.decisions, zone),
            "changes_hands": self.changes_hands,
            "informed": _steps(self.patron_informed, zone),
            "notified": _steps(self.notified, zone),
            "holds": bool(self.holds and self.holds[-1].step == "placed"),
            "hold": [asdict(each) | {"at": _at(each.at, zone)} for each in self.holds],
            "packs": _steps(self.packs, zone),
            "closed": _steps([self.closed], zone)[0] if self.closed else None,
        }

    def _of(self, kind: type[Event]) -> list[Line]:
        return [line for line in self.lines if isinstance(line.event, kind)]

    def _holds(self) -> Iterator[Hold]:
        for line in self.lines:
            event = line.event
            if isinstance(event, dispute.Opened) and event.hold:
                yield Hold(line.at, "placed", event.opened_by)
            elif isinstance(event, dispute.HoldPlaced):
                yield Hold(line.at, "placed", event.by)
            elif isinstance(event, dispute.HoldReleased):
                yield Hold(line.at, event.why, event.by)


def read_case(
    connection: "psycopg.Connection[Any]", address: addresses.Case, until: int | None = None
) -> tuple[list[Recorded], CaseFile]:
    """The recorded events of a case, and the case made from them, up to a position.

    Refuses: NotFound. Raises UnreadableEvent.
    """
    recorded = recorded_until(read_stream(connection, Dispute.stream(address)), until)
    if not recorded:
        raise NotFound(what=f"case {address}")
    events = lines(recorded)
    if not isinstance(events[0].event, dispute.Opened):
        raise UnreadableEvent(recorded[0].position)
    return recorded, CaseFile(events)


def _steps(lines: list[Line], zone: ZoneInfo) -> list[Fields]:
    """Every event with its own fields."""
    return [
        {
            "at": _at(line.at, zone),
            **fields_of(line.event),
            **({"approved_proved": line.proved} if line.proved else {}),
        }
        for line in lines
    ]


def _at(at: datetime, zone: ZoneInfo) -> str:
    return at.astimezone(zone).isoformat()
