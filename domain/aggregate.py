"""What every aggregate here shares: time is handed in, and facts have the floor's names.

>>> from datetime import UTC, datetime
>>> fact_name("shoe.loaded", first=True), fact_name("shoe.card-drawn")
('ShoeLoaded', 'CardDrawn')
"""

from datetime import date, datetime
from typing import Any, Self
from uuid import UUID

import eventsourcing.domain
from eventsourcing.domain import CanInitAggregate, CanMutateAggregate

from domain.refusals import BadValue


class Aggregate(eventsourcing.domain.Aggregate):  # noqa: PLW1641  (mutable, so not hashable)
    """A consistency boundary. Public methods decide; private `@event` methods only record."""

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table of its facts; None and '' for what the house owns."""
        return None, ""

    @property
    def own_name(self) -> dict[str, str]:
        """What every fact of this stream carries, so that each can be read by itself."""
        return {}

    @classmethod
    def begin(
        cls, created: type[CanInitAggregate[UUID]], stream: UUID, at: datetime, **fields: object
    ) -> Self:
        """A new stream, whose first fact happened `at`."""
        return cls._create(created, id=stream, timestamp=at, **fields)._moment(at)

    def at(self, moment: datetime, *, late: bool = False) -> Self:
        """Hands in when the next facts happened. Refuses: BadValue, when time runs backwards."""
        if moment < self.modified_on and not late:
            raise BadValue(
                field="at",
                value=moment.isoformat(),
                why=f"the record stands at {self.modified_on.isoformat()} already; "
                'say "late": true to enter what happened before',
            )
        return self._moment(moment)

    def _moment(self, moment: datetime) -> Self:
        vars(self)["_now"] = moment
        return self

    @property
    def modified_on(self) -> datetime:
        """The latest moment of any fact; one that was entered late does not set it back."""
        return self._modified_on

    @modified_on.setter
    def modified_on(self, moment: datetime) -> None:
        self._modified_on = max(self._modified_on, moment)

    def trigger_event(self, event_class: type[CanMutateAggregate[UUID]], **kwargs: Any) -> None:
        """States a fact at the moment handed in; without one it is our own mistake."""
        moment = vars(self).get("_now")
        assert moment is not None, "no moment was handed in with at()"
        super().trigger_event(event_class, timestamp=moment, **self.own_name, **kwargs)

    def __eq__(self, other: object) -> bool:
        """The same facts, whenever they were loaded."""
        if not isinstance(other, Aggregate):
            return NotImplemented
        return type(self) is type(other) and self._lasting() == other._lasting()

    def _lasting(self) -> dict[str, Any]:
        passing = ("_now", "_pending_events")
        return {name: value for name, value in vars(self).items() if name not in passing}


def fact_name(topic: str, *, first: bool = False) -> str:
    """The name of a fact: `CardDrawn`; a stream's first fact also names its noun: `ShoeLoaded`."""
    words = topic if first else topic.partition(".")[2]
    return "".join(word.capitalize() for word in words.replace(".", "-").split("-"))
