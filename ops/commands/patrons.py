"""Patrons: who an alias turned out to be, and who may not play."""

from typing import Annotated

import msgspec
from msgspec import Meta

from ops.commands.command import Command, Reason, Text


class PatronIdentify(Command, tag="patron.identify"):
    """An alias turned out to be a patron: their facts count together from now on."""

    patron: Text
    patron_is: Text = msgspec.field(name="is")

    arguments = ("patron", "is")


class PatronBar(Command, tag="patron.bar"):
    """A patron may not play."""

    patron: Text
    reason: Reason
    kind: Annotated[
        str,
        Meta(pattern=r"^(barred|self-excluded)\Z", description="it is barred or self-excluded"),
    ] = "barred"

    arguments = ("patron", "reason")


class PatronUnbar(Command, tag="patron.unbar"):
    """A patron may play again."""

    patron: Text
    reason: Reason

    arguments = ("patron", "reason")
