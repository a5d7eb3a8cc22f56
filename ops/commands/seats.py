"""Who sits at a table: patrons take chairs, change them, buy in, cash out and leave."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.rules.permissions import FLOOR, Permission
from ops.commands.command import AT_A_SHELL, Amount, AtTable, Seat, Text


class TableSeat(AtTable, tag="table.seat"):
    """A patron takes a chair."""

    seat: Seat
    patron: Text

    arguments = ("table", "seat", "patron")
    permission = Permission(FLOOR)
    example = "table seat B01 3 P-10417"


class Seating(Struct, forbid_unknown_fields=True):
    """Who takes which chair, as one of several."""

    seat: Seat
    patron: Text


class TableSeats(AtTable, tag="table.seats"):
    """Several patrons take a chair each: all of them sit down, or nobody."""

    patrons: Annotated[
        list[Seating],
        Meta(
            min_length=1,
            max_length=24,
            description='it is up to 24 of seat and patron, as in {"seat": 3, "patron": "P-10417"}',
            extra={AT_A_SHELL: "write up to 24 seats and names, as in 1 P-10411, 3 P-10417"},
        ),
    ]

    arguments = ("table", "patrons")
    permission = Permission(FLOOR)
    example = "table seats B01 1 P-10411, 3 P-10417, 5 grey-jacket"
    more_help = """
PATRONS are seat and name in turn: `1 P-10411, 3 P-10417, 5 grey-jacket`, with
commas or without. A name with a blank stands in quotes.
"""


class TableMove(AtTable, tag="table.move"):
    """A patron takes another chair; what they owe goes along (R-COM-5)."""

    seat: Seat
    to: Seat

    arguments = ("table", "seat", "to")
    permission = Permission(FLOOR)
    example = "table move B01 5 6"


class TableLeave(AtTable, tag="table.leave"):
    """The patron of a seat leaves; refused while commission is owed (R-COM-4)."""

    seat: Seat

    arguments = ("table", "seat")
    permission = Permission(FLOOR)
    example = "table leave B01 3"


class TableBuyIn(AtTable, tag="table.buy-in"):
    """Cash into the box, and chips of that worth to the patron."""

    seat: Seat
    amount: Amount

    arguments = ("table", "seat", "amount")
    permission = Permission(FLOOR)
    example = "table buy-in B01 6 9,000"


class TableCashOut(AtTable, tag="table.cash-out"):
    """Chips into the tray, and cash to the patron, where the house pays at the table."""

    seat: Seat
    amount: Amount

    arguments = ("table", "seat", "amount")
    permission = Permission(FLOOR)
    example = "table cash-out B01 6 250.50"
