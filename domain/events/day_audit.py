"""The audits of one gaming day: who agreed its master figures, and how far the record was then."""

from domain.events import base


class Event(base.Event):
    """Of one gaming day."""

    NAMED_BY = ("day",)
    day: str = ""


class Begun(Event, topic="day-audit.begun", first=True):
    """The first audit of the day."""


class State(base.State):
    """The day that is audited."""

    def __init__(self, begun: Begun) -> None:
        super().__init__(begun)
        self.day = begun.day


class MasterAudited(Event, topic="day-audit.master-audited"):
    """Somebody audited the master figures of the day."""

    position: int  # of the ledger, at which the figures were read
    text: str  # '' for no note
    audited_by: str
