"""The gaming day: from the hour the property sets to the same hour on the next date.

23 or 25 hours long on the nights when clocks change; a moment belongs to exactly one.

>>> vienna = GamingClock(zone="Europe/Vienna", starts="06:00")
>>> vienna.day_of(datetime.fromisoformat("2026-11-22T05:59:59+01:00")).isoformat()
'2026-11-21'
>>> begins, ends = vienna.bounds(date(2026, 10, 24))
>>> (ends - begins).total_seconds() / 3600
25.0
>>> [str(each) for each in vienna.moments(date(2026, 11, 21), time(2, 10))]
['2026-11-22 02:10:00+01:00']
"""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct


class GamingClock(Struct, frozen=True):
    """A property's zone and the local time, HH:MM, at which its gaming day starts."""

    zone: str
    starts: str

    def day_of(self, moment: datetime) -> date:
        """The gaming day to which a moment belongs."""
        local = self.local(moment).date()
        return local if moment >= self._start(local) else local - timedelta(days=1)

    def local(self, moment: datetime) -> datetime:
        """The same moment in the property's local time."""
        return moment.astimezone(ZoneInfo(self.zone))

    def bounds(self, day: date) -> tuple[datetime, datetime]:
        """The first moment of a gaming day and of the next, in UTC."""
        return self._start(day), self._start(day + timedelta(days=1))

    def moments(self, day: date, at: time) -> list[datetime]:
        """The moments of a gaming day at that local time: two where clocks go back, else one.

        A time before the day's start is after midnight, on the next date.
        """
        before = at < time.fromisoformat(self.starts)
        local = datetime.combine(day + timedelta(days=int(before)), at, ZoneInfo(self.zone))
        twice = [local.replace(fold=fold) for fold in (0, 1)]
        return twice if twice[0].utcoffset() != twice[1].utcoffset() else twice[:1]

    def _start(self, day: date) -> datetime:
        local = datetime.combine(day, time.fromisoformat(self.starts), ZoneInfo(self.zone))
        return local.astimezone(UTC)
