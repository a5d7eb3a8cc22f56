"""Commands about seats: patrons sit down, move, buy in, cash out and leave."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from domain.rules.permissions import FLOOR, Permission
from ops.commands.command import AT_A_SHELL, Amount, AtTable, Seat, Text

ID_SEEN = {"confirmed": "Somebody saw who the patron is, where the house asks for it (R-CASH-2)."}
SOMEBODY_ELSE = {
    "confirmed": "True if the name looks like another patron's and is somebody else's."
}


class TableSeat(AtTable, tag="table.seat"):
    """Seats a patron."""

    seat: Seat
    patron: Text
    confirmed: bool = False

    arguments = ("table", "seat", "patron")
    permission = Permission(FLOOR)
    example = "table seat B01 3 P-10417"
    field_help: ClassVar[Mapping[str, str]] = SOMEBODY_ELSE


class Seating(Struct, forbid_unknown_fields=True):
    """A patron and a seat."""

    seat: Seat
    patron: Text


class TableSeats(AtTable, tag="table.seats"):
    """Seats several patrons at once, all or none."""

    patrons: Annotated[
        list[Seating],
        Meta(
            min_length=1,
            max_length=24,
            description='write 1 to 24 of seat and patron, as in {"seat": 3, "patron": "P-10417"}',
            extra={AT_A_SHELL: "write 1 to 24 seats and names, as in 1 P-10411, 3 P-10417"},
        ),
    ]
    confirmed: bool = False

    arguments = ("table", "patrons")
    permission = Permission(FLOOR)
    example = "table seats B01 1 P-10411, 3 P-10417, 5 grey-jacket"
    field_help: ClassVar[Mapping[str, str]] = SOMEBODY_ELSE
    more_help = """
PATRONS are seat and name in turn: `1 P-10411, 3 P-10417, 5 grey-jacket`, with
commas or without. Put a name with a blank in quotes.
"""


class TableMove(AtTable, tag="table.move"):
    """Moves a patron to another seat; commission owed moves along (R-COM-5)."""

    seat: Seat
    to: Seat

    arguments = ("table", "seat", "to")
    permission = Permission(FLOOR)
    example = "table move B01 5 6"
    field_help: ClassVar[Mapping[str, str]] = {
        "seat": "The seat that the patron leaves.",
        "to": "The seat that the patron takes.",
    }


class TableLeave(AtTable, tag="table.leave"):
    """Records that the patron of a seat leaves; refused while commission is owed (R-COM-4)."""

    seat: Seat

    arguments = ("table", "seat")
    permission = Permission(FLOOR)
    example = "table leave B01 3"


class TableBuyIn(AtTable, tag="table.buy-in"):
    """Takes a patron's cash into the drop box and gives chips for it."""

    seat: Seat
    amount: Amount
    confirmed: bool = False

    arguments = ("table", "seat", "amount")
    permission = Permission(FLOOR)
    example = "table buy-in B01 6 9,000"
    field_help: ClassVar[Mapping[str, str]] = {"amount": "The cash.", **ID_SEEN}


class TableCashOut(AtTable, tag="table.cash-out"):
    """Takes a patron's chips and pays cash; more than the tray holds takes a second person."""

    seat: Seat
    amount: Amount
    confirmed: bool = False

    arguments = ("table", "seat", "amount")
    permission = Permission(FLOOR, two_in_open_house=True)
    example = "table cash-out B01 6 250.50"
    field_help: ClassVar[Mapping[str, str]] = {"amount": "The cash.", **ID_SEEN}
