"""The moment that a person typed, and the ledger's last position by then."""

import re
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from domain.rules.gaming_day import GamingClock
from domain.rules.refusals import BadValue
from ops.ledger.reading import head_of

if TYPE_CHECKING:
    import psycopg

_TIME = re.compile(r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?")


def moment_of(text: str) -> datetime:
    """The moment in a text. Refuses: BadValue."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        why = "write a moment of ISO 8601, as in 2026-11-21T20:14:00+01:00"
        raise BadValue(field="--as-of", value=repr(text), why=why) from None


def happened_at(typed: str, clock: GamingClock, now: datetime) -> datetime | None:
    """The moment meant by a time of day, or by a date and a time, or None for other texts.

    A time of day is that of today's gaming day, by the house's clock; of an hour that comes twice,
    the last one up to `now`. A date and a time without an offset are the house's time.

    >>> from datetime import UTC
    >>> vienna, now = GamingClock("Europe/Vienna", "06:00"), datetime(2026, 11, 21, 23, tzinfo=UTC)
    >>> [str(happened_at(each, vienna, now)) for each in ("23:50", "0:04:30", "2026-11-20 20:14")]
    ['2026-11-21 23:50:00+01:00', '2026-11-22 00:04:30+01:00', '2026-11-20 20:14:00+01:00']
    >>> [happened_at(each, vienna, now) for each in ("soon", "25:00", "2026-11-21")]
    [None, None, None]
    """
    with suppress(ValueError):
        if _TIME.fullmatch(typed):
            at = time.fromisoformat(f"0{typed}" if typed[1] == ":" else typed)
            first, *second = clock.moments(clock.day_of(now), at)
            return second[0] if second and second[0].timestamp() <= now.timestamp() else first
    return dated(typed, ZoneInfo(clock.zone))


def dated(typed: str, zone: tzinfo) -> datetime | None:
    """The moment of a date and a time, in the zone without an offset; None for other texts."""
    with suppress(ValueError):
        moment = datetime.fromisoformat(typed)
        if len(typed) > len("2026-11-21"):
            return moment if moment.tzinfo else moment.replace(tzinfo=zone)
    return None


def moment_on(typed: str, near: datetime) -> datetime | None:
    """The moment of that time of day nearest to `near`, or None for other texts.

    >>> from datetime import UTC
    >>> str(moment_on("02:10", datetime(2026, 11, 21, 23, 50, tzinfo=UTC)))
    '2026-11-22 02:10:00+00:00'
    """
    try:
        clock = time.fromisoformat(typed)
    except ValueError:
        return None
    if clock.tzinfo:
        return None
    days = (near.date() + timedelta(days=each) for each in (-1, 0, 1))
    moments = (
        datetime.combine(day, clock.replace(fold=fold), near.tzinfo)
        for day in days
        for fold in (0, 1)  # an hour may come twice
    )
    return min(moments, key=lambda moment: abs(moment.timestamp() - near.timestamp()))


def in_zone_of(as_of: datetime, zone: ZoneInfo) -> datetime:
    """The moment, in the zone if it has no offset.

    Refuses: BadValue, for an invalid date, or one in the future.
    """
    with suppress(OverflowError):
        moment = (as_of if as_of.tzinfo else as_of.replace(tzinfo=zone)).astimezone(zone)
        if moment <= datetime.now(UTC) + timedelta(minutes=1):
            return moment
    why = "nobody knows yet what the record will say then"
    raise BadValue(field="--as-of", value=as_of.isoformat(), why=why)


def position_at(connection: "psycopg.Connection[Any]", moment: datetime) -> int:
    """The last position recorded by then; 0 before the first event.

    Positions are in the order of time, so a search by halves finds it.
    """
    low, high = 0, head_of(connection)
    while low < high:
        middle = (low + high + 1) // 2
        row = connection.execute(
            "SELECT recorded_at <= %s FROM ledger.events WHERE position = %s", (moment, middle)
        ).fetchone()
        if row == (True,):
            low = middle
        else:
            high = middle - 1
    return low
