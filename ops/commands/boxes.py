"""Commands of drop boxes: on a table, off it, to the count room, and counted."""

from collections.abc import Mapping
from typing import ClassVar

from domain.rules.permissions import BOSSES, Permission
from ops.commands.command import Code, Command, Payment, StaffNumber, TableCode

AT_THE_TABLE = (*BOSSES, "security")
COUNT_ROOM = ("cage", "auditor")


class OnBox(Command, kw_only=True):
    """A command about one drop box."""

    box: Code

    arguments: ClassVar[tuple[str, ...]] = ("box",)


class BoxAttach(OnBox, tag="box.attach"):
    """Puts a drop box on a table, which must be open and have no other."""

    table: TableCode
    emergency: bool = False

    arguments = ("box", "table")
    permission = Permission(AT_THE_TABLE, AT_THE_TABLE)
    example = "box attach X-17 B01"


class BoxRemove(OnBox, tag="box.remove"):
    """Takes a drop box off its table, by two people."""

    permission = Permission(AT_THE_TABLE, AT_THE_TABLE, must=True, two_in_open_house=True)
    example = "box remove X-17 --by R-1 --with S-11"


class BoxCarry(OnBox, tag="box.carry"):
    """Records that a removed drop box came to the count room, by two people."""

    permission = Permission(
        ("security",), (*AT_THE_TABLE, "cage"), must=True, two_in_open_house=True
    )
    example = "box carry X-17 --by R-1 --with R-2"


class BoxCount(OnBox, tag="box.count"):
    """Counts the cash of a drop box, by three people; the last box of a table day sets its drop."""

    amount: Payment
    third: StaffNumber

    arguments = ("box", "amount")
    permission = Permission(
        COUNT_ROOM, COUNT_ROOM, must=True, two_in_open_house=True, named={"third": COUNT_ROOM}
    )
    example = "box count X-17 4,000 --by C-1 --with C-2 --third C-3"
    field_help: ClassVar[Mapping[str, str]] = {
        "amount": "The cash in the box; chips and forms do not count.",
    }
