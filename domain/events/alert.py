"""An alert that somebody has taken in hand."""

from domain.events import base


class Acknowledged(base.Event, topic="alert.acknowledged", first=True):
    """Somebody has seen the alert, and the board need not show it any more."""

    alert: str
    kind: str  # in the floor's words, as in `late bet`
    table: str  # '' for the house's own
    day: str  # the gaming day of what raised it
    coup: str | None
    since: str  # when what raised it happened
    text: str
    by: str  # '' when nobody said


class State(base.State):
    """The alert, acknowledged."""

    def __init__(self, acknowledged: Acknowledged) -> None:
        super().__init__(acknowledged)
        self.alert = acknowledged.alert
        self.table = acknowledged.table
        self.day = acknowledged.day
        self.by = acknowledged.by
