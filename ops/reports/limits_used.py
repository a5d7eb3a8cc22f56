"""The rows of `limits-used`, and of the board: by the rules that decide at the seat (R-PLAY-1)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from msgspec import Struct, convert
from msgspec.json import encode

from domain.rules.gaming_day import GamingClock
from domain.rules.play_limits import Limit
from domain.rules.play_time import Rest, Sitting
from domain.rules.play_used import Key, Played, Used, rests_of, used
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

    def used(
        self, clock: GamingClock, now: datetime
    ) -> Iterator[tuple[Seat | None, Sequence[Used]]]:
        """Each seat of the patron with the limits that hold there now, on its table's gaming day.

        None, with today's limits, for who sits nowhere.
        """
        limits, played = limits_of(self.stated), Played(self._cash_of, lambda _: self.sat)
        for seat in self.seats or (None,):
            day = seat.day if seat else clock.day_of(now)
            yield seat, [*used(limits, played, clock, day, now)]

    def rest_due(
        self, seat: Seat, law: Iterable[Rest], clock: GamingClock, now: datetime
    ) -> datetime | None:
        """When the next rest will be due there, or since when one is; None: there is none.

        `law`: the rests of the regime of the table's gaming day.
        """
        rests = rests_of(law, limits_of(self.stated), clock, seat.day, now)
        return min((each.due_at(self.sat, now) for each in rests), default=None)

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
    connection: "psycopg.Connection[Any]",
    asked: Mapping[str, Any],
    *,
    seated: bool = False,
    resting: date | None = None,
) -> Iterator[Reading]:
    """What is on record of each patron with a limit; `asked`: `today`.

    `seated`: only of those who sit now. `resting`: also of those who sit without a limit, with
    their times at tables since that gaming day.
    """
    names = Reading.__struct_fields__
    for row in connection.execute(READING, {**asked, "seated": seated, "resting": resting}):
        yield convert(dict(zip(names, row, strict=True)), Reading)


def rows_used(
    connection: "psycopg.Connection[Any]", asked: Mapping[str, Any], clock: GamingClock
) -> str:
    """The rows of the report, as JSON for its SQL; `asked`: `now` and `today`."""
    rows = [
        _row(one.patron, seat, each)
        for one in readings(connection, asked)
        for seat, limits in one.used(clock, asked["now"])
        for each in limits
    ]
    return encode(rows).decode()


def _row(patron: str, sits: Seat | None, one: Used) -> Mapping[str, object]:
    names = (
        ("minutes", "minutes_used", "minutes_left")
        if one.kind == "time"
        else ("amount", "used", "left")
    )
    return {
        "patron": patron,
        "table": sits and sits.table,
        "seat": sits and sits.seat,
        "item": one.kind,
        "whose": one.whose,
        "counts_over": one.period,
        **dict(zip(names, (one.limit, one.used, one.left), strict=True)),
        "full": f"{Decimal(one.per_mille).scaleb(-3)}",
        "percent": one.percent,
        "counts_from": one.since,
        "counts_until": one.until,
    }
