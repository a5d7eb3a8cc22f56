"""The library's habits: those we rely on, and those that bite and are kept away from."""

import dataclasses
import json
import types
import typing
from datetime import UTC, date, datetime
from enum import StrEnum
from importlib import import_module

import pytest
from eventsourcing.domain import CanMutateAggregate, CommandMethodDecorator
from eventsourcing.persistence import ProgrammingError, StoredEvent
from eventsourcing.utils import get_topic, resolve_topic

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.table import Table
from domain.rules import house_rules
from domain.rules.addresses import stream_id
from ops.commands.casino import Casino, replay
from ops.ledger.mapper import HOMES, FactMapper, told
from ops.ledger.recorder import Decision, Ledger, NotAppended
from tests.projections import BANKER_WINS, BEGINS, DAY, Pit, evening

AGGREGATES = [getattr(import_module(module), name) for module, name in HOMES.values()]
FACTS = [
    fact
    for kind in AGGREGATES
    for name, fact in vars(kind).items()
    if isinstance(fact, type) and issubclass(fact, CanMutateAggregate) and name != "Event"
]
PLAIN = (str, int, bool, type(None))
MAPPER = FactMapper()


def save(casino, *aggregates, command_id):
    places = {aggregate.id: (date(2026, 11, 21), "B01") for aggregate in aggregates}
    decision = Decision(command_id, bytes(32), "{}", "D-204", "{}", places=places)
    return casino.save(*aggregates, decision=decision)


def counted(superuser):
    return superuser.execute("SELECT count(*) FROM ledger.events").fetchone()[0]


def test_what_failed_to_save_is_saved_by_no_second_try_so_it_is_thrown_away(casino, superuser):
    """The library has collected the facts by then; ours forgets whatever it held."""
    save(casino, Table.place("B01", BEGINS), command_id="first")
    again = Table.place("B01", BEGINS)
    with pytest.raises(NotAppended):
        save(casino, again, command_id="second")
    save(casino, again, command_id="third")

    assert counted(superuser) == 1


def test_nothing_is_held_after_a_save_that_failed(dispatcher, superuser, monkeypatch):
    pit = Pit(dispatcher).open().prepare()
    casino = dispatcher.casino
    with monkeypatch.context() as patched:
        patched.setattr(casino.ledger, "append", lambda *_: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            pit.bet(3, "banker", 100_00)
    before = counted(superuser)

    assert casino._held == casino._used == {}
    assert pit.bet(3, "banker", 100_00).body["position"] == before + 3


@pytest.mark.parametrize("kind", AGGREGATES, ids=lambda kind: kind.__name__)
def test_an_aggregate_and_its_facts_say_their_topics_themselves(kind):
    """What does not would be stored under its Python path, and be lost when a file moves."""
    assert vars(kind)["TOPIC"] == get_topic(kind)
    assert kind is resolve_topic(kind.TOPIC)
    assert "Created" in vars(kind)
    for fact in (each for each in FACTS if each in vars(kind).values()):
        themselves = [each for each in fact.__mro__ if each.__qualname__ == fact.__qualname__]

        assert fact.TOPIC in [vars(each).get("TOPIC") for each in themselves]
        assert fact is resolve_topic(fact.TOPIC)
        assert get_topic(fact) == fact.TOPIC
        assert fact.TOPIC.startswith(f"{kind.TOPIC}.")


def test_topics_are_stored_and_not_python_paths(dispatcher, superuser):
    evening(dispatcher)
    stored = {row[0] for row in superuser.execute("SELECT DISTINCT topic FROM ledger.events")}

    assert len(stored) > 30
    assert stored <= {fact.TOPIC for fact in FACTS}


def is_plain(hint):
    inner = typing.get_args(hint)
    if inner and typing.get_origin(hint) in (list, dict, types.UnionType):
        return all(map(is_plain, inner))
    return hint in PLAIN


def test_facts_have_plain_fields_for_others_come_back_as_something_else():
    library = {"originator_id", "originator_version", "timestamp", "originator_topic"}
    odd = {
        f"{fact.__qualname__}.{field.name}"
        for fact in FACTS
        for field in dataclasses.fields(fact)
        if field.name not in library and not is_plain(field.type)
    }
    table = Table.place("B01", BEGINS).pending_events[0]
    vars(table)["table"] = ("B01", StrEnum("Pit", "NORTH").NORTH)
    again = MAPPER.to_domain_event(MAPPER.to_stored_event(table)).table

    assert odd == set()
    assert (again, type(again[1])) == (["B01", "north"], str)


@pytest.mark.parametrize(
    "odd",
    [
        {"_type_": "uuid_hex", "_data_": "00" * 16},
        {"_type_": "tuple_as_list", "_data_": [1, 2]},
        {"_data_": {"_type_": "x"}, "_type_": "no such transcoding", "more": 1},
    ],
)
def test_no_value_from_outside_is_mistaken_for_a_type(odd):
    table = Table.place("B01", BEGINS)
    fact = table.pending_events[0]
    vars(fact)["table"] = odd
    again = MAPPER.to_domain_event(MAPPER.to_stored_event(fact))

    assert again.table == odd
    assert vars(again) == vars(fact)


def test_a_stored_fact_is_its_moment_and_its_fields_and_nothing_of_the_library():
    stored = MAPPER.to_stored_event(Table.place("B01", BEGINS).pending_events[0])

    assert stored.topic == "table.placed"
    assert json.loads(stored.state) == {"at": "2026-11-21T20:00:00+00:00", "table": "B01"}


def test_every_fact_of_an_evening_comes_back_as_it_was_stated(dispatcher, superuser):
    evening(dispatcher)
    rows = superuser.execute(
        "SELECT originator_id, originator_version, topic, state FROM ledger.events", binary=True
    )
    for row in rows:
        stored = StoredEvent(*row)
        fact = MAPPER.to_domain_event(stored)

        assert stored == MAPPER.to_stored_event(fact)
        assert json.loads(stored.state).keys() - {"class_version"} == {"at"} | told(fact).keys()


def streams(casino):
    """Every aggregate, as the library reads it back."""
    with casino.ledger.connection() as connection:
        found = connection.execute("SELECT DISTINCT originator_id FROM ledger.events").fetchall()
    return {stream: casino.repository.get(stream) for (stream,) in found}


def test_our_replay_is_the_librarys_without_its_checks(dispatcher):
    evening(dispatcher)
    casino = dispatcher.casino
    for stream, aggregate in streams(casino).items():
        assert aggregate == casino.repository.get(stream, projector_func=replay)


def test_yesterday_is_read_back_whatever_today_allows(dispatcher, casino, monkeypatch):
    """Rules inside an `@event` body would run again; here no rule set is known any more."""
    evening(dispatcher)
    before = streams(casino)
    monkeypatch.setattr(house_rules, "RULE_SETS", {})

    assert len(before) > 20
    assert before == streams(casino)


def test_what_only_records_is_private():
    named = {
        f"{kind.__name__}.{name}"
        for kind in AGGREGATES
        for name, method in vars(kind).items()
        if isinstance(method, CommandMethodDecorator)
    }

    assert {name for name in named if not name.partition(".")[2].startswith("_")} == set()
    assert len(named) > 25


def test_nothing_is_cached_but_what_a_casino_holds_between_its_own_commands(casino):
    assert casino.repository.cache is None


@pytest.mark.parametrize("fastforward", ["y", "n"])
def test_the_environment_does_not_bring_the_librarys_cache_back(database, monkeypatch, fastforward):
    monkeypatch.setenv("AGGREGATE_CACHE_MAXSIZE", "100")
    monkeypatch.setenv("AGGREGATE_CACHE_FASTFORWARD", fastforward)
    casino = Casino(Ledger(database))

    assert casino.repository.cache is None


def test_what_the_library_would_do_in_its_own_way_is_refused(casino):
    recorder = casino.recorder
    for call in (
        lambda: recorder.subscribe(gt=0),
        lambda: casino.factory.aggregate_recorder("snapshots"),
        casino.factory.tracking_recorder,
        casino.factory.process_recorder,
    ):
        with pytest.raises(ProgrammingError):
            call()


def test_the_librarys_readers_see_every_fact_in_order(dispatcher, superuser):
    Pit(dispatcher).open().prepare().play(BANKER_WINS, (3, "banker", 100_00))
    recorder, last = dispatcher.casino.recorder, counted(superuser)
    found = recorder.select_notifications(1, 1_000)
    some = recorder.select_notifications(3, 2, inclusive_of_start=False)
    until = recorder.select_notifications(None, 1_000, 5, ["table.placed", "table.day-opened"])

    assert list(range(1, last + 1)) == [each.id for each in found]
    assert [each.id for each in some] == [4, 5]
    assert [each.topic for each in until] == ["table.placed", "table.day-opened"]
    assert last == recorder.max_notification_id()


def test_a_streams_facts_come_in_pieces_and_backwards_when_asked(dispatcher):
    Pit(dispatcher).open()
    stream = stream_id("table-day", f"B01/{DAY}", date.fromisoformat(DAY))
    select = dispatcher.casino.recorder.select_events
    versions = [each.originator_version for each in select(stream)]

    assert versions == [1, 2, 3, 4]
    assert [e.originator_version for e in select(stream, gt=1, lte=3)] == [2, 3]
    assert [e.originator_version for e in select(stream, desc=True, limit=1)] == [4]
    assert list(select(PROPERTY_STREAM, gt=1)) == []


def test_an_older_version_of_a_fact_is_brought_up_to_date_as_it_is_read(monkeypatch):
    def upcast(state):
        state["helpline"] = "none was given"

    monkeypatch.setattr(Property.Created, "class_version", 2, raising=False)
    monkeypatch.setattr(Property.Created, "upcast_v1_v2", staticmethod(upcast), raising=False)
    fact = Property.found(datetime(2026, 11, 21, tzinfo=UTC)).pending_events[0]
    stored = MAPPER.to_stored_event(fact)
    state = json.loads(stored.state)
    older = {name: state[name] for name in state if name not in ("class_version", "helpline")}
    old = StoredEvent(stored.originator_id, 1, stored.topic, json.dumps(older).encode())

    assert state["class_version"] == 2
    assert MAPPER.to_domain_event(old).helpline == "none was given"
    assert MAPPER.to_domain_event(stored).helpline == fact.helpline
