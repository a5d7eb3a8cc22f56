"""A patron's name or alias: who it is, and whether they may play."""

from domain.events import base


class Event(base.Event):
    """About one name."""

    NAMED_BY = ("patron",)
    patron: str = ""


class Known(Event, topic="patron.known", first=True):
    """A name came up that the floor never had before."""


class State(base.State):
    """The patron's identity, and whether they may play."""

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        self.patron = known.patron
        self.patron_is: str | None = None
        self.barring: str | None = None  # its kind, while it lasts
        self.apart: set[str] = set()  # names that look the same and are somebody else's


class Identified(Event, topic="patron.identified"):
    """The alias was identified as a patron."""

    patron_is: str

    def apply(self, state: State) -> None:
        state.patron_is = self.patron_is


class Separated(Event, topic="patron.separated"):
    """The alias was identified as the wrong patron; it is nobody's again."""

    was: str  # the patron
    reason: str
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.patron_is = None


class ToldApart(Event, topic="patron.told-apart"):
    """Another name looks the same, and somebody said that it is another patron's."""

    other: str
    reason: str  # '' where it was asked and answered at a table

    def apply(self, state: State) -> None:
        state.apart.add(self.other)


class Barred(Event, topic="patron.barred"):
    """The patron may not play."""

    reason: str
    kind: str  # `barred` by the house, or `self-excluded`

    def apply(self, state: State) -> None:
        state.barring = self.kind


class Unbarred(Event, topic="patron.unbarred"):
    """The patron may play again."""

    reason: str
    was: str  # `barred` by the house, or `self-excluded`

    def apply(self, state: State) -> None:
        state.barring = None
