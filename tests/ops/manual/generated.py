"""The parts of the manual that are made from the code, between two comments.

`<!-- made from: NAME -->` stands above such a part and `<!-- end -->` below it.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from textwrap import fill

import click
from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import FieldInfo, fields

from domain.events import STREAMS, events_of
from domain.events.base import event_name
from domain.rules import refusals
from domain.rules.conditions.phrases import PHRASES, in_capitals
from domain.rules.conditions.slots import CHOICES
from domain.rules.permissions import OF_A_GROUPS_HOME, READINGS, ROLES, Permission, Reading
from domain.rules.spots import THE_TRADES
from ops.cli import ENTRIES, cli
from ops.commands.command import Command, commands_in, meaning_of, metas_of, name_of
from ops.commands.rule_file_tables import FIELDS as RULE_FILE_FIELDS
from ops.commands.vocabulary import COMMANDS, NOUNS
from ops.ledger.mapper import COMMON
from ops.words.columns import COLUMNS, heading
from projections import REPORTS

REWRITE = bool(os.environ.get("SABOT_REWRITE"))
_PART = re.compile(
    r"(?<=<!-- made from: )(?P<name>[a-z ]+)(?P<opens> -->\n)(?:.*?)(?P<ends><!-- end -->)",
    re.DOTALL,
)


def made_again(text: str, parts: Mapping[str, Callable[[], str]]) -> str:
    """A page with each of these parts as the code has it now."""
    return _PART.sub(
        lambda part: (
            f"{part['name']}{part['opens']}\n{parts[part['name']]()}\n{part['ends']}"
            if part["name"] in parts
            else part[0]
        ),
        text,
    )


def table(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    """A table of a page."""
    names = head.split(" | ")
    lines = [f"| {head} |", "|---" * len(names) + "|"]
    lines += [f"| {' | '.join(each.replace('|', chr(92) + '|') for each in row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def _first_sentence(kind: type) -> str:
    """What a docstring begins with, on one line."""
    paragraph = (kind.__doc__ or "").strip().split("\n\n")[0]
    return " ".join(paragraph.split())


# Every command at the shell.
def _every_command() -> str:
    parts = []
    for section, entries in ENTRIES.items():
        rows = [row for name in entries for row in _rows_of((name,))]
        parts.append(f"## {section}\n\n{table('Command | What it does | Who may', rows)}")
    return "\n".join(parts)


def _rows_of(words: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    command: click.Command = cli
    for word in words:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), word) or cli
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            yield from _rows_of((*words, name))
        return
    line = " ".join(words)
    help_text = " ".join((command.help or "").split("\n\n")[0].split())
    yield f"`sabot {line}`", help_text, _who_may(words)


def _who_may(words: tuple[str, ...]) -> str:
    line, dotted = " ".join(words), ".".join(words)
    if dotted in COMMANDS:
        return _roles(COMMANDS[dotted].permission)
    if words[0] in ("report", "export") and words[-1] in REPORTS:
        return _readers(REPORTS[words[-1]].read_by)
    reads = {**READINGS, **OF_A_GROUPS_HOME}
    return _readers(reads[line]) if line in reads else ""


def _roles(permission: Permission) -> str:
    if not permission.roles:
        return "everybody, for themselves"
    roles = ", ".join(permission.roles)
    if not permission.must:
        return roles
    alone = f"; {' and '.join(permission.alone)} alone" if permission.alone else ""
    return f"{roles}; takes two people{alone}"


def _readers(reading: Reading | None) -> str:
    if reading is None:
        return "everybody, without signing on"
    own = f" ({', '.join(reading.at_own_table)}: own table)" if reading.at_own_table else ""
    return ", ".join(role for role in ROLES if role in reading.roles) + own


# The fields of the feed.
def _command_fields() -> str:
    return "\n".join(_fields_of(kind) for noun in NOUNS for kind in commands_in(noun))


def _fields_of(kind: type[Command]) -> str:
    common = {field.name for field in fields(Command)}
    own = [field for field in fields(kind) if field.name not in common]
    own.sort(key=lambda field: field.encode_name not in kind.arguments)
    own.sort(key=lambda field: field.encode_name != "table")
    said = f"#### {name_of(kind)}\n\n{_first_sentence(kind)}\n\nWho: {_roles(kind.permission)}.\n"
    if not own:
        return said
    return f"{said}\n{table('Field | Meaning | Value', [_field(kind, each) for each in own])}"


def _common_fields() -> str:
    return table("Field | Meaning | Value", [_field(Command, each) for each in fields(Command)])


def _field(kind: type[Command], field: FieldInfo) -> tuple[str, str, str]:
    words = [meta.description for meta in metas_of(field) if isinstance(meta, Meta)]
    words = [each.removeprefix("write ") for each in words if each]
    shape = words[0] if words else _shape(field)
    left_out = field.default is not NODEFAULT or field.default_factory is not NODEFAULT
    meaning = meaning_of(kind, field.encode_name)
    return f"`{field.encode_name}`", meaning, f"{shape}{'; may be left out' if left_out else ''}"


def _shape(field: FieldInfo) -> str:
    return "true or false" if field.type is bool else "text or a number"


# Events.
def _every_event() -> str:
    rows = [
        (f"`{event_name(kind.TOPIC, first=kind.FIRST)}`", f"`{topic}`", _names(kind))
        for noun in STREAMS
        for topic, kind in events_of(noun).items()
    ]
    return table("Event | Topic in the ledger | Fields", rows)


def _names(kind: type[Struct]) -> str:
    return ", ".join(f"`{name}`" for name in kind.__struct_fields__[len(COMMON) :])


# Errors.
def _every_error() -> str:
    rows = [
        (f"`{kind.__name__}`", kind.rule or "", " ".join(str(kind.__doc__).split()))
        for kind in _leaves(refusals.Refusal)
    ]
    return table("Error | Rule | Message", rows)


def _leaves(kind: type[refusals.Refusal]) -> Iterable[type[refusals.Refusal]]:
    """Those of the tree's own file that nothing is under."""
    below = [each for each in kind.__subclasses__() if each.__module__ == refusals.__name__]
    if not below:
        yield kind
    for each in below:
        yield from _leaves(each)


# Columns of reports.
def _every_column() -> str:
    rows = [(heading(name), meaning) for name, (_, meaning) in sorted(COLUMNS.items())]
    return table("Column | What it shows", rows)


# The words of a rule file.
def _words_of_rule_files() -> str:
    fields, spots = (
        ", ".join(f"`{each}`" for each in some) for some in (RULE_FILE_FIELDS, THE_TRADES)
    )
    rows = [(f"`{in_capitals(phrase)}`",) for phrase in PHRASES]
    words = [(f"`{slot.upper()}`", _choices(slot)) for slot in ("number", "span", "some", *CHOICES)]
    phrases, slots = (
        table("Condition under `pays`", rows),
        table("Word | What it can be", words),
    )
    return "\n\n".join(
        (
            fill(f"Fields: {fields}.", 110),
            fill(f"Spots: {spots}.", 110),
            phrases,
            slots,
        )
    )


def _choices(slot: str) -> str:
    """What may stand in a slot, in examples where that is much."""
    if slot == "number":
        return "`6`, or `six` up to nine"
    if slot == "span":
        return "`6`, `4 to 6`, `at least 6`, `at most 6`"
    if slot == "some":
        return "`2`, `at least two`, `at most two`, `exactly two`, `no`"
    words = [each for each in CHOICES[slot] if not each.startswith(("a ", "an "))]
    shown = ", ".join(f"`{each}`" for each in words[:24])
    return f"{shown} and so on" if len(words) > 24 else shown


PARTS: dict[str, Callable[[], str]] = {
    "every command": _every_command,
    "common fields": _common_fields,
    "fields of every command": _command_fields,
    "every event": _every_event,
    "every error": _every_error,
    "every column": _every_column,
    "words of rule files": _words_of_rule_files,
}
