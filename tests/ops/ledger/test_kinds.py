"""What the ledger takes from the application's login: listed kinds of events, JSON objects."""

from datetime import date
from uuid import uuid4

import psycopg
import pytest
from eventsourcing.persistence import StoredEvent

from domain.events import STREAMS, events_of
from ops.ledger.appending import Decision
from ops.ledger.database import LedgerLost
from ops.ledger.recorder import Ledger

CLOSED = "coup.betting-closed"


@pytest.fixture
def append(database):
    """Appends one event with these parts; the others are sound."""
    ledger = Ledger(database)

    def append(topic=CLOSED, state=b"{}", metadata="{}", answer="{}"):
        stream = uuid4()
        places = {stream: (date(2026, 11, 21), "B01")}
        decision = Decision(str(stream), bytes(32), answer, "D-204", metadata, places=places)
        ledger.append([StoredEvent(stream, 1, topic, state)], decision)

    yield append
    ledger.close()


def test_the_schema_lists_the_kinds_of_events_that_the_program_has(superuser):
    listed = {topic for (topic,) in superuser.execute("SELECT topic FROM ledger.event_kinds")}

    known = {topic for stream in STREAMS for topic in events_of(stream)}

    assert listed == known, (
        f"{sorted(listed ^ known)}: `.venv/bin/python -m tests.worlds.stored_events` lists every "
        "kind in the newest version of the schema; one that is not listed cannot be recorded"
    )


def test_sound_events_are_taken(append, superuser):
    append()

    assert superuser.execute("SELECT count(*) FROM ledger.events").fetchone() == (1,)


@pytest.mark.parametrize("topic", ["coup.invented", "", "COUP.BETTING-CLOSED", "coup"])
def test_a_kind_that_is_not_listed_is_refused(append, superuser, topic):
    with pytest.raises(psycopg.Error, match="takes no event of the kind"):
        append(topic=topic)

    assert superuser.execute("SELECT count(*) FROM ledger.commands").fetchone() == (0,)


@pytest.mark.parametrize("text", ["", "not json", "[]", "17", "null", '"text"', '{"a": 1', "{} {}"])
@pytest.mark.parametrize("part", ["state", "metadata", "answer"])
def test_what_is_no_json_object_is_refused(append, superuser, part, text):
    with pytest.raises(psycopg.Error):
        append(**{part: text.encode() if part == "state" else text})

    assert superuser.execute("SELECT count(*) FROM ledger.commands").fetchone() == (0,)


@pytest.mark.parametrize("state", [b"{\xff}", b"\x00", b'{"a":' * 100_000, b'{"a": "\\u0000"}'])
def test_bytes_that_are_no_text_and_texts_that_are_too_deep_are_refused(append, state):
    with pytest.raises((psycopg.Error, LedgerLost)):
        append(state=state)


def test_nobody_but_the_owner_lists_a_kind(database):
    for role in ("sabot_app", "sabot_projector", "sabot_auditor"):
        with database.connect(role) as connection, pytest.raises(psycopg.Error, match="denied"):
            connection.execute("INSERT INTO ledger.event_kinds VALUES ('coup.invented')")
