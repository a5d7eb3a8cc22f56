"""Access: who came and went, who was turned away, and what changed about who may do what."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

from domain.events import archiving, protection, regime, rule_set, staff_member, terminal
from domain.events import property as property_events
from domain.rules.permissions import OF_THE_HOUSE
from projections.model import Event, Projection, Report, View, narrowed
from projections.proofs import proof_in
from projections.rows import Row, Rows, Table

_TABLES = """
-- One row an act: who came and went, was turned away, and what changed about who may do what.
CREATE TABLE access (
    position   bigint NOT NULL PRIMARY KEY,
    at         timestamptz NOT NULL,
    gaming_day date   NOT NULL,
    staff      text   NOT NULL,  -- whom it is about; '' for the house itself
    kind       text   NOT NULL,  -- signed on, locked, setting changed, …
    detail     jsonb  NOT NULL,  -- the act's other fields, which the report shows
    "by"       text   NOT NULL   -- who did it
);
"""


# The parameter with the first words of commands of which whoever asks may not learn.
HIDDEN_COMMANDS = "hidden_commands"


class Act(Row):
    """One line of the report: who came or went, was turned away, or may now do what."""

    position: int
    at: datetime
    gaming_day: date
    staff: str
    kind: str
    detail: dict[str, Any]
    by: str


ACTS = Table("access", Act, "position")


Fields = Mapping[str, Any]
APPROVED = "rule set approved"


def _act(kind: str, *names: str) -> Callable[[Event, Rows], None]:
    """Returns a change that adds a line: the kind of act, and the named fields of its event."""

    def change(event: Event, rows: Rows) -> None:
        _note(event, kind, {name: event.fields[name] for name in names}, rows)

    return change


def _rules_approved(event: Event, rows: Rows) -> None:
    """Adds the approval, with how the signature of the last person who approved is known."""
    people = event.fields["approved_by"]
    proved = proof_in(event, people[-1]) if people else None
    detail = {"rules": event.fields["rules"], "approved_by": people, "proved": proved}
    _note(event, APPROVED, detail, rows)


def _note(event: Event, kind: str, detail: Fields, rows: Rows) -> None:
    act = Act(
        position=event.position,
        at=event.at,
        gaming_day=event.gaming_day,
        staff=event.fields.get("staff", ""),
        kind=kind,
        detail=dict(detail),
        by=event.actor,
    )
    rows.put(ACTS, act)


_VIEWS = (
    View(
        name="access",
        what=(
            "Who came and went, was turned away, and what changed about who may do what. One row "
            "an act."
        ),
        sql="""
SELECT position, at, gaming_day, staff, kind AS act, "by" AS done_by, detail
  FROM projections.access
""",
        columns={
            "position": "Its position in the ledger.",
            "at": "When it happened.",
            "gaming_day": "The gaming day.",
            "staff": "The staff number that it is about; empty for the house itself.",
            "act": "What happened: signed on, locked, setting changed, …",
            "done_by": "The staff number of the person who did it.",
            "detail": "What else is recorded of it: table, machine, role, reason, …",
        },
    ),
)

# The kind of act that each event is, and the fields that are kept of it.
_ACTS: Mapping[str, tuple[str, ...]] = {
    staff_member.Enrolled.TOPIC: ("enrolled", "role", "for_two"),
    staff_member.ForTwoChanged.TOPIC: ("commands for two changed", "for_two"),
    staff_member.RoleChanged.TOPIC: ("role changed", "role"),
    staff_member.CodeIssued.TOPIC: ("code issued",),
    staff_member.KeyRegistered.TOPIC: ("key registered", "key"),
    staff_member.PinChosen.TOPIC: ("PIN chosen",),
    staff_member.PinProved.TOPIC: ("PIN proved",),
    staff_member.SignedOn.TOPIC: ("signed on", "table", "machine", "user"),
    staff_member.SignedOff.TOPIC: ("signed off", "why"),
    staff_member.SignOnRefused.TOPIC: ("sign-on refused", "why", "machine", "user"),
    staff_member.Locked.TOPIC: ("locked", "wrong"),
    staff_member.ActRefused.TOPIC: ("refused", "command", "why", "second"),
    staff_member.LicenceRecorded.TOPIC: ("licence recorded", "licence", "until"),
    staff_member.Retired.TOPIC: ("retired",),
    terminal.Approved.TOPIC: ("terminal approved", "terminal", "name"),
    terminal.TerminalRetired.TOPIC: ("terminal retired", "terminal", "name", "reason"),
    rule_set.Adopted.TOPIC: ("rule set adopted", "rules"),
    property_events.SettingChanged.TOPIC: ("setting changed", "name", "before", "value"),
    protection.LevelChanged.TOPIC: (
        "level changed",
        "question",
        "level_before",
        "level",
        "approved_by",
    ),
    regime.RegimeChosen.TOPIC: ("regime chosen", "regime", "from_day", "approved_by"),
    property_events.HouseClosed.TOPIC: ("house closed",),
    property_events.RecoverySecretIssued.TOPIC: ("recovery secret issued", "why"),
    property_events.AdministratorRecovered.TOPIC: ("administrator let in again", "how"),
    archiving.CoupsLeft.TOPIC: ("coups left", "events", "directory", "reason"),
    archiving.CoupsBroughtBack.TOPIC: ("coups brought back", "directory"),
    property_events.RecordRestored.TOPIC: ("record restored", "epoch", "reason"),
    property_events.RecoveryRefused.TOPIC: ("administrator not let in", "why"),
}
KINDS = {kind for kind, *_ in _ACTS.values()} | {APPROVED}
PROJECTION = Projection(
    name="access",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        rule_set.Approved.TOPIC: _rules_approved,
        **{topic: _act(kind, *names) for topic, (kind, *names) in _ACTS.items()},
    },
)

# `ops.words.access` turns an act's kind and detail into words.
REPORT = Report(
    name="access",
    title="Access",
    about="who signed on, and who changed staff, rules, settings",
    read_by=OF_THE_HOUSE,
    projections=("access",),
    columns=("at", "staff", "act", "by"),
    sql=f"""
SELECT at, staff, jsonb_build_object('kind', kind) || detail AS act, "by"
  FROM access
 WHERE {narrowed(table=None, at=["at"])}
   AND split_part(coalesce(detail ->> 'command', ''), '.', 1) <> ALL(%({HIDDEN_COMMANDS})s::text[])
 ORDER BY position
""",  # noqa: S608
    money=(),
    narrowings=("day", "span"),
    shown=("at", "staff", "act", "by"),
    words={
        "act": ("act", "what happened"),
    },
)
