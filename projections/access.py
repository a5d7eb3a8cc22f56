"""Access: who came and went, who was turned away, and what changed about who may do what."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

from domain.events import property as property_events
from domain.events import rule_set, staff_member
from domain.rules.permissions import OF_THE_HOUSE
from projections.model import Event, Projection, Report, View, narrowed
from projections.rows import Row, Rows, Table
from projections.words import proof_in, with_proof

_TABLES = """
-- One row an act: who came and went, was turned away, and what changed about who may do what.
CREATE TABLE access (
    position   bigint NOT NULL PRIMARY KEY,
    at         timestamptz NOT NULL,
    gaming_day date   NOT NULL,
    staff      text   NOT NULL,  -- whom it is about; '' for the house's own
    act        text   NOT NULL,  -- in words
    "by"       text   NOT NULL   -- who did it
);
"""


class Act(Row):
    """Who came or went, was turned away, or what changed about who may do what."""

    position: int
    at: datetime
    gaming_day: date
    staff: str
    act: str
    by: str


ACTS = Table("access", Act, "position")


_REFUSED = {
    "wrong-pin": "wrong PIN",
    "locked": "locked",
    "retired": "retired",
    "signed-on-elsewhere": "signed on elsewhere",
}


_SIGNED_OFF = {
    "by-pin": ", by their own PIN",
    "signed-on-again": ", signed on again",
    "replaced": ", another signed on there",
    "ended": ", the session had lasted its hours",
    "locked": ", the number was locked",
}


def _signed_on(told: Mapping[str, Any]) -> str:
    at = f" at {told['table']}" if told["table"] else ""
    return f"signed on{at}{_where(told)}"


def _signed_off(told: Mapping[str, Any]) -> str:
    return f"signed off{_SIGNED_OFF.get(told['why'], '')}"


def _sign_on_refused(told: Mapping[str, Any]) -> str:
    return f"sign-on refused: {_REFUSED.get(told['why'], told['why'])}{_where(told)}"


def _where(told: Mapping[str, Any]) -> str:
    """On which machine; a device has none."""
    return f", {told['machine']} (as {told['user']})" if told["machine"] else ""


def _enrolled(told: Mapping[str, Any]) -> str:
    return f"enrolled as {told['role']}{_for_two(told)}"


def _for_two(told: Mapping[str, Any]) -> str:
    return f", says for two people: {', '.join(told['for_two'])}" if told["for_two"] else ""


def _for_two_changed(told: Mapping[str, Any]) -> str:
    return (
        _for_two(told).removeprefix(", ")
        if told["for_two"]
        else "says nothing for two people any more"
    )


def _act_refused(told: Mapping[str, Any]) -> str:
    second = f", second {told['second']}" if told["second"] else ""
    return f"refused {told['command']}: {told['why']}{second}"


def _secret_issued(told: Mapping[str, Any]) -> str:
    return f"recovery secret issued: {told['why'].replace('-', ' ')}"


def _recovered(told: Mapping[str, Any]) -> str:
    return f"administrator let in again by {told['how'].replace('-', ' ')}"


def _recovery_refused(told: Mapping[str, Any]) -> str:
    return f"not let in again: {told['why'].replace('-', ' ')}"


def _rules_approved(event: Event, rows: Rows) -> None:
    told = event.told
    *others, last = told["approved_by"] or ["nobody who said so"]
    last = with_proof(last, proof_in(event, last)) if others else last
    people = " and ".join([*others, last])
    _note(event, f"rule set {told['rules']} approved by {people}", rows)


def _act(words: str | Callable[[Mapping[str, Any]], str]) -> Callable[[Event, Rows], None]:
    """A line of the report, in these words."""

    def change(event: Event, rows: Rows) -> None:
        act = words.format(**event.told) if isinstance(words, str) else words(event.told)
        _note(event, act, rows)

    return change


def _note(event: Event, words: str, rows: Rows) -> None:
    act = Act(
        position=event.position,
        at=event.at,
        gaming_day=event.gaming_day,
        staff=event.told.get("staff", ""),
        act=words,
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
SELECT position, at, gaming_day, staff, act, "by" AS done_by FROM projections.access
""",
        columns={
            "position": "Where in the ledger it stands.",
            "at": "When it happened.",
            "gaming_day": "The gaming day.",
            "staff": "The number of whom it is about; empty for the house's own.",
            "act": "What happened, in words.",
            "done_by": "The number of who did it.",
        },
    ),
)

PROJECTION = Projection(
    name="access",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        staff_member.Enrolled.TOPIC: _act(_enrolled),
        staff_member.ForTwoChanged.TOPIC: _act(_for_two_changed),
        staff_member.RoleChanged.TOPIC: _act("role changed to {role}"),
        staff_member.CodeIssued.TOPIC: _act("code issued"),
        staff_member.PinChosen.TOPIC: _act("PIN chosen"),
        staff_member.PinProved.TOPIC: _act("PIN proved as the second person"),
        staff_member.SignedOn.TOPIC: _act(_signed_on),
        staff_member.SignedOff.TOPIC: _act(_signed_off),
        staff_member.SignOnRefused.TOPIC: _act(_sign_on_refused),
        staff_member.Locked.TOPIC: _act("locked after {wrong} wrong PINs"),
        staff_member.ActRefused.TOPIC: _act(_act_refused),
        staff_member.Retired.TOPIC: _act("retired"),
        rule_set.Adopted.TOPIC: _act("rule set {rules} adopted"),
        rule_set.Approved.TOPIC: _rules_approved,
        property_events.SettingChanged.TOPIC: _act(
            "setting {name} changed from {before} to {value}"
        ),
        property_events.HouseClosed.TOPIC: _act("house closed"),
        property_events.RecoverySecretIssued.TOPIC: _act(_secret_issued),
        property_events.AdministratorRecovered.TOPIC: _act(_recovered),
        property_events.RecoveryRefused.TOPIC: _act(_recovery_refused),
    },
)

REPORT = Report(
    name="access",
    title="Access",
    read_by=OF_THE_HOUSE,
    projections=("access",),
    columns=("at", "staff", "act", "by"),
    sql=f"""
SELECT at, staff, act, "by" FROM access WHERE {narrowed(table=None)} ORDER BY position
""",  # noqa: S608
    money=(),
    narrowings=("day",),
    shown=("at", "staff", "act", "by"),
)
