"""Every command by its word on the feed: what changes the record, and nothing else does.

One file a noun declares them; shell, terminal and feed all read them here.
"""

from collections.abc import Iterator
from types import ModuleType

from ops.commands import (
    alerts,
    commission,
    corrections,
    coup,
    disputes,
    house,
    patrons,
    seats,
    shoe,
    slips,
    staff,
    table,
)
from ops.commands.command import Command, name_of

NOUNS = (
    *(table, seats, slips, shoe, coup, corrections, commission, disputes),
    *(alerts, patrons, house, staff),
)


def _commands_of(noun: ModuleType) -> Iterator[type[Command]]:
    """The commands that a file declares; a class without a word of its own is a base of some."""
    for kind in vars(noun).values():
        if isinstance(kind, type) and issubclass(kind, Command) and name_of(kind) != kind.__name__:
            yield kind


COMMANDS: dict[str, type[Command]] = {
    name_of(kind): kind for noun in NOUNS for kind in _commands_of(noun)
}
