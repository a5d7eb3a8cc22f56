"""Which regime for cash holds on a gaming day (R-CASH-1)."""

from datetime import date, datetime
from typing import Self

from domain.aggregates.base import Aggregate
from domain.events import regime as events
from domain.rules.addresses import stream_id
from domain.rules.refusals import BadValue
from domain.rules.regimes import Regime, known, stated
from domain.rules.wording import Words

REGIMES_STREAM = stream_id("regime", "regime")


class Regimes(Aggregate, events.State):
    """The regimes that the house chose."""

    @classmethod
    def begin_choices(cls, at: datetime) -> Self:
        """Begins with none."""
        return cls.begin(events.Begun(), REGIMES_STREAM, at)

    def on(self, day: date) -> Regime | None:
        """The regime of a gaming day, with the amounts of that day; None before the first one."""
        for each in reversed(self.choices):
            if each.from_day <= day.isoformat():
                return known(each.content).on(day)
        return None

    def choose(
        self, regime: Regime, from_day: date, counted_day: date | None, approved_by: str
    ) -> None:
        """Chooses a regime from a gaming day on.

        `counted_day`: one from then on of which cash is counted already, if there is one.
        Refuses: BadValue.
        """
        if counted_day:
            raise BadValue(
                message=Words(
                    "Cash of {day} is counted already, by what holds now. Choose a later day.",
                    day=counted_day.isoformat(),
                )
            )
        content, day = stated(regime), from_day.isoformat()
        if self.choices and (self.choices[-1].content, self.choices[-1].from_day) == (content, day):
            raise BadValue(
                message=Words(
                    "{regime} is already chosen from {day} on.", regime=regime.name, day=day
                )
            )
        self.record(
            events.RegimeChosen(
                regime=regime.name,
                from_day=day,
                content=content,
                approved_by=approved_by,
            )
        )
