"""Fills and credits, step by step or every step in one line."""

from typing import Annotated, ClassVar

from msgspec import Meta

from ops.commands.command import AtTable, Chips, Command, Reason, Text


class TableFill(AtTable, tag="table.fill"):
    """Chips from the cage, every step and everybody in one line; the answer carries the slip."""

    chips: Chips
    requested_by: Text
    cashier: Text
    runner: Text


class TableCredit(AtTable, tag="table.credit"):
    """Chips to the cage, every step and everybody in one line; the answer carries the slip."""

    chips: Chips
    requested_by: Text
    cashier: Text
    runner: Text


class SlipRequest(AtTable, tag="slip.request"):
    """Requests a fill, or a credit; a dealer needs a supervisor. The answer carries the slip."""

    kind: Annotated[str, Meta(pattern=r"^(fill|credit)\Z", description="it is fill or credit")]
    chips: Chips

    arguments = ("table", "kind")


class OnSlip(Command, kw_only=True):
    """A step of a slip."""

    slip: Text

    arguments: ClassVar[tuple[str, ...]] = ("slip",)


class SlipIssue(OnSlip, tag="slip.issue"):
    """The cage gives out the chips, or waits for them."""


class SlipCarry(OnSlip, tag="slip.carry"):
    """Security has the chips."""


class SlipReceive(OnSlip, tag="slip.receive"):
    """The chips are where they belong, and counted by dealer and supervisor."""


class SlipVoid(OnSlip, tag="slip.void"):
    """The slip is void; its number stays its own."""

    reason: Reason

    arguments = ("slip", "reason")
