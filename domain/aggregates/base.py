"""What every aggregate here shares: time is handed in, and facts have the floor's names.

>>> from datetime import UTC, datetime
>>> fact_name("shoe.loaded", first=True), fact_name("shoe.card-drawn")
('ShoeLoaded', 'CardDrawn')
"""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, ClassVar, Self
from uuid import UUID

import eventsourcing.domain
from eventsourcing.domain import CanInitAggregate, CanMutateAggregate

from domain.rules.refusals import BadValue


@dataclass
class Act:
    """What one command does: when, and every fact it states, over all streams, in order."""

    moment: datetime
    said: bool = True  # somebody said when; else it is now, and what stands is never before it
    late: bool = False
    facts: list[CanMutateAggregate[UUID]] = field(default_factory=list)

    def moment_behind(self, stands: datetime) -> datetime:
        """When a fact happened in a record that stands at this moment. Refuses: BadValue."""
        if self.moment >= stands or self.late:
            return self.moment
        if not self.said:
            self.moment = stands  # what the same act states after this is not before it
            return stands
        raise BadValue(
            field="at",
            value=self.moment.isoformat(),
            why=f"the record stands at {stands.isoformat()} already; "
            'say "late": true to enter what happened before',
        )


class Aggregate(eventsourcing.domain.Aggregate):  # noqa: PLW1641  (mutable, so not hashable)
    """A consistency boundary. Public methods decide; private `@event` methods only record."""

    # Where several tables meet, each with its own clock, moments need not run forward.
    MANY_CLOCKS: ClassVar[bool] = False

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
        return cls._create(created, id=stream, timestamp=at, **fields).at(at)

    def at(self, moment: datetime, *, late: bool = False) -> Self:
        """Hands in when the next facts happened."""
        return self.join(Act(moment, late=late))

    def join(self, act: "Act") -> Self:
        """The next facts are part of this act."""
        vars(self)["_act"] = act
        return self

    @property
    def happens_at(self) -> datetime:
        """When the act happens that is being decided."""
        act: Act = vars(self)["_act"]
        return act.moment

    @property
    def modified_on(self) -> datetime:
        """The latest moment of any fact; one that was entered late does not set it back."""
        return self._modified_on

    @modified_on.setter
    def modified_on(self, moment: datetime) -> None:
        self._modified_on = max(self._modified_on, moment)

    def trigger_event(self, event_class: type[CanMutateAggregate[UUID]], **kwargs: Any) -> None:
        """States a fact of the act it takes part in. Refuses: BadValue, if time ran backwards."""
        act: Act | None = vars(self).get("_act")
        assert act is not None, "no moment was handed in with at() or join()"
        moment = act.moment if self.MANY_CLOCKS else act.moment_behind(self.modified_on)
        super().trigger_event(event_class, timestamp=moment, **self.own_name, **kwargs)
        act.facts.append(self.pending_events[-1])

    def __eq__(self, other: object) -> bool:
        """The same facts, whenever they were loaded."""
        if not isinstance(other, Aggregate):
            return NotImplemented
        return type(self) is type(other) and self._lasting() == other._lasting()

    def _lasting(self) -> dict[str, Any]:
        passing = ("_act", "_pending_events")
        return {name: value for name, value in vars(self).items() if name not in passing}


def fact_name(topic: str, *, first: bool = False) -> str:
    """The name of a fact: `CardDrawn`; a stream's first fact also names its noun: `ShoeLoaded`."""
    words = topic if first else topic.partition(".")[2]
    return "".join(word.capitalize() for word in words.replace(".", "-").split("-"))
