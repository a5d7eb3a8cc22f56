"""Commands about staff: enrol, sign on and off, PINs, language, recovery, retire."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from domain.rules.permissions import BOSSES, OWN_ONLY, ROLES, Permission
from ops.commands import commission, corrections, coup, disputes, shoe, slips, table
from ops.commands.command import (
    Command,
    Day,
    Moment,
    Reason,
    StaffNumber,
    TableCode,
    Text,
    commands_in,
    name_of,
    one_of,
)
from ops.words.language import LANGUAGES

# The commands that an administrator may let a device send for two people: those of a table.
DEVICE_FOR_TWO = tuple(
    name_of(kind)
    for noun in (table, slips, shoe, coup, corrections, commission, disputes)
    for kind in commands_in(noun)
    if kind.permission.may_take_two or kind is shoe.ShoeInspect
)


TerminalKey = Annotated[
    str,
    Meta(
        pattern=r"^[0-9A-F]{4}(-[0-9A-F]{4}){3}\Z",
        description="write the name of a terminal's key, as in 98BB-CEFA-88A6-387D",
    ),
]


PublicKey = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9+/]{43}=\Z",
        description="write the 44 letters that `sabot feed --new-key` printed",
    ),
]


class StaffEnrol(Command, tag="staff.enrol"):
    """Enrols a staff number with its role; the answer has a one-time code for the first sign-on.

    A device has a key instead, which may come later. A number that is enrolled already gets a new
    code or key; it gets another role only with `again`.
    """

    staff: StaffNumber
    name: Text
    role: Annotated[str, one_of(ROLES)]
    for_two: Annotated[
        list[Annotated[str, one_of(DEVICE_FOR_TWO)]],
        Meta(
            max_length=len(DEVICE_FOR_TWO),
            description="write commands that take two people, of " + ", ".join(DEVICE_FOR_TWO),
        ),
    ] = msgspec.field(default_factory=list)
    public_key: PublicKey | None = None
    again: bool = False

    arguments = ("staff", "name", "role")
    permission = Permission(("administrator",))
    example = "staff enrol D-204 'Dan Dealer' dealer"
    option_help: ClassVar[Mapping[str, str]] = {
        "for_two": "A command, as in table.fill, that a device may send for two people who type no "
        "PIN; repeat it.",
        "public_key": "A device's public key, as `sabot feed --key FILE --new-key` printed it.",
        "again": "Give another role to a number that is enrolled already.",
    }
    field_help: ClassVar[Mapping[str, str]] = {"name": "The person's or the device's name."}
    more_help = """
\b
ROLE is one of these:
  dealer, supervisor, pit-boss   run the tables
  cage, security                 issue and carry chips and cash
  surveillance, auditor          read everything
  administrator                  enrols staff; the first one closes the house
  device                         a reading shoe or layout, on the feed
"""


class StaffSignOn(Command, tag="staff.sign-on"):
    """Signs a person on; the PIN is typed at a prompt and never part of a command."""

    staff: StaffNumber
    table: TableCode | None = None

    arguments = ("staff",)
    permission = OWN_ONLY
    example = "staff sign-on D-204 --table B01"


class StaffSignOff(Command, tag="staff.sign-off"):
    """Signs a person off; a supervisor, a pit boss or an administrator may sign off anybody.

    On another machine than the one of the sign-on, the person's own PIN is asked for.
    """

    staff: StaffNumber

    arguments = ("staff",)
    permission = Permission((*BOSSES, "administrator"))  # and everybody for themselves
    example = "staff sign-off D-204"


class StaffChangePin(Command, tag="staff.change-pin"):
    """Changes a person's PIN; the old one is asked for."""

    staff: StaffNumber

    arguments = ("staff",)
    permission = OWN_ONLY
    example = "staff change-pin D-204"


class StaffLanguage(Command, tag="staff.language"):
    """Sets the language in which a terminal speaks to this person while they are signed on there.

    Everybody sets their own; a supervisor, a pit boss or an administrator sets anybody's.
    """

    staff: StaffNumber
    language: Annotated[str, one_of(LANGUAGES)]

    arguments = ("staff", "language")
    permission = Permission((*BOSSES, "administrator"))  # and everybody for themselves
    example = "staff language D-204 zh-Hant"


class StaffLicence(Command, tag="staff.licence"):
    """Records somebody's licence by the regulator; nobody signs on after its last day.

    An administrator does, because they record the next one.
    """

    staff: StaffNumber
    licence: Text
    until: Day | None = None
    confirmed: bool = False

    arguments = ("staff", "licence")
    permission = Permission(("administrator",))
    example = "staff licence D-204 GL-20417 --until 2027-03-31"
    field_help: ClassVar[Mapping[str, str]] = {
        "licence": "Its number, as the regulator gave it.",
        "until": "The last day on which it holds; left out, it has no end.",
        "confirmed": "True if its last day is over, and it is recorded nevertheless.",
    }


class StaffRetire(Command, tag="staff.retire"):
    """Retires a staff number; it is never used again."""

    staff: StaffNumber
    reason: Reason = ""
    left: Moment | None = None

    arguments = ("staff",)
    permission = Permission(("administrator",))
    example = "staff retire D-204 --reason left"
    field_help: ClassVar[Mapping[str, str]] = {
        "left": "When the person left the house; `report staff` shows how long access went on.",
    }


class StaffRecover(Command, tag="staff.recover"):
    """Gives an administrator who is locked or forgot the PIN a new one-time code.

    It is an alert for two people.
    """

    staff: StaffNumber

    arguments = ("staff",)
    permission = Permission(("administrator",))  # and whoever proves it by the secret
    example = "staff recover A-1"


class StaffApproveTerminal(Command, tag="staff.approve-terminal"):
    """Approves a terminal of the house server by its key, so that people may sign on there.

    A terminal that is not approved shows the name of its key. Several may have the same name, but
    for a place: `E01/3` is one terminal, until that is retired.
    """

    terminal: TerminalKey
    name: Text

    arguments = ("terminal", "name")
    permission = Permission(("administrator",))
    example = "staff approve-terminal 98BB-CEFA-88A6-387D 'pit 1, left'"
    field_help: ClassVar[Mapping[str, str]] = {"name": "Where it is, for people."}


class StaffRetireTerminal(Command, tag="staff.retire-terminal"):
    """Retires a terminal for good; the house server refuses whatever it sends from then on."""

    terminal: TerminalKey
    reason: Reason = ""

    arguments = ("terminal",)
    permission = Permission(("administrator",))
    example = "staff retire-terminal 98BB-CEFA-88A6-387D --reason stolen"


class StaffNewSecret(Command, tag="staff.new-secret"):
    """Makes a new recovery secret, shown once in the answer; the old one is void."""

    permission = Permission(("administrator",), (*BOSSES, "administrator"), must=True)
    example = "staff new-secret --with S-11"
