"""The commission that patrons owe: when they pay it, what they pay, what they are let off."""

from typing import Annotated, ClassVar

from msgspec import Meta

from ops.commands.command import Amount, AtTable, Command, Reason, Seat, Text


class CommissionCollect(AtTable, tag="commission.collect"):
    """A patron, by seat or by name, pays any part of the commission owed (R-COM-2)."""

    amount: Amount
    seat: Seat | None = None
    patron: Text | None = None

    arguments = ("table", "who", "amount")


class CommissionTiming(AtTable, tag="commission.timing"):
    """A patron, by seat or by name, pays commission as it wins from now on, or later (R-COM-2)."""

    timing: Annotated[
        str,
        Meta(pattern=r"^(as-it-wins|deferred)\Z", description="it is as-it-wins or deferred"),
    ]
    seat: Seat | None = None
    patron: Text | None = None

    arguments = ("table", "who", "timing")


class LettingGo(AtTable, kw_only=True):
    """Commission that nobody is asked for any more: all that is owed, or a part of it (R-COM-4)."""

    reason: Reason
    amount: Amount | None = None
    seat: Seat | None = None
    patron: Text | None = None

    arguments: ClassVar[tuple[str, ...]] = ("table", "who", "reason")


class CommissionWaive(LettingGo, tag="commission.waive"):
    """A supervisor lets a patron off what is owed, or a part of it (R-COM-4)."""


class CommissionWalked(LettingGo, tag="commission.walked"):
    """A patron is gone with what is owed, or a part of it (R-COM-4)."""


class CommissionReceipt(Command, tag="commission.receipt"):
    """A receipt is printed: the original once, reprints after that."""

    receipt: Text

    arguments = ("receipt",)
