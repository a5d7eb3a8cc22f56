"""Patrons: who an alias turned out to be, and who may not play."""

from typing import Annotated

import msgspec
from msgspec import Meta

from domain.rules.permissions import BOSSES, Permission
from ops.commands.command import Command, Reason, Text


class PatronIdentify(Command, tag="patron.identify"):
    """An alias turned out to be a patron: their events count together from now on."""

    patron: Text
    patron_is: Text = msgspec.field(name="is")

    arguments = ("patron", "is")
    permission = Permission((*BOSSES, "surveillance"))
    example = "patron identify grey-jacket P-10417"


class PatronBar(Command, tag="patron.bar"):
    """A patron may not play."""

    patron: Text
    reason: Reason
    kind: Annotated[
        str,
        Meta(pattern=r"^(barred|self-excluded)\Z", description="it is barred or self-excluded"),
    ] = "barred"

    arguments = ("patron", "reason")
    permission = Permission(("pit-boss", "surveillance", "administrator"))
    example = "patron bar P-66 'asked for it' --kind self-excluded"


class PatronUnbar(Command, tag="patron.unbar"):
    """A patron may play again."""

    patron: Text
    reason: Reason

    arguments = ("patron", "reason")
    permission = Permission(("pit-boss", "administrator"), must=True, two_in_open_house=True)
    example = "patron unbar P-66 'a year is over' --with S-11"
