"""How long somebody has played, over all tables, and the rests that the law wants (R-PLAY-4).

>>> from datetime import UTC, timedelta
>>> eight = datetime(2026, 11, 21, 20, tzinfo=UTC)
>>> at = lambda minutes: eight + timedelta(minutes=minutes)
>>> rest = Rest(after="3 hours", rest="15 minutes", source="")
>>> sat = [Sitting(eight, at(100)), Sitting(at(110), None)]
>>> rest.ends(sat, at(189)), rest.minutes_left(sat, at(189))
(None, 1)
>>> str(rest.ends(sat, at(190)))  # three hours of play, and a quarter of an hour from then
'2026-11-21 23:25:00+00:00'
>>> rest.ends([Sitting(eight, at(100)), Sitting(at(115), None)], at(250)) is None  # they rested
True
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache

from msgspec import Struct

TIME = re.compile(r"([1-9][0-9]{0,4}) (minute|hour|day)s?")
_UNITS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}
NOTICE = timedelta(minutes=15)  # before a rest is due, from which the dealer is shown so
_ALWAYS = datetime.min.replace(tzinfo=UTC)


class Sitting(Struct, frozen=True, order=True):
    """A time at a table; None: still there."""

    since: datetime
    until: datetime | None


class Rest(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """After so much play a patron rests so long (R-PLAY-4). Times are as in `3 hours`."""

    after: str  # of play since the last rest
    within: str = ""  # only play of the last so much time counts; '': all since the last rest
    rest: str = ""  # so long; '': until less play than `after` is left `within` the time
    source: str

    def ends(self, sat: Iterable[Sitting], now: datetime) -> datetime | None:
        """When the rest ends that is due now, if nobody plays until then; None: none is due."""
        played = self._since_the_rest(_together(sat, now), now)
        if self._due(played, now) > now:
            return None
        if self.rest:
            ends = played[-1][1] + time_of(self.rest)
        else:
            more = self._counted(played, now) - time_of(self.after)
            ends = self._further_back(played, more, now)
        return ends if ends > now else None

    def due_at(self, sat: Iterable[Sitting], now: datetime) -> datetime:
        """When it will be due if they play on, or since when it is."""
        return self._due(self._since_the_rest(_together(sat, now), now), now)

    def minutes_left(self, sat: Iterable[Sitting], now: datetime) -> int | None:
        """For how many minutes somebody who plays may go on; None: that is not near (`NOTICE`)."""
        return _minutes_until(self.due_at(sat, now), now)

    @property
    def longest(self) -> timedelta:
        """How far back play may count, with the rest that it may have brought about."""
        within = time_of(self.within) if self.within else _LONGEST
        return within + time_of(self.rest) if self.rest else within

    def _due(self, played: "Sequence[_Stretch]", now: datetime) -> datetime:
        after = time_of(self.after)
        for end in [end for _, end in played] if self.rest else [now]:
            counted = self._counted(played, end)
            if counted >= after:
                return _earlier(played, counted - after, end)
        return now + after - self._counted(played, now)

    def _since_the_rest(self, played: "list[_Stretch]", now: datetime) -> "list[_Stretch]":
        """The stretches of play after the last rest that was long enough."""
        later = now
        for n, (since, until) in reversed([*enumerate(played)]):
            if self.rest and later - until >= time_of(self.rest):
                return played[n + 1 :]
            later = since
        return played

    def _counted(self, played: "Sequence[_Stretch]", now: datetime) -> timedelta:
        """How much of these counts at a moment: all before, or what is not too far back."""
        first = now - time_of(self.within) if self.within else _ALWAYS
        return _after(first, ((since, min(until, now)) for since, until in played))

    def _further_back(
        self, played: "Sequence[_Stretch]", more: timedelta, now: datetime
    ) -> datetime:
        """The moment from which so much `more` of this play is too old to count."""
        first = now - time_of(self.within)
        for since, until in ((max(since, first), until) for since, until in played):
            if until - since > more and until > first:
                return since + more + time_of(self.within)
            more -= max(until - since, timedelta(0))
        return now


class AtMost(Struct, frozen=True):
    """No more play than so long between two moments: a limit of the patron's or the house's."""

    minutes: int
    since: datetime
    until: datetime

    def ends(self, sat: Iterable[Sitting], now: datetime) -> datetime | None:
        """When play may go on once the limit is reached, None while it is not."""
        return self.until if self.due_at(sat, now) <= now else None

    def due_at(self, sat: Iterable[Sitting], now: datetime) -> datetime:
        """When the limit will be reached if they play on, or since when it is."""
        played = _together(sat, now)
        left = timedelta(minutes=self.minutes) - _after(self.since, played)
        return now + left if left > timedelta(0) else _earlier(played, -left, now)

    def minutes_left(self, sat: Iterable[Sitting], now: datetime) -> int | None:
        """For how many minutes somebody who plays may go on; None: that is not near (`NOTICE`)."""
        return _minutes_until(self.due_at(sat, now), now)

    @property
    def longest(self) -> timedelta:
        """How far back play may count."""
        return self.until - self.since

    def played(self, sat: Iterable[Sitting], now: datetime) -> timedelta:
        """How much play counts so far."""
        return _after(self.since, _together(sat, now))


_Stretch = tuple[datetime, datetime]
_LONGEST = timedelta(days=2)


@cache
def time_of(text: str) -> timedelta:
    """A time as a regime states it. Raises ValueError.

    >>> str(time_of("15 minutes")), str(time_of("7 days"))
    ('0:15:00', '7 days, 0:00:00')
    """
    match = TIME.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return int(match[1]) * _UNITS[match[2]]


def _together(sat: Iterable[Sitting], now: datetime) -> list[_Stretch]:
    """The times in which somebody sat at any table, in order: those that overlap are one."""
    stretches: list[_Stretch] = []
    for since, until in sorted((each.since, each.until or now) for each in sat):
        if since >= now:
            break
        if stretches and since <= stretches[-1][1]:
            begun, ended = stretches.pop()
            stretches.append((begun, min(max(ended, until), now)))
        elif until > since:
            stretches.append((since, min(until, now)))
    return stretches


def _after(first: datetime, played: Iterable[_Stretch]) -> timedelta:
    """How much of it was after a moment."""
    parts = (until - max(since, first) for since, until in played)
    return sum((max(part, timedelta(0)) for part in parts), timedelta(0))


def _earlier(played: "Sequence[_Stretch]", less: timedelta, end: datetime) -> datetime:
    """The moment up to which so much less was played than up to `end`."""
    for since, until in reversed(played):
        length = min(until, end) - since
        if length >= less and length > timedelta(0):
            return since + length - less
        less -= max(length, timedelta(0))
    return end


def _minutes_until(due: datetime, now: datetime) -> int | None:
    left = due - now
    return int(left / timedelta(minutes=1)) if timedelta(0) < left <= NOTICE else None
