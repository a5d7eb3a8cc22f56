"""A table through the years, and the gaming day that is open at it."""

from domain.events import base


class Placed(base.Event, topic="table.placed", first=True):
    """A table was placed that the house never had before."""

    table: str


class State(base.State):
    """The gaming day that is open."""

    def __init__(self, placed: Placed) -> None:
        super().__init__(placed)
        self.table = placed.table
        self.open_day: str | None = None
        self.last_day: str | None = None
        self.day_before: str | None = None  # the day before the last one
        self.box: str | None = None  # the drop box that is on it


class DayOpened(base.Event, topic="table.day-opened"):
    """A gaming day began at the table."""

    day: str

    def apply(self, state: State) -> None:
        if self.day != state.last_day:
            state.day_before = state.last_day
        state.open_day = state.last_day = self.day


class DayClosed(base.Event, topic="table.day-closed"):
    """The gaming day ended."""

    day: str

    def apply(self, state: State) -> None:
        state.open_day = None


class BoxPutOn(base.Event, topic="table.box-put-on"):
    """A drop box was put on the table; its own events say by whom."""

    box: str

    def apply(self, state: State) -> None:
        state.box = self.box


class BoxTakenOff(base.Event, topic="table.box-taken-off"):
    """The drop box was taken off the table."""

    box: str

    def apply(self, state: State) -> None:
        state.box = None
