"""The words for an act of the access report: who came and went, and who may do what.

>>> act_words({"kind": "signed on", "table": "B01", "machine": "pc-7", "user": "dealer"})
'signed on at B01, pc-7 (as dealer)'
"""

from collections.abc import Callable, Mapping
from typing import Any

from domain.rules.wording import N_, Words, listed
from ops.words.terms import (
    prohibition_called,
    recovery_called,
    recovery_refusal_called,
    role_called,
    secret_called,
    sign_on_refusal_called,
)
from projections.proofs import with_proof

UNNAMED = N_("not named")  # in open house a command needs no name
BROWSER = N_("browser")  # whose machine has no name

# By why a sign-on ended.
_SIGNED_OFF = {
    "by-pin": N_("signed off, by their own PIN"),
    "signed-on-again": N_("signed off, signed on again"),
    "replaced": N_("signed off, another signed on there"),
    "ended": N_("signed off, the session was over"),
    "idle": N_("signed off, nothing was asked there for too long"),
    "locked": N_("signed off, the number was locked"),
}
Act = Mapping[str, Any]  # its kind, and the fields that the report keeps


def act_words(act: Act) -> Words:
    """The words for one act; a kind that is not known is unchanged."""
    words = _WORDS.get(act["kind"])
    if words is None:
        return Words("{kind}", kind=str(act["kind"]))
    if isinstance(words, str):
        return Words(words, **{name: each for name, each in act.items() if name != "kind"})
    return words(act)


def _signed_on(act: Act) -> Words:
    if act["table"]:
        return _at_machine(Words("signed on at {table}", table=act["table"]), act)
    return _at_machine(Words("signed on"), act)


def _signed_off(act: Act) -> Words:
    return Words(_SIGNED_OFF.get(act["why"], N_("signed off")))


def _sign_on_refused(act: Act) -> Words:
    why = sign_on_refusal_called(act["why"])
    return _at_machine(Words("sign-on refused: {why}", why=why), act)


def _at_machine(words: Words, act: Act) -> Words:
    """The words with the machine; a device has none."""
    if not act["machine"]:
        return words
    machine = Words(BROWSER) if act["machine"] == BROWSER else act["machine"]
    where = {"machine": machine, "user": act["user"]}
    return Words("{act}, {machine} (as {user})", act=words, **where)


def _enrolled(act: Act) -> Words:
    commands, role = ", ".join(act["for_two"]), role_called(act["role"])
    if not commands:
        return Words("enrolled as {role}", role=role)
    return Words("enrolled as {role}, for two people: {commands}", role=role, commands=commands)


def _for_two_changed(act: Act) -> Words:
    if commands := ", ".join(act["for_two"]):
        return Words("for two people: {commands}", commands=commands)
    return Words("for two people: no command")


def _refused(act: Act) -> Words:
    values = {"command": act["command"], "why": prohibition_called(act["why"])}
    if not act["second"]:
        return Words("refused {command}: {why}", **values)
    return Words("refused {command}: {why}, second person {second}", second=act["second"], **values)


def _approved(act: Act) -> Words:
    """The last person who approved, with how their signature is known."""
    *others, last = act["approved_by"] or [UNNAMED]
    people = [*others, with_proof(last, act["proved"])]
    return Words("rule set {rules} approved by {people}", rules=act["rules"], people=listed(people))


def _retired(act: Act) -> Words:
    values = {name: act[name] for name in ("terminal", "name", "reason")}
    if not act["reason"]:
        return Words("terminal {terminal} retired: {name}", **values)
    return Words("terminal {terminal} retired: {name}, {reason}", **values)


def _licensed(act: Act) -> Words:
    if act["until"]:
        return Words("licence {licence}, up to {until}", licence=act["licence"], until=act["until"])
    return Words("licence {licence}, without an end", licence=act["licence"])


_WORDS: Mapping[str, str | Callable[[Act], Words]] = {
    "enrolled": _enrolled,
    "commands for two changed": _for_two_changed,
    "role changed": lambda act: Words("role changed to {role}", role=role_called(act["role"])),
    "code issued": N_("code issued"),
    "PIN chosen": N_("PIN chosen"),
    "retired": N_("retired"),
    "house closed": N_("house closed"),
    "PIN proved": N_("PIN proved as the second person"),
    "signed on": _signed_on,
    "signed off": _signed_off,
    "sign-on refused": _sign_on_refused,
    "locked": N_("locked after {wrong} wrong PINs"),
    "refused": _refused,
    "rule set adopted": N_("rule set {rules} adopted"),
    "rule set approved": _approved,
    "terminal approved": N_("terminal {terminal} approved: {name}"),
    "terminal retired": _retired,
    "licence recorded": _licensed,
    "key registered": N_("key {key} registered"),
    "coups brought back": N_("coups and shoes came back from {directory}"),
    "coups left": N_("coups and shoes up to #{events} left for {directory}: {reason}"),
    "record restored": N_("record restored, epoch {epoch}: {reason}"),
    "setting changed": N_("setting {name} changed from {before} to {value}"),
    "regime chosen": N_("regime {regime} chosen from {from_day} on, with {approved_by}"),
    "level changed": N_(
        "level of {question} changed from {level_before} to {level}, with {approved_by}"
    ),
    "recovery secret issued": lambda act: Words(
        "recovery secret issued: {why}", why=secret_called(act["why"])
    ),
    "administrator let in again": lambda act: Words(
        "administrator let in again {how}", how=recovery_called(act["how"])
    ),
    "administrator not let in": lambda act: Words(
        "not let in again: {why}", why=recovery_refusal_called(act["why"])
    ),
}
