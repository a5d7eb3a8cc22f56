"""A patron's cash of one gaming day, over all tables: what came in and what went out, never netted.

The house reports who brings, or is paid, more than its reporting amount in one gaming day; the
floor is told before that, while the patron is still there, and when it happens.
"""

from datetime import date, datetime
from typing import Literal, Self
from uuid import UUID

from eventsourcing.domain import event

from domain.aggregates.base import Aggregate
from domain.rules.addresses import stream_id

Direction = Literal["in", "out"]
NEAR = (8, 10)  # of the reporting amount: the floor is told in time


class CashDay(Aggregate):
    """The cash of one patron on one gaming day."""

    TOPIC = "cash-day"
    MANY_CLOCKS = True

    # Facts: stored for years under TOPIC; add fields, never rename or retype one.
    class Event(Aggregate.Event):
        patron: str
        day: str

    class Created(Aggregate.Created):
        TOPIC = "cash-day.begun"
        patron: str
        day: str

    class CashCounted(Event):
        TOPIC = "cash-day.cash-counted"
        direction: str  # `in` or `out`
        amount: int  # minor units
        total: int  # of this direction, on this day, with this amount
        table: str  # '' where an alias's cash of the day was carried over
        name: str  # under which it came

    class ReportingAmountNear(Event):
        TOPIC = "cash-day.reporting-amount-near"
        direction: str
        total: int
        reporting_amount: int

    class ReportingAmountPassed(Event):
        TOPIC = "cash-day.reporting-amount-passed"
        direction: str
        total: int
        reporting_amount: int

    # State: what later decisions ask.
    def __init__(self, patron: str, day: str) -> None:
        self.patron = patron
        self.day = day
        self.totals: dict[str, int] = {"in": 0, "out": 0}
        self.told: set[tuple[str, str]] = set()  # each alert once a direction and day

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day; the tables are several."""
        return date.fromisoformat(self.day), ""

    @property
    def own_name(self) -> dict[str, str]:
        """Every fact says whose it is, and of which day."""
        return {"patron": self.patron, "day": self.day}

    @staticmethod
    def stream(patron: str, day: date) -> UUID:
        """Where this patron's cash of the day is."""
        return stream_id("cash-day", f"{patron}/{day.isoformat()}", day)

    # Commands
    @classmethod
    def begin_day(cls, patron: str, day: date, at: datetime) -> Self:
        """The first cash of the day."""
        return cls.begin(
            cls.Created, cls.stream(patron, day), at, patron=patron, day=day.isoformat()
        )

    def count(
        self,
        direction: Direction,
        amount: int,
        reporting_amount: int,
        *,
        table: str = "",
        name: str = "",
    ) -> None:
        """Cash came in, or went out; tells the floor once when it is near, and once when over.

        `name`: under which it came, if not their own.
        """
        total = self.totals[direction] + amount
        self._cash_counted(
            direction=direction,
            amount=amount,
            total=total,
            table=table,
            name=name or self.patron,
        )
        if total > reporting_amount:
            if (direction, "passed") not in self.told:
                self._reporting_amount_passed(
                    direction=direction, total=total, reporting_amount=reporting_amount
                )
        elif total * NEAR[1] >= reporting_amount * NEAR[0] and not self._was_told(direction):
            self._reporting_amount_near(
                direction=direction, total=total, reporting_amount=reporting_amount
            )

    def _was_told(self, direction: Direction) -> bool:
        return any(told == direction for told, _ in self.told)

    # Changes: run again at every replay, so no rule, clock, id or I/O.
    @event(CashCounted)
    def _cash_counted(self, direction: str, amount: int, total: int, table: str, name: str) -> None:
        self.totals[direction] = total

    @event(ReportingAmountNear)
    def _reporting_amount_near(self, direction: str, total: int, reporting_amount: int) -> None:
        self.told.add((direction, "near"))

    @event(ReportingAmountPassed)
    def _reporting_amount_passed(self, direction: str, total: int, reporting_amount: int) -> None:
        self.told.add((direction, "passed"))
