"""Lines of several dispatchers, decided together: each is answered as if it were alone."""

import pytest

from ops.handlers.at_once import Single, dispatch_at_once
from ops.ledger.database import LedgerLost
from ops.ledger.recorder import Ledger
from tests.worlds.gaming_table import GamingTable

TABLES = ("B01", "B02", "B03")


@pytest.fixture
def dispatchers(another):
    """One at each of three tables, which take bets."""
    made = [another() for _ in TABLES]
    for dispatcher, table in zip(made, TABLES, strict=True):
        GamingTable(dispatcher, table).open().prepare()
    return made


@pytest.fixture
def calls(monkeypatch):
    """How many decisions each call appended."""
    made, call = [], Ledger._call

    def counted(ledger, connection, statement, decided, *rest, **more):
        made.append(len(decided))
        return call(ledger, connection, statement, decided, *rest, **more)

    monkeypatch.setattr(Ledger, "_call", counted)
    return made


def bet(table, amount=100_00, **more):
    return {"command": "bet", "table": table, "seat": 3, "spot": "banker", "amount": amount, **more}


def singles(*lines):
    return [Single(dispatcher, line, lambda: None) for dispatcher, line in lines]


def test_lines_of_several_tables_are_appended_in_one_call(dispatchers, writer, calls):
    asked = singles(*((each, bet(table)) for each, table in zip(dispatchers, TABLES, strict=True)))
    dispatch_at_once(asked, writer)

    assert calls == [3]
    assert [each.answer.ok for each in asked] == [True] * 3
    stored = dispatchers[0].casino.ledger.stored_answers([each.command_id for each in asked])
    positions = [stored[each.command_id].position for each in asked]
    assert [each.answer.body["position"] for each in asked] == positions


def test_a_line_sent_again_has_the_answer_that_it_had(dispatchers, writer):
    (first,) = singles((dispatchers[0], bet("B01", id="bet-1")))
    dispatch_at_once([first], writer)
    (again,) = singles((dispatchers[0], bet("B01", id="bet-1")))
    dispatch_at_once([again], writer)

    assert again.answer is None
    assert str(again.alone()) == str(first.answer)


def test_who_was_overtaken_at_a_table_is_dispatched_alone(dispatchers, writer, another):
    other = another()
    asked = singles((dispatchers[0], bet("B01")), (other, bet("B01", amount=50_00)))
    dispatch_at_once(asked, writer)

    assert asked[0].answer.ok
    assert asked[1].answer is None
    assert asked[1].alone().ok


def test_a_refused_line_is_answered_and_keeps_no_other_from_being_recorded(
    dispatchers, writer, calls
):
    asked = singles(
        (dispatchers[0], bet("B01", amount=1)),
        (dispatchers[1], bet("B02")),
        (dispatchers[2], {"command": "no.such"}),
    )
    dispatch_at_once(asked, writer)
    for each in asked:
        each.answer = each.answer or each.alone()

    assert [each.answer.ok for each in asked] == [False, True, False]
    alone = [dispatchers[0].dispatch(bet("B01", amount=1)), dispatchers[2].dispatch(asked[2].line)]
    assert [str(asked[0].answer), str(asked[2].answer)] == list(map(str, alone))


def test_after_a_broken_connection_a_line_may_be_recorded_and_counts_once(
    dispatchers, writer, superuser
):
    dispatch_at_once(singles((dispatchers[1], bet("B02"))), writer)
    superuser.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    asked = singles((dispatchers[0], bet("B01")), (dispatchers[2], bet("B03")))
    dispatch_at_once(asked, writer)

    assert [(each.answer, each.in_doubt) for each in asked] == [(None, True)] * 2
    assert [each.alone().ok for each in asked] == [True] * 2
    recorded = superuser.execute(
        "SELECT count(*) FROM ledger.events WHERE topic = 'coup.wager-placed'"
    ).fetchone()
    assert recorded == (3,)


def test_a_ledger_that_is_lost_is_waited_for_by_one_line_only(dispatchers, writer, monkeypatch):
    attempts = []

    def lost(line, command_id):
        attempts.append(line["table"])
        raise LedgerLost("it is away")

    for each in dispatchers:
        monkeypatch.setattr(each, "attempt", lost)
    asked = singles(*((each, bet(table)) for each, table in zip(dispatchers, TABLES, strict=True)))
    dispatch_at_once(asked, writer)

    assert attempts == ["B01"]
    assert [(each.answer, each.in_doubt) for each in asked] == [(None, False)] * 3


def test_whatever_goes_wrong_while_they_are_appended_every_line_is_decided_anew(
    dispatchers, writer, monkeypatch
):
    def wrong(decided):
        raise ZeroDivisionError

    monkeypatch.setattr(writer, "append_each", wrong)
    asked = singles(*((each, bet(table)) for each, table in zip(dispatchers, TABLES, strict=True)))
    with pytest.raises(ZeroDivisionError):
        dispatch_at_once(asked, writer)

    assert [(each.answer, each.in_doubt) for each in asked] == [(None, True)] * 3
    assert [each.alone().ok for each in asked] == [True] * 3


def test_a_mistake_of_the_program_at_one_line_is_its_own(dispatchers, writer, monkeypatch):
    attempt = dispatchers[0].attempt

    def wrong(line, command_id):
        raise ZeroDivisionError

    monkeypatch.setattr(dispatchers[0], "attempt", wrong)
    asked = singles((dispatchers[0], bet("B01")), (dispatchers[1], bet("B02")))
    dispatch_at_once(asked, writer)
    monkeypatch.setattr(dispatchers[0], "attempt", attempt)

    assert asked[0].answer is None
    assert asked[1].answer.ok
    assert asked[0].alone().ok
