"""The feed as one JSON Schema: commands, answers, events, refusals and exit statuses.

The document itself describes a line of the feed; `#/$defs/answer` an answer. Under `#/$defs` stand
`command.bet` and every other command, `event.coup.wager-placed` and every other event, `error`
and `exit_status`. Keywords that begin with `x-` are notes, which no validator checks.
"""

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from domain.events import STREAMS, events_of
from domain.events.base import Event, event_name
from domain.rules import refusals
from domain.rules.refusals import Refusal
from ops import VERSION
from ops.commands import command, coup, disputes, seats
from ops.commands.answer_schema import ANSWER, DUE, NULL, Schema
from ops.commands.command import Command, meaning_of
from ops.commands.field_words import FIELDS
from ops.commands.shoe import ShoeInspect
from ops.commands.vocabulary import COMMANDS
from ops.ledger.mapper import COMMON
from ops.words.event_fields import words_for

if TYPE_CHECKING:
    from domain.rules.permissions import Permission

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Types that many fields share: each stands in the schema once, under this name.
SHARED: Mapping[str, Any] = {
    "amount": command.Amount,
    "card": command.CardText,
    "chips": command.Chips,
    "count": command.Count,
    "day": command.Day,
    "line_of_text": command.Reason,
    "moment": command.Moment,
    "payment": command.Payment,
    "seat": command.Seat,
    "spot": command.Spot,
    "table": command.TableCode,
    "text": command.Text,
}
PARTS: Mapping[str, type[Struct]] = {
    "wager": coup.Wager,
    "seating": seats.Seating,
    "evidence": disputes.Seen,
}
PART_WORDS = {**FIELDS, "at": "The moment by the camera's clock."}
COMMON_TO_LINES = tuple(each.encode_name for each in fields(Command))
# Their card is null in an answer while it is face down.
HIDES_CARD = ("CardDrawn", "CarriedCardDealt", "CardDealt", "CardMoved")
EXIT_STATUSES: Mapping[int, str] = {
    0: "Every line was accepted.",
    1: "A line was refused.",
    2: "A line could not be read as a JSON object (BadLine), or the command line was wrong.",
    3: "The ledger was lost, or an answer could not be written. Answered lines are "
    "recorded; later lines may be recorded too. Send the file again with the same ids.",
}
_WORDS = re.compile(r"\^\(([A-Za-z0-9|\\.-]+)\)\\Z")  # a pattern that only lists words
_NULL_MEANS = re.compile(r"; null [^.;]*")
_ESCAPED = re.compile(r"\\U([0-9a-f]{8})")


def schema() -> Schema:
    """The whole schema, in an order that is always the same."""
    return {
        "$schema": DIALECT,
        "title": "Sabot feed",
        "description": "A line of the feed: one command as a JSON object on one line. Amounts are "
        "whole numbers of minor currency units, as in 10000 for 100.00.",
        "x-sabot-version": VERSION,
        "$ref": "#/$defs/line",
        "$defs": {
            "line": _line(),
            "answer": ANSWER,
            **_types(),
            **{f"field.{name}": made for name, made in _common().items()},
            "late_needs_at": {
                "if": {"properties": {"late": {"const": True}}, "required": ["late"]},
                "then": {"required": ["at"]},
            },
            **{f"command.{name}": _command(kind) for name, kind in COMMANDS.items()},
            **{f"event.{topic}": _event(topic, kind) for topic, kind in _events().items()},
            "event": _any_event(),
            "due": DUE,
            "error": {"oneOf": [_error(kind) for kind in _refusals()]},
            "exit_status": {
                "description": "The exit status of `sabot feed`.",
                "oneOf": [{"const": n, "description": words} for n, words in EXIT_STATUSES.items()],
            },
        },
    }


def text() -> str:
    """The schema as it is printed: ASCII, with a line end."""
    return json.dumps(schema(), indent=2) + "\n"


# Lines


def _line() -> Schema:
    return {
        "type": "object",
        "required": ["command"],
        "properties": {"command": {"enum": list(COMMANDS)}},
        "allOf": [_if("command", name, f"command.{name}") for name in COMMANDS],
    }


def _if(field: str, value: object, definition: str) -> Schema:
    """Where a field has this value, the object is of that definition."""
    return {
        "if": {"properties": {field: {"const": value}}, "required": [field]},
        "then": {"$ref": f"#/$defs/{definition}"},
    }


def _common() -> dict[str, Schema]:
    """The fields that every line may carry."""
    return _described(Command, {name: meaning_of(Command, name) for name in COMMON_TO_LINES})


def _command(kind: type[Command]) -> Schema:
    words = {
        each.encode_name: meaning_of(kind, each.encode_name)
        for each in fields(kind)
        if each.encode_name not in COMMON_TO_LINES
    }
    own = _described(kind, words)
    common = {name: {"$ref": f"#/$defs/field.{name}"} for name in COMMON_TO_LINES}
    return {
        "title": str(kind.__struct_config__.tag),
        "description": _sentences(kind.__doc__),
        "x-shell-example": f"sabot {kind.example}",
        "x-permission": _permission(kind),
        "type": "object",
        "required": ["command", *_required(kind)],
        "properties": {"command": {"const": kind.__struct_config__.tag}, **own, **common},
        "additionalProperties": False,
        "$ref": "#/$defs/late_needs_at",
    }


def _permission(kind: type[Command]) -> Schema:
    """Who may send it in a closed house, and whether a second person must sign."""
    stated: Permission = kind.permission
    sometimes = stated.may_take_two or kind is ShoeInspect
    return {
        "roles": list(stated.roles) or "everybody, for themselves",
        "second_person": "always" if stated.must else "sometimes" if sometimes else "never",
        **({"second_person_roles": list(stated.second)} if sometimes else {}),
        **({"alone": list(stated.alone)} if stated.alone else {}),
        **(
            {"named": {name: list(who) for name, who in stated.named.items()}}
            if stated.named
            else {}
        ),
    }


def _sentences(docstring: str | None) -> str:
    """A docstring as one paragraph."""
    return " ".join((docstring or "").split())


# Types


def _types() -> Schema:
    """The types that many fields share, then the parts of lines."""
    shared = {
        name: _portable(msgspec.json.schema(kind) | {"title": name})
        for name, kind in SHARED.items()
    }
    parts = {
        name: {
            "title": name,
            "type": "object",
            "required": _required(kind),
            "properties": _described(kind, {each: PART_WORDS[each] for each in _names(kind)}),
            "additionalProperties": False,
        }
        for name, kind in PARTS.items()
    }
    return {f"type.{name}": made for name, made in (shared | parts).items()}


def _names(kind: type[Struct]) -> list[str]:
    return [each.encode_name for each in fields(kind)]


def _required(kind: type[Struct]) -> list[str]:
    return [each.encode_name for each in fields(kind) if each.required]


def _described(kind: type[Struct], words: Mapping[str, str]) -> dict[str, Schema]:
    """Fields of a command, or of a part of one: what each means, and what to write."""
    _, components = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    made = components[kind.__name__]["properties"]
    return {name: _field(made[name], meaning) for name, meaning in words.items()}


def _field(made: Schema, meaning: str) -> Schema:
    shared = _shared(made)
    if shared:
        default = {"default": made["default"]} if "default" in made else {}
        return {"description": meaning, **shared, **default}
    plain = _portable(made)
    written = plain.pop("description", "")
    return {"description": f"{meaning} {written}".rstrip(), **plain}


def _shared(made: Schema) -> Schema | None:
    """A reference to the shared type that this is, or None if it is not one of them."""
    if "$ref" in made:
        part = next(name for name, kind in PARTS.items() if made["$ref"].endswith(kind.__name__))
        return {"$ref": f"#/$defs/type.{part}"}
    bare = {name: value for name, value in made.items() if name != "default"}
    shared = (name for name, kind in SHARED.items() if msgspec.json.schema(kind) == bare)
    name = next(shared, None)
    return {"$ref": f"#/$defs/type.{name}"} if name else None


def _portable(made: Schema) -> Schema:
    """A type without Python in its patterns, and with a description that stands alone."""
    plain: Schema = {}
    for name, value in made.items():
        if name == "$schema" or (name == "format" and "pattern" in made):
            continue  # a moment may also be written to the minute
        if name == "pattern":
            words = _WORDS.fullmatch(value)
            plain |= {"enum": _words(words[1])} if words else {"pattern": _pattern(value)}
        elif name == "description":
            plain[name] = _noun(value)
        elif name == "anyOf":
            plain[name] = [_shared(each) or _portable(each) for each in value]
        elif isinstance(value, dict):
            plain[name] = _shared(value) or _portable(value)
        else:
            plain[name] = value
    return plain


def _words(alternatives: str) -> list[str]:
    return alternatives.replace("\\", "").split("|")


def _pattern(python: str) -> str:
    """A pattern that means the same to other programs as to Python.

    A text that is valid UTF-8 has no surrogates, and not everybody's patterns may name them. Before
    a last line end Python's `$` matches too, so that one is excluded.
    """
    text = _ESCAPED.sub(lambda code: chr(int(code[1], 16)), python.replace(r"\ud800-\udfff", ""))
    return text.replace(r"\Z", r"(?!\n)$")


def _noun(description: str) -> str:
    """What stands after `write`, as a sentence of its own."""
    words = description.removeprefix("write ")
    return f"{words[:1].upper()}{words[1:]}."


# Events


def _events() -> dict[str, type[Event]]:
    return {topic: kind for stream in STREAMS for topic, kind in events_of(stream).items()}


def _any_event() -> Schema:
    """An event in an answer, known by its name; one that is not listed is of a later version."""
    names = {event_name(topic, first=kind.FIRST): topic for topic, kind in _events().items()}
    return {
        "description": "An event in an answer.",
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"type": "string"}},
        "allOf": [_if("type", name, f"event.{topic}") for name, topic in names.items()],
    }


def _event(topic: str, kind: type[Event]) -> Schema:
    """An event with its fields, as answers and the ledger have it."""
    name = event_name(topic, first=kind.FIRST)
    made = _of_event(kind)
    properties = {
        field: {"description": _for_type(words_for(topic, field), each), **each}
        for field, each in made.items()
    }
    if name in HIDES_CARD:
        properties["card"]["type"] = ["string", "null"]
    return {
        "title": name,
        "description": _sentences(kind.__doc__),
        "x-topic": topic,
        "type": "object",
        "required": [each for each in properties if each not in kind.added_later()],
        "properties": {
            "type": {"description": "The name of the event, in an answer.", "const": name},
            "at": {
                "description": "When it happened, in the ledger and in exports: date, time and "
                "offset.",
                "type": "string",
                "format": "date-time",
            },
            **properties,
        },
    }


def _for_type(words: str, made: Schema) -> str:
    """The words without what null means, for a field that is never null."""
    return words if NULL in made.get("anyOf", ()) else _NULL_MEANS.sub("", words)


def _of_event(kind: type[Event]) -> dict[str, Schema]:
    (_,), components = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    made = components[kind.__name__]["properties"]
    plain = {name: _portable(each) for name, each in made.items() if name not in COMMON}
    for each in plain.values():
        each.pop("default", None)
    return plain


# Refusals


def _refusals() -> list[type[Refusal]]:
    """Every refusal that has a name of its own, by name."""
    kinds = [
        each
        for each in vars(refusals).values()
        if isinstance(each, type) and issubclass(each, Refusal) and not each.__subclasses__()
    ]
    return sorted(kinds, key=lambda kind: kind.__name__)


def _error(kind: type[Refusal]) -> Schema:
    """A refusal: its name, its message with the names of what is filled in, its rule."""
    return {
        "const": kind.__name__,
        "description": _sentences(kind.__doc__),
        "x-kind": kind.__mro__[1].__name__,
        "x-rule": kind.rule,
        "x-recorded": kind.recorded,  # whether an event is recorded beside the answer
        "x-answer-kept": kind.stored,  # whether the same line with the same id is answered the same
    }
