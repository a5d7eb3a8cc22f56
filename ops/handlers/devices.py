"""The numbers of a device's lines: each is taken once, and what is missing is an alert."""

from ops.commands import devices as commands
from ops.handlers.desk import Desk
from ops.handlers.enrolled import member
from ops.handlers.handlers import handles


@handles(commands.DeviceLinesMissing)
def lines_missing(desk: Desk, command: commands.DeviceLinesMissing) -> None:
    """Records that lines of a device did not arrive."""
    member(desk, command.of).miss_lines(command.first, command.last, command.at_table or "")
