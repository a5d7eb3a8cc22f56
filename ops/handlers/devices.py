"""The numbers of a device's lines: each is taken once, and what is missing is an alert."""

from domain.aggregates.staff import StaffMember
from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.commands import devices as commands
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles


@handles(commands.DeviceLinesMissing)
def lines_missing(desk: Desk, command: commands.DeviceLinesMissing) -> None:
    """Records that lines of a device did not arrive."""
    device = desk.casino.find(StaffMember, StaffMember.stream(command.of))
    if device is None:
        raise NotFound(what=Words("staff number {staff}", staff=command.of))
    device.miss_lines(command.first, command.last, command.at_table or "")
