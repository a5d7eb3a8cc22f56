"""The shifts of a gaming day: named parts of it, each until the next one begins.

A house writes its shifts as one text. The first shift begins with the gaming day; a house with one
shift needs no time.

>>> vienna = GamingClock(zone="Europe/Vienna", starts="06:00")
>>> shifts = parse_shifts("day 06:00, swing 14:00, grave 22:00", vienna.starts)
>>> shift_of(shifts, vienna, datetime.fromisoformat("2026-11-22T05:59:59+01:00"))
'grave'
>>> [each.name for each in parse_shifts("day", vienna.starts)]
['day']
"""

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.rules.gaming_day import GamingClock
from domain.rules.refusals import BadValue
from domain.rules.wording import N_, Words

ONE_SHIFT = "day"  # the shifts of a house that never named any
_SHIFT = re.compile(r"(\w[\w-]{0,15}) ((?:[01][0-9]|2[0-3]):[0-5][0-9])")
_NAME = re.compile(r"\w[\w-]{0,15}")


class Shift(Struct, frozen=True):
    """A named part of the gaming day, and the local time, HH:MM, at which it begins."""

    name: str
    starts: str


def parse_shifts(text: str, day_start: str) -> tuple[Shift, ...]:
    """The shifts that a text names, in order; the first begins at `day_start`. Refuses: BadValue.

    One name alone is one shift for the whole gaming day.
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 1 and _NAME.fullmatch(parts[0]):
        return (Shift(parts[0], day_start),)
    matches = [_SHIFT.fullmatch(part) for part in parts]
    shifts = tuple(Shift(match[1], match[2]) for match in matches if match)
    if len(shifts) < len(parts):
        template = N_("write each name with its time, as in `day 06:00, swing 14:00`")
        raise _bad(text, Words(template))
    if len({each.name for each in shifts}) < len(shifts):
        raise _bad(text, Words("each shift needs a name of its own"))
    if shifts[0].starts != day_start:
        raise _bad(text, Words("the first shift begins with the gaming day, at {at}", at=day_start))
    since = [_since(each.starts, day_start) for each in shifts]
    if since != sorted(set(since)):
        raise _bad(text, Words("each shift begins later in the gaming day than the one before"))
    return shifts


def shift_of(
    shifts: tuple[Shift, ...], clock: GamingClock, moment: datetime, day: date | None = None
) -> str:
    """The name of the shift to which a moment belongs, by the house's local time.

    `day`: the gaming day it is asked about, by default the moment's own. A moment before that day
    belongs to its first shift, one after it to its last.
    """
    day = day or clock.day_of(moment)
    begun = [each.name for each in shifts[1:] if _begins(each, clock, day) <= moment]
    return begun[-1] if begun else shifts[0].name


def _begins(shift: Shift, clock: GamingClock, day: date) -> datetime:
    """The moment at which a shift of a gaming day begins; a time that is skipped comes later."""
    date_of = day if shift.starts >= clock.starts else day + timedelta(days=1)
    local = datetime.combine(date_of, time.fromisoformat(shift.starts), ZoneInfo(clock.zone))
    return local.astimezone(UTC)


def _since(starts: str, day_start: str) -> tuple[bool, str]:
    """The sort key of a time in the gaming day: times before the day's start come after it."""
    return starts < day_start, starts


def _bad(text: str, why: Words) -> BadValue:
    return BadValue(field="value", value=repr(text), why=why)
