"""Commands of a table's gaming day: open, limits, staff, drop, close, roll over."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from domain.rules.permissions import BOSSES, FLOOR, GAME, Permission
from ops.commands.command import (
    CHIPS_HELP,
    Amount,
    AtTable,
    Chips,
    Day,
    Payment,
    Reason,
    Spot,
    StaffNumber,
    Text,
    one_of,
)


class TableOpen(AtTable, tag="table.open"):
    """Opens a table for a gaming day and records its opener."""

    rules: Text
    opener: Chips
    day: Day | None = None
    confirmed: bool = False

    arguments = ("table", "rules")
    permission = Permission(FLOOR, must=True)
    example = "table open B01 classic@1 --opener 100=200 --opener 5=400 --with S-11"
    option_help: ClassVar[Mapping[str, str]] = {"opener": CHIPS_HELP}


class TableClose(AtTable, tag="table.close"):
    """Closes the table and records its closer."""

    closer: Chips
    confirmed: bool = False

    permission = Permission(FLOOR, must=True)
    example = "table close B01 --closer 100=190 --closer 5=350 --with S-11"
    option_help: ClassVar[Mapping[str, str]] = {"closer": CHIPS_HELP}


class TableRollOver(AtTable, tag="table.roll-over"):
    """Closes the table and opens it for the next gaming day in one step."""

    closer: Chips
    confirmed: bool = False

    permission = Permission(FLOOR, must=True)
    example = "table roll-over B01 --closer 100=190 --closer 5=350 --with S-11"
    option_help: ClassVar[Mapping[str, str]] = {"closer": CHIPS_HELP}


class TableReopen(AtTable, tag="table.reopen"):
    """Opens a table that was closed again, on the same gaming day, with an opener of its own."""

    opener: Chips
    reason: Reason
    confirmed: bool = False

    arguments = ("table", "reason")
    permission = Permission(FLOOR, must=True, two_in_open_house=True)
    example = "table reopen B01 'opens at 20:00' --opener 100=200 --with S-11"
    option_help: ClassVar[Mapping[str, str]] = {"opener": CHIPS_HELP}


class TableRecount(AtTable, tag="table.recount"):
    """Counts the tray of a closed table again; the last count holds, both stay on record."""

    closer: Chips
    reason: Reason
    day: Day | None = None

    arguments = ("table", "reason")
    permission = Permission(FLOOR, must=True, two_in_open_house=True)
    example = "table recount B01 'a rack was left out' --closer 100=190 --with S-11"
    option_help: ClassVar[Mapping[str, str]] = {"closer": CHIPS_HELP}
    field_help: ClassVar[Mapping[str, str]] = {
        "day": "The gaming day; default the last one of the table."
    }


class TableLockUp(AtTable, tag="table.lock-up"):
    """Locks a table up after a fault: nobody bets and no card is drawn (R-IRR-6)."""

    reason: Reason
    why: Annotated[str, one_of(("operator", "gap"))] = "operator"

    arguments = ("table", "reason")
    permission = Permission(GAME)
    example = "table lock-up E01 'a screen is dark'"
    field_help: ClassVar[Mapping[str, str]] = {
        "why": "operator: somebody stopped it; gap: a step of the dealing was too late."
    }


class TableUnlock(AtTable, tag="table.unlock"):
    """Decides the coup of a table that is locked up, by two people, and lets it go on (R-IRR-6)."""

    how: Annotated[str, one_of(("settle", "return"))]
    reason: Reason

    arguments = ("table", "how", "reason")
    permission = Permission(FLOOR, must=True, two_in_open_house=True)
    example = "table unlock E01 return 'the screen was dark' --with S-11"
    field_help: ClassVar[Mapping[str, str]] = {
        "how": "settle: pay by the cards that were drawn; return: give every stake back."
    }


class TableLimits(AtTable, tag="table.limits"):
    """Sets limits of a spot or of the main wagers, or the differential, from the next coup."""

    spot: Spot = "main"
    minimum: Amount | None = None
    maximum: Amount | None = None
    differential: Amount | None = None

    permission = Permission(FLOOR, must=True, alone=BOSSES)
    example = "table limits B01 --spot tie --minimum 10 --maximum 500"
    field_help: ClassVar[Mapping[str, str]] = {
        "spot": "The spot whose limits these are; main is Player and Banker."
    }


class TableDealer(AtTable, tag="table.dealer"):
    """Puts another dealer at the table, from the next coup; they may do so alone."""

    staff: StaffNumber

    arguments = ("table", "staff")
    permission = Permission(
        FLOOR, must=True, alone=BOSSES, for_oneself="staff", named={"staff": ("dealer",)}
    )
    example = "table dealer B01 D-205"
    field_help: ClassVar[Mapping[str, str]] = {"staff": "The staff number of the new dealer."}


class TableSupervisor(AtTable, tag="table.supervisor"):
    """Puts another supervisor in charge of the table, from the next coup."""

    staff: StaffNumber

    arguments = ("table", "staff")
    permission = Permission(FLOOR, must=True, alone=BOSSES, named={"staff": BOSSES})
    example = "table supervisor B01 S-12"
    field_help: ClassVar[Mapping[str, str]] = {"staff": "The staff number of the new supervisor."}


class TableShiftCount(AtTable, tag="table.shift-count"):
    """Counts the tray at the end of a shift, by who leaves and who takes over."""

    chips: Chips
    shift: Text | None = None

    permission = Permission(FLOOR, must=True)
    example = "table shift-count B01 --chips 100=190 --chips 5=350 --with S-12"
    option_help: ClassVar[Mapping[str, str]] = {"chips": CHIPS_HELP}
    field_help: ClassVar[Mapping[str, str]] = {
        "chips": "The chips in the tray, as counted.",
        "by": "The staff number of whoever counts and hands the table over.",
        "with": "The staff number of whoever signs and takes the table over.",
    }


class TableColourChange(AtTable, tag="table.colour-change"):
    """Changes chips for chips of the same worth, for a patron or among the racks."""

    taken: Chips
    given: Chips

    permission = Permission(FLOOR)
    example = "table colour-change B01 --taken 5=20 --given 100=1"
    option_help: ClassVar[Mapping[str, str]] = {"taken": CHIPS_HELP, "given": CHIPS_HELP}
    field_help: ClassVar[Mapping[str, str]] = {
        "taken": "The chips that go into the tray.",
        "given": "The chips that leave the tray for them.",
    }


class TableDrop(AtTable, tag="table.drop"):
    """Records the counted drop box, also after the table has closed."""

    amount: Payment
    day: Day | None = None
    confirmed: bool = False

    arguments = ("table", "amount")
    permission = Permission(("cage",), ("cage", "security", *BOSSES))
    example = "table drop B01 4,000 --day 2026-11-21"
    field_help: ClassVar[Mapping[str, str]] = {
        "amount": "The cash in the box.",
        "day": "The gaming day of the box; default the last one of the table.",
    }


class TableDropRecount(AtTable, tag="table.drop-recount"):
    """Counts the drop of a gaming day again; the last count holds, both stay on record."""

    amount: Payment
    reason: Reason
    day: Day | None = None

    arguments = ("table", "amount", "reason")
    permission = Permission(
        ("cage",), ("cage", "security", *BOSSES), must=True, two_in_open_house=True
    )
    example = "table drop-recount B01 4,100 'a bundle was missed' --with S-11"
    field_help: ClassVar[Mapping[str, str]] = TableDrop.field_help
