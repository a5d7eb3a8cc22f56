"""The command that settles what corrections left open with a patron who has left."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from domain.rules.open_items import HOW
from domain.rules.permissions import BOSSES, Permission
from ops.commands.command import Amount, AtTable, Day, Reason, Text, one_of

PLACES = ("cage", "table")


class PatronSettle(AtTable, tag="patron.settle"):
    """Settles what a correction left open with a patron who has left (R-IRR-5).

    Bets, commission and the money on a game account together; what the patron owes and what the
    house owes is set off first. `written-off`: the patron does not come back to pay. `unclaimed`:
    the patron does not come back to be paid, and the cage keeps the money for them.
    """

    patron: Text
    how: Annotated[str, one_of(HOW)]
    reason: Reason
    amount: Amount | None = None
    place: Annotated[str, one_of(PLACES)] = "cage"
    day: Day | None = None

    arguments = ("table", "patron", "how", "reason")
    permission = Permission(("cage", *BOSSES), ("cage", *BOSSES), must=True, two_in_open_house=True)
    example = (
        "patron settle B01 P-10417 paid 'came to the cage' --amount 2.50 --day 2026-11-21 "
        "--with S-11"
    )
    field_help: ClassVar[Mapping[str, str]] = {
        "patron": "Who owes it, or is owed it.",
        "how": "Received from the patron, paid to them, or given up by one of the two.",
        "amount": "How much; default all that is open.",
        "place": "Where the money is paid: cage, or the tray of this table; default cage.",
        "day": "The gaming day of the stay; default the table's last one.",
    }
