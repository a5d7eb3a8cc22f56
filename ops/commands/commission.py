"""The commission that patrons owe: when they pay it, what they pay, what they are let off."""

from typing import Annotated, ClassVar

from msgspec import Meta

from domain.rules.permissions import BOSSES, FLOOR, Permission
from ops.commands.command import Amount, AtTable, Command, Reason, Seat, Text


class CommissionCollect(AtTable, tag="commission.collect"):
    """A patron, by seat or by name, pays any part of the commission owed (R-COM-2)."""

    amount: Amount
    seat: Seat | None = None
    patron: Text | None = None

    arguments = ("table", "who", "amount")
    permission = Permission(FLOOR)
    example = "commission collect B01 3 12.50"


class CommissionTiming(AtTable, tag="commission.timing"):
    """A patron, by seat or by name, pays commission as it wins from now on, or later (R-COM-2)."""

    timing: Annotated[
        str,
        Meta(pattern=r"^(as-it-wins|deferred)\Z", description="it is as-it-wins or deferred"),
    ]
    seat: Seat | None = None
    patron: Text | None = None

    arguments = ("table", "who", "timing")
    permission = Permission(FLOOR)
    example = "commission timing B01 3 as-it-wins"


class LettingGo(AtTable, kw_only=True):
    """Commission that nobody is asked for any more: all that is owed, or a part of it (R-COM-4)."""

    reason: Reason
    amount: Amount | None = None
    seat: Seat | None = None
    patron: Text | None = None

    arguments: ClassVar[tuple[str, ...]] = ("table", "who", "reason")


class CommissionWaive(LettingGo, tag="commission.waive"):
    """A supervisor lets a patron off what is owed, or a part of it (R-COM-4)."""

    permission = Permission(FLOOR, must=True, alone=BOSSES, two_in_open_house=True)
    example = "commission waive B01 3 'a good guest' --with S-11"


class CommissionWalked(LettingGo, tag="commission.walked"):
    """A patron is gone with what is owed, or a part of it (R-COM-4)."""

    permission = Permission(FLOOR, must=True, alone=BOSSES, two_in_open_house=True)
    example = "commission walked B01 P-10417 'gone without a word' --with S-11"


class CommissionReceipt(Command, tag="commission.receipt"):
    """A receipt is printed: the original once, reprints after that."""

    receipt: Text

    arguments = ("receipt",)
    permission = Permission((*FLOOR, "cage"))
    example = "commission receipt B01/2026-11-21/stay-1/receipt-2"
