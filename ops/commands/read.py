"""A line of the feed, checked: bytes to an object, and an object to the command that it states.

>>> line = {"command": "bet", "table": "B01", "seat": 3, "spot": "banker", "amount": 100_00}
>>> read(line).amount
10000
>>> read(line | {"amount": -1})
Traceback (most recent call last):
    ...
domain.rules.refusals.BadValue: amount cannot be -1: it is a whole number of minor units from 1 to \
2^53.
"""

import json
import re
from functools import cache
from typing import Any
from unicodedata import is_normalized

import msgspec

from domain.rules.refusals import BadLine, BadValue, MissingField, UnknownCommand, UnknownField
from ops.commands.command import EARLIEST, LATEST, Command, metas_of, name_of
from ops.commands.staff import StaffEnrol
from ops.commands.vocabulary import COMMANDS

COMMON = tuple(field.encode_name for field in msgspec.structs.fields(Command))
_TO_THE_MINUTE = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2})(?=[Zz+-])", re.ASCII
)

_NAME = re.compile(rb'"\s*:')  # the end of one: at least as many as there are names


def decode(line: bytes | str, number: int) -> dict[str, Any]:
    """A feed line as an object. Refuses: BadLine."""
    try:
        found = msgspec.json.decode(line)
        if len(_NAME.findall(line if isinstance(line, bytes) else line.encode())) != _names(found):
            json.loads(line, object_pairs_hook=_each_name_once)
    except UnicodeError:
        raise BadLine(line=number, why="it is not UTF-8") from None
    except RecursionError:
        raise BadLine(line=number, why="it is nested too deeply") from None
    except msgspec.DecodeError as error:
        why = "a number in it is too large" if "range" in str(error) else str(error)
        raise BadLine(line=number, why=why.partition(" (byte")[0]) from None
    except KeyError as twice:
        raise BadLine(line=number, why=f"it has {_as_json(twice.args[0])} twice") from None
    if not isinstance(found, dict):
        raise BadLine(line=number, why="it is not a JSON object")
    return found


def _names(found: object) -> int:
    """How many names the objects of a line have, each once."""
    if isinstance(found, dict):
        return len(found) + sum(map(_names, found.values()))
    return sum(map(_names, found)) if isinstance(found, list) else 0


def _each_name_once(pairs: list[tuple[str, Any]]) -> None:
    """Two values under one name: nobody knows which was meant."""
    names = set()
    for name, _ in pairs:
        if name in names:
            raise KeyError(name)
        names.add(name)


def read(line: dict[str, Any]) -> Command:
    """The command that a line states. Refuses: the kinds of Reading."""
    kind = _kind(line)
    known = _fields(kind)
    for name, value in line.items():
        if name not in known and name != "command":
            own = sorted((each for each in known if each not in COMMON), key="table".__ne__)
            takes = ", ".join([*own, *COMMON])
            raise UnknownField(command=name_of(kind), field=_cut(name), takes=takes)
        if not is_normalized("NFC", str(value)):
            why = "its letters and accents come apart; write it in Unicode's form NFC"
            raise BadValue(field=name, value=_quoted(kind, name, value), why=why)
    for name, field in known.items():
        if field.required and name not in line:
            raise MissingField(command=name_of(kind), field=name, why="")
    try:
        command = msgspec.convert(_with_seconds(line), kind)
    except msgspec.ValidationError as error:
        name = re.findall(r"`\$\.([^.\[`]+)", str(error))[-1]
        why = words_of(known[name])
        raise BadValue(field=name, value=_quoted(kind, name, line[name]), why=why) from None
    if command.late and command.at is None:
        raise MissingField(command=name_of(kind), field="at", why=" beside 'late'")
    if command.at and not EARLIEST <= command.at <= LATEST:
        raise BadValue(field="at", value=_as_json(line["at"]), why="no casino was open then")
    return command


@cache
def _fields(kind: type[Command]) -> dict[str, msgspec.structs.FieldInfo]:
    """A command's fields by their names on a line."""
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


def _with_seconds(line: dict[str, Any]) -> dict[str, Any]:
    """A moment to the minute is its first second."""
    at = line.get("at")
    if not isinstance(at, str) or not (found := _TO_THE_MINUTE.match(at)):
        return line
    return {**line, "at": f"{found[1]}:00{at[found.end(1) :]}"}


def _kind(line: dict[str, Any]) -> type[Command]:
    name = line.get("command")
    if name is None:
        raise MissingField(command="A line", field="command", why="")
    if not isinstance(name, str) or name not in COMMANDS:
        import difflib

        near = difflib.get_close_matches(str(name)[:80], COMMANDS, n=1)
        hint = f" Is it {near[0]!r}?" if near else ""
        said = f"{_cut(name)!r}" if isinstance(name, str) else _as_json(name)
        raise UnknownCommand(command=said, hint=hint)
    return COMMANDS[name]


def _quoted(kind: type[Command], name: str, value: object) -> str:
    """A value as a refusal repeats it; answers are kept, and people's names are not."""
    return "what was given" if (kind, name) == (StaffEnrol, "name") else _as_json(value)


def _as_json(value: object) -> str:
    return _cut(msgspec.json.encode(value).decode())


def _cut(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "…"


def words_of(field: msgspec.structs.FieldInfo) -> str:
    """What the field must be, as its type describes itself."""
    other = "it is true or false" if field.type is bool else "it is of another kind"
    return next((each.description for each in metas_of(field) if each.description), other)


def second_in(line: dict[str, Any]) -> str:
    """Whom a line names as its second person, before it is read; '' for nobody."""
    verifies = line.get("verified_by") if line.get("command") == "shoe.inspect" else None
    second = verifies or line.get("with")
    return second if isinstance(second, str) else ""
