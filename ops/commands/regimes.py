"""The command about the regime for cash: which amounts bring what about, from which day on."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from domain.rules.permissions import BOSSES, Permission
from domain.rules.regimes import AT_THE_TABLE
from ops.commands.command import Command, Day, one_of
from ops.commands.house import FileText


class RegimeChoose(Command, tag="regime.choose"):
    """Chooses the regime for cash from a gaming day on, by two people (R-CASH-1).

    FILE is the name of a regime, as `sabot regime list` lists them, or a TOML file of the house's
    own. A day of which cash is counted already keeps what holds.
    """

    file: FileText
    day: Day
    at_the_table: Annotated[str, one_of(AT_THE_TABLE)] | None = None

    arguments = ("file", "day")
    permission = Permission(
        ("administrator", "pit-boss"), (*BOSSES, "administrator"), must=True, two_in_open_house=True
    )
    example = "regime choose united-states 2026-12-01 --with S-11"
    field_help: ClassVar[Mapping[str, str]] = {
        "day": "The first gaming day of it.",
        "at_the_table": "Before cash for which an ID is due: only say so, hold it until somebody "
        "confirms that the ID was seen, or refuse it at a table; default as the file says.",
    }
