"""The list of reports by who asks: the floor, money, compliance, audit, games."""

from collections.abc import Iterable, Mapping

from domain.rules.wording import Words, worded

FLOOR = worded("heading: the reports that people at this work ask for", "The floor")
MONEY = worded("heading: the reports that people at this work ask for", "Money")
AML = worded("heading: the reports that people at this work ask for", "Compliance")
AUDIT = worded("heading: the reports that people at this work ask for", "Audit")
GAMES = worded(
    "heading: the reports that people at this work ask for", "Games and their protection"
)

# By group, its reports; what is asked for most often comes first.
GROUPS: Mapping[Words, tuple[str, ...]] = {
    FLOOR: (
        *("unfinished", "alerts", "exceptions", "disputes", "incidents", "ratings", "dealers"),
        *("measures", "limits-used", "limits", "statement", "patron-files"),
    ),
    MONEY: (
        *("table-win", "inventory", "slips", "boxes", "commission", "left-open", "cash-log"),
        *("master", "yield", "adjustments", "vigorish", "vigorish-adjustment", "promotions"),
        *("progressives", "etg-win", "meters", "meter-comparison"),
    ),
    AML: ("aml-cases", "ids-not-shown", "ctr", "threshold-log", "aml-patterns"),
    AUDIT: (
        *("audits", "integrity", "commission-proof", "voids", "access", "staff", "readings"),
        *("secret-readings", "programs"),
    ),
    GAMES: (
        *("coup", "wagers", "shoe-log", "cards", "protection", "inquiries", "worth"),
        *("dealers-compared", "patrons-compared"),
    ),
}
_FIRST: Mapping[str, tuple[Words, ...]] = {  # of the groups, by role; the others follow
    "cage": (MONEY, AML),
    "surveillance": (GAMES, AML),
    "auditor": (AUDIT, MONEY),
    "administrator": (AUDIT,),
}


def grouped(reports: Iterable[str], role: str | None) -> dict[Words, list[str]]:
    """These reports by their groups; those that the role asks for most come first.

    >>> [str(group) for group in grouped(["audits", "table-win", "alerts"], "auditor")]
    ['Audit', 'Money', 'The floor']
    """
    among = {*reports}
    order = dict.fromkeys((*_FIRST.get(role or "", ()), *GROUPS))
    listed = {group: [each for each in GROUPS[group] if each in among] for group in order}
    return {group: names for group, names in listed.items() if names}
