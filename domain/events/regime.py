"""The regimes for cash that the house chose, each from a gaming day on."""

from domain.events import base


class Begun(base.Event, topic="regime.begun", first=True):
    """The house chooses what holds for cash; a release before this does not read this stream."""


class State(base.State):
    """Every choice, in the order in which they were made."""

    def __init__(self, begun: Begun) -> None:
        super().__init__(begun)
        self.choices: list[RegimeChosen] = []


class RegimeChosen(base.Event, topic="regime.regime-chosen"):
    """Two people chose a regime; from its first gaming day on it replaces those before."""

    regime: str
    from_day: str  # its first gaming day
    content: str  # JSON of the whole regime
    approved_by: str

    def apply(self, state: State) -> None:
        state.choices.append(self)
