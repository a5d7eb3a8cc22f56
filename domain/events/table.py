"""A table through the years: which gaming day is open at it."""

from domain.events import base


class Placed(base.Event):
    """A table that the house never had before."""

    TOPIC = "table.placed"
    FIRST = True
    table: str


class State(base.State):
    """Which gaming day is open."""

    def __init__(self, placed: Placed) -> None:
        super().__init__(placed)
        self.table = placed.table
        self.open_day: str | None = None
        self.last_day: str | None = None


class DayOpened(base.Event):
    """A gaming day begins at the table."""

    TOPIC = "table.day-opened"
    day: str

    def apply(self, state: State) -> None:
        state.open_day = state.last_day = self.day


class DayClosed(base.Event):
    """The gaming day ends."""

    TOPIC = "table.day-closed"
    day: str

    def apply(self, state: State) -> None:
        state.open_day = None
