"""An incident on the floor: what happened, to whom, what was noted, and how it ended.

Patrons and staff are their numbers. Anybody else is a reference, such as `guest-1`: no event has
a name.
"""

from domain.events import base
from domain.rules import addresses

Part = dict[str, str | int | None]  # of an event


class Event(base.Event):
    """About one incident."""

    NAMED_BY = ("incident",)
    incident: str = ""


class _Account(Event):
    """What somebody writes about an incident: the text, who was in it, and what cameras saw."""

    text: str
    patrons: list[str]
    staff: list[str]
    guests: list[str]  # references of people without a number
    evidence: list[Part]  # camera, at, ahead (ms), by_record: `at` less `ahead`


class Opened(_Account, topic="incident.opened", first=True):
    """Something happened on the floor that is no dispute about a payment."""

    kind: str
    table: str  # '' if it was at none
    day: str  # the gaming day on which it happened
    shift: str
    opened_by: str


class State(base.State):
    """Where it belongs, and whether it is closed."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.address = addresses.Incident.parse(opened.incident)
        self.day = addresses.parse_day(opened.day)
        self.table = opened.table
        self.closed = False
        self.balance = 0  # what the house keeps for somebody; less than 0: what it gave


class IncidentNoted(_Account, topic="incident.incident-noted"):
    """A note about the incident."""

    by: str


class MoneyMoved(Event, topic="incident.money-moved"):
    """Chips or money went from one place to another because of the incident; two people agreed."""

    amount: int
    from_place: str  # `tray`, `cage`, `person` or `floor`
    to_place: str
    table_day: str  # whose tray it was; '' for none
    balance: int  # what the house keeps for somebody after it; less than 0: what it gave
    reason: str
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.balance = self.balance


class IncidentClosed(Event, topic="incident.incident-closed"):
    """The incident is over."""

    outcome: str
    reason: str
    by: str

    def apply(self, state: State) -> None:
        state.closed = True


class IncidentReopened(Event, topic="incident.incident-reopened"):
    """A closed incident goes on."""

    reason: str
    by: str

    def apply(self, state: State) -> None:
        state.closed = False


class IncidentExported(Event, topic="incident.incident-exported"):
    """A pack of the incident was made: one JSON file, and one PDF."""

    position: int  # of the last event in it
    json_sha256: str
    pdf_sha256: str
    by: str
