"""A form made from a command's own fields, with a second person where the reader needs one."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from domain.rules.money import major
from ops.commands.command import Chips, Reason
from ops.commands.rights import Rights
from ops.commands.vocabulary import COMMANDS
from ops.web.pages import acts
from ops.words.form_fields import FORM_FIELDS
from ops.words.language import amount, shown

Choices = Mapping[str, Sequence[tuple[str, str]]]  # by field: each value with its words
NO_CHOICES: Choices = {}
_NOT_TYPED = ("at", "late", "by", "id", "device_n")  # they come with the line
_CHIPS = "chips-"  # then the denomination in minor units


class Field(Struct, frozen=True):
    """A field as the form has it; `kind`: text, lines, choice, chips, check.

    Choices without words are suggested for a text.
    """

    name: str
    label: str
    kind: str
    required: bool
    choices: Sequence[tuple[str, str]] = ()


class CommandForm(Struct, frozen=True):
    """The form of a command at an address; `hidden`: what the page knows already."""

    command: str
    action: str
    button: str
    fields: list[Field]
    hidden: Mapping[str, str] = {}


class Next(Struct, frozen=True):
    """The next step of what a page is about: in words, and the forms that the visitor may send."""

    words: str = ""
    forms: Sequence[CommandForm] = ()


NOTHING_NEXT = Next()


def form_of(
    command: str,
    action: str,
    button: str,
    rights: Rights,
    *,
    without: Sequence[str] = (),
    choices: Choices = NO_CHOICES,
    chips: Sequence[tuple[int, str]] = (),
) -> CommandForm:
    """The form of a command. `without`: fields that its address has; `chips`: which there are."""
    skipped = {*_NOT_TYPED, *without}
    kind = COMMANDS[command]
    fields = []
    for each in msgspec.structs.fields(kind):
        name = each.encode_name
        if name in skipped or (name == "with" and not _takes_two(command, rights)):
            continue
        required = each.required or (name == "with" and rights.role is not None)
        offered = choices.get(name, ())
        if each.type == Chips:
            offered = [(f"{_CHIPS}{worth}", text) for worth, text in chips]
        label = shown(FORM_FIELDS[name])
        fields.append(Field(name, label, _kind(each.type, offered), required, offered))
    last = sorted(fields, key=lambda field: field.name == "with")  # who signs is asked last
    return CommandForm(command, action, shown(button), last)


def _kind(type_: object, offered: Sequence[tuple[str, str]]) -> str:
    if type_ == Chips:
        return "chips"
    if any(text for _, text in offered):
        return "choice"
    return "check" if type_ is bool else "lines" if type_ == Reason else "text"


def _takes_two(command: str, rights: Rights) -> bool:
    """Whether the form asks for a second person, when somebody with these rights sends it."""
    permission = COMMANDS[command].permission
    return permission.must and rights.role not in permission.alone


def chips_of(chips: Sequence[int], currency: str) -> list[tuple[int, str]]:
    """Each denomination with its words, the largest first."""
    return [(each, amount(each, currency, short=True)) for each in sorted(chips, reverse=True)]


def typed(command: str, form: Mapping[str, str], currency: str) -> dict[str, object]:
    """What a form of a command has, as it would be typed at a shell."""
    fields = {each.encode_name: each for each in msgspec.structs.fields(COMMANDS[command])}
    given: dict[str, object] = {**acts.given(form, *(fields.keys() - {*_NOT_TYPED, "with"}))}
    for name, each in fields.items():
        if each.type is bool and name in given:
            given[name] = True
        if each.type == Chips:
            given[name] = _pairs(form, currency)
    return given


def _pairs(form: Mapping[str, str], currency: str) -> list[str]:
    """Chips as they are typed, `100.00=5`; a denomination without a count is left out."""
    named = ((name.removeprefix(_CHIPS), name) for name in form if name.startswith(_CHIPS))
    return [
        f"{major(int(worth), currency)}={form[name].strip()}"
        for worth, name in named
        if worth.isdecimal() and len(worth) < 13 and form[name].strip()
    ]
