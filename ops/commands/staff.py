"""Who works here: enrolled, signed on and off, their PINs, let in again, retired."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from domain.rules.permissions import BOSSES, OWN_ONLY, ROLES, Permission
from ops.commands import commission, corrections, coup, disputes, shoe, slips, table
from ops.commands.command import (
    Command,
    Reason,
    TableCode,
    Text,
    commands_in,
    name_of,
    one_of,
)
from ops.words.language import LANGUAGES

# What an administrator may enrol a device to say for two people: what happens at a table.
DEVICE_FOR_TWO = tuple(
    name_of(kind)
    for noun in (table, slips, shoe, coup, corrections, commission, disputes)
    for kind in commands_in(noun)
    if kind.permission.may_take_two or kind is shoe.ShoeInspect
)


class StaffEnrol(Command, tag="staff.enrol"):
    """A staff number and its role; the answer carries a one-time code for the first sign-on.

    A number that is somebody's gets a new code, and another role with `again` only.
    """

    staff: Text
    name: Text
    role: Annotated[str, one_of(ROLES)]
    for_two: Annotated[
        list[Annotated[str, one_of(DEVICE_FOR_TWO)]],
        Meta(
            max_length=len(DEVICE_FOR_TWO),
            description="it is commands that take two people, of " + ", ".join(DEVICE_FOR_TWO),
        ),
    ] = msgspec.field(default_factory=list)
    again: bool = False

    arguments = ("staff", "name", "role")
    permission = Permission(("administrator",))
    example = "staff enrol D-204 'Dan Dealer' dealer"
    option_help: ClassVar[Mapping[str, str]] = {
        "for_two": "A command, as in table.fill, that a device may say for two people who type no "
        "PIN; repeat it.",
        "again": "Another role for a number that is somebody's.",
    }
    more_help = """
\b
ROLE is one of these:
  dealer, supervisor, pit-boss   on the floor
  cage, security                 chips and cash, and their way to the tables
  surveillance, auditor          who look, and look back
  administrator                  enrols everybody; the first closes the house
  device                         a reading shoe or a layout, on the feed
"""


class StaffSignOn(Command, tag="staff.sign-on"):
    """Begins work; the PIN is asked for at the terminal and stands in no line."""

    staff: Text
    table: TableCode | None = None

    arguments = ("staff",)
    permission = OWN_ONLY
    example = "staff sign-on D-204 --table B01"


class StaffSignOff(Command, tag="staff.sign-off"):
    """Ends work; a supervisor, a pit boss or an administrator ends anybody's.

    Elsewhere than where it was begun it takes the person's own PIN, which is asked for.
    """

    staff: Text

    arguments = ("staff",)
    permission = Permission((*BOSSES, "administrator"))  # and everybody for themselves
    example = "staff sign-off D-204"


class StaffChangePin(Command, tag="staff.change-pin"):
    """Another PIN, for whoever knows the old one."""

    staff: Text

    arguments = ("staff",)
    permission = OWN_ONLY
    example = "staff change-pin D-204"


class StaffLanguage(Command, tag="staff.language"):
    """Sets the language in which a terminal speaks to this person while they are signed on there.

    Everybody sets their own; a supervisor, a pit boss or an administrator sets anybody's.
    """

    staff: Text
    language: Annotated[str, one_of(LANGUAGES)]

    arguments = ("staff", "language")
    permission = Permission((*BOSSES, "administrator"))  # and everybody for themselves
    example = "staff language D-204 zh-Hant"


class StaffRetire(Command, tag="staff.retire"):
    """The number is never used again."""

    staff: Text
    reason: Reason = ""

    arguments = ("staff",)
    permission = Permission(("administrator",))
    example = "staff retire D-204 --reason left"


class StaffRecover(Command, tag="staff.recover"):
    """Lets an administrator in again, with a new one-time code; it is an alert for two people."""

    staff: Text

    arguments = ("staff",)
    permission = Permission(("administrator",))  # and whoever proves it by the secret
    example = "staff recover A-1"


class StaffNewSecret(Command, tag="staff.new-secret"):
    """A new recovery secret, which the answer carries once; the old one is good for nothing."""

    permission = Permission(("administrator",), (*BOSSES, "administrator"), must=True)
    example = "staff new-secret --with S-11"
