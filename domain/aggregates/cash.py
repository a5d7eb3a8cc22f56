"""A patron's cash of one gaming day, over all tables: in and out, never netted.

The house reports a patron who brings or is paid more than the reporting amount in one gaming day.
The floor gets one alert when that is near, while the patron is still there, and one when it
happens.
"""

from datetime import date, datetime
from typing import Literal, Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import cash_day as events
from domain.rules.addresses import stream_id

Direction = Literal["in", "out"]
NEAR = (8, 10)  # of the reporting amount, from which the floor is alerted


class CashDay(Aggregate, events.State):
    """The cash of one patron on one gaming day."""

    MANY_CLOCKS = True

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day, and no table."""
        return date.fromisoformat(self.day), ""

    @staticmethod
    def stream(patron: str, day: date) -> UUID:
        """The stream of a patron's cash of one day."""
        return stream_id("cash-day", f"{patron}/{day.isoformat()}", day)

    # Commands
    @classmethod
    def begin_day(cls, patron: str, day: date, at: datetime) -> Self:
        """Begins with the first cash of the day."""
        return cls.begin(
            events.Begun(patron=patron, day=day.isoformat()), cls.stream(patron, day), at
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
        """Counts cash in or out, and alerts the floor once when it is near and once when over.

        `name`: the alias under which it came, if any.
        """
        total = self.totals[direction] + amount
        self.record(
            events.CashCounted(
                direction=direction,
                amount=amount,
                total=total,
                table=table,
                name=name or self.patron,
            )
        )
        self._alert(direction, reporting_amount)

    def correct(
        self,
        direction: Direction,
        more: int,
        reporting_amount: int,
        *,
        table: str = "",
        name: str = "",
    ) -> None:
        """Changes the day's cash by `more`, which may be negative; alerts the floor as `count`.

        An alert that is not true any more ends.
        """
        total = self.totals[direction] + more
        self.record(
            events.CashChanged(
                direction=direction,
                amount=more,
                total=total,
                table=table,
                name=name or self.patron,
                near=_is_near(total, reporting_amount),
                over=total > reporting_amount,
            )
        )
        self._alert(direction, reporting_amount)

    def could_be_little_play(self, amount: int) -> bool:
        """Whether so much came in and went out that the play between is to be looked at.

        `amount`: minor units of either; 0: never.
        """
        return bool(amount) and not self.little_play and min(self.totals.values()) >= amount

    def note_play(self, played: int, share: int) -> None:
        """Notes that less was staked than `share` per cent of the cash that went in and out."""
        if played * 100 < min(self.totals.values()) * share:
            self.record(
                events.LittlePlayNoted(
                    total_in=self.totals["in"], total_out=self.totals["out"], played=played
                )
            )

    def _alert(self, direction: Direction, reporting_amount: int) -> None:
        total = self.totals[direction]
        if total > reporting_amount:
            if (direction, "passed") not in self.alerts:
                self.record(
                    events.ReportingAmountPassed(
                        direction=direction, total=total, reporting_amount=reporting_amount
                    )
                )
        elif _is_near(total, reporting_amount) and not self._was_alerted(direction):
            self.record(
                events.ReportingAmountNear(
                    direction=direction, total=total, reporting_amount=reporting_amount
                )
            )

    def _was_alerted(self, direction: Direction) -> bool:
        return any(each == direction for each, _ in self.alerts)


def _is_near(total: int, reporting_amount: int) -> bool:
    return total * NEAR[1] >= reporting_amount * NEAR[0]
