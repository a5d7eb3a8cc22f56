"""What is recorded about a device's lines. Nobody can type it or send it on a feed."""

from typing import ClassVar

from domain.rules.permissions import OWN_ONLY
from ops.commands.command import Command, LineNumber, StaffNumber, TableCode


class DeviceLinesMissing(Command, tag="device.lines-missing"):
    """Records that lines of a device did not arrive, by their numbers."""

    of: StaffNumber
    first: LineNumber
    last: LineNumber
    at_table: TableCode | None = None

    permission = OWN_ONLY
    needs_sign_on: ClassVar[bool] = False
