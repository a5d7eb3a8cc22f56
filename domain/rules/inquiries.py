"""Inquiries of surveillance: what one may be about, what belongs to it, and what may come of it.

>>> is_secret("inquiry.opened"), is_secret("aml-case.opened"), is_secret("dispute.opened")
(True, True, False)
>>> acknowledged = "alert.acknowledged"
>>> is_secret(acknowledged, "cash split"), is_secret(acknowledged, "late bet")
(True, False)
>>> is_noted("cash-day.cash-split"), is_noted("aml-case.opened")
(True, False)
>>> refused = "staff-member.act-refused"
>>> is_secret(refused, command="aml.decide"), is_secret(refused, command="table.open")
(True, False)
"""

from collections.abc import Iterable

from domain.rules.permissions import SUSPICIONS

ABOUT = ("coup", "shoe", "patron", "dealer")
OUTCOMES = ("unfounded", "unproven", "corrected", "barred", "reported")


# The topics of events that raise a suspicion; they come beside the events that a command asked for.
NOTED = ("cash-day.little-play-noted", "cash-day.cash-split", "cash-day.report-to-amend")
_BOOKS = ("inquiry", "inquiry-book", "aml-case", "aml-book")
SECRET_COMMANDS = ("inquiry", "aml")  # the first words of those that only who watches gives


def is_noted(topic: str) -> bool:
    """Whether an event of this topic comes beside a command's own, of which nobody there learns."""
    return topic in NOTED


def last_visible(placed: Iterable[tuple[str, int]]) -> int | None:
    """The last position of a command's events of which whoever gave it may learn, or None.

    `placed`: of each event its topic and its position. A higher one would say that something was
    noted beside them.

    >>> last_visible([("table-day.cashed-out", 7), ("cash-day.little-play-noted", 8)])
    7
    """
    visible = [position for topic, position in placed if not is_noted(topic)]
    return visible[-1] if visible else None


def is_secret(topic: str, kind: str = "", command: str = "") -> bool:
    """Whether only surveillance and auditors may learn that there is an event of this topic.

    `kind`: of the alert that it acknowledges. `command`: that it says was refused.
    """
    if command.partition(".")[0] in SECRET_COMMANDS or kind in SUSPICIONS:
        return True
    return topic.partition(".")[0] in _BOOKS or is_noted(topic)
