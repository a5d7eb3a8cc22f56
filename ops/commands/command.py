"""The fields that every command may carry, and the types of fields."""

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from types import ModuleType
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta, Struct

from domain.rules.addresses import TABLE_CODE
from domain.rules.cards import SUIT_SPELLINGS
from domain.rules.money import LARGEST_AMOUNT
from domain.rules.permissions import Permission
from domain.rules.spots import A_NAME
from ops.commands.field_words import FIELDS

EARLIEST = datetime(1970, 1, 2, tzinfo=UTC)  # moments before this, or after the next, are refused
LATEST = datetime(2199, 12, 31, tzinfo=UTC)
# Under this name a type says how its value is typed at a shell, where the feed takes an object.
AT_A_SHELL = "at a shell"
CHOICES = "choices"  # the words that a value may be, beside a pattern
# No control or invisible character in any text; in a name single blanks between words only, so
# that two names that look the same are the same.
_HIDDEN = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    r"\U000e0000-\U000e0fff"
    # Letters that show nothing, or what a font makes of them: marks before numbers, shorthand,
    # music, hieroglyphs, private use.
    r"\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\ue000-\uf8ff\U000110bd\U000110cd"
    r"\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000f0000-\U0010ffff"
)
# A moment to the minute is its first second.
MOMENT = (
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?"
    r"([Zz]|[+-][0-9]{2}:?[0-9]{2})\Z"
)
_RANK, _SUIT = "(10|[A2-9TJQKatjqk])", f"[{''.join(SUIT_SPELLINGS.values())}cdhs]"
_CARD_PATTERN = rf"^({_RANK}{_SUIT}|{_SUIT}{_RANK})\Z"
_LINE_OF_TEXT = rf"^(?=.*\S)[^{_HIDDEN}]+\Z"
_NAME = rf"^[^\s{_HIDDEN}]+( [^\s{_HIDDEN}]+)*\Z"


def one_of(words: Collection[str]) -> Meta:
    """The type of a field that takes one of these words."""
    pattern = rf"^({'|'.join(map(re.escape, words))})\Z"
    return Meta(
        pattern=pattern,
        description="write one of " + ", ".join(words),
        extra={CHOICES: tuple(words)},
    )


# Each description begins with `write`: it ends a refusal, and the schema of the feed shows it.
Text = Annotated[
    str,
    Meta(
        pattern=_NAME,
        max_length=64,
        description="write 1 to 64 visible characters, with single blanks between words",
    ),
]
# A number on a thing or of a person: no letter of it looks like one of another script.
Code = Annotated[
    str,
    Meta(
        pattern=r"^[!-~]+( [!-~]+)*\Z",
        max_length=64,
        description="write 1 to 64 letters, digits and signs of plain ASCII, as in K-88121",
    ),
]
StaffNumber = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.:/@-]{0,63}\Z",
        description="write a staff number of plain letters and digits, without blanks, as in S-11",
    ),
]
Reason = Annotated[
    str,
    Meta(pattern=_LINE_OF_TEXT, max_length=500, description="write one line, 1 to 500 characters"),
]
TableCode = Annotated[
    str,
    Meta(
        pattern=rf"^{TABLE_CODE.pattern}\Z",
        description="write a table's code of up to 16 letters and digits, as in B01",
    ),
]
CardText = Annotated[
    str,
    Meta(
        description="write rank then suit, as in 9C or TH",
        extra_json_schema={"pattern": _CARD_PATTERN},
    ),
]
Cards = Annotated[list[CardText], Meta(description='write a list of cards, as in ["3C"]')]
Spot = Annotated[  # that a rule set has; which it has, the table knows
    str,
    Meta(pattern=A_NAME, description="write a spot's name, as in banker"),
]
Amount = Annotated[
    int,
    Meta(
        ge=1,
        le=LARGEST_AMOUNT,
        description="write a whole number of minor currency units, 1 to 2^53",
        extra={AT_A_SHELL: "type an amount above 0, as in 100 or 12.50"},
    ),
]
Payment = Annotated[
    int,
    Meta(
        ge=0,
        le=LARGEST_AMOUNT,
        description="write a whole number of minor currency units, 0 to 2^53",
        extra={AT_A_SHELL: "type an amount, as in 100 or 12.50"},
    ),
]
Seat = Annotated[int, Meta(ge=0, le=999, description="write a seat's number, as in 3")]
Count = Annotated[
    int, Meta(ge=0, le=100_000_000, description="write a whole number, 0 to 100,000,000")
]
Moment = Annotated[
    datetime,
    Meta(
        tz=True,
        description="write date, time and offset, as in 2026-11-21T20:14:07+01:00",
        extra_json_schema={"pattern": MOMENT},
    ),
]
EventNumber = Annotated[int, Meta(ge=1, le=2**53, description="write a position, as in 48213")]
Day = Annotated[
    str,
    Meta(
        description="write a date, as in 2026-11-21",
        extra_json_schema={"pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z"},
    ),
]
Denomination = Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,11}\Z")]
LineNumber = Annotated[
    int, Meta(ge=1, le=2**53, description="write 1 for the first line, 2 for the next")
]
Chips = Annotated[
    dict[Denomination, Count],
    Meta(
        description="write how many chips of each denomination in minor currency units, as in "
        '{"10000": 200}',
        extra={AT_A_SHELL: "write denomination and count, as in 100=200"},
    ),
]


CHIPS_HELP = "DENOMINATION=COUNT in major units; repeat it."
AS_HELP = "The spot that it should have been on; it is paid as that."


OF_DEVICES = ("device_n",)  # fields of lines that nobody types


class Command(Struct, forbid_unknown_fields=True, kw_only=True, tag_field="command"):
    """The fields of every line: when it happened, who did it, the sender's id.

    The docstring of a command is its help at a shell. A class without a tag is a base of commands.
    """

    at: Moment | None = None
    late: bool = False
    by: StaffNumber | None = None
    second: StaffNumber | None = msgspec.field(default=None, name="with")
    id: (
        Annotated[
            str,
            Meta(
                pattern=_LINE_OF_TEXT,
                max_length=200,
                description="write 1 to 200 characters",
            ),
        ]
        | None
    ) = None
    device_n: LineNumber | None = None

    permission: ClassVar[Permission]
    needs_sign_on: ClassVar[bool] = True  # False: it proves itself, or anybody may give it
    arguments: ClassVar[tuple[str, ...]] = ()  # what the shell takes without a name, in order
    example: ClassVar[str]  # what is typed at a shell after `sabot`
    more_help: ClassVar[str] = ""  # below the docstring, for click
    # What a field means in this command, where `field_words.FIELDS` is not enough.
    field_help: ClassVar[Mapping[str, str]] = {}
    # Help of an option, where it is typed at a shell in another form than on the feed.
    option_help: ClassVar[Mapping[str, str]] = {
        "at": "When it happened, by the house's clock: 20:14 or 20:14:07 of today's gaming day, "
        "with the date for another one, as in 2026-11-21T20:14; default now.",
        "late": "Entered after others that happened later; needs --at.",
        "confirmed": "What the refusal says was checked, and is right.",
        "withdrawn": "It never was.",
        "with": "The second person. In a closed house they type their PIN when asked.",
        "id": "Your own id: the same command with the same id is recorded once.",
    }

    @property
    def permitted(self) -> Permission:
        """Who may give just this one; a command that several may give narrows it by its fields."""
        return self.permission

    @property
    def second_person(self) -> str:
        """The staff number of the second person, or '' for none."""
        return self.second or ""


class AtTable(Command, kw_only=True):
    """A command about one table."""

    table: TableCode

    arguments: ClassVar[tuple[str, ...]] = ("table",)


def name_of(command: Command | type[Command]) -> str:
    """The command's word on the feed."""
    return str(command.__struct_config__.tag)


def help_of(command: type[Command], option: str) -> str:
    """The help of an option at a shell, or '' if there is none."""
    typed = (vars(kind).get("option_help", {}) for kind in command.__mro__)
    return next((words[option] for words in typed if option in words), meaning_of(command, option))


def meaning_of(command: type[Command], field: str) -> str:
    """What a field of the command means, or '' if nothing says so."""
    own = (vars(kind).get("field_help", {}) for kind in command.__mro__)
    return next((words[field] for words in own if field in words), FIELDS.get(field, ""))


def free_text_of(command: type[Command]) -> str:
    """The last argument of a command at a shell, if it is text in one's own words; else ''."""
    last = command.arguments[-1] if command.arguments else ""
    types = {field.encode_name: field.type for field in msgspec.structs.fields(command)}
    return last if types.get(last) in (Reason, Reason | None) else ""


def metas_of(field: msgspec.structs.FieldInfo) -> Iterator[Meta]:
    """The constraints and descriptions of a field's types."""
    for option in (field.type, *getattr(field.type, "__args__", ())):
        yield from (each for each in getattr(option, "__metadata__", ()) if isinstance(each, Meta))


def commands_in(noun: ModuleType) -> Iterator[type[Command]]:
    """The commands that a file declares, in its order."""
    for kind in vars(noun).values():
        if isinstance(kind, type) and issubclass(kind, Command) and name_of(kind) != kind.__name__:
            yield kind
