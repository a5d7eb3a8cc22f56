"""The audit of a gaming day's master figures, which somebody signs for (N.J.A.C. 13:69D-1.34)."""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import OfDay
from domain.events import day_audit as events
from domain.rules.addresses import stream_id
from domain.rules.refusals import BadValue
from domain.rules.wording import Words


class DayAudit(OfDay, events.State):
    """The audits of one gaming day; a later one counts, if something of the day changed."""

    @staticmethod
    def stream(day: date) -> UUID:
        """The stream of a day's audits."""
        return stream_id("day-audit", day.isoformat(), day)

    # Commands
    @classmethod
    def begin_day(cls, day: date, at: datetime) -> Self:
        """Begins with the first audit of the day."""
        return cls.begin(events.Begun(day=day.isoformat()), cls.stream(day), at)

    def audit(self, position: int, newest: int, text: str, audited_by: str) -> None:
        """Audits the figures as they were at a position, up to the `newest` one. Refuses: BadValue.

        `text`: a note, '' for none.
        """
        if position > newest:
            raise BadValue(
                message=Words(
                    "The ledger has no position {position} yet: its newest is {newest}. Give the "
                    "one at the foot of the report.",
                    position=position,
                    newest=newest,
                )
            )
        self.record(events.MasterAudited(position=position, text=text, audited_by=audited_by))
