"""The command of whoever audits the master figures of a gaming day."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from domain.rules.permissions import Permission
from ops.commands.command import Command, Day, Reason


class MasterAudit(Command, tag="master.audit"):
    """Records that you audited the master game report of a gaming day."""

    day: Day
    position: (
        Annotated[int, Meta(ge=1, le=2**53, description="write a ledger position, as in 48213")]
        | None
    ) = None
    text: Reason | None = None

    arguments = ("day",)
    permission = Permission(("auditor", "cage"))
    example = "master audit 2026-11-21 --position 48213 --text 'all tables agree'"
    field_help: ClassVar[Mapping[str, str]] = {
        "day": "The gaming day.",
        "position": "The ledger position at the foot of the report; default the newest.",
        "text": "A note, for the record.",
    }
