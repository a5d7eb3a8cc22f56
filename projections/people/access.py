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
    _note(event, "rule set approved", detail, rows)


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

PROJECTION = Projection(
    name="access",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        staff_member.Enrolled.TOPIC: _act("enrolled", "role", "for_two"),
        staff_member.ForTwoChanged.TOPIC: _act("commands for two changed", "for_two"),
        staff_member.RoleChanged.TOPIC: _act("role changed", "role"),
        staff_member.CodeIssued.TOPIC: _act("code issued"),
        staff_member.KeyRegistered.TOPIC: _act("key registered", "key"),
        staff_member.PinChosen.TOPIC: _act("PIN chosen"),
        staff_member.PinProved.TOPIC: _act("PIN proved"),
        staff_member.SignedOn.TOPIC: _act("signed on", "table", "machine", "user"),
        staff_member.SignedOff.TOPIC: _act("signed off", "why"),
        staff_member.SignOnRefused.TOPIC: _act("sign-on refused", "why", "machine", "user"),
        staff_member.Locked.TOPIC: _act("locked", "wrong"),
        staff_member.ActRefused.TOPIC: _act("refused", "command", "why", "second"),
        staff_member.LicenceRecorded.TOPIC: _act("licence recorded", "licence", "until"),
        staff_member.Retired.TOPIC: _act("retired"),
        terminal.Approved.TOPIC: _act("terminal approved", "terminal", "name"),
        terminal.TerminalRetired.TOPIC: _act("terminal retired", "terminal", "name", "reason"),
        rule_set.Adopted.TOPIC: _act("rule set adopted", "rules"),
        rule_set.Approved.TOPIC: _rules_approved,
        property_events.SettingChanged.TOPIC: _act("setting changed", "name", "before", "value"),
        protection.LevelChanged.TOPIC: _act(
            "level changed", "question", "level_before", "level", "approved_by"
        ),
        regime.RegimeChosen.TOPIC: _act("regime chosen", "regime", "from_day", "approved_by"),
        property_events.HouseClosed.TOPIC: _act("house closed"),
        property_events.RecoverySecretIssued.TOPIC: _act("recovery secret issued", "why"),
        property_events.AdministratorRecovered.TOPIC: _act("administrator let in again", "how"),
        archiving.CoupsLeft.TOPIC: _act("coups left", "events", "directory", "reason"),
        archiving.CoupsBroughtBack.TOPIC: _act("coups brought back", "directory"),
        property_events.RecordRestored.TOPIC: _act("record restored", "epoch", "reason"),
        property_events.RecoveryRefused.TOPIC: _act("administrator not let in", "why"),
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
  FROM access WHERE {narrowed(table=None, at=["at"])} ORDER BY position
""",  # noqa: S608
    money=(),
    narrowings=("day", "span"),
    shown=("at", "staff", "act", "by"),
    words={
        "act": ("act", "what happened"),
    },
)
