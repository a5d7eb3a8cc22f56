"""One alert that somebody acknowledged.

Another event raised it; this one records only who acknowledged it. An alert is named by its kind
and the position of the event that began it, so that it can be read off the board and typed:
`late-bet/48213`.
"""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import alert as events
from domain.rules import addresses
from domain.rules.refusals import AlreadyAcknowledged
from domain.rules.wording import Words


class Alert(Aggregate, events.State):
    """One alert that was acknowledged."""

    MANY_CLOCKS = True

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table of the event that raised it."""
        return date.fromisoformat(self.day), self.table

    @staticmethod
    def stream(address: addresses.Alert) -> UUID:
        """The stream of an alert."""
        return addresses.stream_id("alert", str(address))

    # Commands: decide; refuse, or record an event.
    @classmethod
    def acknowledge(
        cls,
        address: addresses.Alert,
        *,
        at: datetime,
        table: str,
        day: date,
        coup: str | None,
        since: datetime,
        text: str,
        by: str,
    ) -> Self:
        """Acknowledges an alert, which leaves the board."""
        return cls.begin(
            events.Acknowledged(
                alert=str(address),
                kind=address.kind,
                table=table,
                day=day.isoformat(),
                coup=coup,
                since=since.isoformat(),
                text=text,
                by=by,
            ),
            cls.stream(address),
            at,
        )

    def refuse_again(self) -> AlreadyAcknowledged:
        """The refusal of a second acknowledgement, to raise."""
        if not self.by:
            return AlreadyAcknowledged(alert=self.alert)
        return AlreadyAcknowledged(
            message=Words(
                "{by} has already acknowledged alert {alert}. Nothing more is to be done about it.",
                alert=self.alert,
                by=self.by,
            )
        )
