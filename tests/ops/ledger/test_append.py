"""Appending: one order without gaps, no lost races, and nothing told before it is on disk."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from hashlib import sha256
from threading import Event
from uuid import uuid4

import psycopg
import pytest
from eventsourcing.persistence import StoredEvent
from msgspec import structs

from ops.ledger.appending import Decided, Decision, NotAppended
from ops.ledger.chain import Verification
from ops.ledger.database import LedgerLost
from ops.ledger.reading import read_events
from ops.ledger.recorder import Ledger

DAY = date(2026, 11, 21)
BEHIND = "SELECT pg_current_wal_flush_lsn() < pg_current_wal_insert_lsn()"
TWO_WAIT = """
    SELECT count(*) = 2 FROM pg_locks JOIN pg_database d ON d.oid = database
     WHERE NOT granted AND relation = 'locks.ledger'::regclass AND datname = current_database()
"""


def stored(ledger, command_id):
    """The stored answer, and its last event's position."""
    found = ledger.stored_answers([command_id])[command_id]
    return found.answer, found.position


@pytest.fixture
def connected(database):
    """More connections of the application to the same ledger."""
    made = []

    def connect():
        made.append(Ledger(database))
        return made[-1]

    yield connect
    for each in made:
        each.close()


@pytest.fixture
def ledger(connected):
    return connected()


def event(stream, version, state=b"{}"):
    return StoredEvent(stream, version, "coup.betting-closed", state)


def decided(*new_events, reads=None, command_id=None, content=b"bet", answer="{}"):
    """A decision with its events."""
    decision = Decision(
        command_id=command_id or str(uuid4()),
        content=sha256(content).digest(),
        answer=answer,
        actor="D-204",
        metadata="{}",
        reads=reads or {},
        places={recorded_event.originator_id: (DAY, "B01") for recorded_event in new_events},
    )
    return Decided(new_events, decision)


def append(ledger, *new_events, **options):
    """The positions that the events of one decision got."""
    one = decided(*new_events, **options)
    return list(ledger.append(one.events, one.decision, flush=False))


def outcome(*args, **options):
    """`done`, or why nothing was appended."""
    try:
        append(*args, **options)
    except NotAppended as error:
        return error.outcome
    return "done"


def contents(connection):
    """How many events and commands there are."""
    return connection.execute(
        "SELECT (SELECT count(*) FROM ledger.events), (SELECT count(*) FROM ledger.commands)"
    ).fetchone()


def test_positions_follow_one_another_over_saves_and_streams(ledger):
    a, b = uuid4(), uuid4()

    assert append(ledger, event(a, 1)) == [1]
    assert append(ledger, event(b, 1), event(a, 2), event(b, 2)) == [2, 3, 4]
    assert append(ledger) == []
    assert append(ledger, event(a, 3)) == [5]


def test_six_writers_at_once_leave_no_gap_and_no_reader_ever_sees_one(connected, superuser):
    done = Event()

    def write(ledger):
        stream, version = uuid4(), 0
        for number in range(25):
            new_events = [event(stream, version + n + 1) for n in range(number % 3 + 1)]
            append(ledger, *new_events)
            version += len(new_events)

    def watch():
        seen = set()
        while not done.is_set():
            seen |= set(
                superuser.execute(
                    "SELECT count(*), coalesce(max(position), 0) FROM ledger.events"
                ).fetchall()
            )
        return seen

    with ThreadPoolExecutor(7) as pool:
        watching = pool.submit(watch)
        try:
            list(pool.map(write, [connected() for _ in range(6)]))
        finally:
            done.set()
    new_events = read_events(superuser, after=0, limit=1_000)
    chain = Verification()
    chain.walk(new_events)
    times = [recorded_event.recorded_at for recorded_event in new_events]

    assert list(range(1, 6 * 49 + 1)) == [recorded_event.position for recorded_event in new_events]
    assert len(watching.result()) > 10
    assert all(count == last for count, last in watching.result())
    assert chain.ok
    assert sorted(times) == times


@pytest.mark.parametrize("version", [1, 2, 4], ids=["repeat", "older repeat", "hole"])
def test_a_stream_goes_on_without_a_hole_or_a_repeat(ledger, superuser, version):
    stream = uuid4()
    append(ledger, event(stream, 1), event(stream, 2))

    assert outcome(ledger, event(stream, version), command_id="late") == "conflict"
    assert contents(superuser) == (2, 1)
    assert outcome(ledger, event(stream, 3), command_id="late") == "done"


def test_a_conflict_in_the_second_stream_takes_the_first_back(ledger, superuser):
    old = uuid4()
    append(ledger, event(old, 1))

    assert outcome(ledger, event(uuid4(), 1), event(old, 1), command_id="both") == "conflict"
    assert contents(superuser) == (1, 1)
    assert outcome(ledger, event(uuid4(), 1), event(old, 2), command_id="both") == "done"


@pytest.mark.parametrize(
    ("seen", "expected"), [(2, "done"), (1, "conflict"), (3, "conflict"), (0, "conflict")]
)
def test_a_stream_that_was_read_must_not_have_changed(ledger, superuser, seen, expected):
    read = uuid4()
    append(ledger, event(read, 1), event(read, 2))

    assert expected == outcome(ledger, event(uuid4(), 1), reads={read: seen})
    assert ((3, 2) if expected == "done" else (2, 1)) == contents(superuser)


def test_a_stream_that_did_not_exist_must_still_not_exist(ledger):
    absent = uuid4()

    assert outcome(ledger, event(uuid4(), 1), reads={absent: 0}) == "done"
    assert outcome(ledger, event(uuid4(), 1), reads={absent: 1}) == "conflict"
    append(ledger, event(absent, 1))
    assert outcome(ledger, event(uuid4(), 1), reads={absent: 0}) == "conflict"


def until(connection, asked):
    """Asks until it is true."""
    end = time.monotonic() + 10
    while connection.execute(asked).fetchone() != (True,):
        assert time.monotonic() < end, asked


def test_of_two_commands_that_read_each_other_s_stream_only_one_is_recorded(connected, superuser):
    """Both have decided before either may write: somebody holds the ledger's lock till then."""
    a, b = uuid4(), uuid4()
    superuser.execute("BEGIN; LOCK TABLE locks.ledger IN SHARE UPDATE EXCLUSIVE MODE")
    with ThreadPoolExecutor(2) as pool:
        found = [
            pool.submit(outcome, connected(), event(stream, 1), reads={read: 0})
            for stream, read in ((a, b), (b, a))
        ]
        try:
            until(superuser, TWO_WAIT)
        finally:
            superuser.execute("ROLLBACK")

    assert sorted(each.result() for each in found) == ["conflict", "done"]
    assert contents(superuser) == (1, 1)


def test_a_command_counts_once_and_its_id_belongs_to_it_alone(ledger, superuser):
    stream = uuid4()
    append(ledger, event(stream, 1), command_id="one", answer='{"ok": true}')

    assert outcome(ledger, event(stream, 1), command_id="one") == "seen"
    assert outcome(ledger, event(stream, 9), command_id="one", reads={stream: 5}) == "seen"
    assert outcome(ledger, event(stream, 2), command_id="one", content=b"draw") == "reused"
    assert contents(superuser) == (1, 1)
    assert stored(ledger, "one") == ('{"ok": true}', 1)


def test_a_refusal_is_stored_with_its_answer_and_without_a_position(ledger, superuser):
    append(ledger, command_id="no", answer='{"ok": false}')

    assert stored(ledger, "no") == ('{"ok": false}', None)
    assert contents(superuser) == (0, 1)
    assert outcome(ledger, command_id="no") == "seen"
    assert outcome(ledger, command_id="no", content=b"draw") == "reused"


def test_a_refusal_too_is_stored_only_if_the_streams_that_it_read_are_unchanged(ledger, superuser):
    read = uuid4()
    append(ledger, event(read, 1))

    assert outcome(ledger, command_id="no", reads={read: 0}) == "conflict"
    assert contents(superuser) == (1, 1)
    assert outcome(ledger, command_id="no", reads={read: 1}) == "done"


def test_recorded_at_never_runs_backwards(ledger, superuser):
    append(ledger, event(uuid4(), 1))
    superuser.execute("ALTER TABLE ledger.command_rows DISABLE TRIGGER USER")
    superuser.execute("UPDATE ledger.commands SET recorded_at = recorded_at + interval '1 hour'")
    append(ledger, event(uuid4(), 1))
    before, after = superuser.execute("SELECT recorded_at FROM ledger.commands").fetchall()

    assert before == after


@pytest.mark.parametrize("isolation", ["repeatable read", "serializable"])
def test_an_append_outside_read_committed_is_refused(ledger, superuser, isolation):
    with ledger.connection() as connection:
        connection.execute(f"SET default_transaction_isolation = '{isolation}'")

    with pytest.raises(psycopg.errors.RaiseException, match="READ COMMITTED only"):
        append(ledger, event(uuid4(), 1))
    assert contents(superuser) == (0, 0)


@pytest.mark.parametrize("session", ["on", "off"])
def test_an_append_does_not_wait_for_the_disk_but_a_flush_does(ledger, session):
    """The log's writer may come first, so it is tried until it came later ten times."""
    later = 0
    with ledger.connection() as connection:
        connection.execute(f"SET synchronous_commit = {session}")
        for _ in range(400):
            append(ledger, event(uuid4(), 1))
            if connection.execute(BEHIND).fetchone() == (True,):
                later += 1
                (here,) = connection.execute("SELECT pg_current_wal_insert_lsn()").fetchone()
                ledger.flush()
                reached = "SELECT pg_current_wal_flush_lsn() >= %s::pg_lsn"

                assert connection.execute(reached, (here,)).fetchone() == (True,)
            if later == 10:
                return
    pytest.fail(f"the append itself seems to wait for the disk: {later} of 400 did not")


def test_an_answer_that_another_connection_stored_is_flushed_before_it_is_returned(connected):
    writer, teller = connected(), connected()
    later = 0
    with teller.connection() as connection:
        for number in range(400):
            append(writer, event(uuid4(), 1), command_id=str(number))
            (here,) = connection.execute("SELECT pg_current_wal_insert_lsn()").fetchone()
            behind = connection.execute(BEHIND).fetchone() == (True,)
            stored(teller, str(number))
            teller.flush()
            reached = "SELECT pg_current_wal_flush_lsn() >= %s::pg_lsn"

            assert connection.execute(reached, (here,)).fetchone() == (True,)
            later += behind
            if later == 10:
                return
    pytest.fail("the log's writer always came first")


@pytest.mark.parametrize("parts", [1, 300])
def test_a_save_of_two_megabytes_works(ledger, superuser, parts):
    stream, state = uuid4(), f'{{"a": "{"ÿ" * (1_000_000 // parts)}"}}'.encode()
    append(ledger, *(event(stream, n + 1, state) for n in range(parts)))
    read = read_events(superuser, after=0, limit=parts)

    assert [state] * parts == [recorded_event.state for recorded_event in read]


def test_listeners_are_notified_of_the_last_position_but_not_of_refusals(ledger, superuser):
    superuser.execute("LISTEN sabot_ledger")
    stream = uuid4()
    append(ledger)
    append(ledger, event(stream, 1), event(stream, 2), event(stream, 3))
    outcome(ledger, event(stream, 1))
    append(ledger, event(stream, 4))
    heard = [each.payload for each in superuser.notifies(timeout=10, stop_after=2)]

    assert heard == ["3", "4"]


def test_a_broken_connection_raises_ledger_lost_and_the_next_call_makes_a_new_one(
    ledger, superuser
):
    append(ledger, event(uuid4(), 1))
    with ledger.connection() as connection:
        superuser.execute("SELECT pg_terminate_backend(%s, 5000)", (connection.info.backend_pid,))

    with pytest.raises(LedgerLost, match="Try again when it is back"):
        ledger.flush()
    assert not ledger.unflushed
    assert append(ledger, event(uuid4(), 1)) == [2]


def test_several_decisions_in_one_call_follow_one_another(ledger, superuser):
    a, b, read = uuid4(), uuid4(), uuid4()
    append(ledger, event(read, 1))
    found = ledger.append_several(
        [
            decided(event(a, 1), event(a, 2), reads={read: 1}),
            decided(command_id="no", answer='{"ok": false}', reads={a: 2, read: 1}),
            decided(event(b, 1), event(a, 3), reads={read: 1}),
        ]
    )
    chain = Verification()
    chain.walk(read_events(superuser, after=0, limit=9))

    assert found == [("done", 2), ("done", None), ("done", 4)]
    assert stored(ledger, "no") == ('{"ok": false}', None)
    assert (chain.ok, chain.events) == (True, 5)
    assert contents(superuser) == (5, 4)


NOT_TOGETHER = {
    "a stream that moved": lambda s: [decided(event(s, 3)), decided(event(uuid4(), 1))],
    "a hole": lambda s: [decided(event(uuid4(), 1)), decided(event(s, 4))],
    "a repeat between two": lambda s: [decided(event(s, 3)), decided(event(s, 3))],
    "what one moved and one had seen before": lambda s: [
        *(decided(event(s, 3)), decided(event(uuid4(), 1), reads={s: 2}))
    ],
    "what two saw at different versions": lambda s: [
        *(decided(reads={s: 2}), decided(event(uuid4(), 1), reads={s: 1}))
    ],
    "an id twice": lambda s: [
        *(decided(event(s, 3), command_id="x"), decided(event(s, 4), command_id="x"))
    ],
}


@pytest.mark.parametrize("which", NOT_TOGETHER)
def test_several_decisions_that_contradict_one_another_are_not_written(ledger, superuser, which):
    stream = uuid4()
    append(ledger, event(stream, 1), event(stream, 2))
    if which == "a stream that moved":
        append(ledger, event(stream, 3))
    before = contents(superuser)

    assert {"conflict"} == {
        outcome for outcome, _ in ledger.append_several(NOT_TOGETHER[which](stream))
    }
    assert contents(superuser) == before


def test_with_each_the_decisions_without_a_conflict_are_written(ledger, superuser):
    a, b, read = uuid4(), uuid4(), uuid4()
    append(ledger, event(read, 1), command_id="old")
    found = ledger.append_several(
        [
            decided(event(a, 1), command_id="one"),
            decided(event(a, 1), command_id="late"),  # the first was quicker
            decided(event(b, 1), reads={a: 0}),  # and moved what this one saw
            decided(event(b, 1), event(b, 2), reads={read: 1}),
            decided(event(read, 1), command_id="old"),
            decided(event(read, 2), command_id="one", content=b"another"),
            decided(event(read, 2), event(a, 2)),
        ],
        each=True,
    )
    chain = Verification()
    chain.walk(read_events(superuser, after=0, limit=9))

    assert [outcome for outcome, _ in found] == [
        *("done", "conflict", "conflict", "done", "seen", "reused", "done")
    ]
    assert [first for _, first in found] == [2, None, None, 3, None, None, 5]
    assert (chain.ok, chain.events) == (True, 6)


def test_with_each_and_no_conflict_all_are_written_at_once(ledger):
    found = ledger.append_several([decided(event(uuid4(), 1)) for _ in range(3)], each=True)

    assert found == [("done", 1), ("done", 2), ("done", 3)]


def test_what_was_appended_in_one_call_is_on_disk_when_the_call_returns(ledger):
    with ledger.connection() as connection:
        for _ in range(20):
            ledger.append_several([decided(event(uuid4(), 1))])
            (here,) = connection.execute("SELECT pg_current_wal_insert_lsn()").fetchone()
            ledger.append_several([decided(event(uuid4(), 1)), decided(event(uuid4(), 1))])
            reached = "SELECT pg_current_wal_flush_lsn() > %s::pg_lsn"

            assert connection.execute(reached, (here,)).fetchone() == (True,)
            assert not ledger.unflushed


def test_after_a_rollback_the_statement_is_prepared_again(ledger, superuser):
    """It lets go of everything that is prepared, once it has prepared something itself."""
    stream = uuid4()
    ledger.append((event(stream, 1),), decided(event(stream, 1)).decision)
    with ledger.stream_connection() as connection, connection.transaction(force_rollback=True):
        connection.execute("SELECT", prepare=True)
    taken = (("UPDATE people.staff SET tries = 0 WHERE staff = 'nobody'", ()),)
    beside = structs.replace(decided(event(stream, 2)).decision, beside=taken)
    with pytest.raises(NotAppended):
        ledger.append((event(stream, 2),), beside)
    ledger.append((event(stream, 2),), decided(event(stream, 2)).decision)

    assert contents(superuser) == (2, 2)


@pytest.mark.parametrize("many", [0, 2])
def test_a_command_has_the_events_that_come_with_it_and_no_others(ledger, superuser, many):
    """Or its answer would name the position of an event that is another's, or of none."""
    call = """
        SELECT ledger.append(ARRAY['one'], ARRAY[sha256('')], '{"{}"}', '{a}', '{"{}"}',
            ARRAY[sha256('')], '{0}', '{}', '{}', ARRAY[%s::int], ARRAY[gen_random_uuid()], '{1}',
            ARRAY[%s], ARRAY['{}'::bytea], ARRAY[now()]::date[], '{a}', now(), false)
    """
    with (
        pytest.raises(psycopg.errors.RaiseException, match="counts"),
        ledger.connection() as connection,
    ):
        connection.execute(call, (many, event(uuid4(), 1).topic))

    assert contents(superuser) == (0, 0)


@pytest.mark.parametrize("counts", [[-1, 2], [None, 2]], ids=str)
def test_negative_counts_are_refused(ledger, superuser, counts):
    """Or it is kept with the position of another command's event."""
    append(ledger, event(uuid4(), 1))
    call = """
        SELECT ledger.append(ARRAY['one', 'two'], ARRAY[sha256(''), sha256('')], '{a,a}', '{a,a}',
            '{a,a}', ARRAY[sha256(''), sha256('')], '{0,0}', '{}', '{}', %s::int[],
            ARRAY[gen_random_uuid(), gen_random_uuid()], '{1,1}', '{t,t}', ARRAY[''::bytea, ''],
            ARRAY[now(), now()]::date[], '{a,a}', now(), false)
    """
    with pytest.raises(psycopg.Error), ledger.connection() as connection:
        connection.execute(call, (counts,))

    assert contents(superuser) == (1, 1)
