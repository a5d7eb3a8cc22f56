"""The base of every event: its stream, its place there, and its moment.

>>> from datetime import UTC, datetime
>>> event_name("shoe.loaded", first=True), event_name("shoe.card-drawn")
('ShoeLoaded', 'CardDrawn')
"""

from datetime import UTC, datetime
from typing import Any, ClassVar, Self, dataclass_transform
from uuid import UUID

from msgspec import Struct, StructMeta
from msgspec.structs import fields, replace

from domain.rules import addresses

NO_STREAM = UUID(int=0)
NEVER = datetime.min.replace(tzinfo=UTC)
_PLACE = ("originator_id", "originator_version", "timestamp")


class _Declared(StructMeta):
    """Reads `topic` and `first` off a class; all fields are given by their names."""

    def __new__(
        mcs,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        topic: str = "",
        first: bool = False,
        **config: Any,
    ) -> "_Declared":
        if topic:
            namespace |= {"TOPIC": topic, "FIRST": first}
        return super().__new__(mcs, name, bases, namespace, **config | {"kw_only": True})


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Event(Struct, frozen=True, kw_only=True, metaclass=_Declared):
    """Something that happened. `apply` runs again at every replay: no rule, clock, id or I/O in it.

    The aggregate that records an event adds the stream, the place and the moment.
    """

    TOPIC: ClassVar[str]  # its stored name
    VERSION: ClassVar[int] = 1  # of its fields; `upcast_v1_v2(fields)` brings older ones up to date
    FIRST: ClassVar[bool] = False  # whether it begins a stream
    NAMED_BY: ClassVar[tuple[str, ...]] = ()  # the fields that every event of the stream repeats
    LEFT_OUT: ClassVar[frozenset[str]] = frozenset()  # fields not stored while they say nothing

    originator_id: UUID = NO_STREAM
    originator_version: int = 0  # its place in the stream, from 1
    timestamp: datetime = NEVER

    @classmethod
    def added_later(cls) -> frozenset[str]:
        """The fields that events recorded before do not have: those that declare a default."""
        ours = (each for each in fields(cls) if each.name not in (*_PLACE, *cls.NAMED_BY))
        return frozenset(each.name for each in ours if not each.required)

    def apply(self, state: Any) -> None:
        """Changes the state; an event that is only worth knowing changes nothing."""

    def placed(self, stream: UUID, version: int, at: datetime, **own_name: str) -> Self:
        """The same event at its place in a stream."""
        return replace(
            self, originator_id=stream, originator_version=version, timestamp=at, **own_name
        )


class Unreadable(Event):
    """A placeholder for an event that cannot be read any more."""

    topic: str
    why: str


class State:
    """The state of a stream after its events, as later decisions need it."""

    def __init__(self, first: Event) -> None:
        self.own_name = {name: getattr(first, name) for name in first.NAMED_BY}  # in every event
        self.id = first.originator_id
        self.version = first.originator_version
        self.created_on = first.timestamp
        self.modified_on = first.timestamp  # the latest moment of any event

    def advance(self, event: Event) -> None:
        """Applies the next event of the stream. Raises ValueError if it is not the next one."""
        if (event.originator_id, event.originator_version) != (self.id, self.version + 1):
            raise ValueError(f"event {event.originator_version} does not follow {self.version}")
        event.apply(self)
        self.version = event.originator_version
        self.modified_on = max(self.modified_on, event.timestamp)  # one may be entered late


class OfStay(Event):
    """About one stay: a patron's time at one table."""

    NAMED_BY = ("stay", "patron")
    stay: str = ""
    patron: str = ""


class OpenedForStay(OfStay):
    """The first event of a stay's account."""

    table_day: str
    currency: str


class StateOfStay(State):
    """The state of a stay's account: whose it is, and at which table."""

    def __init__(self, opened: OpenedForStay) -> None:
        super().__init__(opened)
        self.table_day = addresses.TableDay.parse(opened.table_day)
        self.stay = opened.stay
        self.patron = opened.patron
        self.currency = opened.currency


def event_name(topic: str, *, first: bool = False) -> str:
    """The name of an event: `CardDrawn`; a stream's first one also names its noun: `ShoeLoaded`."""
    words = topic if first else topic.partition(".")[2]
    return "".join(word.capitalize() for word in words.replace(".", "-").split("-"))
