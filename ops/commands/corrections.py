"""What is put right after the game: coups voided, corrected, adjudicated again."""

import msgspec

from ops.commands.command import Command, Payment, Reason, Seat, Spot, TableCode, Text


class CoupVoid(Command, tag="void"):
    """Every wager of a coup is returned, by two people of whom one is a supervisor (R-IRR-5)."""

    coup: Text
    reason: Reason
    table: TableCode | None = None

    arguments = ("coup", "reason")


class CoupCorrect(Command, tag="correct"):
    """A wager is paid otherwise after all, by two people of whom one is a supervisor (R-IRR-5).

    `to`: what the patron should have been paid in all; without it, what the cards say. `as`: where
    it should have lain; it is paid as that.
    """

    coup: Text
    seat: Seat
    spot: Spot
    reason: Reason
    to: Payment | None = None
    as_spot: Spot | None = msgspec.field(default=None, name="as")
    table: TableCode | None = None

    arguments = ("coup", "seat", "spot", "reason")


class Readjudicate(Command, tag="readjudicate"):
    """A coup is adjudicated again from its record; that it does not agree is an exception."""

    coup: Text

    arguments = ("coup",)
