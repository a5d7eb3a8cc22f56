"""A difference between the record of a coup and today's code."""

from domain.events import base
from domain.rules import addresses

Text = dict[str, str]  # what, recorded, adjudicated


class Disagreed(base.Event, topic="adjudication.disagreed", first=True):
    """The record of a coup differs from the result of today's code."""

    coup: str
    table_day: str  # on which it was opened
    rules: str  # by which it was adjudicated; '' when the record does not say
    disagreements: list[Text]


class State(base.State):
    """The coup that it is about."""

    def __init__(self, disagreed: Disagreed) -> None:
        super().__init__(disagreed)
        self.address = addresses.Coup.parse(disagreed.coup)
        self.table_day = addresses.TableDay.parse(disagreed.table_day)
