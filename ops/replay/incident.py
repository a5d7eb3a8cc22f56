"""One incident on the floor from the record: every event of it, in order."""

from typing import TYPE_CHECKING, Any, Literal
from zoneinfo import ZoneInfo

from msgspec import Struct, convert

from domain.aggregates.incident import Incident
from domain.events import incident as events
from domain.review.replay import Line
from domain.rules import addresses
from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.ledger.mapper import fields_of
from ops.ledger.reading import UnreadableEvent
from ops.ledger.streams import read_lines
from ops.replay.inquiry import line_as_dict

if TYPE_CHECKING:
    import psycopg


class Moved(Struct, frozen=True):
    """Money that went from one place to another, and who agreed; `balance`: what the house keeps.

    `table_day`: whose tray it was, '' for none; `balance` below 0: what the house gave.
    """

    position: int
    amount: int
    from_place: str
    to_place: str
    table_day: str
    balance: int
    requested_by: str
    approved_by: str


class Seen(Struct, frozen=True):
    """A moment on a camera; `ahead`: the milliseconds by which its clock was ahead."""

    camera: str
    at: str
    ahead: int
    by_record: str


class Summary(Struct, frozen=True, kw_only=True):
    """An incident as it is now, in one row."""

    status: str
    kind: str
    table: str
    day: str
    shift: str
    opened_by: str
    patrons: list[str]
    staff: list[str]
    guests: list[str]
    notes: int
    cameras: list[Seen]
    money: list[Moved]
    outcome: str  # '' while it is open
    closed_by: str


class IncidentFile(Struct, frozen=True):
    """An incident, with the moment of each event."""

    lines: list[Line]  # the opening first

    @property
    def opened(self) -> events.Opened:
        """What happened."""
        event: events.Opened = self.lines[0].event
        return event

    @property
    def ending(self) -> events.IncidentClosed | None:
        """How it ended; None while it is open."""
        ends = (events.IncidentClosed, events.IncidentReopened)
        last = next((each.event for each in self.lines[::-1] if isinstance(each.event, ends)), None)
        return last if isinstance(last, events.IncidentClosed) else None

    @property
    def closed(self) -> bool:
        """Whether it is closed."""
        return self.ending is not None

    def named(self, who: Literal["patrons", "staff", "guests"]) -> list[str]:
        """Those whom the opening or a note names, in that order."""
        names = (getattr(line.event, who, ()) for line in self.lines)
        return list(dict.fromkeys(name for each in names for name in each))

    def summary(self) -> Summary:
        """The incident in one row."""
        opened, ending = self.opened, self.ending
        seen = [each for line in self.lines for each in getattr(line.event, "evidence", ())]
        return Summary(
            status="closed" if ending else "open",
            kind=opened.kind,
            table=opened.table,
            day=opened.day,
            shift=opened.shift,
            opened_by=opened.opened_by,
            patrons=self.named("patrons"),
            staff=self.named("staff"),
            guests=self.named("guests"),
            notes=sum(isinstance(line.event, events.IncidentNoted) for line in self.lines),
            cameras=convert(seen, list[Seen]),
            money=[
                convert({**fields_of(line.event), "position": line.position}, Moved)
                for line in self.lines
                if isinstance(line.event, events.MoneyMoved)
            ],
            outcome=ending.outcome if ending else "",
            closed_by=ending.by if ending else "",
        )

    def as_dict(self, zone: ZoneInfo) -> dict[str, object]:
        """The incident as JSON fields, with its moments in the house's time."""
        return {
            "incident": self.opened.incident,
            "status": "closed" if self.closed else "open",
            "events": [line_as_dict(line, zone) for line in self.lines],
        }


def read_incident(
    connection: "psycopg.Connection[Any]", address: addresses.Incident, until: int | None = None
) -> IncidentFile:
    """An incident as it is on record, whole or up to a position.

    Refuses: NotFound. Raises UnreadableEvent.
    """
    read = read_lines(connection, Incident.stream(address), until)
    if not read:
        raise NotFound(what=Words("incident {incident}", incident=address))
    if not isinstance(read[0].event, events.Opened):
        raise UnreadableEvent(read[0].position)
    return IncidentFile(read)
