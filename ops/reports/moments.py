"""The moment that a person typed, in one grammar, and the ledger's last position by then."""

import re
from contextlib import suppress
from datetime import datetime, time, timedelta, tzinfo
from typing import Self
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.rules.gaming_day import GamingClock
from domain.rules.refusals import BadValue
from domain.rules.wording import N_, Words

FORMS = N_(
    "type the time by the house's clock, as in 20:14 or 20:14:07; for another day with its date, "
    "as in 2026-11-21T20:14; by another clock with its offset too, as in 2026-11-21T20:14:07+01:00"
)
MOMENT = "MOMENT"  # how the help of an option that takes one calls its value
_TIME = re.compile(r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?", re.ASCII)


class Typed(Struct, frozen=True):
    """A moment as it is typed, wherever one is: a time of day, or a date and a time.

    A time is by the house's clock unless an offset says otherwise.

    >>> Typed.of("9:05") == Typed.of("09:05:00")
    True
    >>> [Typed.of(each) for each in ("soon", "25:00", "2026-11-21", "20:14+01:00", "")]
    [None, None, None, None, None]
    """

    date_and_time: datetime | None = None
    time_of_day: time | None = None

    @classmethod
    def of(cls, text: str) -> Self | None:
        """What is meant by a text, or None if it is no moment."""
        text = text.strip()
        with suppress(ValueError):
            if _TIME.fullmatch(text):
                return cls(time_of_day=time.fromisoformat(text.zfill(len(text) + (text[1] == ":"))))
            if len(text) > len("2026-11-21"):
                return cls(datetime.fromisoformat(text))
        return None

    @classmethod
    def required(cls, text: str, field: str) -> Self:
        """The same. Refuses: BadValue, with the forms, for what is no moment."""
        typed = cls.of(text)
        if typed is None:
            raise BadValue(field=field, value=repr(text), why=Words(FORMS))
        return typed

    def today(self, clock: GamingClock, now: datetime, *, fold: int | None = None) -> datetime:
        """The moment, of today's gaming day if no date was typed.

        Of an hour that comes twice, the first or second by `fold`; without it, of a time alone
        the last one up to `now`, and of a date and a time the first.

        >>> from datetime import UTC
        >>> vienna = GamingClock("Europe/Vienna", "06:00")
        >>> now = datetime(2026, 11, 21, 23, tzinfo=UTC)
        >>> for text in ("23:50", "0:04:30", "2026-11-20 20:14"):
        ...     str(Typed.of(text).today(vienna, now))
        '2026-11-21 23:50:00+01:00'
        '2026-11-22 00:04:30+01:00'
        '2026-11-20 20:14:00+01:00'
        """
        if self.time_of_day is None:
            return self._dated(ZoneInfo(clock.zone), fold or 0)
        moments = clock.moments(clock.day_of(now), self.time_of_day)
        if fold is None:
            fold = moments[-1].timestamp() <= now.timestamp()
        return moments[-1 if fold else 0]

    def near(self, moment: datetime) -> datetime:
        """The moment, the one nearest to another if no date was typed, by that one's clock.

        >>> from datetime import UTC
        >>> str(Typed.of("02:10").near(datetime(2026, 11, 21, 23, 50, tzinfo=UTC)))
        '2026-11-22 02:10:00+00:00'
        """
        if self.time_of_day is None:
            return self._dated(moment.tzinfo)
        days = (moment.date() + timedelta(days=each) for each in (-1, 0, 1))
        moments = (
            datetime.combine(day, self.time_of_day.replace(fold=fold), moment.tzinfo)
            for day in days
            for fold in (0, 1)  # an hour may come twice
        )
        return min(moments, key=lambda each: abs(each.timestamp() - moment.timestamp()))

    def _dated(self, zone: tzinfo | None, fold: int = 0) -> datetime:
        assert self.date_and_time
        at = self.date_and_time
        return at if at.tzinfo else at.replace(tzinfo=zone, fold=fold)


def in_the_past(as_of: Typed, clock: GamingClock, now: datetime) -> datetime:
    """The moment in the house's zone, for a question about the record as it was then.

    `now`: by the record's clock.

    Refuses: BadValue, for a date beyond the calendar, or a moment in the future.
    """
    with suppress(OverflowError):
        moment = clock.local(as_of.today(clock, now))
        if moment <= now + timedelta(minutes=1):
            return moment
    value = as_of.date_and_time or as_of.time_of_day
    why = Words("nobody knows yet what the record will say then")
    raise BadValue(field="--as-of", value=value, why=why)
