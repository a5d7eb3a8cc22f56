"""Which role may do which command, and which takes a second person: one table for every mouth.

In open house nobody is asked; from the first administrator on, nothing is done that is not here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

ROLES = (
    *("dealer", "supervisor", "pit-boss", "cage", "security", "surveillance", "auditor"),
    *("administrator", "device"),
)
FLOOR = ("dealer", "supervisor", "pit-boss")
BOSSES = ("supervisor", "pit-boss")
GAME = (*FLOOR, "device")


@dataclass(frozen=True)
class Permission:
    """Who may; whose second person it takes (`must`), or may be given; who else it names."""

    roles: tuple[str, ...]
    second: tuple[str, ...] = BOSSES
    must: bool = False
    alone: tuple[str, ...] = ()  # who needs none all the same
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # in which field, who


# What the game itself may ask a second person for, in open house too: R-BET-5, R-SHOE-3, R-IRR-5.
GAME_MAY_TAKE_TWO = frozenset(
    ("void", "correct", "dispute.decide", "slip.void", "shoe.end", "bet", "bets")
)
_ON_A_SLIP = {"requested_by": BOSSES, "cashier": ("cage",), "runner": ("security",)}

PERMISSIONS: Mapping[str, Permission] = {
    "table.open": Permission(FLOOR, must=True),
    "table.close": Permission(FLOOR, must=True),
    "table.roll-over": Permission(FLOOR, must=True),
    "table.limits": Permission(FLOOR, must=True, alone=BOSSES),
    "table.dealer": Permission(FLOOR, must=True, alone=BOSSES, named={"staff": ("dealer",)}),
    "table.supervisor": Permission(FLOOR, must=True, alone=BOSSES, named={"staff": BOSSES}),
    "table.seat": Permission(FLOOR),
    "table.move": Permission(FLOOR),
    "table.leave": Permission(FLOOR),
    "table.buy-in": Permission(FLOOR),
    "table.cash-out": Permission(FLOOR),
    "table.fill": Permission(BOSSES, named=_ON_A_SLIP),
    "table.credit": Permission(BOSSES, named=_ON_A_SLIP),
    "table.drop": Permission(("cage",), ("cage", "security", *BOSSES)),
    "slip.request": Permission(BOSSES),
    "slip.issue": Permission(("cage",)),
    "slip.carry": Permission(("security",)),
    "slip.receive": Permission(FLOOR, must=True),
    "slip.void": Permission(("cage", *BOSSES), must=True),
    "shoe.load": Permission(FLOOR),
    "shoe.inspect": Permission(FLOOR, named={"verified_by": FLOOR}),
    "shoe.shuffle": Permission(GAME),
    "shoe.cut": Permission(GAME),
    "shoe.burn": Permission(GAME),
    "shoe.pass": Permission(FLOOR),
    "shoe.cut-card": Permission(GAME),
    "shoe.misdraw": Permission(FLOOR, must=True, alone=BOSSES),
    "shoe.discard": Permission(FLOOR, must=True, alone=BOSSES),
    "shoe.end": Permission(FLOOR),
    "shoe.reconcile": Permission(FLOOR),
    "open": Permission(GAME),
    "bet": Permission(GAME),
    "bets": Permission(GAME),
    "withdraw": Permission(GAME),
    "no-more-bets": Permission(GAME),
    "draw": Permission(GAME),
    "move-card": Permission(FLOOR),
    "reveal": Permission(GAME),
    "settle": Permission(GAME),
    "void": Permission(FLOOR, must=True),
    "correct": Permission(FLOOR, must=True),
    "readjudicate": Permission((*BOSSES, "surveillance", "auditor", "administrator")),
    "commission.collect": Permission(FLOOR),
    "commission.waive": Permission(FLOOR, must=True, alone=BOSSES),
    "commission.walked": Permission(FLOOR, must=True, alone=BOSSES),
    "commission.receipt": Permission((*FLOOR, "cage")),
    "patron.identify": Permission((*BOSSES, "surveillance")),
    "patron.bar": Permission(("pit-boss", "surveillance", "administrator")),
    "patron.unbar": Permission(("pit-boss", "administrator"), must=True),
    "dispute.open": Permission((*FLOOR, "surveillance")),
    "dispute.note": Permission((*FLOOR, "surveillance", "auditor")),
    "dispute.decide": Permission(BOSSES, must=True),
    "dispute.tell": Permission(BOSSES),
    "dispute.notify": Permission((*BOSSES, "surveillance")),
    "dispute.hold": Permission((*FLOOR, "surveillance")),
    "dispute.release": Permission(BOSSES),
    "dispute.export": Permission((*BOSSES, "surveillance", "auditor")),
    "dispute.close": Permission(BOSSES),
    "alert.acknowledge": Permission(BOSSES),
    "property.set": Permission(("administrator",)),
    "rules.approve": Permission(
        ("administrator", "pit-boss"), (*BOSSES, "administrator"), must=True
    ),
    "staff.enrol": Permission(("administrator",)),
    "staff.retire": Permission(("administrator",)),
    "staff.sign-off": Permission((*BOSSES, "administrator")),  # and everybody for themselves
}


def may_take_two(command: str) -> bool:
    """Whether a second person is ever asked for; who says it, and when, decides whether one is."""
    permission = PERMISSIONS.get(command)
    return bool(permission and permission.must) or command in GAME_MAY_TAKE_TWO
