"""The rows of `limits-used`, and of the board: by the rules that decide at the seat (R-PLAY-1)."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct, convert
from msgspec.json import encode

from domain.rules.gaming_day import GamingClock
from domain.rules.play_limits import Limit
from domain.rules.play_time import Sitting
from domain.rules.play_used import Key, Played, Used, used
from projections.people.limits_used import READING

if TYPE_CHECKING:
    import psycopg


class Seat(Struct, frozen=True):
    """Where the patron sits."""

    table: str
    seat: int
    day: date


class Stated(Struct, frozen=True):
    """A limit as it was stated; None: none any more."""

    kind: str
    period: str
    whose: str
    limit: int | None
    at: datetime
    since: datetime


class Cash(Struct, frozen=True):
    """The cash of a gaming day in one direction, in minor units."""

    day: date
    direction: str
    total: int


class Reading(Struct, frozen=True):
    """A row of READING: what is on record of a patron, from which is computed what is used."""

    patron: str
    seats: list[Seat]
    stated: list[Stated]
    cash: list[Cash]
    sat: list[Sitting]

    def used(self, clock: GamingClock, now: datetime) -> Iterator[Used]:
        """Each limit that holds now, on the gaming day of the patron's table, or on today's."""
        day = self.seats[0].day if self.seats else clock.day_of(now)
        played = Played(self._cash_of, lambda _: self.sat)
        return used(limits_of(self.stated), played, clock, day, now)

    def _cash_of(self, day: date) -> Mapping[str, int]:
        of_day = {each.direction: each.total for each in self.cash if each.day == day}
        return {"in": 0, "out": 0} | of_day


class Held(Struct, frozen=True):
    """The limits of a patron as they were stated, and the moment that is asked about."""

    at: datetime
    stated: list[Stated]


def limits_of(stated: Iterable[Stated]) -> Mapping[Key, Limit]:
    """The limits, from every time that one was stated."""
    limits: dict[Key, Limit] = {}
    for each in stated:
        key = each.kind, each.period, each.whose
        limits[key] = limits.get(key, Limit()).stated(each.limit, each.at, each.since)
    return limits


def limits_held(value: object) -> list[dict[str, object]]:
    """The limits that held then."""
    held = convert(value, Held)
    return [
        {"item": kind, "counts_over": period, "whose": whose, "limit": most}
        for (kind, period, whose), limit in sorted(limits_of(held.stated).items())
        if (most := limit.at(held.at)) is not None
    ]


def readings(
    connection: "psycopg.Connection[Any]", asked: Mapping[str, Any], *, seated: bool = False
) -> Iterator[Reading]:
    """What is on record of each patron with a limit, or of who sits now; `asked`: `today`."""
    names = Reading.__struct_fields__
    for row in connection.execute(READING, {**asked, "seated": seated}):
        yield convert(dict(zip(names, row, strict=True)), Reading)


def rows_used(
    connection: "psycopg.Connection[Any]", asked: Mapping[str, Any], clock: GamingClock
) -> str:
    """The rows of the report, as JSON for its SQL; `asked`: `now` and `today`."""
    rows = [
        _row(one, each)
        for one in readings(connection, asked)
        for each in one.used(clock, asked["now"])
    ]
    return encode(rows).decode()


def _row(of: Reading, one: Used) -> Mapping[str, object]:
    sits = of.seats[0] if of.seats else None
    whole, places = divmod(one.percent, 100)
    names = (
        ("minutes", "minutes_used", "minutes_left")
        if one.kind == "time"
        else ("amount", "used", "left")
    )
    return {
        "patron": of.patron,
        "table": sits and sits.table,
        "seat": sits and sits.seat,
        "item": one.kind,
        "whose": one.whose,
        "counts_over": one.period,
        **dict(zip(names, (one.limit, one.used, one.left), strict=True)),
        "full": f"{whole}.{places:02}",
        "percent": one.percent,
        "counts_from": one.since,
        "counts_until": one.until,
    }
