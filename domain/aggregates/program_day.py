"""The programs that were started on one gaming day (58 Pa. Code 605a.4(c)).

Each start of a long-running part is recorded with the version and the SHA-256 of the installed
files, so that a regulator can compare them with the files of a release.
"""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import OfDay
from domain.events import program_day as events
from domain.rules.addresses import stream_id


class ProgramDay(OfDay, events.State):
    """The starts of one gaming day, on all machines."""

    @staticmethod
    def stream(day: date) -> UUID:
        """The stream of a day's starts."""
        return stream_id("program-day", day.isoformat(), day)

    # Commands
    @classmethod
    def begin_day(cls, day: date, at: datetime) -> Self:
        """Begins with the first start of the day."""
        return cls.begin(events.Begun(day=day.isoformat()), cls.stream(day), at)

    def start(self, part: str, table: str, *, version: str, digest: str, machine: str) -> None:
        """Records the start of a part of the program; `table`: '' if it belongs to none."""
        self.record(
            events.ProgramStarted(
                part=part, table=table, version=version, digest=digest, machine=machine
            )
        )
