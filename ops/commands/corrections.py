"""What is put right after the game: coups voided, corrected, adjudicated again."""

from collections.abc import Mapping
from typing import ClassVar

import msgspec

from domain.rules.permissions import BOSSES, FLOOR, Permission
from ops.commands.command import AS_HELP, Command, Payment, Reason, Seat, Spot, TableCode, Text


class CoupVoid(Command, tag="void"):
    """Every wager of a coup is returned, by two people of whom one is a supervisor (R-IRR-5)."""

    coup: Text
    reason: Reason
    table: TableCode | None = None

    arguments = ("coup", "reason")
    permission = Permission(FLOOR, must=True, two_in_open_house=True)
    example = "void B01/2026-11-21/1/5 'a torn card' --with S-11"


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
    permission = Permission(FLOOR, must=True, two_in_open_house=True)
    example = "correct B01/2026-11-21/1/5 3 banker 'taken by mistake' --to 195 --with S-11"
    option_help: ClassVar[Mapping[str, str]] = {
        "to": "What it should have been paid in all; default what the cards say.",
        "as": AS_HELP,
    }


class Readjudicate(Command, tag="readjudicate"):
    """A coup is adjudicated again from its record; that it does not agree is an exception."""

    coup: Text

    arguments = ("coup",)
    permission = Permission((*BOSSES, "surveillance", "auditor", "administrator"))
    example = "readjudicate B01/2026-11-21/1/5"
