"""The house: its settings, and the rule sets that tables are dealt by."""

from typing import Annotated

import msgspec
from msgspec import Meta

from domain.rules.money import LARGEST_AMOUNT
from ops.commands.command import Command, Reason, Text

FileText = Annotated[
    str,
    Meta(
        pattern=r"^[^\x00]+\Z",
        max_length=100_000,
        description="it is a path, or the text itself with its line breaks",
    ),
]


class PropertySet(Command, tag="property.set"):
    """A setting of the house, from now on."""

    name: Text
    value: Annotated[int, Meta(ge=0, le=LARGEST_AMOUNT)] | Reason = msgspec.field()

    arguments = ("name", "value")


class RulesApprove(Command, tag="rules.approve"):
    """A rule set of the house's own goes on record from a TOML file; it takes two people."""

    file: FileText

    arguments = ("file",)
