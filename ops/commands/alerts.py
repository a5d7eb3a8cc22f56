"""Commands for the alerts of the board."""

from domain.rules.permissions import BOSSES, Permission
from ops.commands.command import Command, Reason, Text


class AlertAcknowledge(Command, tag="alert.acknowledge"):
    """Takes an alert off the board; the record shows who did."""

    alert: Text
    text: Reason | None = None

    arguments = ("alert", "text")
    permission = Permission(BOSSES, two_in_open_house=True)  # if an administrator was let in
    example = "alert acknowledge late-bet/34 'spoke to the dealer'"
