"""Decisions of several threads, appended in one call: each has its own outcome."""

import threading
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import psycopg
import pytest
from eventsourcing.persistence import StoredEvent

from ops.ledger.appending import Decided
from ops.ledger.database import LedgerLost
from ops.ledger.reading import head_of
from ops.ledger.recorder import Ledger
from ops.ledger.together import MOST
from tests.bench.payload import decision

BET = b'{"seat": 3}'


def decided(topic="coup.wager-placed", version=1, stream=None):
    stream = stream or uuid4()
    return Decided([StoredEvent(stream, version, topic, BET)], decision(stream))


@pytest.fixture
def calls(monkeypatch):
    """How many decisions each call appended; the first one is held until somebody lets it go."""
    made, go_on = [], threading.Event()
    append = Ledger.append_several

    def counted(ledger, decided, *, each=False):
        made.append(len(decided))
        assert go_on.wait(30)
        return append(ledger, decided, each=each)

    monkeypatch.setattr(Ledger, "append_several", counted)
    made.append(go_on)
    return made


def together(writer, calls, decisions):
    """What comes of decisions of as many threads, the first of which is alone in its call."""
    go_on = calls.pop()
    with ThreadPoolExecutor(len(decisions)) as threads:
        first = threads.submit(writer.append, decisions[0])
        while not calls:
            pass
        others = [threads.submit(writer.append, each) for each in decisions[1:]]
        while len(writer._waiting) < len(others):
            pass
        go_on.set()
        return [each.exception() or each.result() for each in (first, *others)]


def test_what_waits_while_one_is_appended_goes_together_then(writer, calls, database):
    came = together(writer, calls, [decided() for _ in range(6)])

    assert calls == [1, 5]
    assert sorted(came) == [("done", n) for n in range(1, 7)]
    with database.session("sabot_auditor") as connection:
        assert head_of(connection) == 6


def test_a_call_takes_so_many_and_no_more(writer, calls):
    came = together(writer, calls, [decided() for _ in range(MOST + 3)])

    assert calls == [1, MOST, 2]
    assert {outcome for outcome, _ in came} == {"done"}


def test_a_conflict_is_told_to_one_alone(writer, calls):
    taken = decided()
    decisions = [taken, decided(), decided(stream=uuid4(), version=2), decided()]

    came = together(writer, calls, decisions)

    assert [outcome for outcome, _ in came] == ["done", "done", "conflict", "done"]


def test_the_same_command_twice_counts_once(writer, calls):
    once = decided()

    came = together(writer, calls, [decided(), once, once])

    assert sorted(outcome for outcome, _ in came) == ["done", "done", "seen"]


def test_what_the_server_cannot_take_of_one_is_told_to_that_one(writer, calls):
    came = together(writer, calls, [decided(), decided(), decided("no.such-kind"), decided()])

    assert [each[0] for each in (*came[:2], came[3])] == ["done"] * 3
    assert isinstance(came[2], psycopg.errors.RaiseException)
    assert writer.append(decided())[0] == "done"


def test_a_lost_ledger_is_told_to_everybody_and_the_next_one_finds_it_again(
    writer, calls, database, superuser
):
    go_on = calls[0]
    writer_calls = threading.Event()

    def lose():
        superuser.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        writer_calls.set()

    writer._ledger.flush()
    with writer._ledger.stream_connection():
        lose()
    came = together(writer, calls, [decided() for _ in range(3)])

    assert go_on.is_set()
    assert isinstance(came[0], LedgerLost)
    assert [outcome for outcome, _ in came[1:]] == ["done"] * 2
    assert writer.append(decided())[0] == "done"


def test_decisions_of_one_thread_go_together(writer, calls):
    calls.pop().set()

    came = writer.append_each([decided() for _ in range(MOST + 1)])

    assert calls == [MOST, 1]
    assert [outcome for outcome, _ in came] == ["done"] * (MOST + 1)


def test_nothing_to_append_keeps_nobody_waiting(writer, calls):
    calls.pop().set()

    assert writer.append_each([]) == []
    assert writer.append(decided())[0] == "done"
    assert calls == [1]
