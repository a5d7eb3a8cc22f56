"""The inquiries of one year, by number."""

from domain.events import base


class Opened(base.Event, topic="inquiry-book.opened", first=True):
    """The first inquiry of a year opens its book."""

    year: int


class State(base.State):
    """How many inquiries there are in the year so far."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.year = opened.year
        self.numbered = 0


class InquiryNumbered(base.Event, topic="inquiry-book.inquiry-numbered"):
    """An inquiry got the next number."""

    inquiry: str

    def apply(self, state: State) -> None:
        state.numbered += 1
