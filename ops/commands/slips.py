"""Fills and credits, step by step or every step in one line."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from domain.rules.permissions import BOSSES, FLOOR, Permission
from ops.commands.command import CHIPS_HELP, AtTable, Chips, Command, Reason, Text

_ON_A_SLIP = {"requested_by": BOSSES, "cashier": ("cage",), "runner": ("security",)}
# Chips change hands between departments: whoever gave or carried them proves it, not the floor.
_SLIP_AT_ONCE = Permission(
    BOSSES, ("cage", "security"), must=True, named=_ON_A_SLIP, second_among=("cashier", "runner")
)


class TableFill(AtTable, tag="table.fill"):
    """Chips from the cage, every step and everybody in one line; the answer carries the slip."""

    chips: Chips
    requested_by: Text
    cashier: Text
    runner: Text

    permission = _SLIP_AT_ONCE
    example = "table fill B01 --chips 100=5 --requested-by S-11 --cashier C-1 --runner R-1"
    option_help: ClassVar[Mapping[str, str]] = {"chips": CHIPS_HELP}


class TableCredit(AtTable, tag="table.credit"):
    """Chips to the cage, every step and everybody in one line; the answer carries the slip."""

    chips: Chips
    requested_by: Text
    cashier: Text
    runner: Text

    permission = _SLIP_AT_ONCE
    example = "table credit B01 --chips 100=5 --requested-by S-11 --cashier C-1 --runner R-1"
    option_help: ClassVar[Mapping[str, str]] = {"chips": CHIPS_HELP}


class SlipRequest(AtTable, tag="slip.request"):
    """Requests a fill, or a credit; a dealer needs a supervisor. The answer carries the slip."""

    kind: Annotated[str, Meta(pattern=r"^(fill|credit)\Z", description="it is fill or credit")]
    chips: Chips

    arguments = ("table", "kind")
    permission = Permission(FLOOR, must=True, alone=BOSSES)
    example = "slip request B01 fill --chips 100=5"
    option_help: ClassVar[Mapping[str, str]] = {"chips": CHIPS_HELP}


class OnSlip(Command, kw_only=True):
    """A step of a slip."""

    slip: Text

    arguments: ClassVar[tuple[str, ...]] = ("slip",)


class SlipIssue(OnSlip, tag="slip.issue"):
    """The cage gives out the chips, or waits for them."""

    permission = Permission(("cage",))
    example = "slip issue 2026-000003"


class SlipCarry(OnSlip, tag="slip.carry"):
    """Security has the chips."""

    permission = Permission(("security",))
    example = "slip carry 2026-000003"


class SlipReceive(OnSlip, tag="slip.receive"):
    """The chips are where they belong, and counted by dealer and supervisor."""

    permission = Permission(FLOOR, must=True)
    example = "slip receive 2026-000003 --with S-11"


class SlipVoid(OnSlip, tag="slip.void"):
    """The slip is void; its number stays its own."""

    reason: Reason

    arguments = ("slip", "reason")
    permission = Permission(("cage", *BOSSES), must=True, two_in_open_house=True)
    example = "slip void 2026-000003 'asked for twice' --with S-11"
