"""What is left of a case's deadlines, and by how much one is overdue.

>>> now = datetime.fromisoformat("2026-11-21T20:00:00+00:00")
>>> str(left_words(now + timedelta(days=2, hours=4), now, "tell"))
'2 days 4 hours left'
>>> str(left_words(now - timedelta(hours=3), now, "tell"))
'overdue by 3 hours'
>>> str(left_words(now - timedelta(hours=3), now, "appeal"))
'over'
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from msgspec import Struct

from domain.rules.wording import N_, Words
from ops.words.durations import duration
from ops.words.values import APPEAL, CaseDue, due_of

_BY: Mapping[str, str] = {
    "notify": N_("Notify the regulator by"),
    "tell": N_("Inform the patron by"),
    APPEAL: N_("The patron may appeal until"),
}


class Deadline(Struct, frozen=True):
    """A deadline that is still to be met: what is due, when, and what is left of it."""

    words: Words
    at: datetime
    left: Words
    overdue: bool


def deadlines(case: CaseDue, now: datetime) -> list[Deadline]:
    """The deadlines of a case that are still to be met, the soonest first."""
    due = [(datetime.fromisoformat(at), kind) for at, kind in due_of(case)]
    return [
        Deadline(Words(_BY[kind]), at, left_words(at, now, kind), kind != APPEAL and at < now)
        for at, kind in due
    ]


def left_words(at: datetime, now: datetime, kind: str) -> Words:
    """What is left of one; the patron's time to appeal is over, and nobody is late."""
    time = duration(_to_the_minute(at - now))
    if at >= now:
        return Words("{time} left", time=time)
    return Words("over") if kind == APPEAL else Words("overdue by {time}", time=time)


def _to_the_minute(time: timedelta) -> timedelta:
    """Whole minutes, of more than one."""
    time = abs(time)
    return time - time % timedelta(minutes=1) if time > timedelta(minutes=1) else time
