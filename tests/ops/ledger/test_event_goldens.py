"""Every event as it was stored the first time: what was written once is read for ever.

One file an event and version in `tests/golden/events/`; a new one is written by
`python -m tests.ops.ledger.test_event_goldens`, which never touches those that are there.
"""

import json
import pkgutil
import re
from datetime import datetime
from importlib import import_module
from types import NoneType, UnionType
from typing import Annotated, get_args, get_origin
from uuid import UUID

import pytest
from eventsourcing.persistence import StoredEvent
from msgspec import Meta, convert
from msgspec.structs import fields

import domain.events
from domain.events import STREAMS, events_of, modules_of
from domain.events.base import Event, event_name
from ops.commands.schema import _event
from ops.ledger.mapper import COMMON, EventMapper, fields_of
from ops.ledger.strict import whole
from tests import ROOT
from tests.ops.ledger.examples import EXAMPLES

GOLDEN = ROOT / "tests" / "golden" / "events"
STREAM = UUID("01a1fb67-1800-81b4-a602-de52bd4bd866")
MOMENT = datetime.fromisoformat("2026-11-21T20:14:07.120000+01:00")
MAPPER = EventMapper()

EVENTS = {topic: kind for noun in STREAMS for topic, kind in events_of(noun).items()}


def _example(topic):
    return EVENTS[topic](**EXAMPLES[topic]).placed(STREAM, 1, MOMENT)


def _written(topic):
    state = json.loads(MAPPER.to_stored_event(_example(topic)).state)
    return json.dumps(state, indent=2, ensure_ascii=False) + "\n"


def _file(topic):
    version = EVENTS[topic].VERSION
    return GOLDEN / (f"{topic}.json" if version == 1 else f"{topic}.v{version}.json")


def test_an_event_is_stored_as_it_was_the_first_time():
    """A field that was added later is in no file that was written before it."""
    for topic, kind in EVENTS.items():
        before, now = json.loads(_file(topic).read_text()), json.loads(_written(topic))
        later = kind.added_later() - before.keys()

        assert list(before.items()) == [each for each in now.items() if each[0] not in later], topic


class _Grown(Event, topic="shoe.cut"):
    """The event `Cut` of a later version."""

    shoe: str = ""
    cut_by: str
    cut_card: int
    plastic: Annotated[str, Meta(description="the colour of the cut card")] = ""

    NAMED_BY = ("shoe",)


def test_a_field_that_is_declared_is_read_written_and_described():
    older = json.loads((GOLDEN / "shoe.cut.json").read_text())
    made = _event("shoe.cut", _Grown)

    assert _Grown.added_later() == {"plastic"}
    assert convert({**older, "plastic": "red"}, _Grown).plastic == "red"
    assert convert(older, _Grown).plastic == ""
    assert made["required"] == ["shoe", "cut_by", "cut_card"]
    assert made["properties"]["plastic"]["description"] == "The colour of the cut card."


def test_an_audit_reads_an_event_that_lacks_a_field_that_was_added_later(monkeypatch):
    """And one with a field that a newer program added."""
    for module in ("mapper", "strict"):
        monkeypatch.setattr(f"ops.ledger.{module}.kind_of", lambda topic: _Grown)
    older = json.loads((GOLDEN / "shoe.cut.json").read_text())
    newer = {**older, "plastic": "red", "by_laser": True}

    assert "" == whole("shoe.cut", json.dumps(older).encode()).plastic
    assert "red" == whole("shoe.cut", json.dumps(newer).encode()).plastic


def test_every_version_of_an_event_is_read_back():
    for file in GOLDEN.iterdir():
        topic = re.sub(r"\.v\d+$", "", file.stem)
        read = MAPPER.to_domain_event(StoredEvent(STREAM, 1, topic, file.read_bytes()))
        expected = _example(topic)

        assert type(expected) is type(read), file.stem
        assert fields_of(expected).keys() == fields_of(read).keys(), file.stem
        if file == _file(topic):
            assert expected == read


def test_every_event_has_its_golden_file_and_none_is_left_over():
    expected = {topic: kind.VERSION for topic, kind in EVENTS.items()}
    actual = {}
    for file in GOLDEN.iterdir():
        topic, _, version = re.sub(r"\.v(\d+)$", r" \1", file.stem).partition(" ")
        actual[topic] = max(actual.get(topic, 0), int(version or 1))

    assert expected == actual


def test_every_event_has_an_example_and_no_example_is_left_over():
    assert EVENTS.keys() == EXAMPLES.keys()


def test_an_event_declares_its_topic_and_is_named_after_it():
    for topic, kind in EVENTS.items():
        module = kind.__module__.removeprefix("domain.events.")

        assert topic == vars(kind)["TOPIC"]
        assert kind.__name__ == event_name(topic)
        assert module in modules_of(topic.partition(".")[0]), topic


@pytest.mark.parametrize("noun", STREAMS)
def test_a_stream_begins_with_one_event(noun):
    assert 1 == sum(kind.FIRST for kind in events_of(noun).values())


def test_no_event_is_anywhere_else_and_no_two_share_a_topic():
    modules = {each.name for each in pkgutil.iter_modules(domain.events.__path__)} - {"base"}
    stated = [
        each.TOPIC
        for module in modules
        for each in vars(import_module(f"domain.events.{module}")).values()
        if isinstance(each, type) and issubclass(each, Event) and "TOPIC" in vars(each)
    ]

    assert modules == {module for noun in STREAMS for module in modules_of(noun)}
    assert sorted(stated) == sorted(EVENTS)
    assert events_of("os") == {}


def test_an_event_carries_plain_fields():
    for topic, kind in EVENTS.items():
        own = [field for field in fields(kind) if field.name not in COMMON]
        unplain = {field.name: field.type for field in own if not _plain(field.type)}
        later = kind.added_later() - EXAMPLES[topic].keys()

        assert not unplain, topic
        assert [each.name for each in own if each.name not in later] == list(EXAMPLES[topic]), topic


def _plain(annotation):
    if isinstance(annotation, UnionType):
        return all(each is NoneType or _plain(each) for each in get_args(annotation))
    if get_origin(annotation) is Annotated:
        return _plain(get_args(annotation)[0])
    if get_origin(annotation) in (list, dict):
        return all(map(_plain, get_args(annotation)))
    return annotation in (str, int, bool)


if __name__ == "__main__":
    for each in EVENTS:
        if not _file(each).exists():
            _file(each).write_text(_written(each))
