"""Several who write at one table at once wait for each other in turn, and each is recorded."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from psycopg.errors import LockNotAvailable

from ops.ledger.appending import NotAppended

BET = {"command": "bet", "table": "B01", "spot": "banker", "amount": 100_00}
IMPATIENT = "ALTER FUNCTION ledger.take_turn SET lock_timeout = '100ms'"
SEATS = (1, 3, 5)


@pytest.fixture
def hands(pit, another):
    """One dispatcher for each seat of a table that takes bets."""
    pit.bet(1, "banker", 50_00)
    return [another() for _ in SEATS]


def overtake(dispatcher, times, meanwhile=lambda: None):
    """The next appends come too late, so many times; what the one after them sees is noted."""
    real, tries, seen = dispatcher.casino.ledger.append, [], []

    def append(*decided):
        tries.append(decided)
        if len(tries) <= times:
            raise NotAppended("conflict")
        seen.append(meanwhile())
        return real(*decided)

    dispatcher.casino.ledger.append = append
    return seen


def is_free(connection):
    """Whether nobody has the turn at B01."""
    try:
        connection.execute("SELECT ledger.take_turn('B01')")
    except LockNotAvailable:
        return False
    return True


def test_overtaken_writers_take_turns_at_a_table(hands, superuser):
    superuser.execute(IMPATIENT)
    hand = hands[0]
    seen = overtake(hand, 1, lambda: is_free(superuser))

    assert hand.dispatch({**BET, "seat": 1}).ok
    assert hand.dispatch({**BET, "seat": 1, "amount": 200_00}).ok
    assert [False, False] == seen  # for a while, before it is overtaken again
    assert is_free(superuser)


def test_a_writer_that_is_never_overtaken_takes_no_turns(hands, superuser):
    hand = hands[0]

    assert hand.dispatch({**BET, "seat": 1}).ok
    assert superuser.execute("SELECT count(*) FROM locks.turns").fetchone() == (0,)


def test_a_writer_that_cannot_have_a_turn_goes_on_without(hands, superuser):
    superuser.execute(IMPATIENT)
    superuser.execute("BEGIN; INSERT INTO locks.turns VALUES ('B01')")
    overtake(hands[0], 1)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(hands[0].dispatch, {**BET, "seat": 1}).result(10)
    superuser.execute("ROLLBACK")

    assert answer.ok


def test_a_writer_that_is_overtaken_in_its_turn_waits_longer_each_time(hands):
    pauses = []
    hands[0].turns._sleep = pauses.append
    overtake(hands[0], 4)

    assert hands[0].dispatch({**BET, "seat": 1}).ok
    assert len(pauses) == 3
    assert all(0 <= pause <= 0.005 * 2**n for n, pause in enumerate(pauses, 2))
    assert len(set(pauses)) == 3


def test_four_writers_at_one_table_have_few_conflicts(hands, another):
    """Each of them decides slowly, so that without turns most would be overtaken again and again.

    One that was not overtaken yet takes no turn, and may still be the one that overtakes.
    """
    hands.append(another())
    overtaken, never = [], Event()

    def bets(hand, seat):
        real = hand.casino.record

        def record(*decided):
            never.wait(0.01)
            try:
                return real(*decided)
            except NotAppended as error:
                overtaken.append(error.outcome)
                raise

        hand.casino.record = record
        line = {**BET, "seat": seat}
        return [hand.dispatch({**line, "amount": 100_00 + 25_00 * (n % 4)}) for n in range(25)]

    with ThreadPoolExecutor(4) as pool:
        said = list(pool.map(bets, hands, (*SEATS, 1)))

    turned_away = [answer.body["error"] for each in said for answer in each if not answer.ok]

    assert turned_away == ["Conflict"] * len(turned_away)
    assert len(turned_away) <= 8  # of 100 lines
    assert len(overtaken) < 50
