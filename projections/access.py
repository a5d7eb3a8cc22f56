"""Access: who came and went, who was turned away, and what changed about who may do what."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from domain.property import Property
from domain.rule_set import RuleSet
from domain.staff import StaffMember
from projections.model import Fact, Projection, Report, Statement, narrowed

_NOTED = """
INSERT INTO access VALUES (%(position)s, %(at)s, %(day)s, %(staff)s, %(act)s, %(by)s)
"""

_REFUSED = {
    "wrong-pin": "wrong PIN",
    "locked": "locked",
    "retired": "retired",
    "signed-on-elsewhere": "signed on elsewhere",
}


def _signed_on(told: Mapping[str, Any]) -> str:
    return f"signed on at {told['table']}" if told["table"] else "signed on"


def _sign_on_refused(told: Mapping[str, Any]) -> str:
    return f"sign-on refused: {_REFUSED.get(told['why'], told['why'])}"


def _act_refused(told: Mapping[str, Any]) -> str:
    second = f", second {told['second']}" if told["second"] else ""
    return f"refused {told['command']}: {told['why']}{second}"


def _rules_approved(told: Mapping[str, Any]) -> str:
    people = " and ".join(told["approved_by"]) or "nobody who said so"
    return f"rule set {told['rules']} approved by {people}"


def _act(say: str | Callable[[Mapping[str, Any]], str]) -> Callable[[Fact], Iterator[Statement]]:
    """A line of the report, in these words."""

    def change(fact: Fact) -> Iterator[Statement]:
        act = say.format(**fact.told) if isinstance(say, str) else say(fact.told)
        yield (
            _NOTED,
            {
                "position": fact.position,
                "at": fact.at,
                "day": fact.gaming_day,
                "staff": fact.told.get("staff", ""),
                "act": act,
                "by": fact.actor,
            },
        )

    return change


PROJECTION = Projection(
    name="access",
    tables=("access",),
    changes={
        StaffMember.Created.TOPIC: _act("enrolled as {role}"),
        StaffMember.RoleChanged.TOPIC: _act("role changed to {role}"),
        StaffMember.CodeIssued.TOPIC: _act("code issued"),
        StaffMember.PinChosen.TOPIC: _act("PIN chosen"),
        StaffMember.PinProved.TOPIC: _act("PIN proved as the second person"),
        StaffMember.SignedOn.TOPIC: _act(_signed_on),
        StaffMember.SignedOff.TOPIC: _act("signed off"),
        StaffMember.SignOnRefused.TOPIC: _act(_sign_on_refused),
        StaffMember.Locked.TOPIC: _act("locked after {wrong} wrong PINs"),
        StaffMember.ActRefused.TOPIC: _act(_act_refused),
        StaffMember.Retired.TOPIC: _act("retired"),
        RuleSet.Created.TOPIC: _act("rule set {rules} adopted"),
        RuleSet.Approved.TOPIC: _act(_rules_approved),
        Property.SettingChanged.TOPIC: _act("setting {name} changed from {before} to {value}"),
        Property.HouseClosed.TOPIC: _act("house closed"),
    },
)

REPORT = Report(
    name="access",
    title="Access",
    projections=("access",),
    columns=("at", "staff", "act", "by"),
    sql=f"""
SELECT at, staff, act, "by" FROM access WHERE {narrowed(table=None)} ORDER BY position
""",  # noqa: S608
    money=(),
    narrowings=("day",),
    shown=("at", "staff", "act", "by"),
)
