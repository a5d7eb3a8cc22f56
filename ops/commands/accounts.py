"""Commands about game accounts: an attendant pays in and out, for who bets without chips."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from domain.rules.permissions import BOSSES, FLOOR, GAME, Permission
from ops.commands.command import (
    AT_A_SHELL,
    Amount,
    AtTable,
    Code,
    Payment,
    Reason,
    Seat,
    Spot,
    Text,
    one_of,
)
from ops.commands.seats import ID_SEEN

OUT_TO = ("cash", "ticket")
Stakes = Annotated[
    dict[Spot, Payment],
    Meta(
        min_length=1,
        max_length=32,
        description='write minor currency units by spot, as in {"banker": 10000}; 0 takes it back',
        extra={AT_A_SHELL: "write spot and amount, as in banker=100; 0 takes it back"},
    ),
]


class OfPosition(AtTable, kw_only=True):
    """A command about the game account of a seat."""

    seat: Seat


class AccountPayIn(OfPosition, tag="account.pay-in"):
    """Puts cash or a ticket on a seat's game account; the first one opens it (R-ACC-1)."""

    amount: Amount
    ticket: Code | None = None
    confirmed: bool = False

    arguments = ("table", "seat", "amount")
    permission = Permission((*FLOOR, "cage"))
    example = "account pay-in E01 3 200"
    field_help: ClassVar[Mapping[str, str]] = {
        "amount": "The cash, or what the ticket is worth.",
        "ticket": "The number of the ticket; without one it is cash.",
        **ID_SEEN,
    }


class AccountBet(OfPosition, tag="account.bet"):
    """Sets the wagers of a seat on one coup, paid from its game account, all or none (R-ACC-1).

    A terminal that was approved as a position, such as E01/3, sends it without a sign-on.
    """

    coup: Text
    stakes: Stakes

    arguments = ("table", "seat")
    permission = Permission(GAME)
    example = "account bet E01 3 --coup E01/2026-11-21/1/4 --stakes banker=100"
    field_help: ClassVar[Mapping[str, str]] = {
        "coup": "The coup that is meant; when it is over, nothing is placed on another one.",
        "stakes": "SPOT=AMOUNT, the whole wager on a spot; repeat it.",
    }


class AccountDeal(OfPosition, tag="account.deal"):
    """Closes the betting for the only patron at a table that deals by itself (R-DEAL-6).

    A terminal that was approved as a position, such as E01/3, sends it without a sign-on.
    """

    coup: Text

    arguments = ("table", "seat")
    permission = Permission(GAME)
    example = "account deal E01 3 --coup E01/2026-11-21/1/4"
    field_help: ClassVar[Mapping[str, str]] = {
        "coup": "The coup that is meant; when it is over, no other one is closed.",
    }


class AccountPayOut(OfPosition, tag="account.pay-out"):
    """Pays a seat's game account out, in cash or with a ticket."""

    amount: Amount | None = None
    to: Annotated[str, one_of(OUT_TO)] = "cash"
    confirmed: bool = False

    arguments = ("table", "seat", "amount")
    permission = Permission((*FLOOR, "cage"))
    example = "account pay-out E01 3 --to ticket"
    field_help: ClassVar[Mapping[str, str]] = {
        "amount": "How much; default all of it.",
        "to": "How: in cash, or with a ticket that is printed.",
        **ID_SEEN,
    }


class AccountHandPay(OfPosition, tag="account.hand-pay"):
    """Pays a seat's game account out by hand, signed by two people."""

    reason: Reason
    amount: Amount | None = None
    confirmed: bool = False

    arguments = ("table", "seat", "reason")
    permission = Permission((*FLOOR, "cage"), BOSSES, must=True, two_in_open_house=True)
    example = "account hand-pay E01 3 'the printer is out of paper' --with S-11"
    field_help: ClassVar[Mapping[str, str]] = {
        "amount": "How much; default all of it.",
        **ID_SEEN,
    }
