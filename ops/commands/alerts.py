"""Commands for the alerts of the board."""

from msgspec.structs import replace

from domain.rules.addresses import kind_of_alert
from domain.rules.permissions import BOSSES, OF_AML, Permission, of_alert
from ops.commands.command import Command, Reason, Text


class AlertAcknowledge(Command, tag="alert.acknowledge"):
    """Takes an alert off the board; the record shows who did.

    Who has the right depends on its kind: of a suspicion of money laundering, and of a missing ID
    that was withdrawn, surveillance and auditors; of any other supervisors and pit bosses.
    """

    alert: Text
    text: Reason | None = None

    arguments = ("alert", "text")
    # Two, if an administrator was let in.
    permission = Permission((*BOSSES, *OF_AML), two_in_open_house=True)
    example = "alert acknowledge late-bet/34 'spoke to the dealer'"

    @property
    def permitted(self) -> Permission:
        """Who takes an alert of this kind off the board."""
        return replace(self.permission, roles=of_alert(kind_of_alert(self.alert)).acknowledged_by)
