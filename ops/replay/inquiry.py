"""One inquiry of surveillance from the record: every event of it, in order."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.aggregates.inquiry import Inquiry
from domain.events import inquiry as events
from domain.review.protection.repeated_slug import BACKWARDS
from domain.review.replay import Line
from domain.rules import addresses
from domain.rules.protection_levels import EARLIER_SHOE
from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.ledger.chain import Fields, Recorded
from ops.ledger.mapper import fields_of
from ops.ledger.reading import UnreadableEvent, read_stream
from ops.ledger.streams import lines, name_of, recorded_until

if TYPE_CHECKING:
    import psycopg


class Evidence(Struct, frozen=True):
    """A coup, a shoe, a patron or a dealer; `position`: of the event of the coup to look at."""

    about: str
    name: str
    position: int | None = None


class InquiryFile(Struct, frozen=True):
    """An inquiry, with the moment and the second person's proof of each event."""

    lines: list[Line]  # the opening first

    @property
    def opened(self) -> events.Opened:
        """What it is about."""
        event: events.Opened = self.lines[0].event
        return event

    @property
    def closed(self) -> events.InquiryClosed | None:
        """Its closing, or None while it is open."""
        for line in reversed(self.lines):
            if isinstance(line.event, events.InquiryReopened):
                return None
            if isinstance(line.event, events.InquiryClosed):
                return line.event
        return None

    @property
    def evidence(self) -> Iterator[Evidence]:
        """What it is about and what is attached, each once."""
        seen: dict[tuple[str, str], Evidence] = {}
        for event in (line.event for line in self.lines):
            if isinstance(event, events.Opened | events.EvidenceAttached):
                for each in _evidence(event.about, event.subject, event.row):
                    seen.setdefault((each.about, each.name), each)
        yield from seen.values()

    @property
    def rows(self) -> dict[int, events.Row]:
        """The rows of the report `protection` that it has, by the position of their events."""
        return {
            line.position: row for line in self.lines if (row := getattr(line.event, "row", {}))
        }

    def as_dict(self, zone: ZoneInfo) -> dict[str, object]:
        """The inquiry as JSON fields, with its moments in the house's time."""
        return {
            "inquiry": self.opened.inquiry,
            "status": "closed" if self.closed else "open",
            "events": [line_as_dict(line, zone) for line in self.lines],
        }


def _evidence(about: str, subject: str, row: events.Row) -> Iterator[Evidence]:
    """What an event of an inquiry is about, and what its row names."""
    yield Evidence(about, subject)
    if shoe := row.get("shoe"):
        yield Evidence("shoe", str(shoe))
    if row.get("question") == EARLIER_SHOE:
        yield Evidence("shoe", str(row["order"]).removesuffix(BACKWARDS))
    if coup := row.get("coup"):
        position = row.get("position")
        yield Evidence("coup", str(coup), position if isinstance(position, int) else None)


def line_as_dict(line: Line, zone: ZoneInfo) -> Fields:
    """An event as JSON fields, with its position and its moment in the house's time."""
    proved: Fields = {"approved_proved": line.proved} if line.proved else {}
    return {
        "type": name_of(line),
        "position": line.position,
        "at": line.at.astimezone(zone).isoformat(),
        **fields_of(line.event),
        **proved,
    }


def read_inquiry(
    connection: "psycopg.Connection[Any]", address: addresses.Inquiry, until: int | None = None
) -> tuple[list[Recorded], InquiryFile]:
    """The recorded events of an inquiry, and what they are, up to a position.

    Refuses: NotFound. Raises UnreadableEvent.
    """
    recorded = recorded_until(read_stream(connection, Inquiry.stream(address)), until)
    if not recorded:
        raise NotFound(what=Words("inquiry {inquiry}", inquiry=address))
    read = lines(recorded)
    if not isinstance(read[0].event, events.Opened):
        raise UnreadableEvent(recorded[0].position)
    return recorded, InquiryFile(read)
