"""Every event as it was stored the first time: what was written once is read for ever.

One file an event and version in `tests/golden/events/`; a new one is written by
`python -m tests.worlds.stored_events`, which never touches those that are there.
"""

import json
import pkgutil
import re
from importlib import import_module
from types import NoneType, UnionType
from typing import Annotated, get_args, get_origin

import pytest
from msgspec import Meta, convert
from msgspec.structs import fields

import domain.events
from domain.events import STREAMS, events_of, modules_of
from domain.events.base import Event, event_name
from ops.commands.schema import _event
from ops.ledger.mapper import COMMON, fields_of
from ops.ledger.strict import whole
from tests.worlds.stored_events import (
    GOLDEN,
    KINDS,
    MAPPER,
    file_of,
    made,
    read,
    stored,
    written,
)

NEW = "`.venv/bin/python -m tests.worlds.stored_events` writes the file of a new event"


def test_every_event_has_its_golden_file_and_none_is_left_over():
    expected = {topic: kind.VERSION for topic, kind in KINDS.items()}
    actual = {}
    for file in GOLDEN.iterdir():
        topic, _, version = re.sub(r"\.v(\d+)$", r" \1", file.stem).partition(" ")
        actual[topic] = max(actual.get(topic, 0), int(version or 1))

    assert expected == actual, NEW


def test_an_event_is_stored_as_it_was_the_first_time():
    """A field that was added later is in no file that was written before it."""
    for topic, kind in KINDS.items():
        before, now = stored(topic), written(read(topic, file_of(topic)))
        later = kind.added_later() - before.keys()

        assert list(before.items()) == [each for each in now.items() if each[0] not in later], topic


@pytest.mark.parametrize("topic", KINDS)
def test_an_event_is_read_as_it_was_written_with_every_field(topic):
    event = made(topic)

    assert set(fields_of(event)) == {each.name for each in fields(type(event))} - {*COMMON}
    assert MAPPER.to_domain_event(MAPPER.to_stored_event(event)) == event


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
        found, newest = read(topic, file), read(topic, file_of(topic))

        assert type(found) is KINDS[topic], file.stem
        assert fields_of(found).keys() == fields_of(newest).keys(), file.stem


def test_an_event_declares_its_topic_and_is_named_after_it():
    for topic, kind in KINDS.items():
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
    assert sorted(stated) == sorted(KINDS)
    assert events_of("os") == {}


def test_an_event_carries_plain_fields():
    for topic, kind in KINDS.items():
        own = [field for field in fields(kind) if field.name not in COMMON]

        assert {field.name: field.type for field in own if not _plain(field.type)} == {}, topic


def _plain(annotation):
    if isinstance(annotation, UnionType):
        return all(each is NoneType or _plain(each) for each in get_args(annotation))
    if get_origin(annotation) is Annotated:
        return _plain(get_args(annotation)[0])
    if get_origin(annotation) in (list, dict):
        return all(map(_plain, get_args(annotation)))
    return annotation in (str, int, bool)
