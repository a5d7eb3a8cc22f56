"""Durations in words: `23 minutes`, `27 days 15 hours`."""

from datetime import timedelta

from domain.rules.wording import Words, counted

DAY, HOUR, MINUTE = 86_400, 3_600, 60  # seconds


def duration(time: timedelta) -> Words:
    """A length of time in its two largest units.

    >>> duration(timedelta(seconds=200)), duration(timedelta(days=28, hours=2))
    ('3 minutes 20 seconds', '28 days 2 hours')
    >>> duration(timedelta(hours=1)), duration(timedelta(days=2, seconds=5))
    ('1 hour', '2 days')
    """
    whole = int(abs(time).total_seconds())
    if not whole and time:
        return Words("less than a second")
    days, left = divmod(whole, DAY)
    hours, left = divmod(left, HOUR)
    minutes, seconds = divmod(left, MINUTE)
    if days:
        return _two(_days(days), hours and _hours(hours))
    if hours:
        return _two(_hours(hours), minutes and _minutes(minutes))
    if minutes:
        return _two(_minutes(minutes), seconds and _seconds(seconds))
    return _seconds(seconds)


def as_stated(time: str) -> Words:
    """A time as a regime states it, in its own unit.

    >>> as_stated("36 hours")
    '36 hours'
    """
    number, unit = time.split()
    return _BY_UNIT[unit.removesuffix("s")](int(number))


def _two(larger: Words, smaller: Words | int) -> Words:
    if not isinstance(smaller, Words):
        return larger
    return Words("{larger} {smaller}", larger=larger, smaller=smaller)


def _days(days: int) -> Words:
    return counted(days, "{n} day", "{n} days")


def _hours(hours: int) -> Words:
    return counted(hours, "{n} hour", "{n} hours")


def _minutes(minutes: int) -> Words:
    return counted(minutes, "{n} minute", "{n} minutes")


def _seconds(seconds: int) -> Words:
    return counted(seconds, "{n} second", "{n} seconds")


_BY_UNIT = {"day": _days, "hour": _hours, "minute": _minutes}
