"""Words for a seat whose patron should pause now or soon, for who may read them (R-PLAY-3).

>>> now = datetime.fromisoformat("2026-11-21T20:00:00+00:00")
>>> str(pause_soon("rest-soon", now, now)), str(pause_soon("limit-reached", None, now))
('rest at 20:00', 'limit reached')
"""

from collections.abc import Iterator, Mapping
from datetime import datetime

from domain.rules.wording import N_, Words, worded
from ops.words.case_alerts import near_words
from ops.words.event_values import Detail
from ops.words.language import _, minute

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


def barred_words(detail: Detail, _currency: str) -> Iterator[str]:
    """The sentences of an alert about who may not play, and sits."""
    if "seat" not in detail:  # an acknowledged alert does not name the patron
        yield _("Somebody sat there who may not play, or who plays for somebody who may not.")
        return
    template = (
        N_("Seat {seat}: {patron} plays for {whom}, who may not play since {since}.")
        if detail["whom"]
        else N_("Seat {seat}: {patron} may not play, since {since}.")
    )
    since = minute(datetime.fromisoformat(detail["since"]))
    yield _(template, **{**detail, "since": since})
    yield _("Let them cash out and leave.")
