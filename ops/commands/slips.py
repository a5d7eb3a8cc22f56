"""Commands for fills and credits, step by step or all steps in one."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from domain.rules.permissions import BOSSES, FLOOR, Permission
from ops.commands.command import CHIPS_HELP, AtTable, Chips, Command, Reason, StaffNumber, Text

_ON_A_SLIP = {"requested_by": BOSSES, "cashier": ("cage",), "runner": ("security",)}
# Chips move between departments: the cashier or the runner types the PIN, not the floor.
_SLIP_AT_ONCE = Permission(
    BOSSES, ("cage", "security"), must=True, named=_ON_A_SLIP, second_among=("cashier", "runner")
)


class TableFill(AtTable, tag="table.fill"):
    """Records a whole fill, chips from the cage to the tray; the answer names the slip."""

    chips: Chips
    requested_by: StaffNumber
    cashier: StaffNumber
    runner: StaffNumber

    permission = _SLIP_AT_ONCE
    example = "table fill B01 --chips 100=5 --requested-by S-11 --cashier C-1 --runner R-1"
    option_help: ClassVar[Mapping[str, str]] = {"chips": CHIPS_HELP}


class TableCredit(AtTable, tag="table.credit"):
    """Records a whole credit, chips from the tray to the cage; the answer names the slip."""

    chips: Chips
    requested_by: StaffNumber
    cashier: StaffNumber
    runner: StaffNumber
    confirmed: bool = False

    permission = _SLIP_AT_ONCE
    example = "table credit B01 --chips 100=5 --requested-by S-11 --cashier C-1 --runner R-1"
    option_help: ClassVar[Mapping[str, str]] = {"chips": CHIPS_HELP}


class SlipRequest(AtTable, tag="slip.request"):
    """Requests a fill, or a credit (chips to the cage); the answer names the slip."""

    kind: Annotated[str, Meta(pattern=r"^(fill|credit)\Z", description="write fill or credit")]
    chips: Chips
    confirmed: bool = False

    arguments = ("table", "kind")
    permission = Permission(FLOOR, must=True, alone=BOSSES)
    example = "slip request B01 fill --chips 100=5"
    option_help: ClassVar[Mapping[str, str]] = {"chips": CHIPS_HELP}
    field_help: ClassVar[Mapping[str, str]] = {
        "kind": "A fill goes from the cage to the tray, a credit from the tray to the cage."
    }


class OnSlip(Command, kw_only=True):
    """A command about one slip."""

    slip: Text

    arguments: ClassVar[tuple[str, ...]] = ("slip",)


class SlipIssue(OnSlip, tag="slip.issue"):
    """Records that the cage issues a fill, or expects a credit."""

    permission = Permission(("cage",))
    example = "slip issue 2026-000003"


class SlipCarry(OnSlip, tag="slip.carry"):
    """Records that a security officer carries the chips."""

    permission = Permission(("security",))
    example = "slip carry 2026-000003"


class SlipReceive(OnSlip, tag="slip.receive"):
    """Records that the chips arrived and two people counted them."""

    confirmed: bool = False

    permission = Permission(FLOOR, must=True)
    example = "slip receive 2026-000003 --with S-11"


class SlipVoid(OnSlip, tag="slip.void"):
    """Cancels a slip, by two people; its number is not used again."""

    reason: Reason

    arguments = ("slip", "reason")
    permission = Permission(("cage", *BOSSES), must=True, two_in_open_house=True)
    example = "slip void 2026-000003 'asked for twice' --with S-11"
