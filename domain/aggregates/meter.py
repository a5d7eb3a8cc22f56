"""The meter of a spot, which several tables may feed and win (R-PROG-1 to 4).

The meter goes through the years; each of its gaming days has a stream of its own, so that nobody
reads them all to add one coup.
"""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import meter as events
from domain.events import meter_day as day_events
from domain.rules import addresses
from domain.rules.house_rules import Progressive
from domain.rules.money import decimal_string
from domain.rules.must_hit import Point, Standing
from domain.rules.progressives import Brought, Refilled, as_recorded, refilled


class Meter(Aggregate, events.State):
    """One meter of the house."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(meter: str) -> UUID:
        """The stream of a meter."""
        return addresses.stream_id("meter", meter)

    # Commands
    @classmethod
    def place(cls, meter: str, currency: str, at: datetime) -> Self:
        """Begins a meter that the house never had before."""
        return cls.begin(events.Placed(meter=meter, currency=currency), cls.stream(meter), at)

    def begin_day(self, day: str) -> None:
        """Begins a gaming day."""
        self.record(events.DayBegun(day=day))

    def fix_point(self, point: Point) -> None:
        """Fixes the point at which it must be won, without showing it (R-PROG-6)."""
        fixed = events.PointFixed(
            commitment=point.commitment, lowest=point.lowest, highest=point.highest
        )
        self.record(fixed)


class MeterDay(Aggregate, day_events.State):
    """A meter on one gaming day."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(meter: str, day: str) -> UUID:
        """The stream of a meter's gaming day."""
        return addresses.stream_id("meter-day", f"{meter} {day}", addresses.parse_day(day))

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """Its gaming day, and no table."""
        return addresses.parse_day(self.day), ""

    # Commands
    @classmethod
    def open(
        cls, meter: Meter, day: str, before: "MeterDay | None", seed: int, at: datetime
    ) -> Self:
        """Begins with what the day before left; the first day, with the seed."""
        opened = day_events.Opened(
            meter=meter.meter,
            day=day,
            currency=meter.currency,
            standing=decimal_string(before.standing) if before else "0",
            reserve=decimal_string(before.reserve) if before else "0",
            seeded=0 if before else seed,
        )
        return cls.begin(opened, cls.stream(meter.meter, day), at)

    def follow(
        self,
        coup: str,
        brought: Brought,
        terms: Progressive,
        before: Refilled,
        reached: Point | None = None,
    ) -> Refilled:
        """Takes a coup's share and pays it, and stands at its seed at least (R-PROG-4).

        `before`: what the coup had it refilled with so far. The result is what it does now.
        `reached`: the point that it reaches with the share, so that it is won (R-PROG-6).
        """
        stood = Standing(self.standing + brought.share, reached)
        reserve = self.reserve + brought.reserve
        now = refilled(terms, stood.amount - brought.paid, reserve, brought.paid, before)
        self.record(day_events.MeterMoved(coup=coup, **as_recorded(stood, brought, now)))
        return now
