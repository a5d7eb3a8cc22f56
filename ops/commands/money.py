"""The command that puts money right which was typed wrong."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from domain.rules.open_items import HOW
from domain.rules.permissions import FLOOR, Permission
from ops.commands.command import (
    CHIPS_HELP,
    Amount,
    Chips,
    Command,
    Reason,
    Seat,
    TableCode,
    Text,
    one_of,
)

LAST = "last"
Position = Annotated[int, Meta(ge=1)] | Annotated[str, Meta(pattern=rf"^{LAST}\Z")]


class MoneyCorrect(Command, tag="money.correct"):
    """Corrects money that was typed wrong, by two people, one a supervisor (R-IRR-5).

    A buy-in, a cash-out or a collection: another amount, seat or patron. A fill, a credit or an
    opener: other chips. A colour change: others taken and given. A settlement with a patron who
    left: another amount, patron or direction. `--withdrawn`: it never was.
    POSITION is the event's number; `last` is the last one of the table.
    """

    position: Annotated[
        Position, Meta(description="write the number of the event, as in 48213, or last")
    ]
    reason: Reason
    amount: Amount | None = None
    chips: Chips | None = None
    taken: Chips | None = None
    given: Chips | None = None
    how: Annotated[str, one_of(HOW)] | None = None
    seat: Seat | None = None
    patron: Text | None = None
    withdrawn: bool = False
    table: TableCode | None = None

    arguments = ("position", "reason")
    permission = Permission(FLOOR, must=True, two_in_open_house=True)
    example = "money correct 48213 'typed 5,000 for 500' --amount 500 --with S-11"
    option_help: ClassVar[Mapping[str, str]] = {
        "chips": CHIPS_HELP,
        "taken": CHIPS_HELP,
        "given": CHIPS_HELP,
    }
    field_help: ClassVar[Mapping[str, str]] = {
        "position": "The number of the event that was wrong, or last.",
        "amount": "What it really was.",
        "chips": "The chips that it really was.",
        "taken": "The chips that a colour change really took.",
        "given": "The chips that it really gave.",
        "how": "What a settlement really was: received, paid, written-off or unclaimed.",
        "seat": "The seat whose money it really was: of whoever sat there then.",
        "patron": "The patron whose money it really was, or their stay, as in stay-3.",
        "table": "The table; needed for the last one.",
    }
