"""A table's gaming day: opened, its limits and staff, its box counted, closed or rolled over."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from domain.rules.permissions import BOSSES, FLOOR, Permission
from domain.rules.spots import SPOTS
from ops.commands.command import (
    CHIPS_HELP,
    Amount,
    AtTable,
    Chips,
    Day,
    Payment,
    Text,
    one_of,
)

SpotOrMain = Annotated[str, one_of(("main", *SPOTS))]


class TableOpen(AtTable, tag="table.open"):
    """Opens a table for a gaming day, with its opener in the tray."""

    rules: Text
    opener: Chips
    day: Day | None = None

    arguments = ("table", "rules")
    permission = Permission(FLOOR, must=True)
    example = "table open B01 classic@1 --opener 100=200 --opener 5=400 --with S-11"
    option_help: ClassVar[Mapping[str, str]] = {"opener": CHIPS_HELP}


class TableClose(AtTable, tag="table.close"):
    """Closes the table, with its closer counted."""

    closer: Chips

    permission = Permission(FLOOR, must=True)
    example = "table close B01 --closer 100=190 --closer 5=350 --with S-11"
    option_help: ClassVar[Mapping[str, str]] = {"closer": CHIPS_HELP}


class TableRollOver(AtTable, tag="table.roll-over"):
    """The gaming day ends and the next begins, with the closer as opener, as one act."""

    closer: Chips

    permission = Permission(FLOOR, must=True)
    example = "table roll-over B01 --closer 100=190 --closer 5=350 --with S-11"
    option_help: ClassVar[Mapping[str, str]] = {"closer": CHIPS_HELP}


class TableLimits(AtTable, tag="table.limits"):
    """The limits of a spot, or of the main wagers, and the differential, from the next coup on."""

    spot: SpotOrMain = "main"
    minimum: Amount | None = None
    maximum: Amount | None = None
    differential: Amount | None = None

    permission = Permission(FLOOR, must=True, alone=BOSSES)
    example = "table limits B01 --spot tie --minimum 10 --maximum 500"


class TableDealer(AtTable, tag="table.dealer"):
    """Another dealer, from the next coup on."""

    staff: Text

    arguments = ("table", "staff")
    permission = Permission(FLOOR, must=True, alone=BOSSES, named={"staff": ("dealer",)})
    example = "table dealer B01 D-205"


class TableSupervisor(AtTable, tag="table.supervisor"):
    """Another supervisor, from the next coup on."""

    staff: Text

    arguments = ("table", "staff")
    permission = Permission(FLOOR, must=True, alone=BOSSES, named={"staff": BOSSES})
    example = "table supervisor B01 S-12"


class TableDrop(AtTable, tag="table.drop"):
    """The box was opened and counted; a closed table day takes it."""

    amount: Payment
    day: Day | None = None

    arguments = ("table", "amount")
    permission = Permission(("cage",), ("cage", "security", *BOSSES))
    example = "table drop B01 4,000 --day 2026-11-21"
