"""A line whose answer was lost: what it came to, or that it never will come to anything."""

import pytest

from ops.handlers.dispatcher import Dispatcher
from ops.handlers.doubt import resolve
from tests.worlds.gaming_table import GamingTable


def bet(**fields):
    line = {"command": "bet", "table": "B01", "seat": 3, "spot": "banker", "amount": 100_00}
    return {**line, "id": "k-1", "by": "D-204", **fields}


def counted(dispatcher):
    with dispatcher.casino.ledger.connection() as connection:
        return connection.execute("SELECT count(*) FROM ledger.events").fetchone()[0]


@pytest.fixture
def floor(pit: GamingTable) -> Dispatcher:
    return pit.dispatcher


def test_a_line_that_was_recorded_answers_as_the_first_time(floor, another):
    answer = floor.dispatch(bet())
    before = counted(floor)

    assert resolve(another(), bet()).body == answer.body
    assert before == counted(floor)


def test_a_line_that_was_refused_is_refused_again(floor, another):
    answer = floor.dispatch(bet(amount=1))

    assert not answer.ok
    assert resolve(another(), bet(amount=1)).body == answer.body


def test_a_line_that_never_arrived_is_given_up(floor, another):
    before = counted(floor)

    assert resolve(another(), bet()) is None
    assert resolve(another(), bet()) is None
    assert before == counted(floor)


def test_a_line_that_was_given_up_is_refused_however_late_it_arrives(floor, another):
    resolve(another(), bet())
    late = floor.dispatch(bet())

    assert late.body["error"] == "GivenUp"
    assert resolve(another(), bet()) is None
    assert floor.dispatch(bet(id="k-2")).ok


def test_an_id_that_belongs_to_another_line_says_so(floor, another):
    floor.dispatch(bet())

    assert resolve(another(), bet(amount=200_00)).body["error"] == "IdReused"


@pytest.mark.parametrize("heard", [False, True], ids=["given up", "on record"])
def test_a_resolved_answer_is_on_disk_before_it_is_returned(floor, another, superuser, heard):
    if heard:
        line = bet()
        with floor.casino.ledger.connection() as connection:
            connection.execute("SET synchronous_commit = off")
        floor.dispatch(line)
    (here,) = superuser.execute("SELECT pg_current_wal_insert_lsn()").fetchone()
    resolver = another()
    resolve(resolver, bet())
    reached = "SELECT pg_current_wal_flush_lsn() >= %s::pg_lsn"

    assert superuser.execute(reached, (here,)).fetchone() == (True,)
    assert not resolver.casino.ledger.unflushed
