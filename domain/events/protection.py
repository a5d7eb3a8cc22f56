"""The levels of game protection: from how seldom on a question makes a row."""

from domain.events import base
from domain.rules.protection_levels import COMPARED, ONE_OF_THE_NAMED, QUESTIONS, SELDOM


class Begun(base.Event, topic="protection.begun", first=True):
    """The house sets levels of its own; a release before these does not read this stream."""


class State(base.State):
    """The level of each question now."""

    def __init__(self, begun: Begun) -> None:
        super().__init__(begun)
        self.levels = dict.fromkeys(QUESTIONS, SELDOM) | {COMPARED: ONE_OF_THE_NAMED}


class LevelChanged(base.Event, topic="protection.level-changed"):
    """Two people changed a question's level."""

    question: str
    level: int  # by chance alone a row comes in at most one of so many
    level_before: int
    approved_by: str

    def apply(self, state: State) -> None:
        state.levels[self.question] = self.level
