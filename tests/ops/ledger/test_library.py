"""The library's habits: those we rely on, and those that bite and are kept away from."""

import json
import pkgutil
from datetime import UTC, date, datetime
from enum import StrEnum
from importlib import import_module

import pytest
from eventsourcing.persistence import ProgrammingError, StoredEvent

import domain.aggregates
from domain.aggregates.base import Aggregate
from domain.aggregates.property import PROPERTY_STREAM
from domain.aggregates.table import Table
from domain.events import STREAMS, coup, dispute, events_of
from domain.events.base import Event
from domain.review.adjudication import Adjudication
from domain.rules import house_rules
from domain.rules.addresses import stream_id
from domain.rules.refusals import SENSELESS
from ops.commands.casino import Casino
from ops.ledger.appending import Decision, NotAppended
from ops.ledger.mapper import EventMapper, UnknownEvent, fields_of
from ops.ledger.recorder import Ledger
from ops.ledger.strict import whole
from tests.scenario import alter
from tests.worlds.gaming_table import BEGINS, DAY, GamingTable, evening

EVENTS = {topic: kind for noun in STREAMS for topic, kind in events_of(noun).items()}
MAPPER = EventMapper()


def _leaves(kind):
    """The classes under this one that none is under."""
    below = kind.__subclasses__()
    return [leaf for each in below for leaf in _leaves(each)] if below else [kind]


BEGUN_IN = {event.__module__ for event in EVENTS.values() if event.FIRST}


def _aggregates():
    """By the module in which the first event of their streams is."""
    for module in pkgutil.iter_modules(domain.aggregates.__path__, "domain.aggregates."):
        import_module(module.name)
    return {
        each.__module__: kind
        for kind in _leaves(Aggregate)
        for each in kind.__mro__
        if each.__module__ in BEGUN_IN
    }


AGGREGATES = _aggregates()


def save(casino, *aggregates, command_id):
    places = {aggregate.id: (date(2026, 11, 21), "B01") for aggregate in aggregates}
    decision = Decision(command_id, bytes(32), "{}", "D-204", "{}", places=places)
    return casino.save(*aggregates, decision=decision)


def counted(superuser):
    return superuser.execute("SELECT count(*) FROM ledger.events").fetchone()[0]


def test_an_aggregate_whose_save_failed_cannot_be_saved_again_so_it_is_dropped(casino, superuser):
    """The library has collected the events by then; ours forgets whatever it held."""
    save(casino, Table.place("B01", BEGINS), command_id="first")
    again = Table.place("B01", BEGINS)
    with pytest.raises(NotAppended):
        save(casino, again, command_id="second")
    save(casino, again, command_id="third")

    assert counted(superuser) == 1


def test_after_a_failed_save_no_aggregate_is_held(dispatcher, superuser, monkeypatch):
    pit = GamingTable(dispatcher).open().prepare()
    casino = dispatcher.casino
    with monkeypatch.context() as patched:
        patched.setattr(casino.ledger, "append", lambda *_: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            pit.bet(3, "banker", 100_00)
    before = counted(superuser)

    assert casino._held == casino._used == {}
    assert pit.bet(3, "banker", 100_00).body["position"] == before + 3


def test_every_stream_has_an_aggregate_that_decides_about_it():
    assert Adjudication in AGGREGATES.values()
    assert AGGREGATES.keys() == BEGUN_IN


def test_topics_are_stored_and_not_python_paths(dispatcher, superuser):
    evening(dispatcher)
    stored = {row[0] for row in superuser.execute("SELECT DISTINCT topic FROM ledger.events")}

    assert len(stored) > 30
    assert stored <= EVENTS.keys()


@pytest.mark.parametrize(
    "odd",
    [
        {"_type_": "uuid_hex", "_data_": "00"},
        {"_type_": "tuple_as_list", "_data_": None},
        {"_data_": "x", "_type_": "no such transcoding", "more": 1},
    ],
)
def test_no_value_from_outside_is_mistaken_for_a_type(odd):
    noted = dispute.Noted(text="", evidence=[odd], what_if=[], by="")
    again = MAPPER.to_domain_event(MAPPER.to_stored_event(noted))

    assert again == noted


def test_fields_are_read_back_with_their_declared_types():
    placed = Table.place("B01", BEGINS).pending_events[0]
    alter(placed, table=StrEnum("Pit", "NORTH").NORTH)
    stored = MAPPER.to_stored_event(placed)
    alter(placed, table=("B01",))

    assert type(MAPPER.to_domain_event(stored).table) is str
    with pytest.raises(ValueError, match="Expected `str`, got `array`"):
        MAPPER.to_domain_event(MAPPER.to_stored_event(placed))


def test_a_stored_event_has_its_moment_and_its_fields_only():
    stored = MAPPER.to_stored_event(Table.place("B01", BEGINS).pending_events[0])

    assert stored.topic == "table.placed"
    assert json.loads(stored.state) == {"at": "2026-11-21T20:00:00+00:00", "table": "B01"}


def test_every_event_of_an_evening_is_read_back_unchanged(dispatcher, superuser):
    evening(dispatcher)
    rows = superuser.execute(
        "SELECT originator_id, originator_version, topic, state FROM ledger.events", binary=True
    )
    for row in rows:
        stored = StoredEvent(*row)
        event = MAPPER.to_domain_event(stored)

        assert stored == MAPPER.to_stored_event(event)
        assert json.loads(stored.state).keys() == {"at"} | fields_of(event).keys()


def streams(casino):
    """Every aggregate, as the library reads it back."""
    with casino.ledger.connection() as connection:
        found = connection.execute("SELECT DISTINCT originator_id, topic FROM ledger.events")
        kinds = {
            stream: AGGREGATES[EVENTS[topic].__module__]
            for stream, topic in found.fetchall()
            if EVENTS[topic].FIRST
        }
    return {
        stream: casino.repository.get(stream, projector_func=kind.project)
        for stream, kind in kinds.items()
    }


def test_yesterday_s_events_are_read_back_whatever_the_rules_are_today(
    dispatcher, casino, monkeypatch
):
    """Rules in what an event does would run again; here no rule set is known any more."""
    evening(dispatcher)
    before = streams(casino)
    monkeypatch.setattr(house_rules, "RULE_SETS", {})

    assert len(before) > 20
    assert before == streams(casino)


def test_only_a_casino_holds_aggregates_between_commands(casino):
    assert casino.repository.cache is None


@pytest.mark.parametrize("fastforward", ["y", "n"])
def test_the_environment_does_not_bring_the_librarys_cache_back(database, monkeypatch, fastforward):
    monkeypatch.setenv("AGGREGATE_CACHE_MAXSIZE", "100")
    monkeypatch.setenv("AGGREGATE_CACHE_FASTFORWARD", fastforward)
    casino = Casino(Ledger(database))

    assert casino.repository.cache is None


def test_the_library_s_own_features_are_refused(casino):
    recorder = casino.recorder
    for call in (
        lambda: recorder.subscribe(gt=0),
        lambda: recorder.select_notifications(1, 10),
        recorder.max_notification_id,
        lambda: casino.factory.aggregate_recorder("snapshots"),
        casino.factory.tracking_recorder,
        casino.factory.process_recorder,
    ):
        with pytest.raises(ProgrammingError):
            call()


def test_a_stream_is_read_in_pieces_and_backwards_too(dispatcher):
    GamingTable(dispatcher).open()
    stream = stream_id("table-day", f"B01/{DAY}", date.fromisoformat(DAY))
    select = dispatcher.casino.recorder.select_events
    versions = [each.originator_version for each in select(stream)]

    assert versions == [1, 2, 3, 4]
    assert [e.originator_version for e in select(stream, gt=1, lte=3)] == [2, 3]
    assert [e.originator_version for e in select(stream, desc=True, limit=1)] == [4]
    assert list(select(PROPERTY_STREAM, gt=1)) == []


@pytest.mark.parametrize("name", ["coup", "at", "n"])
def test_an_event_that_lacks_a_field_is_not_read(name):
    dealt = coup.CardDealt(
        n=1, card="9C", hand="player", rule="R-DEAL-1", face_down=False, carried=False
    ).placed(PROPERTY_STREAM, 2, BEGINS)
    fields = {"coup": "B01/2026-11-21/1/1", **json.loads(MAPPER.to_stored_event(dealt).state)}
    del fields[name]
    stored = StoredEvent(PROPERTY_STREAM, 2, dealt.TOPIC, json.dumps(fields).encode())

    with pytest.raises(SENSELESS):
        MAPPER.to_domain_event(stored)


class Welcomed(Event, topic="property.welcomed"):
    """An event of a second version, as there may be one some day."""

    VERSION = 2
    guest: str
    helpline: str

    @staticmethod
    def upcast_v1_v2(fields):
        fields["helpline"] = "none was given"


def test_an_older_version_of_an_event_is_brought_up_to_date_as_it_is_read(monkeypatch):
    monkeypatch.setitem(events_of("property"), Welcomed.TOPIC, Welcomed)
    moment = datetime(2026, 11, 21, tzinfo=UTC)
    event = Welcomed(guest="P-1", helpline="12").placed(PROPERTY_STREAM, 1, moment)
    stored = MAPPER.to_stored_event(event)
    old = StoredEvent(
        PROPERTY_STREAM, 1, stored.topic, b'{"at":"2026-11-21T00:00:00+00:00","guest":"P-1"}'
    )
    newer = StoredEvent(
        PROPERTY_STREAM, 1, stored.topic, stored.state.replace(b'version":2', b'version":3')
    )

    assert json.loads(stored.state)["class_version"] == 2
    assert MAPPER.to_domain_event(stored) == whole_event(stored) == event
    assert MAPPER.to_domain_event(old).helpline == "none was given" == whole_event(old).helpline
    for read in (MAPPER.to_domain_event, whole_event):
        with pytest.raises(UnknownEvent, match=r"property\.welcomed, version 3"):
            read(newer)


def whole_event(stored):
    """As those read it who trust nobody."""
    event = whole(stored.topic, stored.state)
    return event.placed(stored.originator_id, stored.originator_version, event.timestamp)
