"""The disputes of one year: every case has the next number, and no number is left out."""

from datetime import datetime
from typing import Self
from uuid import UUID

from eventsourcing.domain import event

from domain.aggregates.base import Aggregate
from domain.rules.addresses import Case, stream_id


class Docket(Aggregate):
    """One year's cases of the house."""

    TOPIC = "docket"
    MANY_CLOCKS = True

    # Facts: stored for years under TOPIC; add fields, never rename or retype one.
    class Created(Aggregate.Created):
        TOPIC = "docket.opened"
        year: int

    class CaseEntered(Aggregate.Event):
        TOPIC = "docket.case-entered"
        case: str
        coup: str

    # State: what later decisions ask.
    def __init__(self, year: int) -> None:
        self.year = year
        self.cases = 0
        self.about: dict[str, list[str]] = {}  # the cases of each coup, the first one first

    @staticmethod
    def stream(year: int) -> UUID:
        """Where that year's cases are counted."""
        return stream_id("docket", str(year))

    # Commands: decide; refuse, or state a fact.
    @classmethod
    def begin_year(cls, year: int, at: datetime) -> Self:
        """The first case of a year opens its docket."""
        return cls.begin(cls.Created, cls.stream(year), at, year=year)

    def enter(self, coup: str) -> Case:
        """The next number, for a case about this coup."""
        case = Case(self.year, self.cases + 1)
        self._case_entered(case=str(case), coup=coup)
        return case

    # Changes: run again at every replay, so no rule, clock, id or I/O.
    @event(CaseEntered)
    def _case_entered(self, case: str, coup: str) -> None:
        self.cases += 1
        self.about.setdefault(coup, []).append(case)
