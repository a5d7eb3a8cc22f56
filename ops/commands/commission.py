"""Commands for commission: collect, timing, waive, walked, receipts, forms."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from domain.aggregates.forms import PARTS
from domain.rules.permissions import BOSSES, FLOOR, Permission
from ops.commands.command import Amount, AtTable, Command, Day, Reason, Seat, Text, one_of


class CommissionCollect(AtTable, tag="commission.collect"):
    """Collects commission from a seat or a named patron, all or a part (R-COM-2)."""

    amount: Amount
    seat: Seat | None = None
    patron: Text | None = None

    arguments = ("table", "who", "amount")
    permission = Permission(FLOOR)
    example = "commission collect B01 3 12.50"
    field_help: ClassVar[Mapping[str, str]] = {"amount": "What the patron pays."}


class CommissionTiming(AtTable, tag="commission.timing"):
    """Sets whether a patron pays commission out of each payout, or later (R-COM-2)."""

    timing: Annotated[
        str,
        Meta(pattern=r"^(as-it-wins|deferred)\Z", description="write as-it-wins or deferred"),
    ]
    seat: Seat | None = None
    patron: Text | None = None

    arguments = ("table", "who", "timing")
    permission = Permission(FLOOR)
    example = "commission timing B01 3 as-it-wins"


class LettingGo(AtTable, kw_only=True):
    """Commission written off, wholly or in part (R-COM-4)."""

    reason: Reason
    amount: Amount | None = None
    seat: Seat | None = None
    patron: Text | None = None
    day: Day | None = None

    arguments: ClassVar[tuple[str, ...]] = ("table", "who", "reason")
    field_help: ClassVar[Mapping[str, str]] = {
        "amount": "How much of it; default all that the patron owes.",
        "day": "The gaming day of a stay that is over; default the table's open one.",
    }


class CommissionWaive(LettingGo, tag="commission.waive"):
    """Waives commission that a patron owes, all or a part (R-COM-4)."""

    permission = Permission(FLOOR, must=True, alone=BOSSES, two_in_open_house=True)
    example = "commission waive B01 3 'a good guest' --with S-11"


class CommissionWalked(LettingGo, tag="commission.walked"):
    """Writes off commission because the patron left without paying (R-COM-4)."""

    permission = Permission(FLOOR, must=True, alone=BOSSES, two_in_open_house=True)
    example = "commission walked B01 P-10417 'gone without a word' --with S-11"


class CommissionReceipt(Command, tag="commission.receipt"):
    """Records that a receipt is printed: the original once, then reprints."""

    receipt: Text

    arguments = ("receipt",)
    permission = Permission((*FLOOR, "cage"))
    example = "commission receipt B01/2026-11-21/stay-1/receipt-2"


class CommissionForm(Command, tag="commission.form"):
    """Records that a form for uncollected commission is printed: each part once, then copies."""

    form: Text
    part: Annotated[str, one_of(PARTS)] | None = None

    arguments = ("form",)
    permission = Permission((*FLOOR, "cage"))
    example = "commission form UV-2026-000001"
