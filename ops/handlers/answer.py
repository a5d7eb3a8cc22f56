"""The answer to a line: accepted, with its events and what is due, or refused, with the rule.

One-time codes and recovery secrets are shown once and stored nowhere: they are added to an answer
after it is stored.
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
    """An answer, ready to be printed as one line.

    `refusal`: why the command was refused; '' if it was accepted, or if the stored answer was read.
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
    """The answer to a refused line, with the rule, and the events that record the refusal."""
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
    if enrols(answer) and line.get("role") != "device":
        answer.body["code"] = code_for(command_id)
    return answer


def with_secret(answer: Answer, command_id: str) -> Answer:
    """The answer with the new recovery secret, if it issues one; the secret is stored nowhere."""
    if issues_secret(answer):
        answer.body["recovery_secret"] = recovery_secret(command_id)
    return answer


def enrols(answer: Answer) -> bool:
    """Whether the answer accepts an enrolment, which comes with a one-time code."""
    return answer.ok and answer.body["command"] in ("staff.enrol", "staff.recover")


def issues_secret(answer: Answer) -> bool:
    """Whether a new recovery secret comes with the answer."""
    return answer.ok and any(
        event["type"] == "RecoverySecretIssued" for event in answer.body.get("events", ())
    )


def placed(answer: Answer, position: int | None) -> Answer:
    """The answer with its position in the ledger."""
    if "position" in answer.body:
        answer.body["position"] = position
    return answer
