"""The part of the feed's schema that says what an answer is."""

from collections.abc import Mapping
from typing import Any

from ops.commands.vocabulary import COMMANDS

Schema = dict[str, Any]

NULL: Schema = {"type": "null"}


def _text(description: str) -> Schema:
    return {"description": description, "type": "string"}


def _or_null(kind: str, description: str) -> Schema:
    return {"description": description, "type": [kind, "null"]}


def _events(description: str) -> Schema:
    return {"description": description, "type": "array", "items": {"$ref": "#/$defs/event"}}


DUE: Schema = {
    "description": "What the table must do next, and by which rule.",
    "type": "object",
    "required": ["action", "rule"],
    "properties": {
        "action": {"description": "The command that is due.", "enum": list(COMMANDS)},
        "hand": {
            "description": "The hand that draws or is turned.",
            "enum": ["player", "banker"],
        },
        "rule": _text("The rule, as in R-DRAW-4."),
    },
}
_ACCEPTED: Mapping[str, Schema] = {
    "ok": {"const": True},
    "command": {"enum": list(COMMANDS)},
    "id": _text("The id of the line, if it had one."),
    "position": _or_null(
        "integer",
        "The position of the last event in the ledger; null if the command recorded none.",
    ),
    "coup": _or_null("string", "The coup at the table, as in B01/2026-11-21/2/17; null for none."),
    "slip": _text("The number of the slip requested."),
    "case": _text("The case opened."),
    "inquiry": _text("The inquiry opened."),
    "incident": _text("The incident opened."),
    "aml_case": _text("The case of money laundering opened."),
    "form": _text("The number of the form issued for uncollected commission."),
    "code": _text("The one-time code of an enrolment; it is shown once."),
    "recovery_secret": _text("The recovery secret of the house; it is shown once."),
    "agrees": {
        "description": "Whether a coup adjudicated again agrees with its record.",
        "type": "boolean",
    },
    "disagreements": {
        "description": "Each difference between the record and the rules.",
        "type": "array",
    },
    "cash": {
        "description": "What the cash that was taken or paid brings about, by the regime of the "
        "house: the patron, their cash of the day with it, and what is due by when (R-CASH-1).",
        "type": "object",
    },
    "events": _events("What the command recorded, in order."),
    "due": {
        "description": "What the table must do next; null if nothing is due.",
        "anyOf": [{"$ref": "#/$defs/due"}, NULL],
    },
}
_AS_SENT: Schema = {"description": "As the line had it."}
_REFUSED: Mapping[str, Schema] = {
    "ok": {"const": False},
    "command": _AS_SENT,
    "id": _AS_SENT,
    "error": {"$ref": "#/$defs/error"},
    "message": _text("What is wrong and what to do, for people."),
    "rule": _or_null("string", "The rule, as in R-DEAL-2; null for none."),
    "line": {
        "description": "The number of the line, if it could not be read.",
        "type": "integer",
        "minimum": 1,
    },
    "position": {"type": ["integer", "null"]},
    "events": _events("What was recorded about the refusal."),
}
ANSWER: Schema = {
    "description": "The answer to a line: one JSON object on one line. Later versions may add "
    "fields.",
    "type": "object",
    "required": ["ok"],
    "if": {"properties": {"ok": {"const": True}}},
    "then": {
        "title": "accepted",
        "required": ["ok", "command", "position", "coup", "events", "due"],
        "properties": _ACCEPTED,
    },
    "else": {
        "title": "refused",
        "required": ["ok", "command", "error", "message", "rule"],
        "properties": _REFUSED,
    },
}
