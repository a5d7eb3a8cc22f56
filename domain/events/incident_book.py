"""The incidents of one year, by number."""

from domain.events import base


class Opened(base.Event, topic="incident-book.opened", first=True):
    """The first incident of a year opens its book."""

    year: int


class State(base.State):
    """How many incidents there are in the year so far."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.year = opened.year
        self.numbered = 0


class IncidentNumbered(base.Event, topic="incident-book.incident-numbered"):
    """An incident got the next number."""

    incident: str

    def apply(self, state: State) -> None:
        state.numbered += 1
