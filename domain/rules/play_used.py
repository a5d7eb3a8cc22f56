"""How much of each limit of a patron is used: at the seat it decides, and a report shows it.

>>> clock = GamingClock(zone="UTC", starts="06:00")
>>> monday = datetime.fromisoformat("2026-11-23T20:00:00+00:00")
>>> limits = {("loss", "day", "patron"): Limit(((monday, 500_00),))}
>>> played = Played(cash=lambda day: {"in": 600_00, "out": 150_00}, sat=lambda since: ())
>>> (one,) = used(limits, played, clock, monday.date(), monday)
>>> one.used, one.left, one.percent, one.is_near, one.is_reached
(45000, 5000, 90, True, False)
>>> one.with_more(44_90).per_mille, one.with_more(49_99).per_mille, one.with_more(50_00).per_mille
(990, 999, 1000)
>>> str(one.until)
'2026-11-24 06:00:00+00:00'
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from domain.rules.gaming_day import GamingClock
from domain.rules.play_limits import OF_CASH, Limit, days_of
from domain.rules.play_time import AtMost, Rest, Sitting

NEAR = 80  # per cent of a limit, from which it is near
Key = tuple[str, str, str]  # what is limited, over what, and who set it


class Used(Struct, frozen=True):
    """A limit in force, and what counts against it: minor units, or of time minutes."""

    kind: str
    period: str
    whose: str
    limit: int
    used: int  # less than nothing: more chips went for cash than cash for chips
    since: datetime
    until: datetime

    @property
    def left(self) -> int:
        """How much more is taken; less than nothing where it is over."""
        return self.limit - self.used

    @property
    def percent(self) -> int:
        """How full it is, rounded down; a limit of nothing is full."""
        return max(100 * self.used // self.limit, 0) if self.limit else 100

    @property
    def per_mille(self) -> int:
        """How full it is, rounded, but 1000 only where nothing is left."""
        if self.is_reached:
            return max(1000 * self.used // self.limit, 1000) if self.limit else 1000
        return min(max((2000 * self.used + self.limit) // (2 * self.limit), 0), 999)

    @property
    def is_near(self) -> bool:
        """Whether it is nearly used, or all of it."""
        return self.percent >= NEAR

    @property
    def is_reached(self) -> bool:
        """Whether nothing of it is left."""
        return self.left <= 0

    def with_more(self, amount: int) -> "Used":
        """The limit once so much more is used."""
        return replace(self, used=self.used + amount)


class Played(Struct, frozen=True):
    """Where a patron's play is read: of all their names, at all tables."""

    cash: Callable[[date], Mapping[str, int]]  # of a gaming day: cash `in` and `out`
    sat: Callable[[date], Iterable[Sitting]]  # the times at tables since a gaming day


def used(
    limits: Mapping[Key, Limit],
    played: Played,
    clock: GamingClock,
    day: date,
    moment: datetime,
    kinds: Iterable[str] = (*OF_CASH, "time"),
) -> Iterator[Used]:
    """Each limit of these kinds that holds at a moment of a gaming day, with what is used of it."""
    for (kind, period, whose), limit in sorted(limits.items()):
        most = limit.at(moment) if kind in kinds else None
        if most is None:
            continue
        first, (_, until) = min(days_of(period, day)), clock.bounds(day)
        since, _ = clock.bounds(first)
        if kind == "time":
            time = at_most(most, period, clock, day).played(played.sat(first), moment)
            counted = time // timedelta(minutes=1)
        else:
            counted = sum(_counted(kind, played.cash(each)) for each in days_of(period, day))
        yield Used(kind, period, whose, most, counted, since, until)


def rests_of(
    law: Iterable[Rest],
    limits: Mapping[Key, Limit],
    clock: GamingClock,
    day: date,
    moment: datetime,
) -> Sequence[Rest | AtMost]:
    """After how much play somebody rests at a table of a gaming day: by law, and by their limits.

    `law`: the rests of that day's regime (R-PLAY-4).
    """
    return [
        *law,
        *(
            at_most(minutes, period, clock, day)
            for (kind, period, _), limit in limits.items()
            if kind == "time" and (minutes := limit.at(moment)) is not None
        ),
    ]


def at_most(minutes: int, period: str, clock: GamingClock, day: date) -> AtMost:
    """A limit of time, over what it counts on a gaming day."""
    first = min(days_of(period, day))
    return AtMost(minutes, clock.bounds(first)[0], clock.bounds(day)[1])


def _counted(kind: str, cash: Mapping[str, int]) -> int:
    """What a gaming day's cash counts against a limit."""
    return cash["in"] - (cash["out"] if kind == "loss" else 0)
