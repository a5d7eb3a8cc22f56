"""A terminal by its key: an administrator approved it, so that people may sign on there."""

from domain.events import base


class Event(base.Event):
    """About one terminal."""

    NAMED_BY = ("terminal",)
    terminal: str = ""  # the fingerprint of its key, as in 98BB-CEFA-88A6-387D


class Approved(Event, topic="terminal.approved", first=True):
    """It was approved."""

    name: str


class State(base.State):
    """Its name, and whether it is retired."""

    def __init__(self, approved: Approved) -> None:
        super().__init__(approved)
        self.terminal = approved.terminal
        self.name = approved.name
        self.retired = False


class TerminalRetired(Event, topic="terminal.terminal-retired"):
    """It was retired: nobody works there any more."""

    name: str
    reason: str

    def apply(self, state: State) -> None:
        state.retired = True
