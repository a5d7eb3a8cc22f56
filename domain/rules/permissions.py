"""The roles of a house: which of them may give a command, and which may read what.

In open house nothing is checked; after the first administrator is enrolled everything is. Each
command declares its own permission.
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
    """Which roles may give a command, and which roles its second person may have.

    `must`: it always takes a second person. `two_in_open_house`: it may take one in open house
    too, where the staff number is enough (R-BET-5, R-SHOE-3, R-IRR-5, R-COM-4).
    """

    roles: tuple[str, ...]
    second: tuple[str, ...] = BOSSES
    must: bool = False
    alone: tuple[str, ...] = ()  # roles that need no second person
    for_oneself: str = ""  # a field: whoever it names gives the command alone
    named: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # by field: roles of the person it names
    second_among: tuple[str, ...] = ()  # fields, one of which names the second person
    two_in_open_house: bool = False

    @property
    def may_take_two(self) -> bool:
        """Whether the command ever takes a second person."""
        return self.must or self.two_in_open_house

    def grants(self, role: str) -> bool:
        """Whether a role gives the command."""
        return role in self.roles


OWN_ONLY = Permission(())  # everybody for themselves


class Reading(Struct, frozen=True):
    """Which roles may read something in a closed house.

    `at_own_table`: roles that read only about the table where they are signed on.
    """

    roles: tuple[str, ...]
    at_own_table: tuple[str, ...] = ()

    def grants(self, role: str, own: str, table: str | None) -> bool:
        """Whether a role reads about a table, or with None about several; `own`: where they are."""
        return role in self.roles and (role not in self.at_own_table or own == table)


WATCH = ("surveillance", "auditor")  # they read everything
OF_THE_PIT = Reading((*BOSSES, *WATCH))
OF_INCIDENTS = Reading((*BOSSES, "security", *WATCH))
OF_A_TABLE = Reading((*FLOOR, *WATCH), at_own_table=("dealer",))
OF_MONEY = Reading((*BOSSES, "cage", *WATCH))
OF_THE_HOUSE = Reading(("administrator", *WATCH))
# Who deals with money laundering: they see a patron's file, and write it.
OF_FILES = ("pit-boss", "cage", "surveillance")
OF_BARRINGS = ("pit-boss", "surveillance", "administrator")
# Cases of money laundering, of which neither the patron nor anybody at a table may learn.
OF_AML = WATCH
# Of other houses' records, in the home of a group. Patrons over all houses see who watches.
OF_A_GROUP = Reading(("pit-boss", *WATCH))
_NAMES = Reading((*BOSSES, "surveillance", "administrator"))

# Kinds of alerts that are a suspicion of money laundering, or about what was reported of one.
LITTLE_PLAY, SPLIT, TO_AMEND = "little play", "cash split", "report to amend"
SUSPICIONS = (LITTLE_PLAY, SPLIT, TO_AMEND)
ID_WITHDRAWN = "missing id withdrawn"
BARRED_AT_SEAT = "barred at seat"
# Of kinds of alerts that are not for whoever may read the board, or the report: for which roles.
NOT_FOR_EVERYBODY: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(SUSPICIONS, OF_AML),
    BARRED_AT_SEAT: OF_THE_PIT.roles,
}


class OfAlert(Struct, frozen=True):
    """Which roles may learn of an alert, and which take it off the board.

    `read_by`: None for whoever may read the board, or the report, that has it.
    """

    read_by: tuple[str, ...] | None
    acknowledged_by: tuple[str, ...]

    def is_for(self, role: str) -> bool:
        """Whether somebody with this role may learn of it."""
        return self.read_by is None or role in self.read_by


def of_alert(kind: str) -> OfAlert:
    """Who may learn of alerts of a kind, and who takes them off the board.

    Whoever works at a table sees that an ID or a report is due, because they ask for it before the
    cash is taken. Of a suspicion they may not learn (tipping-off), and what two of them withdrew
    somebody else has to see. Who may not play is between the pit, surveillance and auditors: a
    dealer's screen stands at the table, and tells the dealer once there is a bet.

    >>> of_alert("cash over").is_for("pit-boss"), of_alert("cash split").is_for("pit-boss")
    (True, False)
    """
    by_who_watches = kind == ID_WITHDRAWN or kind in SUSPICIONS
    return OfAlert(NOT_FOR_EVERYBODY.get(kind), OF_AML if by_who_watches else BOSSES)


# Every command that reads, without the reports, which declare their own. None: it shows nobody's
# name and needs no sign-on.
READINGS: Mapping[str, Reading | None] = {
    # Administrators see on it which numbers are locked.
    "board": Reading((*FLOOR, "administrator", *WATCH), at_own_table=("dealer",)),
    # It names what its reader may open, and nothing else.
    "find": Reading((*FLOOR, "cage", "security", "administrator", *WATCH)),
    "replay": OF_A_TABLE,
    "dispute show": OF_THE_PIT,
    "dispute list": OF_THE_PIT,
    "inquiry show": Reading(WATCH),
    "aml show": Reading(OF_AML),
    "filing ctr": Reading(OF_FILES),
    # It has names, which auditors do not see.
    "filing sar": Reading(("surveillance",)),
    "filing ttr": Reading(OF_FILES),
    "filing smr": Reading(("surveillance",)),
    "incident show": OF_INCIDENTS,
    "shift slip": OF_MONEY,
    "box report": OF_MONEY,
    "patron name": _NAMES,
    "staff name": _NAMES,
    "patron show": Reading(OF_FILES),
    "patron import": Reading(OF_FILES),
    "patron exclude": Reading(OF_BARRINGS),
    "export events": Reading(WATCH),
    "audit adjudicate": Reading((*BOSSES, "administrator", *WATCH)),
    "group list": OF_THE_HOUSE,
    "group report win": OF_A_GROUP,
    "group report owed": Reading(("pit-boss", "cage", *WATCH)),
    "group report patrons": Reading(WATCH),
    "group report protection": Reading(WATCH),
    "group report exclusions": Reading(WATCH),
    "group exclusions": Reading(WATCH),
    "regime ask": OF_MONEY,
    "regime list": None,
    "regime show": None,
    "road": None,
    "odds": None,
    "adjudicate": None,
    "manual": None,
    "rule": None,
    "rules list": None,
    "rules show": None,
    "rules check": None,
    "rules new": None,
    "rules sheet": None,
    "rules diff": None,
    "rules shelf": None,
    "audit verify": None,
    "audit shoe": None,
    "audit program": None,
    "audit key show": None,
    "audit prove": Reading((*BOSSES, *WATCH)),
    "audit export": Reading(WATCH),
    "db archive": Reading(WATCH),
    "db status": None,
    "db views": None,
    "projections status": None,
    "projections check": None,
}
# What changes a group's home, which has no record of its own: asked as readings are, of the office
# there. `group pull` is for a service, which signs on nowhere, and takes only what houses signed.
OF_A_GROUPS_HOME: Mapping[str, Reading] = {
    "group add": Reading(("administrator",)),
    "group accept": Reading(("administrator", "auditor")),
    "group witness": Reading(("administrator",)),
    "group rate": Reading(("cage", "administrator")),
}
