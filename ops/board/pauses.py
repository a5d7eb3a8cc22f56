"""Whose play should pause, now or soon: who may not play, breaks, limits nearly used, rests.

How much of a limit is used, and when a rest is due, is computed by the rules that decide at the
seat (R-PLAY-3, R-PLAY-4).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from domain.rules.gaming_day import GamingClock
from domain.rules.play_time import NOTICE, Rest
from domain.rules.play_used import Used
from ops.board.rows import PauseSoon
from ops.handlers.play_clock import first_day
from ops.reports.limits_used import readings
from projections.people.limits_used import BREAKS_NOW, DAYS_NOW
from projections.people.patrons import BARRED_NOW

if TYPE_CHECKING:
    import psycopg

_BARRED_NOW = f"SELECT table_code, seat, whom, since FROM ({BARRED_NOW}) AS barred"  # noqa: S608
Law = Callable[[date], Sequence[Rest]]  # the rests of a gaming day's regime


def pauses_soon(
    connection: "psycopg.Connection[Any]", asked: Mapping[str, Any], clock: GamingClock, law: Law
) -> list[PauseSoon]:
    """By table and seat; `asked`: `now` and `today`."""
    now: datetime = asked["now"]
    laws = {day: law(day) for (day,) in connection.execute(DAYS_NOW)}
    longest = [rest.longest for law in laws.values() for rest in law]
    resting = first_day(min(laws), max(longest)) if longest else None
    pauses = [
        PauseSoon(table=table, seat=seat, what="break", at=until)
        for table, seat, until in connection.execute(BREAKS_NOW, asked)
    ]
    pauses += (
        PauseSoon(table=table, seat=seat, what="for-barred" if whom else "no-play", at=since)
        for table, seat, whom, since in connection.execute(_BARRED_NOW)
    )
    for one in readings(connection, asked, seated=True, resting=resting):
        for seat, limits in one.used(clock, now):
            if seat:
                due = one.rest_due(seat, laws[seat.day], clock, now)
                pauses += (
                    PauseSoon(table=seat.table, seat=seat.seat, what=what, at=at)
                    for what, at in (*_limit(limits), *_rest(due, now))
                )
    return sorted(pauses, key=lambda each: (each.table, each.seat, each.what))


def _limit(limits: Sequence[Used]) -> Iterator[tuple[str, None]]:
    """The fullest limit of who sits there, if it is near."""
    fullest = max(limits, key=lambda each: each.percent, default=None)
    if fullest and fullest.is_near:
        yield "limit-reached" if fullest.is_reached else "limit-near", None


def _rest(due: datetime | None, now: datetime) -> Iterator[tuple[str, datetime]]:
    if due and due - now <= NOTICE:
        yield "rest-due" if due <= now else "rest-soon", due
