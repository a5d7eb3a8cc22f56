"""Commands of an incident: what happened on the floor that is no dispute about a payment."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from domain.rules.incidents import KINDS, OUTCOMES, PLACES
from domain.rules.permissions import BOSSES, WATCH, Permission
from ops.commands.command import Amount, Command, Reason, StaffNumber, TableCode, Text, one_of
from ops.commands.disputes import EVIDENCE_HELP, Evidence

_WRITES = Permission((*BOSSES, "security", *WATCH))
_CLOSES = Permission((*BOSSES, "surveillance"))
_MOST = 24  # of each kind of people
_OPTION_HELP: Mapping[str, str] = {
    "evidence": EVIDENCE_HELP,
    "involved": "A patron who was in it, by number or alias; repeat it for several.",
    "staff": "Somebody of the house who was in it, by number; repeat it for several.",
    "guests": "A reference for anybody else, as in guest-1, and no name; repeat it for several.",
}
_FIELD_HELP: Mapping[str, str] = {
    "involved": "The patrons who were in it, by number or alias.",
    "staff": "Those of the house who were in it, by number.",
    "guests": "References for anybody else, as in guest-1, and no names.",
}


class Account(Command, kw_only=True):
    """What somebody writes about an incident, and who was in it."""

    text: Reason
    involved: Annotated[
        list[Text],
        Meta(max_length=_MOST, description='write up to 24 patrons, as in ["P-10417"]'),
    ] = msgspec.field(default_factory=list)
    staff: Annotated[
        list[StaffNumber],
        Meta(max_length=_MOST, description='write up to 24 staff numbers, as in ["D-204"]'),
    ] = msgspec.field(default_factory=list)
    guests: Annotated[
        list[Text],
        Meta(max_length=_MOST, description='write up to 24 references, as in ["guest-1"]'),
    ] = msgspec.field(default_factory=list)
    evidence: Evidence = msgspec.field(default_factory=list)

    option_help: ClassVar[Mapping[str, str]] = _OPTION_HELP
    field_help: ClassVar[Mapping[str, str]] = _FIELD_HELP


class IncidentOpen(Account, tag="incident.open"):
    """Reports something on the floor that is no dispute about a payment (R-FLOOR-1).

    Write no names: patrons and staff have numbers, anybody else a reference.
    """

    kind: Annotated[str, one_of(KINDS)]
    table: TableCode | None = None

    arguments = ("kind", "text")
    permission = _WRITES
    example = "incident open medical 'a guest fainted' --table B01 --guests guest-1"
    field_help: ClassVar[Mapping[str, str]] = {
        "kind": "What it is.",
        "table": "The table at which it happened; none if it was at none.",
        **_FIELD_HELP,
    }
    more_help = """
\b
KIND is one of these:
  conduct   somebody behaves badly
  fight     people hurt or threaten each other
  medical   somebody is ill or hurt
  theft     something is taken, or somebody tried
  damage    something is broken
  goodwill  the house gives somebody something, outside any wager
  chips     chips or money are lost, or lie about
  other     anything else
"""


class OnIncident(Command, kw_only=True):
    """A command about one incident."""

    incident: Text

    arguments: ClassVar[tuple[str, ...]] = ("incident",)


class IncidentNote(Account, tag="incident.note"):
    """Adds a note to an incident: what somebody saw or did, who was in it, what cameras saw."""

    incident: Text

    arguments = ("incident", "text")
    permission = _WRITES
    example = "incident note IR-2026-0001 'the ambulance left'"


class IncidentMoney(OnIncident, tag="incident.money"):
    """Moves chips or money because of an incident, by two people: goodwill, or lost chips.

    What somebody lost is kept in the tray or the cage until it goes to its person.
    """

    amount: Amount
    source: Annotated[str, one_of(PLACES)]
    into: Annotated[str, one_of(PLACES)]
    reason: Reason
    table: TableCode | None = None

    arguments = ("incident", "amount", "source", "into", "reason")
    permission = Permission((*BOSSES, "cage"), must=True, two_in_open_house=True)
    example = "incident money IR-2026-0001 50 tray person sorry --with S-11"
    field_help: ClassVar[Mapping[str, str]] = {
        "amount": "How much.",
        "source": "Where it is: tray, cage, person or floor.",
        "into": "Where it goes: tray, cage, person or floor.",
        "table": "The table whose tray it is; default the incident's.",
    }


class IncidentClose(OnIncident, tag="incident.close"):
    """Closes an incident with its outcome; it may be reopened."""

    outcome: Annotated[str, one_of(OUTCOMES)]
    reason: Reason

    arguments = ("incident", "outcome", "reason")
    permission = _CLOSES
    example = "incident close IR-2026-0001 resolved 'she is well'"
    field_help: ClassVar[Mapping[str, str]] = {"outcome": "What came of it."}
    more_help = """
\b
OUTCOME is one of these:
  resolved    it is settled
  warned      somebody was warned
  removed     somebody had to leave
  barred      the patron is barred from playing here
  reported    the regulator or the police have it
  unresolved  nobody will find out more
"""


class IncidentReopen(OnIncident, tag="incident.reopen"):
    """Goes on with a closed incident."""

    reason: Reason

    arguments = ("incident", "reason")
    permission = _CLOSES
    example = "incident reopen IR-2026-0001 'he came back'"


class IncidentExport(OnIncident, tag="incident.export"):
    """Writes the pack of an incident, which a stranger can check, and records its checksums.

    Security does not: the coups around it are in the file.
    """

    permission = Permission((*BOSSES, *WATCH))
    example = "incident export IR-2026-0001 --into packs"
