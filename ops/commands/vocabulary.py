"""Every command by its name on the feed. Only commands change the record.

Each noun's file declares its commands; the shell, the terminal and the feed all get them here.
"""

from collections.abc import Mapping

from domain.rules.permissions import Permission
from ops.commands import (
    accounts,
    alerts,
    aml,
    audit,
    audits,
    boxes,
    commission,
    corrections,
    coup,
    coupons,
    devices,
    disputes,
    filing,
    house,
    incidents,
    inquiries,
    money,
    open_items,
    patron_files,
    patrons,
    play_limits,
    programs,
    regimes,
    seats,
    shoe,
    slips,
    staff,
    table,
)
from ops.commands.command import Command, commands_in, name_of

NOUNS = (
    *(table, seats, slips, boxes, shoe, coup, coupons, corrections, money),
    *(
        commission,
        open_items,
        accounts,
        disputes,
        incidents,
        inquiries,
        aml,
        filing,
        alerts,
        audits,
    ),
    *(patrons, patron_files, play_limits, house, regimes, staff),
)

COMMANDS: dict[str, type[Command]] = {
    name_of(kind): kind for noun in NOUNS for kind in commands_in(noun)
}
# What this program records by itself: no line that somebody types or sends is one of these.
OWN_COMMANDS: dict[str, type[Command]] = {
    name_of(kind): kind for noun in (programs, audit, devices) for kind in commands_in(noun)
}
# Whose lines have something personal: their digests have a key, and no refusal repeats them.
PERSONAL = patron_files.PERSONAL | aml.PERSONAL
# Who may give which command; without those that everybody gives for themselves.
PERMISSIONS: Mapping[str, Permission] = {
    name: kind.permission for name, kind in COMMANDS.items() if kind.permission.roles
}
