"""The roles of a house: what a command may ask of them, and who may read what.

In open house nobody is asked; from the first administrator on, nothing is done that no role may do.
Each command states its own permission where it is declared.
"""

from collections.abc import Mapping

from msgspec import Struct, field

ROLES = (
    *("dealer", "supervisor", "pit-boss", "cage", "security", "surveillance", "auditor"),
    *("administrator", "device"),
)
FLOOR = ("dealer", "supervisor", "pit-boss")
BOSSES = ("supervisor", "pit-boss")
GAME = (*FLOOR, "device")


class Permission(Struct, frozen=True):
    """Who may; whose second person it takes (`must`), or may be given; who else it names.

    `two_in_open_house`: it may take two there too, where whoever is named is believed (R-BET-5,
    R-SHOE-3, R-IRR-5, R-COM-4).
    """

    roles: tuple[str, ...]
    second: tuple[str, ...] = BOSSES
    must: bool = False
    alone: tuple[str, ...] = ()  # who needs none all the same
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # in which field, who
    second_among: tuple[str, ...] = ()  # the second is one of those whom these fields name
    two_in_open_house: bool = False

    @property
    def may_take_two(self) -> bool:
        """Whether a second person is ever asked for; who says it, and when, decides whether."""
        return self.must or self.two_in_open_house


OWN_ONLY = Permission(())  # everybody for themselves


class Reading(Struct, frozen=True):
    """Who may read something in a closed house.

    `at_own_table`: who reads only of the table where they are signed on.
    """

    roles: tuple[str, ...]
    at_own_table: tuple[str, ...] = ()


WATCH = ("surveillance", "auditor")  # who read everything
OF_THE_PIT = Reading((*BOSSES, *WATCH))
OF_A_TABLE = Reading((*FLOOR, *WATCH), at_own_table=("dealer",))
OF_MONEY = Reading((*BOSSES, "cage", *WATCH))
OF_THE_HOUSE = Reading(("administrator", *WATCH))
_NAMES = Reading((*BOSSES, "surveillance", "administrator"))

# Every command that reads, but reports: each of them says itself who may read it. None: what it
# shows names nobody, and takes no sign-on.
READINGS: Mapping[str, Reading | None] = {
    # A number that is locked is on it until an administrator enrols it again.
    "board": Reading((*FLOOR, "administrator", *WATCH), at_own_table=("dealer",)),
    "pit": OF_THE_PIT,
    "replay": OF_A_TABLE,
    "dispute show": OF_THE_PIT,
    "dispute list": OF_THE_PIT,
    "patron name": _NAMES,
    "patron erase": _NAMES,
    "export events": Reading(WATCH),
    "audit adjudicate": Reading((*BOSSES, "administrator", *WATCH)),
    "road": None,
    "odds": None,
    "adjudicate": None,
    "manual": None,
    "rule": None,
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
