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
    second_among: tuple[str, ...] = ()  # the second is one of those whom these fields name


# What takes two people in open house too, where whoever is named is believed: R-BET-5, R-SHOE-3,
# R-IRR-5, R-COM-4.
GAME_MAY_TAKE_TWO = frozenset(
    (
        *("void", "correct", "dispute.decide", "slip.void", "shoe.end", "bet", "bets"),
        *("commission.waive", "commission.walked", "rules.approve", "patron.unbar"),
        "alert.acknowledge",  # that an administrator was let in again
    )
)
_ON_A_SLIP = {"requested_by": BOSSES, "cashier": ("cage",), "runner": ("security",)}
# Chips change hands between departments: whoever gave or carried them proves it, not the floor.
_SLIP_AT_ONCE = Permission(
    BOSSES, ("cage", "security"), must=True, named=_ON_A_SLIP, second_among=("cashier", "runner")
)

PERMISSIONS: Mapping[str, Permission] = {
    "table.open": Permission(FLOOR, must=True),
    "table.close": Permission(FLOOR, must=True),
    "table.roll-over": Permission(FLOOR, must=True),
    "table.limits": Permission(FLOOR, must=True, alone=BOSSES),
    "table.dealer": Permission(FLOOR, must=True, alone=BOSSES, named={"staff": ("dealer",)}),
    "table.supervisor": Permission(FLOOR, must=True, alone=BOSSES, named={"staff": BOSSES}),
    "table.seat": Permission(FLOOR),
    "table.seats": Permission(FLOOR),
    "table.move": Permission(FLOOR),
    "table.leave": Permission(FLOOR),
    "table.buy-in": Permission(FLOOR),
    "table.cash-out": Permission(FLOOR),
    "table.fill": _SLIP_AT_ONCE,
    "table.credit": _SLIP_AT_ONCE,
    "table.drop": Permission(("cage",), ("cage", "security", *BOSSES)),
    "slip.request": Permission(FLOOR, must=True, alone=BOSSES),
    "slip.issue": Permission(("cage",)),
    "slip.carry": Permission(("security",)),
    "slip.receive": Permission(FLOOR, must=True),
    "slip.void": Permission(("cage", *BOSSES), must=True),
    "shoe.load": Permission(FLOOR),
    "shoe.inspect": Permission(FLOOR, FLOOR),  # the second, if a sealed batch takes one
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
    "commission.timing": Permission(FLOOR),
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
    "staff.recover": Permission(("administrator",)),  # and whoever proves it by the secret
    "staff.new-secret": Permission(("administrator",), (*BOSSES, "administrator"), must=True),
}

# What an administrator may enrol a device to say for two people: what happens at a table.
DEVICE_FOR_TWO = tuple(
    name
    for name, permission in PERMISSIONS.items()
    if (permission.must or name in (*GAME_MAY_TAKE_TWO, "shoe.inspect"))
    and set(permission.roles) & {*FLOOR, "cage"}
    and name not in ("rules.approve", "patron.unbar", "alert.acknowledge")
)


def may_take_two(command: str) -> bool:
    """Whether a second person is ever asked for; who says it, and when, decides whether one is."""
    permission = PERMISSIONS.get(command)
    return bool(permission and permission.must) or command in GAME_MAY_TAKE_TWO


@dataclass(frozen=True)
class Reading:
    """Who may read something in a closed house.

    `at_own_table`: who reads only of the table where they are signed on.
    """

    roles: tuple[str, ...]
    at_own_table: tuple[str, ...] = ()


_WATCH = ("surveillance", "auditor")  # who read everything
_PIT = Reading((*BOSSES, *_WATCH))
_TABLE = Reading((*FLOOR, *_WATCH), at_own_table=("dealer",))
_MONEY = Reading((*BOSSES, "cage", *_WATCH))
_HOUSE = Reading(("administrator", *_WATCH))
_NAMES = Reading((*BOSSES, "surveillance", "administrator"))

# Every command that reads; a report, printed or exported, as `report NAME`. None: it names nobody,
# and takes no sign-on.
READINGS: Mapping[str, Reading | None] = {
    # A number that is locked is on it until an administrator enrols it again.
    "board": Reading((*FLOOR, "administrator", *_WATCH), at_own_table=("dealer",)),
    "pit": _PIT,
    "replay": _TABLE,
    "dispute show": _PIT,
    "dispute list": _PIT,
    "patron name": _NAMES,
    "patron erase": _NAMES,
    "export events": Reading(_WATCH),
    "audit adjudicate": Reading((*BOSSES, "administrator", *_WATCH)),
    "report commission": Reading((*FLOOR, "cage", *_WATCH), at_own_table=("dealer",)),
    "report commission-proof": _MONEY,
    "report coup": _TABLE,
    "report wagers": _PIT,
    "report exceptions": _PIT,
    "report voids": _PIT,
    "report alerts": _PIT,
    "report table-win": _MONEY,
    "report inventory": _MONEY,
    "report slips": Reading((*BOSSES, "cage", "security", *_WATCH)),
    "report master": _MONEY,
    "report measures": _MONEY,
    "report disputes": _PIT,
    "report ratings": _PIT,
    "report dealers": _PIT,
    "report cash-log": _MONEY,
    "report ctr": _MONEY,
    "report access": _HOUSE,
    "report readings": _HOUSE,
    "report integrity": None,
    "report shoe-log": _TABLE,
    "report cards": _PIT,
    "road": None,
    "odds": None,
    "adjudicate": None,
    "rules list": None,
    "rules show": None,
    "rules check": None,
    "audit verify": None,
    "audit shoe": None,
    "db status": None,
    "db views": None,
    "projections status": None,
    "projections check": None,
}
