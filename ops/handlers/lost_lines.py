"""Acknowledged lines that a restored record lacks: each is offered, and two people decide about it.

Whoever had the answers offers them: a terminal or a feed, as soon as it is connected. A line is
taken again as it was, with its old place and moment beside its events, or left out with a reason.
"""

import json
from collections.abc import Mapping, Sequence

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.rules import addresses
from domain.rules.refusals import BadValue, Refusal
from domain.rules.wording import Words
from ops.commands.audit import AuditAgain
from ops.commands.command import Command
from ops.commands.read import Line, read
from ops.door.acknowledged import Acknowledged
from ops.handlers.alerts import acknowledge_one, open_cause
from ops.handlers.decided import decide
from ops.handlers.desk import Desk
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.several import dispatch_several
from ops.ledger.chain import Fields
from projections.attention.alerts import LINE_MISSING

_OF_PEOPLE = "staff."  # commands with names and codes, which no event has
_OF_THE_SENDER = ("id", "device_n")


def fields_in(text: str) -> Fields:
    """The fields of a line that is missing."""
    fields: Fields = json.loads(text)
    return fields


def offer(
    dispatcher: Dispatcher, lines: Sequence[Acknowledged], lost: Mapping[str, object]
) -> None:
    """Records those of these lines that are missing, each once; the board rings. Raises LedgerLost.

    `lost`: the further fields of `audit.missing`.
    """
    casino = dispatcher.casino
    casino.begin(Command())
    house = casino.find(Property, PROPERTY_STREAM, rely=False)
    known = casino.ledger.used_ids([each.id for each in lines]) | (
        house.lost_lines if house else set()
    )
    fresh = [_missing(each, lost) for each in lines if each.id not in known]
    for answer in dispatch_several(dispatcher.for_own_commands(), fresh):
        assert answer.ok, str(answer)


def _missing(line: Acknowledged, lost: Mapping[str, object]) -> Line:
    table = line.line.get("table")
    return {
        "command": "audit.missing",
        **lost,
        "until": line.position,
        "signed": False,
        "mark": "",
        "epoch": line.epoch,
        "line": json.dumps(_without_names(line.line), ensure_ascii=False),
        "line_id": line.id,
        "acknowledged_at": line.at.isoformat(),
        "at_table": table if isinstance(table, str) else "",
    }


def _without_names(line: Mapping[str, object]) -> dict[str, object]:
    """The line without its id; of one about staff only whom it is about."""
    fields = {name: each for name, each in line.items() if name not in _OF_THE_SENDER}
    if not str(fields.get("command", "")).startswith(_OF_PEOPLE):
        return fields
    return {name: fields[name] for name in ("command", "staff", "at", "by") if name in fields}


def again(alert: str, reason: str, fields: Fields) -> Line:
    """The fields of `audit.again` for a missing line; `fields`: of the event that has it."""
    return {
        "alert": alert,
        "reason": reason,
        "at": fields_in(fields["line"]).get("at") or fields["acknowledged_at"],
        "late": True,
    }


def take_again(desk: Desk, command: AuditAgain) -> None:
    """Does what a missing line says, as of its own moment. Refuses: BadValue, NotFound."""
    desk.require_two(Words("Taking a lost line again"), command)
    address = addresses.Alert.parse(command.alert)
    cause = open_cause(desk, address)
    if address.kind != LINE_MISSING:
        raise BadValue(field="alert", value=command.alert, why=Words("name a line that is missing"))
    _do(desk, fields_in(cause.fields["line"]))
    named = ("until", "acknowledged_at", "line_id")
    desk.casino.again = tuple(cause.fields[each] for each in named)
    acknowledge_one(desk, address, cause, f"taken again: {command.reason}")


def _do(desk: Desk, line: Fields) -> None:
    """Decides the line in the name of its sender. Refuses: BadValue; then nothing is recorded."""
    casino = desk.casino
    actor = casino.actor
    try:
        if str(line["command"]).startswith(_OF_PEOPLE):
            raise BadValue(message=Words("What is about staff is entered anew. Leave it out."))
        command = read(line)
        casino.actor = command.by or ""
        decide(desk, command)
    except Refusal as refusal:
        raise BadValue(
            message=Words(
                "The line cannot be taken again now: {why} Take lines that came before it first, "
                "or leave it out: `alert acknowledge`.",
                why=refusal.words,
            )
        ) from None
    finally:
        casino.actor = actor
