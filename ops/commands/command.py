"""What every command is made of: the fields that each may carry, and the types of fields."""

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from types import ModuleType
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta, Struct

from domain.rules.addresses import TABLE_CODE
from domain.rules.money import LARGEST_AMOUNT
from domain.rules.permissions import Permission
from domain.rules.spots import SPOTS

EARLIEST = datetime(1970, 1, 2, tzinfo=UTC)  # no casino was open before, nor is one after
LATEST = datetime(2199, 12, 31, tzinfo=UTC)
# How a value is written at a shell that is an object on the feed, beside what it is there.
AT_A_SHELL = "at a shell"
CHOICES = "choices"  # the words that a value may be, beside a pattern
# No control or invisible character in any text; in a name single blanks between words only, so
# that two names that look the same are the same.
_HIDDEN = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    r"\U000e0000-\U000e0fff"
)
_LINE_OF_TEXT = rf"^(?=.*\S)[^{_HIDDEN}]+\Z"
_NAME = rf"^[^\s{_HIDDEN}]+( [^\s{_HIDDEN}]+)*\Z"


def one_of(words: Collection[str]) -> Meta:
    """What a field may be that is one of a few words."""
    pattern = rf"^({'|'.join(map(re.escape, words))})\Z"
    return Meta(
        pattern=pattern,
        description="it is one of " + ", ".join(words),
        extra={CHOICES: tuple(words)},
    )


Text = Annotated[
    str,
    Meta(
        pattern=_NAME,
        max_length=64,
        description="it is 1 to 64 characters that can be seen, with single blanks between words",
    ),
]
Reason = Annotated[
    str,
    Meta(pattern=_LINE_OF_TEXT, max_length=500, description="it is a line of 1 to 500 characters"),
]
TableCode = Annotated[
    str,
    Meta(
        pattern=rf"^{TABLE_CODE.pattern}\Z",
        description="it is a short code of letters and digits, as in B01",
    ),
]
CardText = Annotated[str, Meta(description="it is rank then suit, as in 9C or TH")]
Spot = Annotated[str, one_of(SPOTS)]
Amount = Annotated[
    int,
    Meta(ge=1, le=LARGEST_AMOUNT, description="it is a whole number of minor units from 1 to 2^53"),
]
Payment = Annotated[int, Meta(ge=0, le=LARGEST_AMOUNT, description="it is minor units, 0 or more")]
Seat = Annotated[int, Meta(ge=0, le=999, description="it is a seat's number, as in 3")]
Count = Annotated[int, Meta(ge=0, le=100_000_000, description="it is a whole number, 0 or more")]
Moment = Annotated[
    datetime,
    Meta(tz=True, description="it is a moment with its offset, as in 2026-11-21T20:14:07+01:00"),
]
Day = Annotated[str, Meta(description="it is a date, as in 2026-11-21")]
Denomination = Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,11}\Z")]
Chips = Annotated[
    dict[Denomination, Count],
    Meta(
        description='it is chips by denomination in minor units, as in {"10000": 200}',
        extra={AT_A_SHELL: "write denomination and count, as in 100=200"},
    ),
]


CHIPS_HELP = "DENOMINATION=COUNT in major units; repeat it."
AS_HELP = "The spot where it should have lain; it is paid as that."


class Command(Struct, forbid_unknown_fields=True, kw_only=True, tag_field="command"):
    """What every line may carry: when it happened, who did it, its own id.

    The docstring of a command is its help at a shell. A class whose tag is no word of its own is a
    base of commands.
    """

    at: Moment | None = None
    late: bool = False
    by: Text | None = None
    second: Text | None = msgspec.field(default=None, name="with")
    id: (
        Annotated[
            str,
            Meta(
                pattern=_LINE_OF_TEXT,
                max_length=200,
                description="it is a text of 1 to 200 characters",
            ),
        ]
        | None
    ) = None

    permission: ClassVar[Permission]
    arguments: ClassVar[tuple[str, ...]] = ()  # what the shell takes without a name, in order
    example: ClassVar[str]  # as it is said at a shell, behind `sabot`
    more_help: ClassVar[str] = ""  # below the docstring, for click
    option_help: ClassVar[Mapping[str, str]] = {
        "at": "When it happened: 20:14 or 20:14:07 by the house's clock, with its date if it was "
        "another day, as in 2026-11-21T20:14; default now.",
        "late": "Entered after others that happened later; with --at.",
        "by": "Who did it.",
        "with": "The second person; in a closed house they type their PIN here when it asks.",
        "id": "Your own id: the same command with it counts once.",
    }

    @property
    def second_person(self) -> str:
        """Who is named as the second person; '' for nobody."""
        return self.second or ""


class AtTable(Command, kw_only=True):
    """A command that is spoken at a table."""

    table: TableCode

    arguments: ClassVar[tuple[str, ...]] = ("table",)


def name_of(command: Command | type[Command]) -> str:
    """The command's word on the feed."""
    return str(command.__struct_config__.tag)


def help_of(command: type[Command], option: str) -> str:
    """What an option is for, in the words of the command or of its bases; '' without any."""
    own = (vars(kind).get("option_help", {}) for kind in command.__mro__)
    return next((words[option] for words in own if option in words), "")


def metas_of(field: msgspec.structs.FieldInfo) -> Iterator[Meta]:
    """What is said of the values that a field takes, where it says anything."""
    for option in (field.type, *getattr(field.type, "__args__", ())):
        yield from (each for each in getattr(option, "__metadata__", ()) if isinstance(each, Meta))


def commands_in(noun: ModuleType) -> Iterator[type[Command]]:
    """The commands that a file declares, in its order."""
    for kind in vars(noun).values():
        if isinstance(kind, type) and issubclass(kind, Command) and name_of(kind) != kind.__name__:
            yield kind
