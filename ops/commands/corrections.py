"""Commands that put a coup right: void, correct, adjudicate again."""

from collections.abc import Mapping
from typing import ClassVar

import msgspec

from domain.rules.permissions import BOSSES, FLOOR, Permission
from ops.commands.command import AS_HELP, Command, Payment, Reason, Seat, Spot, TableCode, Text


class CoupVoid(Command, tag="void"):
    """Voids a coup and returns every wager, by two people, one a supervisor (R-IRR-5)."""

    coup: Text
    reason: Reason
    table: TableCode | None = None

    arguments = ("coup", "reason")
    permission = Permission(FLOOR, must=True, two_in_open_house=True)
    example = "void B01/2026-11-21/1/5 'a torn card' --with S-11"


class CoupCorrect(Command, tag="correct"):
    """Pays a settled wager a different amount, by two people, one a supervisor (R-IRR-5).

    `--to`: what it should have been paid in all; default what the cards say. `--as`: the spot that
    it should have been on.
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
        "to": "What it should have been paid in all, stake included; default what the cards say.",
        "as": AS_HELP,
    }


class Readjudicate(Command, tag="readjudicate"):
    """Adjudicates a coup again from its record; a disagreement is recorded as an exception."""

    coup: Text

    arguments = ("coup",)
    permission = Permission((*BOSSES, "surveillance", "auditor", "administrator"))
    example = "readjudicate B01/2026-11-21/1/5"
