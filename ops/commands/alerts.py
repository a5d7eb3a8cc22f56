"""Alerts of the board."""

from ops.commands.command import Command, Reason, Text


class AlertAcknowledge(Command, tag="alert.acknowledge"):
    """An alert of the board is in hand; it stays on record with who took it."""

    alert: Text
    text: Reason | None = None

    arguments = ("alert", "text")
