"""A way in which the record of a coup disagrees with today's code."""

from domain.events import base
from domain.rules import addresses

Text = dict[str, str]  # what, recorded, adjudicated


class Disagreed(base.Event, topic="adjudication.disagreed", first=True):
    """The record of a coup is not what today's code says."""

    coup: str
    rules: str  # by which it was adjudicated; '' when the record does not say
    disagreements: list[Text]


class State(base.State):
    """The coup that it is about."""

    def __init__(self, disagreed: Disagreed) -> None:
        super().__init__(disagreed)
        self.address = addresses.Coup.parse(disagreed.coup)
