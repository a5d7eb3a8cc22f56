"""Reads a line of the feed: bytes to an object, and the object to a command.

>>> line = {"command": "bet", "table": "B01", "seat": 3, "spot": "banker", "amount": 100_00}
>>> read(line).amount
10000
>>> read(line | {"amount": -1})
Traceback (most recent call last):
    ...
domain.rules.refusals.BadValue: amount cannot be -1: write a whole number of minor currency units, \
1 to 2^53.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any
from unicodedata import is_normalized

import msgspec

from domain.rules.choices import one_of, some_of
from domain.rules.refusals import BadLine, BadValue, MissingField, UnknownCommand, UnknownField
from domain.rules.wording import Number, Words
from ops.commands.command import CHOICES, EARLIEST, LATEST, OF_DEVICES, Command, metas_of, name_of
from ops.commands.staff import StaffEnrol
from ops.commands.vocabulary import COMMANDS, PERSONAL
from ops.door.lines import DEEPEST, LONGEST

Line = dict[str, Any]  # a line of the feed, as an object
COMMON = tuple(
    name
    for name in (field.encode_name for field in msgspec.structs.fields(Command))
    if name not in OF_DEVICES
)
_TO_THE_MINUTE = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2})(?=[Zz+-])", re.ASCII
)

BOM = b"\xef\xbb\xbf"  # which some programs write at the beginning of a file
_NAME = re.compile(rb'"\s*:')  # ends a name; matches at least once for every name of a line


def decode(line: bytes | str, number: int) -> Line:
    """A feed line as an object; a byte order mark before it is skipped. Refuses: BadLine.

    Its size and its depth have bounds.
    """
    line = line.removeprefix(BOM) if isinstance(line, bytes) else line.removeprefix(BOM.decode())
    if len(line) > LONGEST:
        long = Words("it is longer than {most} bytes", most=Number(LONGEST))
        raise BadLine(line=number, why=long)
    try:
        fields = msgspec.json.decode(line)
        if len(_NAME.findall(line if isinstance(line, bytes) else line.encode())) != _names(fields):
            json.loads(line, object_pairs_hook=_each_name_once)
    except UnicodeError:
        raise BadLine(line=number, why=Words("it is not UTF-8")) from None
    except RecursionError:
        raise BadLine(line=number, why=Words("it is nested too deeply")) from None
    except msgspec.DecodeError as error:
        too_large = Words("a number in it is too large")
        why = too_large if "range" in str(error) else str(error).partition(" (byte")[0]
        raise BadLine(line=number, why=why) from None
    except KeyError as twice:
        why = Words("it has {name} twice", name=_as_json(twice.args[0]))
        raise BadLine(line=number, why=why) from None
    if not isinstance(fields, dict):
        raise BadLine(line=number, why=Words("it is not a JSON object"))
    return fields


def _names(value: object, deeper: int = DEEPEST) -> int:
    """The number of names in the objects of a line, each name counted once an object.

    `deeper`: how many more objects and lists may be within each other. Raises RecursionError.
    """
    if not isinstance(value, dict | list):
        return 0
    if not deeper:
        raise RecursionError
    within, named = (value.values(), len(value)) if isinstance(value, dict) else (value, 0)
    return named + sum(_names(each, deeper - 1) for each in within)


def _each_name_once(pairs: list[tuple[str, Any]]) -> None:
    """Raises KeyError for a name that has two values: either may be meant."""
    names = set()
    for name, _ in pairs:
        if name in names:
            raise KeyError(name)
        names.add(name)


def read(line: Line, commands: Mapping[str, type[Command]] = COMMANDS) -> Command:
    """The command of a line, one of `commands`. Refuses: the kinds of Reading."""
    kind = _kind(line, commands)
    known = _fields(kind)
    for name, value in line.items():
        if name not in known and name != "command":
            own = sorted(
                (each for each in known if each not in (*COMMON, *OF_DEVICES)), key="table".__ne__
            )
            takes = some_of([*own, *COMMON], name, "`sabot manual integrator`")
            raise UnknownField(command=name_of(kind), field=_cut(name), takes=takes)
        if not is_normalized("NFC", str(value)):
            why = Words("write its accented letters in Unicode's form NFC")
            raise BadValue(field=name, value=_quoted(kind, name, value), why=why)
    for name, field in known.items():
        if field.required and name not in line:
            raise MissingField(command=name_of(kind), field=name)
    try:
        command = msgspec.convert(_with_seconds(line), kind)
    except msgspec.ValidationError as error:
        name = re.findall(r"`\$\.([^.\[`]+)", str(error))[-1]
        described = _one_of(known[name], line[name]) or words_of(known[name])
        raise BadValue(field=name, value=_quoted(kind, name, line[name]), why=described) from None
    if command.late and command.at is None:
        raise MissingField(
            message=Words("An entry with `late` needs `at`, the moment when it happened.")
        )
    if command.at and not EARLIEST <= command.at <= LATEST:
        raise BadValue(
            message=Words("{at} is no moment of play. Check the date.", at=_as_json(line["at"]))
        )
    return command


@cache
def _fields(kind: type[Command]) -> dict[str, msgspec.structs.FieldInfo]:
    """A command's fields by their names on a line."""
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


def _with_seconds(line: Line) -> Line:
    """The line, with seconds added to a moment that is given to the minute."""
    at = line.get("at")
    if not isinstance(at, str) or not (minute := _TO_THE_MINUTE.match(at)):
        return line
    return {**line, "at": f"{minute[1]}:00{at[minute.end(1) :]}"}


def _kind(line: Line, commands: Mapping[str, type[Command]]) -> type[Command]:
    name = line.get("command")
    if name is None:
        raise MissingField(command=Words("A line"), field="command")
    if not isinstance(name, str) or name not in commands:
        import difflib

        near = difflib.get_close_matches(str(name)[:80], commands, n=1)
        shown = f"{_cut(name)!r}" if isinstance(name, str) else _as_json(name)
        if not near:
            raise UnknownCommand(command=shown)
        raise UnknownCommand(
            message=Words(
                "There is no command {command}. Did you mean '{near}'?", command=shown, near=near[0]
            )
        )
    return commands[name]


def _quoted(kind: type[Command], name: str, value: object) -> str:
    """A value as a refusal repeats it; nothing about a person, because answers are stored."""
    if (kind, name) == (StaffEnrol, "name") or name_of(kind) in PERSONAL:
        return Words("this text")
    return _as_json(value)


def _as_json(value: object) -> str:
    return _cut(msgspec.json.encode(value).decode())


def _cut(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "…"


def _one_of(field: msgspec.structs.FieldInfo, value: object) -> str:
    """What to write in a field that takes only some words; '' for another field."""
    words = next(filter(None, ((each.extra or {}).get(CHOICES) for each in metas_of(field))), ())
    return one_of(words, value, "`sabot manual integrator`") if words else ""


def words_of(field: msgspec.structs.FieldInfo) -> str:
    """What to write in the field, as its type describes it."""
    other = "write true or false" if field.type is bool else "write a value of the right kind"
    return next((each.description for each in metas_of(field) if each.description), other)


def second_in(line: Line) -> str:
    """The staff number of the second person on a line that is not read yet, or '' for none."""
    verifies = line.get("verified_by") if line.get("command") == "shoe.inspect" else None
    second = verifies or line.get("with")
    return second if isinstance(second, str) else ""
