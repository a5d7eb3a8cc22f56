"""An example of every event: as it was stored the first time, in `golden/events`.

`python -m tests.worlds.stored_events` writes what a new event has there, made of its fields' types
and of what fields of that name have in other events; and its kind into the schema.
"""

import json
import re
import sys
from collections import defaultdict
from contextlib import suppress
from datetime import datetime
from types import NoneType, UnionType
from typing import Annotated, Union, get_args, get_origin
from uuid import UUID

import msgspec
from eventsourcing.persistence import StoredEvent
from msgspec.structs import fields

from domain.events import STREAMS, events_of
from ops.ledger.mapper import COMMON, EventMapper
from ops.ledger.schema import VERSIONS, released
from tests import ROOT

GOLDEN = ROOT / "tests" / "golden" / "events"
KINDS = {topic: kind for noun in STREAMS for topic, kind in events_of(noun).items()}
STREAM = UUID("01a1fb67-1800-81b4-a602-de52bd4bd866")
MOMENT = datetime.fromisoformat("2026-11-21T20:14:07.120000+01:00")
MAPPER = EventMapper()
_UNKNOWN = {str: "text", int: 17, bool: True}
_KIND = re.compile(r"^    \('([^']+)'\)", re.MULTILINE)


def file_of(topic):
    """The file of the newest version of an event."""
    version = KINDS[topic].VERSION
    return GOLDEN / (f"{topic}.json" if version == 1 else f"{topic}.v{version}.json")


def stored(topic):
    """The fields of the newest version, as they were stored the first time."""
    return json.loads(file_of(topic).read_bytes())


def read(topic, file):
    """The event that is stored in a file."""
    return MAPPER.to_domain_event(StoredEvent(STREAM, 1, topic, file.read_bytes()))


def written(event):
    """How an event is stored now."""
    return json.loads(MAPPER.to_stored_event(event).state)


def made(topic):
    """An event of a topic with every field that it declares."""
    kind = KINDS[topic]
    own = [each for each in fields(kind) if each.name not in COMMON]
    values = {each.name: _value(each.name, each.type) for each in own}
    return kind(**values).placed(STREAM, 1, MOMENT)


def _value(name, annotation):
    """What a field of the name has in some event, or what its type alone makes of it."""
    for value in _known()[name]:
        with suppress(msgspec.ValidationError):
            return msgspec.convert(value, annotation)
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _value(name, inner[0])
    if origin in (UnionType, Union):
        return _value(name, next(each for each in inner if each is not NoneType))
    if origin is list:
        return [_value(name, inner[0])]
    if origin is dict:
        return {"text": _value(name, inner[1])}
    return _UNKNOWN[annotation]


def _known(cached=defaultdict(list)):  # noqa: B006
    """What fields of each name have in the events that are stored."""
    for file in () if cached else sorted(GOLDEN.iterdir()):
        for name, value in json.loads(file.read_bytes()).items():
            cached[name] += [] if value in (None, "", []) else [value]
    return cached


def listed(file):
    """The kinds of events that a file of the schema lists."""
    return set(_KIND.findall(file.read_text()))


def list_kinds():
    """Lists new kinds of events in the newest version of the schema."""
    *before, newest = sorted(VERSIONS.glob("*/*_event_kinds.sql"))
    kinds = KINDS.keys() - set().union(*map(listed, before))
    if kinds == listed(newest):
        return
    if newest.parent.name in released():
        sys.exit(
            "A new kind of event is listed by a new version of the schema. Make its directory in "
            f"{VERSIONS.relative_to(ROOT)}, with a copy of {newest.name}, and run this again."
        )
    head = newest.read_text().partition("    ('")[0]
    rows = ",\n".join(f"    ('{topic}')" for topic in sorted(kinds))
    newest.write_text(f"{head}{rows};\n")


if __name__ == "__main__":
    for each in KINDS:
        if not file_of(each).exists():
            text = json.dumps(written(made(each)), indent=2, ensure_ascii=False)
            file_of(each).write_text(text + "\n")
    list_kinds()
