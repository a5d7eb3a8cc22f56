"""One-time codes and recovery secrets: shown once, and stored nowhere.

They are made from the command's id, by the process that answers it, after the answer is stored.
"""

from ops.commands.authority import Authority
from ops.commands.command import name_of
from ops.commands.read import Line
from ops.commands.staff import StaffEnrol, StaffNewSecret, StaffRecover
from ops.handlers.answer import Answer
from ops.ledger.secrets import People, code_for, recovery_secret

COMMANDS = frozenset(name_of(kind) for kind in (StaffEnrol, StaffRecover, StaffNewSecret))
_ENROLS = frozenset(name_of(kind) for kind in (StaffEnrol, StaffRecover))


def show(answer: Answer, line: Line, command_id: str) -> None:
    """Adds to an answer that was just stored what is shown once with it."""
    if _gives_code(answer, line):
        answer.body["code"] = code_for(command_id)
    if _issues_secret(answer):
        answer.body["recovery_secret"] = recovery_secret(command_id)


def show_again(answer: Answer, line: Line, command_id: str, authority: Authority) -> None:
    """Adds it to a stored answer, if whoever asks may have it and it was not used yet."""
    people = People(authority.casino.ledger)
    ours = _issues_secret(answer) and people.is_recovery_secret(
        recovery_secret(command_id)  # only the process that made the secret can make it again
    )
    if _gives_code(answer, line):
        theirs = ours and people.awaits_code(line["staff"])
        if theirs or authority.may_see_code(line["staff"]):
            answer.body["code"] = code_for(command_id)
    if ours:
        answer.body["recovery_secret"] = recovery_secret(command_id)


def _gives_code(answer: Answer, line: Line) -> bool:
    """Whether an enrolment was accepted; a device gets no code."""
    return answer.ok and answer.command in _ENROLS and line.get("role") != "device"


def _issues_secret(answer: Answer) -> bool:
    return answer.ok and any(event["type"] == "RecoverySecretIssued" for event in answer.events)
