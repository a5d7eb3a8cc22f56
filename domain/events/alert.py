"""An alert that somebody acknowledged."""

from domain.events import base


class Acknowledged(base.Event, topic="alert.acknowledged", first=True):
    """Somebody acknowledged the alert, which leaves the board."""

    alert: str
    kind: str  # in words, as in `late bet`
    table: str  # '' for an alert of the house
    day: str  # the gaming day of the event that raised it
    coup: str | None
    since: str  # the moment of the event that raised it
    text: str
    by: str  # '' if unknown


class State(base.State):
    """The alert, acknowledged."""

    def __init__(self, acknowledged: Acknowledged) -> None:
        super().__init__(acknowledged)
        self.alert = acknowledged.alert
        self.table = acknowledged.table
        self.day = acknowledged.day
        self.by = acknowledged.by
