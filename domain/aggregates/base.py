"""What every aggregate here shares: time is handed in, and events are placed in their stream."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, ClassVar, Self
from uuid import UUID

from msgspec import Struct, field

from domain.events.base import Event, State
from domain.rules.refusals import BadValue


class Act(Struct):
    """What one command does: when, and every event it states, over all streams, in order."""

    moment: datetime
    said: bool = True  # somebody said when; else it is now, and what stands is never before it
    late: bool = False
    events: list[Event] = field(default_factory=list)

    def moment_behind(self, stands: datetime) -> datetime:
        """When an event happened in a record that stands at this moment. Refuses: BadValue."""
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


class Aggregate(State):  # noqa: PLW1641  (mutable, so not hashable)
    """A consistency boundary. Its methods decide: they refuse, or record what happened."""

    # Where several tables meet, each with its own clock, moments need not run forward.
    MANY_CLOCKS: ClassVar[bool] = False

    def __init__(self, first: Event) -> None:
        super().__init__(first)
        self._act: Act | None = None
        self._pending: list[Event] = []

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table of its events; None and '' for what the house owns."""
        return None, ""

    @classmethod
    def begin(cls, first: Event, stream: UUID, at: datetime) -> Self:
        """A new stream, whose first event happened `at`."""
        first = first.placed(stream, 1, at)
        begun = cls(first)
        begun._pending.append(first)
        return begun.at(at)

    @classmethod
    def project(cls, held: Self | None, events: Iterable[Any]) -> Self | None:
        """The aggregate after these events; `held`: as it was before them, None at the beginning.

        Raises what is in SENSELESS, if somebody altered them.
        """
        for event in events:
            if held is None:
                held = cls(event)
            else:
                held.advance(event)
        return held

    def at(self, moment: datetime, *, late: bool = False) -> Self:
        """Hands in when the next events happened."""
        return self.join(Act(moment, late=late))

    def join(self, act: Act) -> Self:
        """The next events are part of this act."""
        self._act = act
        return self

    @property
    def happens_at(self) -> datetime:
        """When the act happens that is being decided."""
        assert self._act is not None, "no moment was handed in with at() or join()"
        return self._act.moment

    def record(self, event: Event) -> None:
        """States an event of the act it takes part in. Refuses: BadValue, if time ran backwards."""
        act = self._act
        assert act is not None, "no moment was handed in with at() or join()"
        moment = act.moment if self.MANY_CLOCKS else act.moment_behind(self.modified_on)
        placed = event.placed(self.id, self.version + 1, moment, **self.own_name)
        self.advance(placed)
        self._pending.append(placed)
        act.events.append(placed)

    @property
    def pending_events(self) -> list[Event]:
        """What was recorded since it was last saved."""
        return self._pending

    def collect_events(self) -> list[Event]:
        """What is to be saved; from now on nothing is."""
        collected, self._pending = self._pending, []
        return collected

    def __eq__(self, other: object) -> bool:
        """The same events, whenever they were loaded."""
        if not isinstance(other, Aggregate):
            return NotImplemented
        return type(self) is type(other) and self._lasting() == other._lasting()

    def _lasting(self) -> dict[str, Any]:
        passing = ("_act", "_pending")
        return {name: value for name, value in vars(self).items() if name not in passing}
