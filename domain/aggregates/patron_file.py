"""The record of one patron's file: which parts were changed, never what they say."""

from collections.abc import Sequence
from datetime import datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import patron_file as events
from domain.rules.addresses import stream_id
from domain.rules.refusals import BadValue
from domain.rules.wording import Words


class PatronFile(Aggregate, events.State):
    """The file of one patron. What it says is beside the record, so that it can be erased."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(patron: str) -> UUID:
        """The stream of a patron's file."""
        return stream_id("patron-file", patron)

    @classmethod
    def open(cls, patron: str, at: datetime) -> Self:
        """Begins the file of a patron about whom none is on record."""
        return cls.begin(events.Begun(patron=patron), cls.stream(patron), at)

    def change(
        self, parts: Sequence[str], digest: str, approved_by: str = "", reason: str = ""
    ) -> None:
        """Records which parts were changed. Refuses: BadValue, if none was."""
        if not parts:
            raise BadValue(
                message=Words("The file of {patron} has that already.", patron=self.patron)
            )
        self.record(
            events.FileChanged(
                parts=list(parts), digest=digest, approved_by=approved_by, reason=reason
            )
        )

    def erase(self, parts: Sequence[str], reason: str) -> None:
        """Records that the file is erased."""
        self.record(events.FileErased(parts=list(parts), reason=reason))
