"""One incident on the floor from the record: every event of it, in order."""

from typing import TYPE_CHECKING, Any, Literal
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.aggregates.incident import Incident
from domain.events import incident as events
from domain.review.replay import Line
from domain.rules import addresses
from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.ledger.reading import UnreadableEvent, read_stream
from ops.ledger.streams import lines
from ops.replay.inquiry import line_as_dict

if TYPE_CHECKING:
    import psycopg


class IncidentFile(Struct, frozen=True):
    """An incident, with the moment of each event."""

    lines: list[Line]  # the opening first

    @property
    def opened(self) -> events.Opened:
        """What happened."""
        event: events.Opened = self.lines[0].event
        return event

    @property
    def closed(self) -> bool:
        """Whether it is closed."""
        last = [
            each.event
            for each in self.lines
            if isinstance(each.event, events.IncidentClosed | events.IncidentReopened)
        ][-1:]
        return bool(last) and isinstance(last[0], events.IncidentClosed)

    def named(self, who: Literal["patrons", "staff"]) -> list[str]:
        """The patrons or the staff whom the opening or a note names, in that order."""
        names = (getattr(line.event, who, ()) for line in self.lines)
        return list(dict.fromkeys(name for each in names for name in each))

    def as_dict(self, zone: ZoneInfo) -> dict[str, object]:
        """The incident as JSON fields, with its moments in the house's time."""
        return {
            "incident": self.opened.incident,
            "status": "closed" if self.closed else "open",
            "events": [line_as_dict(line, zone) for line in self.lines],
        }


def read_incident(
    connection: "psycopg.Connection[Any]", address: addresses.Incident
) -> IncidentFile:
    """An incident as it is on record. Refuses: NotFound. Raises UnreadableEvent."""
    recorded = list(read_stream(connection, Incident.stream(address)))
    if not recorded:
        raise NotFound(what=Words("incident {incident}", incident=address))
    read = lines(recorded)
    if not isinstance(read[0].event, events.Opened):
        raise UnreadableEvent(recorded[0].position)
    return IncidentFile(read)
