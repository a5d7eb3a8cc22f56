"""Limits of a patron's play, and breaks: of what, over how long, and from when a change holds.

A lower limit holds at once. A higher one, or none, holds only after the days that the house's
regime states, if the patron set the limit (R-PLAY-1).

>>> held = Limit().stated(500_00, monday := datetime(2026, 11, 23), monday)
>>> held.since(400_00, monday, waits=timedelta(days=1)).day
23
>>> tuesday = held.since(900_00, monday, waits=timedelta(days=1))
>>> raised = held.stated(900_00, monday, tuesday)
>>> raised.at(monday), raised.at(tuesday)
(50000, 90000)
"""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from msgspec import Struct

OF_CASH = ("deposit", "loss")  # cash for chips; cash for chips less chips for cash
KINDS = (*OF_CASH, "time")  # minutes at tables
WHOSE = ("patron", "house")  # who set it
DAYS = {"day": 1, "week": 7, "month": 30}  # up to the gaming day itself
PERIODS = tuple(DAYS)


class Limit(Struct, frozen=True):
    """One limit: each of its amounts with the moment from which it holds, None for no limit.

    Amounts are minor units; of time, minutes.
    """

    holds: tuple[tuple[datetime, int | None], ...] = ()

    def at(self, moment: datetime) -> int | None:
        """The amount that holds at a moment, or None."""
        begun = [amount for since, amount in self.holds if since <= moment]
        return begun[-1] if begun else None

    @property
    def last(self) -> int | None:
        """The amount that was stated last, whether it holds already or not."""
        return self.holds[-1][1] if self.holds else None

    def is_raised_by(self, amount: int | None, moment: datetime) -> bool:
        """Whether the patron may play more with this amount than with the one that holds now."""
        now = self.at(moment)
        return now is not None and (amount is None or amount > now)

    def allows_at_most(self, amount: int, moment: datetime) -> bool:
        """Whether the amount that holds is this one or a lower one."""
        now = self.at(moment)
        return now is not None and now <= amount

    def since(self, amount: int | None, moment: datetime, *, waits: timedelta) -> datetime:
        """The moment from which an amount holds that is stated at this one: later if it is more."""
        return moment + waits if self.is_raised_by(amount, moment) else moment

    def stated(self, amount: int | None, moment: datetime, since: datetime) -> "Limit":
        """The limit with an amount from `since` on; what was still to hold is forgotten."""
        earlier = (each for each in self.holds if each[0] <= moment and each[0] < since)
        return Limit((*earlier, (since, amount)))


def days_of(period: str, day: date) -> Iterable[date]:
    """The gaming days over which a limit counts on a gaming day."""
    return (day - timedelta(days=n) for n in range(DAYS[period]))
