"""One alert, once somebody with the right has taken it in hand.

What raises an alert is an event of its own elsewhere; this one says only who acknowledged it. An
alert is named after its kind and the position of the event since which it holds, so that whoever
reads it on the board can say it: `late-bet/48213`.
"""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import alert as events
from domain.rules import addresses
from domain.rules.refusals import AlreadyAcknowledged


class Alert(Aggregate, events.State):
    """One alert that was acknowledged."""

    MANY_CLOCKS = True

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table of what raised it."""
        return date.fromisoformat(self.day), self.table

    @staticmethod
    def stream(address: addresses.Alert) -> UUID:
        """Where this alert's event is."""
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
        """Somebody has seen it, and the board need not show it any more."""
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
        """An alert is acknowledged once; what it returns is to be raised."""
        return AlreadyAcknowledged(alert=self.alert, by=f" by {self.by}" if self.by else "")
