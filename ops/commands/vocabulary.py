"""Every command by its word on the feed: what changes the record, and nothing else does.

One file a noun declares them; shell, terminal and feed all read them here.
"""

from collections.abc import Mapping

from domain.rules.permissions import Permission
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
from ops.commands.command import Command, commands_in, name_of

NOUNS = (
    *(table, seats, slips, shoe, coup, corrections, commission, disputes),
    *(alerts, patrons, house, staff),
)

COMMANDS: dict[str, type[Command]] = {
    name_of(kind): kind for noun in NOUNS for kind in commands_in(noun)
}
# Who may say what; without what everybody says for themselves.
PERMISSIONS: Mapping[str, Permission] = {
    name: kind.permission for name, kind in COMMANDS.items() if kind.permission.roles
}
