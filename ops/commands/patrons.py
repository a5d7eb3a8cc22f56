"""Commands about patrons: who an alias is, and who may not play."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, get_args

import msgspec
from msgspec import Meta

from domain.rules.aml import NOT_SHOWN
from domain.rules.permissions import BOSSES, FLOOR, OF_BARRINGS, Permission
from domain.rules.regimes import Direction
from ops.commands.command import (
    Amount,
    Command,
    EventNumber,
    Reason,
    TableCode,
    Text,
    one_of,
)
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


class PatronNoId(Command, tag="patron.no-id"):
    """Records that a patron was asked for ID for cash, and did not show it (R-CASH-2).

    The cash is not taken or paid. Who deals with money laundering is alerted, and nobody else.
    """

    patron: Text
    direction: Annotated[str, one_of(get_args(Direction))]
    amount: Amount
    answer: Annotated[str, one_of(NOT_SHOWN)] = "refused"
    table: TableCode | None = None
    confirmed: bool = False

    arguments = ("patron", "direction", "amount")
    permission = Permission((*FLOOR, "cage"))
    example = "patron no-id P-10417 in 12,000 --table B01 --answer without"
    field_help: ClassVar[Mapping[str, str]] = {
        "direction": "Whether it was to come in, or to go out.",
        "amount": "The cash for which they were asked.",
        "answer": "What they did; default refused.",
        "table": "The table where it was; none at the cage.",
        **SOMEBODY_ELSE,
    }
    more_help = """
\b
ANSWER is one of these:
  refused  they would not show it
  without  they had none with them
  left     they went away
"""


class PatronWithdrawNoId(Command, tag="patron.withdraw-no-id"):
    """Withdraws, by two people, that a patron did not show an ID: it was typed by mistake.

    It stays on record, with who withdrew it and why. Nobody is reminded of it from then on.
    """

    position: EventNumber
    reason: Reason

    arguments = ("position", "reason")
    permission = Permission((*BOSSES, "cage", "surveillance"), must=True, two_in_open_house=True)
    example = "patron withdraw-no-id 48213 'it was P-10471' --with S-11"
    field_help: ClassVar[Mapping[str, str]] = {
        "position": "The position that `patron no-id` answered, or `report ids-not-shown` has.",
    }


class PatronSeparate(Command, tag="patron.separate"):
    """Ends a wrong identification of an alias, by two people; its cash counts alone again."""

    patron: Text
    reason: Reason

    arguments = ("patron", "reason")
    permission = Permission((*BOSSES, "surveillance"), must=True, two_in_open_house=True)
    example = "patron separate grey-jacket 'another guest' --with S-11"
    field_help: ClassVar[Mapping[str, str]] = {"patron": "The alias."}
