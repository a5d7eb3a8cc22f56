"""A patron's cash of one gaming day, over all tables: in and out, never netted.

The house reports a patron who brings or is paid more than the reporting amount in one gaming day.
The floor gets one alert when that is near, while the patron is still there, and one when it
happens. Patrons whose names look the same count together: whether they are one person is for a
person to judge, and they have one alert.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal, Self
from uuid import UUID

from domain.aggregates.base import OfDay
from domain.events import cash_day as events
from domain.rules.addresses import stream_id

Direction = Literal["in", "out"]
NEAR = (8, 10)  # of the reporting amount, from which the floor is alerted


class CashDay(OfDay, events.State):
    """The cash of one patron on one gaming day."""

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
        alike: Sequence["CashDay"] = (),
    ) -> None:
        """Counts cash in or out, and alerts the floor once when it is near and once when over.

        `name`: the alias under which it came, if any. `alike`: the day's cash of patrons whose
        names look the same.
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
        self._alert(direction, reporting_amount, alike)

    def correct(
        self,
        direction: Direction,
        more: int,
        reporting_amount: int,
        *,
        table: str = "",
        name: str = "",
        alike: Sequence["CashDay"] = (),
    ) -> None:
        """Changes the day's cash by `more`, which may be negative; alerts the floor as `count`.

        An alert that is not true any more ends, also one of a patron whose name looks the same.
        """
        together = self.totals[direction] + more + _sum(alike, direction)
        near, over = _is_near(together, reporting_amount), together > reporting_amount
        self._change(direction, more, name or self.patron, table, near=near, over=over)
        for each in alike:
            untrue = not over and each.was_alerted(direction, "passed")
            if untrue or (not near and each.was_alerted(direction)):
                each._change(direction, 0, each.patron, "", near=near, over=over)
        self._alert(direction, reporting_amount, alike)

    def _change(
        self, direction: Direction, more: int, name: str, table: str, *, near: bool, over: bool
    ) -> None:
        self.record(
            events.CashChanged(
                direction=direction,
                amount=more,
                total=self.totals[direction] + more,
                table=table,
                name=name,
                near=near,
                over=over,
            )
        )

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

    def names(self, direction: Direction) -> set[str]:
        """The patron, and each name under which cash came or went."""
        return {self.patron, *(name for name, sums in self.by_name.items() if sums[direction])}

    def was_alerted(self, direction: Direction, *kinds: str) -> bool:
        """Whether the floor was alerted, of one of these kinds or of any."""
        return any(each == direction and (not kinds or kind in kinds) for each, kind in self.alerts)

    def _alert(
        self, direction: Direction, reporting_amount: int, alike: Sequence["CashDay"]
    ) -> None:
        total = self.totals[direction] + _sum(alike, direction)
        others = sorted(each.patron for each in alike)
        if total > reporting_amount:
            if not any(each.was_alerted(direction, "passed") for each in (self, *alike)):
                self.record(
                    events.ReportingAmountPassed(
                        direction=direction,
                        total=total,
                        reporting_amount=reporting_amount,
                        alike=others,
                    )
                )
        elif _is_near(total, reporting_amount) and not any(
            each.was_alerted(direction) for each in (self, *alike)
        ):
            self.record(
                events.ReportingAmountNear(
                    direction=direction,
                    total=total,
                    reporting_amount=reporting_amount,
                    alike=others,
                )
            )


def _sum(days: Sequence[CashDay], direction: Direction) -> int:
    return sum(each.totals[direction] for each in days)


def _is_near(total: int, reporting_amount: int) -> bool:
    return total * NEAR[1] >= reporting_amount * NEAR[0]
