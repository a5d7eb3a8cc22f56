"""A coup as its page shows it: amounts in its currency, moments in the house's time."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.review.replay import Line, Replay
from ops.replay.story import CoupRecord
from ops.words import language


class CoupOnPage(Struct, frozen=True):
    """A coup; `replay` is that of the events that are shown."""

    record: CoupRecord
    replay: Replay
    zone: ZoneInfo

    @property
    def currency(self) -> str:
        """The currency of the coup's amounts."""
        return self.replay.rules.currency

    def money(self, amount: int) -> str:
        """An amount of minor units."""
        return language.amount(amount, self.currency)

    def local(self, at: datetime) -> datetime:
        """A moment in the house's time."""
        return at.astimezone(self.zone)

    def time(self, at: datetime) -> str:
        """The house's time of a moment, without its date."""
        return language.clock(self.local(at), places=1)

    def day(self, line: Line) -> date:
        """The date of an event."""
        return self.local(line.at).date()

    def moment(self, line: Line) -> str:
        """The time of an event, with the date if it is not that of the coup's opening."""
        if self.day(line) == self.day(self.replay.opened):
            return self.time(line.at)
        return language.moment(self.local(line.at), places=1)


def place(line: Line) -> str:
    """The event's position in the ledger: `#48213`."""
    return f"#{line.position}"
