"""Lines under one id, and lines that are on record already: short to send, and cheap to answer."""

import json

import psycopg
import pytest

from ops.handlers import several
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.numbered import taken
from ops.handlers.several import dispatch_several
from ops.ledger.appending import NotGathered
from tests.worlds.closed_house import EVERY_ROLE, LIMITS, ClosedHouse, number
from tests.worlds.devices import token_of
from tests.worlds.gaming_table import GamingTable

BET = {"command": "bet", "table": "B01", "seat": 3, "spot": "banker", "amount": 100_00}
MANY = 200
FEW = 40  # decisions, and questions to the ledger, for all of them


@pytest.fixture
def pit(dispatcher):
    """A table with a shoe, ready for its first coup."""
    return GamingTable(dispatcher).open().prepare()


@pytest.fixture
def work(monkeypatch):
    """How often a line was decided, and how often the ledger was asked."""
    counted = {"decided": 0, "asked": 0}

    def counting(owner, method, name):
        real = getattr(owner, method)

        def counts(*given, **more):
            counted[name] += 1
            return real(*given, **more)

        monkeypatch.setattr(owner, method, counts)

    counting(Dispatcher, "attempt", "decided")
    counting(psycopg.Connection, "execute", "asked")
    return counted


def count(database, what):
    with database.connect("sabot_auditor") as connection:
        return connection.execute(f"SELECT count(*) FROM ledger.{what}").fetchone()[0]


def bodies(answers):
    return [each.body for each in answers]


def test_many_lines_under_one_id_are_decided_once(pit, database, work):
    answers = bodies(dispatch_several(pit.dispatcher, [{**BET, "id": "the same"}] * MANY))

    assert answers == [answers[0]] * MANY
    assert answers[0]["ok"]
    assert count(database, "commands WHERE command_id = 'the same'") == 1
    assert work["decided"] < FEW
    assert work["asked"] < FEW


def test_a_refusal_that_is_kept_is_decided_once_under_its_id(pit, database, work):
    line = {**BET, "id": "the same", "table": "B77"}
    answers = bodies(dispatch_several(pit.dispatcher, [line] * MANY))

    assert answers == [answers[0]] * MANY
    assert answers[0]["error"] == "TableClosed"
    assert work["decided"] < FEW
    assert work["asked"] < FEW


def test_a_refusal_of_which_nothing_is_kept_waits_for_no_append_of_its_own(
    dispatcher, database, monkeypatch
):
    """It is decided again each time, as something may have changed; but it is not alone."""
    house = ClosedHouse(database, EVERY_ROLE)
    appends = []
    real = several._append
    monkeypatch.setattr(several, "_append", lambda *given: appends.append(1) or real(*given))
    answers = bodies(dispatch_several(dispatcher, [{**LIMITS, "id": "the same"}] * MANY))
    house.close()

    assert {each["error"] for each in answers} == {"NotSignedOn"}
    assert len(answers) == MANY
    assert len(appends) == MANY / 100


def test_refusals_of_which_nothing_is_kept_ask_the_ledger_together(dispatcher, database, work):
    house = ClosedHouse(database, EVERY_ROLE)
    work.update(decided=0, asked=0)
    answers = bodies(dispatch_several(dispatcher, [LIMITS] * MANY))
    house.close()

    assert {each["error"] for each in answers} == {"NotSignedOn"}
    assert (len(answers), work["decided"]) == (MANY, MANY)
    assert work["asked"] < FEW


@pytest.mark.parametrize("alone", [False, True], ids=["together", "before one that goes alone"])
def test_a_refusal_that_was_overtaken_is_decided_again(pit, another, monkeypatch, alone):
    """Somebody sits down while two bets for the empty seat are refused together."""
    bet = {**BET, "seat": 7}
    real, sat = Dispatcher.attempt, []

    def meanwhile(self, line, *given, **more):
        if alone and len(sat) == 1 and self is pit.dispatcher:
            sat.append(line)
            raise NotGathered
        answer = real(self, line, *given, **more)
        if self is pit.dispatcher and not sat:
            sat.append(line)
            seat = {"command": "table.seat", "table": "B01", "seat": 7, "patron": "P-7"}
            assert another().dispatch(seat).ok
        return answer

    pit.say("open")
    monkeypatch.setattr(Dispatcher, "attempt", meanwhile)
    answers = bodies(dispatch_several(pit.dispatcher, [bet, bet]))

    assert [each["ok"] for each in answers] == [True, True]


def test_lines_that_are_sent_again_are_not_decided_again(pit, another, database, work):
    lines = [{**BET, "id": f"n-{n}", "amount": 100_00 * (1 + n % 2)} for n in range(MANY)]
    first = bodies(dispatch_several(pit.dispatcher, lines))
    recorded = count(database, "events"), count(database, "commands")
    work.update(decided=0, asked=0)
    again = bodies(dispatch_several(another(), lines))

    assert again == first
    assert (count(database, "events"), count(database, "commands")) == recorded
    assert work["decided"] == 0
    assert work["asked"] < FEW


def test_another_line_under_an_id_is_refused_among_those_that_are_answered_again(pit, another):
    first = pit.dispatcher.dispatch({**BET, "id": "one"}).body
    lines = [
        {**BET, "id": "one"},
        {**BET, "id": "one", "amount": 200_00},
        {**BET, "id": "two"},
        {**BET, "id": "two", "amount": 300_00},
        {**BET, "id": "one"},
    ]
    one, reused, two, reused_too, one_again = bodies(dispatch_several(another(), lines))

    assert (one, one_again) == (first, first)
    assert two["ok"]
    assert [reused["error"], reused_too["error"]] == ["IdReused"] * 2


def test_a_refused_answer_that_comes_again_ends_lines_that_end_at_a_refusal(pit, another):
    refused = {**BET, "id": "no", "table": "B77"}
    pit.dispatcher.dispatch(refused)
    lines = [{**BET, "id": "new"}, refused, refused, {**BET, "id": "never"}]
    answers = bodies(dispatch_several(another(), lines, until_refused=True))

    assert [each["ok"] for each in answers] == [True, False]


@pytest.mark.parametrize("whole", [True, False], ids=["the same request", "another request"])
def test_the_lines_of_a_device_that_come_again_are_not_decided_again(database, work, whole):
    house = ClosedHouse(database, EVERY_ROLE)
    house.enrol("DEV-1", "device")
    house.table(number("dealer"), number("supervisor")).open().prepare()
    device = Dispatcher(house.casino, "feed", token=token_of("DEV-1"))
    lines = [{**BET, "device_n": n} for n in range(1, MANY)]
    first = bodies(taken(device, lines))
    work.update(decided=0)
    again = bodies(taken(device, lines if whole else lines[1:]))
    house.close()

    assert json.dumps(again) == json.dumps(first if whole else first[1:])
    assert work["decided"] < FEW
