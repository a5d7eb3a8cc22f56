"""What a line is answered: yes with its events and what is due, or no with its rule.

What is shown once and stored nowhere, a one-time code or a recovery secret, is put in on the way
out.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.rules.refusals import Refusal
from domain.rules.wording import plain
from ops.ledger.secrets import code_for, recovery_secret
from ops.words.language import shown

_json = msgspec.json.Encoder(enc_hook=plain)


class Answer(Struct, frozen=True):
    """What a command was answered, ready to be printed as one line.

    `refusal`: why it was refused; '' if it was not, or if the answer was read back.
    """

    body: dict[str, Any]
    refusal: str = ""

    @property
    def reason(self) -> str:
        """Why it was refused, in the reader's language; '' if it was accepted."""
        return shown(self.refusal or self.body.get("message", ""))

    @property
    def ok(self) -> bool:
        """Whether the command was accepted."""
        return bool(self.body["ok"])

    def __str__(self) -> str:
        return _json.encode(self.body).decode()


def refused(
    line: dict[str, Any], refusal: Refusal, events: Sequence[dict[str, Any]] = ()
) -> Answer:
    """The answer that says no, by which rule, and what to do next; with what is recorded of it."""
    return Answer(
        {
            "ok": False,
            "command": line.get("command"),
            **({"id": line["id"]} if "id" in line else {}),
            "error": refusal.error,
            "message": str(refusal),
            "rule": refusal.rule,
            **({"position": None, "events": list(events)} if events else {}),
        },
        refusal.words,
    )


def with_code(answer: Answer, line: dict[str, Any], command_id: str) -> Answer:
    """An enrolment's answer with the one-time code, which is stored nowhere."""
    if enrols(answer):
        answer.body["code"] = code_for(command_id, line.get("role", "administrator"))
    return answer


def with_secret(answer: Answer, command_id: str) -> Answer:
    """With the recovery secret, which is stored nowhere, if it is a new one."""
    if issues_secret(answer):
        answer.body["recovery_secret"] = recovery_secret(command_id)
    return answer


def enrols(answer: Answer) -> bool:
    """Whether somebody is enrolled by it, with a one-time code."""
    return answer.ok and answer.body["command"] in ("staff.enrol", "staff.recover")


def issues_secret(answer: Answer) -> bool:
    """Whether a recovery secret comes with it."""
    return answer.ok and any(
        event["type"] == "RecoverySecretIssued" for event in answer.body.get("events", ())
    )


def placed(answer: Answer, position: int | None) -> Answer:
    """The answer with the position that the ledger gave."""
    if "position" in answer.body:
        answer.body["position"] = position
    return answer
