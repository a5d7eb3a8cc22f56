"""Who works here: enrolled, signed on and off, their PINs, let in again, retired."""

from typing import Annotated

import msgspec
from msgspec import Meta

from domain.rules.permissions import DEVICE_FOR_TWO, ROLES
from ops.commands.command import Command, Reason, TableCode, Text, one_of


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


class StaffSignOn(Command, tag="staff.sign-on"):
    """Begins work; the PIN is asked for at the terminal and stands in no line."""

    staff: Text
    table: TableCode | None = None

    arguments = ("staff",)


class StaffSignOff(Command, tag="staff.sign-off"):
    """Ends work; a supervisor, a pit boss or an administrator ends anybody's.

    Elsewhere than where it was begun it takes the person's own PIN, which is asked for.
    """

    staff: Text

    arguments = ("staff",)


class StaffChangePin(Command, tag="staff.change-pin"):
    """Another PIN, for whoever knows the old one."""

    staff: Text

    arguments = ("staff",)


class StaffRetire(Command, tag="staff.retire"):
    """The number is never used again."""

    staff: Text
    reason: Reason = ""

    arguments = ("staff",)


class StaffRecover(Command, tag="staff.recover"):
    """Lets an administrator in again, with a new one-time code; it is an alert for two people."""

    staff: Text

    arguments = ("staff",)


class StaffNewSecret(Command, tag="staff.new-secret"):
    """A new recovery secret, which the answer carries once; the old one is good for nothing."""
