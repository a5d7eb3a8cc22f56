"""The base of every aggregate: time is handed in, and events are placed in their stream."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, ClassVar, Self
from uuid import UUID

from msgspec import Struct, field

from domain.events.base import Event, State, StateOfStay
from domain.rules import addresses
from domain.rules.refusals import BadValue
from domain.rules.wording import Moment, Words


class Act(Struct):
    """One command's moment and all of its events, over all streams, in order."""

    moment: datetime
    stated: bool = True  # whether somebody gave the moment; otherwise it is now
    late: bool = False
    events: list[Event] = field(default_factory=list)

    def moment_after(self, newest: datetime) -> datetime:
        """The moment of a stream's next event, not before its `newest` one. Refuses: BadValue."""
        if self.moment >= newest or self.late:
            return self.moment
        if not self.stated:
            self.moment = newest  # so that this act's further events are not before it either
            return newest
        raise BadValue(
            message=Words(
                "{at} is before the newest entry, of {newest}. To enter what happened before, add "
                "`late`.",
                at=Moment(self.moment),
                newest=Moment(newest),
            )
        )


class Aggregate(State):  # noqa: PLW1641  (mutable, so not hashable)
    """A consistency boundary. Its methods decide: they refuse, or record an event."""

    # Whether moments may run backwards, because several tables meet here, each with its own clock.
    MANY_CLOCKS: ClassVar[bool] = False

    def __init__(self, first: Event) -> None:
        super().__init__(first)
        self._act: Act | None = None
        self._pending: list[Event] = []

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table of its events; None and '' for those of the house."""
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
        """The aggregate after these events; `held`: before them, None at the beginning.

        Raises the errors in SENSELESS if somebody altered the events.
        """
        for event in events:
            if held is None:
                held = cls(event)
            else:
                held.advance(event)
        return held

    def at(self, moment: datetime, *, late: bool = False) -> Self:
        """Sets the moment of the next events."""
        return self.join(Act(moment, late=late))

    def join(self, act: Act) -> Self:
        """Makes the next events part of an act."""
        self._act = act
        return self

    @property
    def happens_at(self) -> datetime:
        """The moment of the act that is being decided."""
        assert self._act is not None, "no moment was handed in with at() or join()"
        return self._act.moment

    @property
    def entered_late(self) -> bool:
        """Whether the act that is being decided happened earlier and is entered only now."""
        return self._act is not None and self._act.late

    def record(self, event: Event) -> None:
        """Adds an event to the act and to the stream. Refuses a moment too early: BadValue."""
        act = self._act
        assert act is not None, "no moment was handed in with at() or join()"
        moment = act.moment if self.MANY_CLOCKS else act.moment_after(self.modified_on)
        placed = event.placed(self.id, self.version + 1, moment, **self.own_name)
        self.advance(placed)
        self._pending.append(placed)
        act.events.append(placed)

    @property
    def pending_events(self) -> list[Event]:
        """The events recorded since the last save."""
        return self._pending

    def collect_events(self) -> list[Event]:
        """Hands over the events to save, and has none afterwards."""
        collected, self._pending = self._pending, []
        return collected

    def __eq__(self, other: object) -> bool:
        """Whether both have the same events, whenever they were loaded."""
        if not isinstance(other, Aggregate):
            return NotImplemented
        return type(self) is type(other) and self._state() == other._state()

    def _state(self) -> dict[str, Any]:
        temporary = ("_act", "_pending")
        return {name: value for name, value in vars(self).items() if name not in temporary}


class OfTableDay(Aggregate):
    """An aggregate whose events belong to one table on one gaming day."""

    table_day: addresses.TableDay

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that the events belong to."""
        return self.table_day.day, self.table_day.table


class OfDay(Aggregate):
    """An aggregate whose events belong to one gaming day, over all tables."""

    MANY_CLOCKS = True
    day: str

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day, and no table."""
        return date.fromisoformat(self.day), ""


class AccountOfStay(OfTableDay, StateOfStay):
    """An account of one stay at one table."""

    NOUN: ClassVar[str]  # the first words of its topics

    @classmethod
    def stream(cls, stay: str) -> UUID:
        """The stream of a stay's account."""
        return addresses.stream_id(cls.NOUN, stay, addresses.day_of_stay(stay).day)
