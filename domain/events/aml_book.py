"""The cases of money laundering of one year, by number."""

from domain.events import base


class Opened(base.Event, topic="aml-book.opened", first=True):
    """The first case of a year opens its book."""

    year: int


class State(base.State):
    """How many cases there are in the year so far."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.year = opened.year
        self.numbered = 0


class AmlCaseNumbered(base.Event, topic="aml-book.aml-case-numbered"):
    """A case got the next number."""

    aml_case: str

    def apply(self, state: State) -> None:
        state.numbered += 1
