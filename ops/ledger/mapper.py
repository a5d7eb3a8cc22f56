"""Between the domain's facts and their stored JSON: plain fields under the floor's names.

The moment stands in it as `at`. Nothing else of the library does, so that a stranger can read
it, and no value from outside can be mistaken for a type.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.domain import CanInitAggregate, DomainEventProtocol
from eventsourcing.persistence import Mapper, StoredEvent
from eventsourcing.utils import get_topic, resolve_topic

_LIBRARY_FIELDS = ("originator_id", "originator_version", "timestamp", "originator_topic")


def told(event: Any) -> dict[str, Any]:
    """A fact's own fields, in the order in which it declares them."""
    return {name: value for name, value in vars(event).items() if name not in _LIBRARY_FIELDS}


class FactMapper(Mapper[UUID]):
    """Stores `{"at": …, fields}`; reads it back, upcasting older versions of a fact."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Needs no transcoder, no cipher and no compressor: it is one."""

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        """The fact, ready to be appended."""
        kind: Any = type(domain_event)
        state: dict[str, Any] = {"at": domain_event.timestamp.isoformat()}  # type: ignore[attr-defined]
        if getattr(kind, "class_version", 1) > 1:
            state["class_version"] = kind.class_version
        return StoredEvent(
            originator_id=domain_event.originator_id,
            originator_version=domain_event.originator_version,
            topic=get_topic(kind),
            state=msgspec.json.encode(state | told(domain_event)),
        )

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        """The fact as the domain knows it."""
        kind: Any = resolve_topic(stored_event.topic)
        state: dict[str, Any] = msgspec.json.decode(stored_event.state)
        for version in range(state.pop("class_version", 1), getattr(kind, "class_version", 1)):
            getattr(kind, f"upcast_v{version}_v{version + 1}")(state)
        state["timestamp"] = datetime.fromisoformat(state.pop("at"))
        state["originator_id"] = stored_event.originator_id
        state["originator_version"] = stored_event.originator_version
        if issubclass(kind, CanInitAggregate):
            state["originator_topic"] = stored_event.topic.partition(".")[0]
        event = object.__new__(kind)
        event.__dict__.update(state)
        return event  # type: ignore[no-any-return]
