"""Turns the domain's events into their stored JSON, and back: plain fields under their names.

The moment is stored as `at`. Nothing else comes from the library, so that anybody can read the
JSON, and no value from outside can be mistaken for a type.
"""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.persistence import Mapper, StoredEvent

from domain.events import events_of
from domain.events.alert import Acknowledged
from domain.events.base import Event, event_name
from domain.events.staff_member import ActRefused
from domain.rules.inquiries import is_noted, is_secret
from domain.rules.wording import plain
from ops.ledger.chain import Fields, Recorded
from ops.ledger.database import NotFit

COMMON = Event.__struct_fields__  # what every event has; its own fields come after them


class UnknownEvent(NotFit):
    """The ledger has the event {topic}, which this Sabot does not know: a newer one recorded it. Upgrade this program."""  # noqa: E501

    def __init__(self, topic: str) -> None:
        super().__init__((type(self).__doc__ or "").format(topic=topic))
        self.topic = topic


@cache
def kind_of(topic: str) -> type[Event]:
    """The class of the events under a topic. Raises UnknownEvent."""
    kind = events_of(topic.partition(".")[0]).get(topic)
    if kind is None:
        raise UnknownEvent(topic)
    return kind


def fields_of(event: Event) -> Fields:
    """An event's own fields, in the order in which it declares them, as they are stored."""
    fields = {name: getattr(event, name) for name in event.__struct_fields__[len(COMMON) :]}
    for name in event.LEFT_OUT:
        if fields[name] is False or fields[name] in (None, "", []):
            del fields[name]
    return fields


def as_answer(event: Event) -> Fields:
    """An event as it is in an answer: its name, then its fields."""
    return {"type": event_name(event.TOPIC, first=event.FIRST), **fields_of(event)}


def answered(events: Iterable[Event]) -> list[Fields]:
    """A command's events as its answer has them, which is read at a table: without a suspicion."""
    return [as_answer(each) for each in events if not is_noted(each.TOPIC)]


def is_secret_event(recorded: Recorded) -> bool:
    """Whether only surveillance and auditors may learn of an event, or of what it is about."""
    fields: Fields = {}
    if recorded.topic in (Acknowledged.TOPIC, ActRefused.TOPIC):
        with suppress(msgspec.DecodeError):  # somebody altered it
            fields = msgspec.json.decode(recorded.state)
    return is_secret(recorded.topic, fields.get("kind", ""), fields.get("command", ""))


def decoded(topic: str, stored: bytes | str) -> tuple[type[Event], Fields]:
    """An event's class, and its fields as its newest version has them. Raises UnknownEvent."""
    kind = kind_of(topic)
    fields: Fields = msgspec.json.decode(stored)
    version = fields.pop("class_version", 1)
    if version > kind.VERSION:
        raise UnknownEvent(f"{topic}, version {version}")
    for older in range(version, kind.VERSION):
        getattr(kind, f"upcast_v{older}_v{older + 1}")(fields)
    return kind, fields


def event_of(stored: StoredEvent | Recorded) -> Event:
    """The event, with its place in its stream. Raises UnknownEvent, or one of SENSELESS."""
    kind, fields = decoded(stored.topic, stored.state)
    fields["timestamp"] = datetime.fromisoformat(fields.pop("at"))
    fields["originator_id"] = stored.originator_id
    fields["originator_version"] = stored.originator_version
    if not fields.keys() >= set(kind.NAMED_BY):
        raise ValueError(f"it lacks one of the fields {', '.join(kind.NAMED_BY)}")
    return msgspec.convert(fields, kind)


class EventMapper(Mapper[UUID]):
    """Stores an event as `{"at": …, fields}`; reads it back, older versions in the newest form."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Takes the library's transcoder, cipher and compressor, and uses none of them."""

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """The event, ready to be appended."""
        event: Event = domain_event
        version = {"class_version": event.VERSION} if event.VERSION > 1 else {}
        fields = {"at": event.timestamp.isoformat(), **version, **fields_of(event)}
        return StoredEvent(
            originator_id=event.originator_id,
            originator_version=event.originator_version,
            topic=event.TOPIC,
            state=msgspec.json.encode(fields, enc_hook=plain),
        )

    def to_domain_event(self, stored_event: StoredEvent) -> Event:
        """The domain's event."""
        return event_of(stored_event)
