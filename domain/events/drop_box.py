"""A drop box: on a table, off it, on its way to the count room, and counted."""

from datetime import datetime

from domain.events import base


class Event(base.Event):
    """Of one box."""

    NAMED_BY = ("box",)
    box: str = ""


class Registered(Event, topic="drop-box.registered", first=True):
    """A box was used that the house never had before."""


class State(base.State):
    """Where the box is, and the table day whose cash is in it."""

    def __init__(self, registered: Registered) -> None:
        super().__init__(registered)
        self.box = registered.box
        self.step = "free"  # or `attached`, `removed`, `carried`
        self.table_day = ""  # the last one
        self.attached_at: datetime | None = None


class BoxAttached(Event, topic="drop-box.box-attached"):
    """The box is on a table and takes its cash."""

    table_day: str
    emergency: bool  # outside the schedule
    by: str

    def apply(self, state: State) -> None:
        state.step, state.table_day = "attached", self.table_day
        state.attached_at = self.timestamp


class BoxRemoved(Event, topic="drop-box.box-removed"):
    """The box was taken off its table, locked."""

    table_day: str
    shift: str  # in which it was on the table
    removed_by: str
    signed_by: str

    def apply(self, state: State) -> None:
        state.step = "removed"


class BoxCarried(Event, topic="drop-box.box-carried"):
    """The box came to the count room."""

    table_day: str
    carried_by: str
    signed_by: str

    def apply(self, state: State) -> None:
        state.step = "carried"


class BoxCounted(Event, topic="drop-box.box-counted"):
    """Three people opened the box and counted its cash."""

    table_day: str
    amount: int  # minor units of cash; chips and forms do not count
    counted_by: str
    signed_by: str
    third: str

    def apply(self, state: State) -> None:
        state.step = "free"
