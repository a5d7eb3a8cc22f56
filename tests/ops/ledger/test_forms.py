"""What is stored by a form: events and answers are read byte by byte as they were given."""

import hashlib
import json
import re
from datetime import date
from uuid import uuid4

import pytest
from eventsourcing.persistence import StoredEvent
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg.errors import InsufficientPrivilege

from domain.events.archiving import CoupsBroughtBack, CoupsLeft
from ops.cli.audit.verify import walk
from ops.ledger.appending import Decision
from ops.ledger.chain import Verification
from ops.ledger.forms import parted
from ops.ledger.narrow import read_narrow
from ops.ledger.reading import read_events
from ops.ledger.recorder import Ledger
from tests.worlds.stored_events import KINDS, stored

DAY = date(2026, 11, 21)
METADATA = '{"app":"1.0.0","device":"T-1","device_n":%d,"mouth":"feed"}'
ANSWER = '{"coup":"B01/2026-11-21/1/%d","events":null,"due":{"action":"draw","rule":"R-DEAL-1"}}'
# Everything that is stored of an event, beside what its form says.
ROWS = """
    SELECT position, convert_from(state, 'UTF8'), brief, form, metadata, metadata_form, table_code,
           gaming_day FROM ledger.event_rows ORDER BY position
"""
TAMPERED = "ALTER TABLE {0} DISABLE TRIGGER USER; UPDATE {0} SET {1}"


@pytest.fixture
def ledger(database):
    ledger = Ledger(database)
    yield ledger
    ledger.close()


def appended(ledger, states, *, n=1, answer=None, metadata=None, table="B01"):
    """The positions of events of one command, each of a stream of its own."""
    events = [StoredEvent(uuid4(), 1, topic, state) for topic, state in states]
    places = {event.originator_id: (DAY, table) for event in events}
    decision = Decision(
        f"form-{uuid4()}",
        bytes(32),
        answer or ANSWER % n,
        "D-204",
        metadata or METADATA % n,
        places=places,
    )
    return ledger.append(events, decision)


def put_together(form, said):
    """A form with what is said in its places, read letter by letter."""
    pieces, parts = re.split(r"(%%|%s)", form), iter(said.split("\x1f"))
    return "".join(
        {"%%": lambda: "%", "%s": lambda: next(parts)}.get(p, lambda p=p: p)() for p in pieces
    )


def lengthened(brief, table, day):
    """What an event says, with its table and its days again."""
    after = day.fromordinal(day.toordinal() + 1)
    for short, long in (("\x03", f"{after}T"), ("\x02", f"{day}T"), ("\x01", f"{table}/{day}/")):
        brief = brief.replace(short, long)
    return brief


def read_alone(superuser):
    """The state and the metadata of each event, from the tables and without the views."""
    forms = dict(superuser.execute("SELECT number, form FROM ledger.forms"))
    return {
        position: [
            put_together(forms[form], lengthened(brief, table, day)) if form else state,
            put_together(forms[of_metadata], metadata) if of_metadata else metadata,
        ]
        for position, state, brief, form, metadata, of_metadata, table, day in superuser.execute(
            ROWS
        )
    }


def viewed(superuser):
    """The same, as whoever reads gets it."""
    rows = superuser.execute(
        "SELECT position, convert_from(state, 'UTF8'), metadata FROM ledger.events"
    )
    return {position: both for position, *both in rows}


def projected(connection):
    """The state of each event, as projections get it."""
    topics = [topic for (topic,) in connection.execute("SELECT DISTINCT topic FROM ledger.events")]
    return {
        each.position: each.state.decode() if isinstance(each.state, bytes) else each.state
        for each in read_narrow(connection, 0, 1_000_000, 1_000_000, topics)
    }


def states_of(read):
    """The states of events that were read with their metadata."""
    return {position: state for position, (state, _) in read.items()}


def test_every_kind_of_event_is_read_as_it_was_given(ledger, superuser, database):
    """Its hash covers those bytes, and less than half of them is stored."""
    left = {CoupsLeft.TOPIC, CoupsBroughtBack.TOPIC}  # with them, something left the record
    states = {
        topic: json.dumps(stored(topic), ensure_ascii=False, separators=(",", ":")).encode()
        for topic in sorted(KINDS, key=lambda topic: (topic in left, topic))
    }
    of = {}
    for n, (topic, state) in enumerate(states.items(), 1):
        if n == len(states) - 1:
            chain = Verification()
            with database.connect("sabot_auditor") as connection:
                chain.walk(read_events(connection, 0, n))
                assert states_of(of) == projected(connection)
        (position,) = appended(ledger, [(topic, state)], n=n)
        of[position] = [state.decode(), METADATA % n]
    rows = superuser.execute(ROWS).fetchall()
    answers = superuser.execute("SELECT answer FROM ledger.commands ORDER BY number").fetchall()

    assert of == viewed(superuser) == read_alone(superuser)
    assert [ANSWER % n for n in range(1, len(of) + 1)] == [answer for (answer,) in answers]
    assert (len(KINDS) - 2, True) == (chain.events, chain.ok)
    assert all(form and of_metadata for _, _, _, form, _, of_metadata, *_ in rows)
    assert sum(len(brief) for _, _, brief, *_ in rows) < sum(map(len, states.values())) / 2


def test_a_table_and_its_days_are_one_character_each(ledger, superuser):
    state = b'{"at":"2026-11-22T01:02:03+01:00","coup":"B01/2026-11-21/1/3","of":"2026-11-21T09"}'
    appended(ledger, [("coup.card-dealt", state)])
    ((brief, form),) = superuser.execute(
        "SELECT brief, f.form FROM ledger.event_rows e JOIN ledger.forms f ON number = e.form"
    )

    assert "\x0301:02:03\x1f\x011/3\x1f\x0209" == brief
    assert '{"at":"%s+01:00","coup":"%s","of":"%s"}' == form
    assert {1: [state.decode(), METADATA % 1]} == viewed(superuser) == read_alone(superuser)
    assert {1: state.decode()} == projected(superuser)


# Names and texts with everything that a form, its places and JSON itself use.
texts = st.text(
    st.sampled_from('ab%s"\\/{}[],:\n\t é€𝄞0-T') | st.characters(exclude_categories=["Cs"]),
    max_size=9,
)
typed = texts.map(lambda text: text.replace("\0", "%s"))
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | typed
    | st.sampled_from(
        ["B01/2026-11-21/1/3", "2026-11-21T20:00:00+00:00", "2026-11-22T", "%s", "0"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(typed, inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(
    st.sampled_from(["at", "hand", "due", "device_n", "%s"]) | typed, values, max_size=6
)
spaced = st.sampled_from([(",", ":"), (", ", ": "), (",\n", ":\t")])


def encoded(content, separators, ascii_only):
    return json.dumps(content, ensure_ascii=ascii_only, separators=separators)


@settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(objects, objects, objects, spaced, st.booleans())
def test_whatever_json_is_given_is_read_again(
    ledger, superuser, one, two, answer, separators, escaped
):
    state, metadata, answered = (encoded(each, separators, escaped) for each in (one, two, answer))
    (position,) = appended(
        ledger, [("coup.card-dealt", state.encode())], answer=answered, metadata=metadata
    )
    (stored_answer,) = superuser.execute(
        "SELECT answer FROM ledger.commands WHERE first_position = %s", (position,)
    ).fetchone()

    assert [state, metadata] == read_alone(superuser)[position] == viewed(superuser)[position]
    assert state == projected(superuser)[position]
    assert answered == stored_answer


def test_a_name_that_comes_twice_is_stored_as_it_is(ledger, superuser):
    appended(ledger, [("coup.card-dealt", b'{"n":1,"n":2}'), ("coup.card-dealt", b'{"n": 1}')])

    assert {1: '{"n":1,"n":2}', 2: '{"n": 1}'} == projected(superuser)
    assert [('{"n":1,"n":2}', None), ('{"n": 1}', None)] == superuser.execute(
        "SELECT convert_from(state, 'UTF8'), form FROM ledger.event_rows ORDER BY position"
    ).fetchall()


@pytest.mark.parametrize("said", ["8H\x1f2", "8S", ""], ids=["more", "another", "nothing"])
def test_a_form_that_does_not_make_it_again_is_not_used(ledger, superuser, monkeypatch, said):
    """Whatever a program says is in the places."""
    monkeypatch.setattr(
        "ops.ledger.appending.parted", lambda content: ('{"card":"%s","n":1}', said)
    )
    appended(ledger, [("coup.card-dealt", b'{"card":"8H","n":2}')], answer="{}", metadata="{}")

    assert {1: ['{"card":"8H","n":2}', "{}"]} == viewed(superuser)
    assert [(None, None)] == superuser.execute(
        "SELECT form, metadata_form FROM ledger.event_rows"
    ).fetchall()


def test_a_program_of_the_first_version_stores_all_of_it_in_the_same_table(
    ledger, superuser, database
):
    appended(ledger, [("coup.card-dealt", b'{"card":"8H"}')])
    superuser.execute(
        "SELECT ledger.append(ARRAY['one'], ARRAY[sha256('')], ARRAY[%s], '{a}', '{\"{}\"}',"
        " ARRAY[sha256('')], '{0}', '{}', '{}', '{1}', ARRAY[gen_random_uuid()], '{1}',"
        " '{coup.card-dealt}', ARRAY[%s::bytea], '{2026-11-21}', '{B01}', now(), false)",
        (ANSWER % 7, b'{"card":"9S"}'),
    )

    assert [('{"card":"8H"}', False), ('{"card":"9S"}', True)] == superuser.execute(
        "SELECT convert_from(v.state, 'UTF8'), e.form IS NULL FROM ledger.events AS v"
        "  JOIN ledger.event_rows AS e USING (position) ORDER BY position"
    ).fetchall()
    assert walk(database).events == 2


def test_forms_are_learned_once_and_not_without_end(ledger, superuser):
    appended(ledger, [("coup.card-dealt", b'{"card":"8H"}')] * 2)
    appended(ledger, [("coup.card-dealt", b'{"card":"9H"}')], n=2)
    learned = superuser.execute("SELECT number, form FROM ledger.forms ORDER BY number").fetchall()
    superuser.execute(
        "INSERT INTO ledger.forms SELECT n, 0, n::text FROM generate_series(4, 30000) AS n"
    )
    appended(ledger, [("coup.card-dealt", b'{"another":"8H"}')], n=3)

    assert [1, 2, 3] == [number for number, _ in learned]
    assert '{"card":"%s"}' in dict(learned).values()
    assert ['{"another":"8H"}', METADATA % 3] == viewed(superuser)[4]
    assert (30000,) == superuser.execute("SELECT max(number) FROM ledger.forms").fetchone()


@pytest.mark.parametrize(
    "change",
    ["UPDATE ledger.forms SET form = ''", "DELETE FROM ledger.forms", "TRUNCATE ledger.forms"],
)
def test_nobody_changes_a_form(ledger, superuser, change):
    appended(ledger, [("coup.card-dealt", b'{"card":"8H"}')])

    with pytest.raises(InsufficientPrivilege, match="written once and never changed"):
        superuser.execute(change)


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("ledger.event_rows", "brief = '9H' WHERE position = 2"),
        ("ledger.event_rows", "brief = '' WHERE position = 2"),
        ("ledger.event_rows", "brief = NULL WHERE position = 2"),
        ("ledger.event_rows", "form = 30001 WHERE position = 2"),
        ("ledger.event_rows", "form = NULL WHERE position = 2"),
        ("ledger.event_rows", "metadata = '7' WHERE position = 2"),
        ("ledger.event_rows", "metadata_form = NULL WHERE position = 2"),
        ("ledger.forms", """form = '{"cart":"%s"}' WHERE form = '{"card":"%s"}'"""),
        ("ledger.forms", """form = '{"card":"%s%s"}', places = 2 WHERE form = '{"card":"%s"}'"""),
    ],
)
def test_what_somebody_changes_of_a_row_or_of_a_form_is_named(
    ledger, superuser, database, table, change
):
    appended(ledger, [("coup.betting-closed", b'{"n":1}')])
    appended(ledger, [("coup.card-dealt", b'{"card":"8H"}')], n=2)
    superuser.execute(TAMPERED.format(table, change))

    assert states_of(viewed(superuser)) == projected(superuser)
    assert 2 == walk(database).first_bad


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("ledger.command_rows", "answer = '' WHERE number = 1"),
        ("ledger.command_rows", "form = NULL WHERE number = 1"),
    ],
)
def test_a_changed_answer_is_found(ledger, superuser, database, table, change):
    appended(ledger, [("coup.card-dealt", b'{"card":"8H"}')])
    superuser.execute(TAMPERED.format(table, change))

    assert not walk(database).ok


def test_a_parted_object_is_its_form_and_what_it_says():
    assert ('{"hand":"player","card":"%s","n":%s,"of":[]}', "8H\x1f3") == parted(
        b'{"hand":"player","card":"8H","n":3,"of":[]}'
    )
    assert ("", "") == parted(b"[1]") == parted(b"{") == parted(b"\xff")


def test_hashes_are_those_of_the_bytes_that_were_given(ledger, superuser):
    """The form, version 1, computed here from what was given."""
    state, stream = b'{"card":"8H","hand":"player"}', uuid4()
    decision = Decision(
        "one", bytes(32), ANSWER % 1, "D-204", METADATA % 1, places={stream: (DAY, "B01")}
    )
    ledger.append([StoredEvent(stream, 1, "coup.card-dealt", state)], decision)
    ((moment, hashed),) = superuser.execute(
        "SELECT timestamptz_send(recorded_at), hash FROM ledger.event_rows"
    )
    days = (DAY.toordinal() - 730120).to_bytes(4)
    fields = (
        *(b"one", b"D-204", (METADATA % 1).encode(), days, b"B01", stream.bytes, (1).to_bytes(8)),
        *(b"coup.card-dealt", state, (1).to_bytes(8), moment, bytes(32)),
    )
    form = b"sabot-event-1" + b"".join(len(each).to_bytes(4) + each for each in fields)

    assert hashlib.sha256(b"\0" + form).digest() == hashed
