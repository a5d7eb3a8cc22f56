"""A table's gaming day: opened, its limits and staff, its box counted, closed or rolled over."""

from typing import Annotated

from msgspec import Meta

from domain.rules.wagers import SPOTS
from ops.commands.command import Amount, AtTable, Chips, Day, Payment, Text

SpotOrMain = Annotated[
    str,
    Meta(
        pattern=rf"^(main|{'|'.join(SPOTS)})\Z",
        description="it is main or one of " + ", ".join(SPOTS),
    ),
]


class TableOpen(AtTable, tag="table.open"):
    """Opens a table for a gaming day, with its opener in the tray."""

    rules: Text
    opener: Chips
    day: Day | None = None

    arguments = ("table", "rules")


class TableClose(AtTable, tag="table.close"):
    """Closes the table, with its closer counted."""

    closer: Chips


class TableRollOver(AtTable, tag="table.roll-over"):
    """The gaming day ends and the next begins, with the closer as opener, as one act."""

    closer: Chips


class TableLimits(AtTable, tag="table.limits"):
    """The limits of a spot, or of the main wagers, and the differential, from the next coup on."""

    spot: SpotOrMain = "main"
    minimum: Amount | None = None
    maximum: Amount | None = None
    differential: Amount | None = None


class TableDealer(AtTable, tag="table.dealer"):
    """Another dealer, from the next coup on."""

    staff: Text

    arguments = ("table", "staff")


class TableSupervisor(AtTable, tag="table.supervisor"):
    """Another supervisor, from the next coup on."""

    staff: Text

    arguments = ("table", "staff")


class TableDrop(AtTable, tag="table.drop"):
    """The box was opened and counted; a closed table day takes it."""

    amount: Payment
    day: Day | None = None

    arguments = ("table", "amount")
