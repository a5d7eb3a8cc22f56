"""Ranks: how much an alert asks of a person, by its kind.

1: money or cards are missing, or the record disagrees with itself. It rings, and comes first.
2: somebody has to decide or to do something.
3: a slip of the keys that was mended. It never rings; the report `dealers` counts it.
"""

from collections.abc import Mapping

WRONG, DECISION, SLIP = 1, 2, 3

RANKS: Mapping[str, int] = {
    "closer variance": WRONG,
    "shift variance": WRONG,
    "box difference": WRONG,
    "tray below zero": WRONG,
    "opener differs": WRONG,
    "account short": WRONG,
    "shoe not reconciled": WRONG,
    "exposed or foreign card": WRONG,
    "cut card passed": WRONG,
    "payment disagrees": WRONG,
    "slip or serial reused": WRONG,
    "ticket refused": WRONG,
    "order untold": WRONG,
    "disagreement on re-adjudication": WRONG,
    "record unreadable": WRONG,
    "witness refused": WRONG,
    "verification failed": WRONG,
    "house distrusted": WRONG,
    "record restored": WRONG,
    "line missing": WRONG,
    "signing key lost": DECISION,
    "ledger cut": WRONG,
    "standby away": WRONG,
    "projection stopped": WRONG,
    "burn left out": DECISION,
    "undue card": DECISION,  # a slip once the shoe went on without that card
    "late bet": DECISION,
    "wager found late": DECISION,
    "over or under limit": DECISION,
    "differential": DECISION,
    "payment corrected": DECISION,
    "stake corrected": DECISION,
    "coup voided": DECISION,
    "earlier coup put right": DECISION,  # somebody has to pay, or to take back
    "tray exceeded": DECISION,  # two people paid out more than the record has
    "commission walked or waived": DECISION,
    "commission left open": DECISION,
    "bet left open": DECISION,
    "money left on account": DECISION,
    "commission owed": DECISION,
    "no coup": DECISION,
    "fill needed": DECISION,
    "barred at seat": DECISION,
    "box not counted": DECISION,
    "cash near": DECISION,
    "cash over": DECISION,
    "little play": DECISION,
    "cash split": DECISION,
    "uncarded play": DECISION,
    "report to amend": DECISION,
    "dispute deadline": DECISION,
    "dispute open": DECISION,
    "number locked": DECISION,
    "administrator recovered": DECISION,
    "device gap": DECISION,
    "late entry": DECISION,  # a slip if it only mends bets
    "clock behind": DECISION,
    "clock ahead": DECISION,
    "projections behind": DECISION,
    "backup failing": DECISION,
    "backup overdue": DECISION,
    "checkpoint overdue": DECISION,
    "verification overdue": DECISION,
    "table reopened": DECISION,
    "too slow": DECISION,
    "too fast": DECISION,
    # Two people put these right.
    "card corrected": SLIP,
    "wager moved": SLIP,
    "money corrected": SLIP,
    "counted again": SLIP,
    "alias separated": SLIP,
    "names told apart": SLIP,
    "missing id withdrawn": SLIP,
    "wager reduced": SLIP,
    "card moved": SLIP,
}
