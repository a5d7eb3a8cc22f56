"""The programs that were started on one gaming day (58 Pa. Code 605a.4(c))."""

from domain.events import base


class Event(base.Event):
    """Of one gaming day."""

    NAMED_BY = ("day",)
    day: str = ""


class Begun(Event, topic="program-day.begun", first=True):
    """The first start of a program on the day."""


class State(base.State):
    """The gaming day."""

    def __init__(self, begun: Begun) -> None:
        super().__init__(begun)
        self.day = begun.day


class ProgramStarted(Event, topic="program-day.program-started"):
    """A part of the program that runs for long was started, from these installed files."""

    part: str
    table: str  # '' if it belongs to none
    version: str
    digest: str  # SHA-256 of the installed files
    machine: str
