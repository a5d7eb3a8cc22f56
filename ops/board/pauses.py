"""Whose play should pause soon: limits that are nearly used, and rests that are due, by seat.

How much of a limit is used is computed by the rules that decide at the seat, and when a rest is due
is what the dealer was shown there (R-PLAY-3, R-PLAY-4).
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from domain.rules.gaming_day import GamingClock
from ops.board.rows import PauseSoon
from ops.reports.limits_used import readings
from projections.people.limits_used import RESTS_NOW

if TYPE_CHECKING:
    import psycopg


def pauses_soon(
    connection: "psycopg.Connection[Any]", asked: Mapping[str, Any], clock: GamingClock
) -> list[PauseSoon]:
    """By table and seat; `asked`: `now` and `today`."""
    return sorted(
        (*_limits(connection, asked, clock), *_rests(connection, asked["now"])),
        key=lambda each: (each.table, each.seat, each.what),
    )


def _limits(
    connection: "psycopg.Connection[Any]", asked: Mapping[str, Any], clock: GamingClock
) -> Iterator[PauseSoon]:
    """The fullest limit of each who sits, if it is near."""
    for one in readings(connection, asked, seated=True):
        fullest = max(one.used(clock, asked["now"]), key=lambda each: each.percent, default=None)
        if fullest and fullest.is_near:
            what = "limit-reached" if fullest.is_reached else "limit-near"
            for seat in one.seats:
                yield PauseSoon(table=seat.table, seat=seat.seat, what=what)


def _rests(connection: "psycopg.Connection[Any]", now: datetime) -> Iterator[PauseSoon]:
    for table, seat, due_at in connection.execute(RESTS_NOW):
        what = "rest-due" if due_at <= now else "rest-soon"
        yield PauseSoon(table=table, seat=seat, what=what, at=due_at)
