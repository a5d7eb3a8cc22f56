"""The disputes of one year, by number."""

from domain.events import base


class Opened(base.Event, topic="docket.opened", first=True):
    """The first case of a year opens its docket."""

    year: int


class State(base.State):
    """The cases of the year so far."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.year = opened.year
        self.cases = 0
        self.about: dict[str, list[str]] = {}  # the cases of each coup, oldest first


class CaseEntered(base.Event, topic="docket.case-entered"):
    """A case got the next number."""

    case: str
    coup: str

    def apply(self, state: State) -> None:
        state.cases += 1
        state.about.setdefault(self.coup, []).append(self.case)
