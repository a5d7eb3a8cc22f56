"""The words for an act of the access report: who came and went, and who may do what.

>>> act_words({"kind": "signed on", "table": "B01", "machine": "pc-7", "user": "dealer"})
'signed on at B01, pc-7 (as dealer)'
"""

from collections.abc import Callable, Mapping
from typing import Any

from ops.words.terms import (
    prohibition_called,
    recovery_called,
    recovery_refusal_called,
    secret_called,
    sign_on_refusal_called,
)
from projections.proofs import with_proof

UNNAMED = "not named"  # in open house a command needs no name

_SIGNED_OFF = {
    "by-pin": ", by their own PIN",
    "signed-on-again": ", signed on again",
    "replaced": ", another signed on there",
    "ended": ", the session was over",
    "idle": ", nothing was asked there for too long",
    "locked": ", the number was locked",
}
Act = Mapping[str, Any]  # its kind, and the fields that the report keeps


def act_words(act: Act) -> str:
    """The words for one act; a kind that needs no more is unchanged."""
    words = _WORDS.get(act["kind"])
    if words is None:
        return str(act["kind"])
    return words.format(**act) if isinstance(words, str) else words(act)


def _signed_on(act: Act) -> str:
    at = f" at {act['table']}" if act["table"] else ""
    return f"signed on{at}{_where(act)}"


def _signed_off(act: Act) -> str:
    return f"signed off{_SIGNED_OFF.get(act['why'], '')}"


def _sign_on_refused(act: Act) -> str:
    return f"sign-on refused: {sign_on_refusal_called(act['why'])}{_where(act)}"


def _where(act: Act) -> str:
    """The words for the machine; a device has none."""
    return f", {act['machine']} (as {act['user']})" if act["machine"] else ""


def _enrolled(act: Act) -> str:
    commands = ", ".join(act["for_two"])
    return f"enrolled as {act['role']}" + (f", for two people: {commands}" if commands else "")


def _for_two_changed(act: Act) -> str:
    commands = ", ".join(act["for_two"])
    return f"for two people: {commands}" if commands else "for two people: no command any more"


def _refused(act: Act) -> str:
    second = f", second person {act['second']}" if act["second"] else ""
    return f"refused {act['command']}: {prohibition_called(act['why'])}{second}"


def _approved(act: Act) -> str:
    """The last person who approved, with how their signature is known."""
    *others, last = act["approved_by"] or [UNNAMED]
    people = " and ".join([*others, with_proof(last, act["proved"])])
    return f"rule set {act['rules']} approved by {people}"


_WORDS: Mapping[str, str | Callable[[Act], str]] = {
    "enrolled": _enrolled,
    "commands for two changed": _for_two_changed,
    "role changed": "role changed to {role}",
    "PIN proved": "PIN proved as the second person",
    "signed on": _signed_on,
    "signed off": _signed_off,
    "sign-on refused": _sign_on_refused,
    "locked": "locked after {wrong} wrong PINs",
    "refused": _refused,
    "rule set adopted": "rule set {rules} adopted",
    "rule set approved": _approved,
    "terminal approved": "terminal {terminal} approved: {name}",
    "terminal retired": lambda act: (
        f"terminal {act['terminal']} retired: {act['name']}"
        + (f", {act['reason']}" if act["reason"] else "")
    ),
    "key registered": "key {key} registered",
    "record restored": "record restored, epoch {epoch}: {reason}",
    "setting changed": "setting {name} changed from {before} to {value}",
    "recovery secret issued": lambda act: f"recovery secret issued: {secret_called(act['why'])}",
    "administrator let in again": lambda act: (
        f"administrator let in again {recovery_called(act['how'])}"
    ),
    "administrator not let in": lambda act: (
        f"not let in again: {recovery_refusal_called(act['why'])}"
    ),
}
