"""Words for a seat whose patron should pause now or soon, for who may read them (R-PLAY-3).

>>> now = datetime.fromisoformat("2026-11-21T20:00:00+00:00")
>>> str(pause_soon("rest-soon", now, now)), str(pause_soon("limit-reached", None, now))
('rest at 20:00', 'limit reached')
"""

from collections.abc import Mapping
from datetime import datetime

from domain.rules.wording import N_, Words, worded
from ops.words.case_alerts import near_words

PAUSES = worded("heading: seats whose patrons should pause now or soon", "Limits and rests")
_WHAT: Mapping[str, str] = {
    "no-play": N_("may not play, since {time}"),
    "for-barred": N_("plays for somebody who may not play, since {time}"),
    "break": N_("break until {time}"),
    "limit-near": N_("limit near"),
    "limit-reached": N_("limit reached"),
    "rest-soon": N_("rest at {time}"),
    "rest-due": N_("rest due since {time}"),
}


def pause_soon(what: str, at: datetime | None, now: datetime) -> Words:
    """Why a seat should pause; `at`: see PauseSoon."""
    time = near_words(at.astimezone(now.tzinfo), now) if at else ""
    return Words(_WHAT[what], time=time)


def seat_pauses(table: str, seat: int, why: Words) -> Words:
    """The same with the seat."""
    return Words("{table}, seat {seat}: {why}", table=table, seat=seat, why=why)
