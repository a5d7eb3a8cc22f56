"""Commands about patrons: who an alias is, and who may not play."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from domain.rules.permissions import BOSSES, OF_BARRINGS, Permission
from ops.commands.command import Command, Reason, Text
from ops.commands.seats import SOMEBODY_ELSE


class PatronIdentify(Command, tag="patron.identify"):
    """Records which patron an alias is; their records count together from then on."""

    patron: Text
    patron_is: Text = msgspec.field(name="is")
    confirmed: bool = False

    arguments = ("patron", "is")
    permission = Permission((*BOSSES, "surveillance"))
    example = "patron identify grey-jacket P-10417"
    field_help: ClassVar[Mapping[str, str]] = {"patron": "The alias.", **SOMEBODY_ELSE}


class PatronTellApart(Command, tag="patron.tell-apart"):
    """Records that two names that look the same are two patrons', by two people."""

    patron: Text
    other: Text
    reason: Reason

    arguments = ("patron", "other", "reason")
    permission = Permission((*BOSSES, "surveillance"), must=True, two_in_open_house=True)
    example = "patron tell-apart p-9 P-9 'her brother' --with S-11"
    field_help: ClassVar[Mapping[str, str]] = {
        "patron": "The name that somebody has now.",
        "other": "The other patron's name, which looks the same.",
    }


class PatronBar(Command, tag="patron.bar"):
    """Bars a patron from play."""

    patron: Text
    reason: Reason
    kind: Annotated[
        str,
        Meta(pattern=r"^(barred|self-excluded)\Z", description="write barred or self-excluded"),
    ] = "barred"
    confirmed: bool = False

    arguments = ("patron", "reason")
    permission = Permission(OF_BARRINGS)
    example = "patron bar P-66 'asked for it' --kind self-excluded"
    field_help: ClassVar[Mapping[str, str]] = {
        "kind": "Barred by the house, or self-excluded at their own wish; default barred.",
        **SOMEBODY_ELSE,
    }


class PatronUnbar(Command, tag="patron.unbar"):
    """Lets a barred patron play again, by two people."""

    patron: Text
    reason: Reason

    arguments = ("patron", "reason")
    permission = Permission(("pit-boss", "administrator"), must=True, two_in_open_house=True)
    example = "patron unbar P-66 'a year is over' --with S-11"


class PatronSeparate(Command, tag="patron.separate"):
    """Ends a wrong identification of an alias, by two people; its cash counts alone again."""

    patron: Text
    reason: Reason

    arguments = ("patron", "reason")
    permission = Permission((*BOSSES, "surveillance"), must=True, two_in_open_house=True)
    example = "patron separate grey-jacket 'another guest' --with S-11"
    field_help: ClassVar[Mapping[str, str]] = {"patron": "The alias."}
