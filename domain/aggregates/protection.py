"""The levels of game protection, which two people change."""

from datetime import datetime
from typing import Self

from domain.aggregates.base import Aggregate
from domain.events import protection as events
from domain.rules.addresses import stream_id
from domain.rules.refusals import BadValue
from domain.rules.wording import Words

PROTECTION_STREAM = stream_id("protection", "protection")


class Protection(Aggregate, events.State):
    """The levels of the house."""

    @classmethod
    def begin_levels(cls, at: datetime) -> Self:
        """Begins with the level that every question has by itself."""
        return cls.begin(events.Begun(), PROTECTION_STREAM, at)

    def set_level(self, question: str, level: int, approved_by: str) -> None:
        """Changes a question's level from now on. Refuses: BadValue."""
        before = self.levels[question]
        if level == before:
            raise BadValue(message=Words("{name} is already {value}.", name=question, value=level))
        self.record(
            events.LevelChanged(
                question=question, level=level, level_before=before, approved_by=approved_by
            )
        )
