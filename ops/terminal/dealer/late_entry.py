"""Late entry at a terminal: what is typed from now on happened at one moment of the past."""

from datetime import datetime, timedelta
from typing import Self

from msgspec import Struct

from domain.rules.gaming_day import GamingClock
from ops.commands.read import Line
from ops.ledger import clock as machine_clock
from ops.reports.moments import Typed
from ops.words.language import _


class LateEntry(Struct, frozen=True):
    """The time that was typed, and its moment; without one, lines happen when they are entered."""

    time: str = ""
    moment: datetime | None = None

    @classmethod
    def at(cls, time: str, clock: GamingClock) -> Self:
        """Late entry at that time of today's gaming day; '' for none."""
        typed = Typed.of(time)
        return cls(time, typed.today(clock, machine_clock.wall_clock()) if typed else None)

    @property
    def is_over(self) -> bool:
        """Whether a terminal that was killed does not go on with it: it is of another day."""
        moment = self.moment
        return moment is None or machine_clock.wall_clock() - moment >= timedelta(days=1)

    @property
    def mark(self) -> str:
        """What the screen shows all the time: `LATE 20:14`; '' for no late entry."""
        return _("LATE {time}", time=self.time) if self.time else ""

    def stamped(self, line: Line) -> Line:
        """The line with the moment, marked late; a moment of its own stays."""
        at = {"at": self.moment.isoformat(), "late": True} if self.moment else {}
        return {**at, **line}

    def words(self, before: "LateEntry") -> str:
        """What changes with it, after late entry as it was `before`."""
        if self.time:
            return _(
                "Late entry: what you enter now happened at {time}. `late off` ends it.",
                time=self.time,
            )
        if before.time:
            return _("Late entry has ended: what you enter now happens now.")
        return _("There is no late entry: what you enter happens now.")


NOW = LateEntry()
