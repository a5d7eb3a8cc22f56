"""A meter through the years, and the gaming day that is open of it."""

from domain.events import base


class Placed(base.Event, topic="meter.placed", first=True):
    """A wager on its spot was settled the first time: the house has a meter that it had not."""

    meter: str
    currency: str


class State(base.State):
    """Its last gaming day."""

    def __init__(self, placed: Placed) -> None:
        super().__init__(placed)
        self.meter = placed.meter
        self.currency = placed.currency
        self.last_day: str | None = None
        self.points = 0  # that were fixed (R-PROG-6)
        self.fixed: PointFixed | None = None  # the last one


class DayBegun(base.Event, topic="meter.day-begun"):
    """A gaming day began, with a stream of its own."""

    day: str

    def apply(self, state: State) -> None:
        state.last_day = self.day


class PointFixed(base.Event, topic="meter.point-fixed"):
    """The point at which the meter must be won was fixed; it is shown when it is reached."""

    commitment: str
    lowest: int
    highest: int

    def apply(self, state: State) -> None:
        state.points += 1
        state.fixed = self
