"""The time by this machine's clock, and how wrong that clock is beside the ledger's."""

from collections.abc import Callable
from datetime import datetime, timedelta

from domain.aggregates.base import Act
from domain.rules.refusals import BadValue, ClockOff
from domain.rules.wording import N_, Words
from ops.ledger import clock
from ops.ledger.recorder import Ledger
from ops.words.durations import duration

FURTHEST_AHEAD = clock.AHEAD  # further, and every later entry would need `late`
MOST_OFF = timedelta(minutes=2)  # by which a machine's clock may be wrong
WORTH_RECORDING = timedelta(seconds=1)  # a smaller error of a clock is not recorded


class MachineTime:
    """The clock of one process. One that is handed in as `now` is taken as right.

    `made_up`: moments may be in the future.
    """

    def __init__(
        self, ledger: Ledger, now: Callable[[], datetime] | None, *, made_up: bool
    ) -> None:
        self._ledger = ledger
        self.now = now or clock.wall_clock
        self._handed_in = now is not None
        self.made_up = made_up
        self._noted_ahead = False  # whether it is recorded that this machine's clock is ahead

    @property
    def off(self) -> timedelta:
        """How far this machine's clock is ahead of the server's, negative for behind.

        Raises LedgerLost.
        """
        return timedelta(0) if self._handed_in or self.made_up else self._ledger.clock_off

    def latest(self, asked: datetime) -> datetime | None:
        """The latest moment that a line may state then, or None if any may be."""
        return None if self.made_up else asked - self.off + FURTHEST_AHEAD

    def require_not_ahead(self, at: datetime, asked: datetime) -> None:
        """Refuses a moment too far in the future by the server's clock: BadValue."""
        if self.made_up:
            return
        ahead = at - (asked - self.off)
        if ahead > FURTHEST_AHEAD:
            raise BadValue(
                message=Words(
                    "The entry is dated {time} in the future. Give the moment when it happened, "
                    "with its date if that was another day; leave it out if it is now.",
                    time=duration(ahead),
                )
            )

    def require_right(self, act: Act) -> None:
        """Refuses an act without `at` if the clock is wrong. Raises ClockOff, LedgerLost."""
        off = self.off
        if not act.stated and abs(off) > MOST_OFF:
            template = (
                N_(
                    "Nothing was recorded: this machine's clock is {off} ahead of the ledger's. "
                    "Set the clock, best over the network, then send it again."
                )
                if off > timedelta(0)
                else N_(
                    "Nothing was recorded: this machine's clock is {off} behind the ledger's. "
                    "Set the clock, best over the network, then send it again."
                )
            )
            raise ClockOff(message=Words(template, off=duration(abs(off))))

    def behind(self, act: Act, asked: datetime) -> float:
        """How many seconds the record is ahead of an act without `at`.

        0 if this machine's clock is right: then an earlier entry came from one that was ahead.
        """
        if act.stated or not act.events:
            return 0.0
        if not self._handed_in and self.off > -WORTH_RECORDING:
            return 0.0
        latest = max(event.timestamp for event in act.events)
        return float((latest - asked).total_seconds())

    def ahead(self, act: Act) -> float:
        """How many seconds this machine's clock is ahead; 0 from the second such act on."""
        if act.stated or self._noted_ahead or self.off < WORTH_RECORDING:
            return 0.0
        self._noted_ahead = True
        return self.off.total_seconds()
