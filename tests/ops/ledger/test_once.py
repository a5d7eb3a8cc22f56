"""A command counts once, whoever sends it again and whatever breaks on the way to its answer."""

import json
import socket
from datetime import UTC, datetime, timedelta

import pytest

from ops import VERSION
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.appending import NotAppended
from ops.ledger.database import Database, LedgerLost
from ops.ledger.recorder import Ledger
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, GamingTable

BET = {"command": "bet", "table": "B01", "seat": 3, "spot": "banker", "amount": 100_00}
LATE = {**BET, "id": "late", "at": "2026-11-21T20:30:00Z"}


@pytest.fixture
def pit(dispatcher):
    """A table with a shoe, ready for its first coup."""
    return GamingTable(dispatcher).open().prepare()


def count(connection, what):
    return connection.execute(f"SELECT count(*) FROM ledger.{what}").fetchone()[0]


def events(connection, topic):
    """How often this was stated."""
    return count(connection, f"events WHERE topic = '{topic}'")


def known(connection, command_id):
    """What is recorded beside the events of a command."""
    found = connection.execute(
        "SELECT state, metadata FROM ledger.events WHERE command_id = %s ORDER BY position DESC",
        (command_id,),
    ).fetchone()
    return datetime.fromisoformat(json.loads(found[0])["at"]), json.loads(found[1])


@pytest.mark.parametrize("amount", [100_00, 99], ids=["accepted", "refused"])
def test_the_same_line_is_answered_the_same_and_recorded_once(pit, another, superuser, amount):
    line = {**BET, "id": "one", "amount": amount}
    first = str(pit.dispatcher.dispatch(line))
    before = count(superuser, "events"), count(superuser, "commands")
    reordered = dict(reversed(line.items()))
    again = [each.dispatch(reordered) for each in (pit.dispatcher, another(), another())]

    assert {first} == set(map(str, again))
    assert before == (count(superuser, "events"), count(superuser, "commands"))
    assert ("position" in first) == (amount == 100_00)


def test_an_answer_is_stored_without_what_its_line_and_its_events_say(pit, superuser):
    answer = pit.dispatcher.dispatch({**BET, "id": "one"}).body
    (stored,) = superuser.execute(
        "SELECT answer FROM ledger.commands WHERE command_id = 'one'"
    ).fetchone()

    assert {"coup": answer["coup"], "events": None, "due": answer["due"]} == json.loads(stored)


@pytest.mark.parametrize("amount", [100_00, 99], ids=["accepted", "refused"])
def test_the_id_of_one_command_is_refused_to_another(pit, another, superuser, amount):
    line = {**BET, "id": "one", "amount": amount}
    first = str(pit.dispatcher.dispatch(line))
    before = count(superuser, "events"), count(superuser, "commands")
    other = another().dispatch({**line, "amount": 200_00})

    assert other.body["error"] == "IdReused"
    assert before == (count(superuser, "events"), count(superuser, "commands"))
    assert first == str(another().dispatch(line))


def test_a_stored_refusal_stays_when_its_cause_is_gone(dispatcher, another):
    line = {"command": "table.seat", "table": "B01", "seat": 7, "patron": "P-7", "id": "early"}
    refused = dispatcher.dispatch(line)
    GamingTable(another()).open()

    assert refused.body["error"] == "TableClosed"
    assert str(refused) == str(dispatcher.dispatch(line))
    assert dispatcher.dispatch({**line, "id": "mended"}).ok


def test_a_refused_command_records_none_of_its_events(pit, superuser):
    """The first bet opens the coup; this one is then refused."""
    before = count(superuser, "events")

    assert pit.ask("bet", seat=3, spot="banker", amount=99).body["error"] == "NotAnIncrement"
    assert before == count(superuser, "events")
    assert [each["type"] for each in pit.bet(3, "banker", 100_00).body["events"]] == [
        "CoupBegun",
        "CoupOpened",
        "WagerPlaced",
    ]


def late_bet(pit):
    pit.say("no-more-bets")
    return {"command": "bet", "seat": 3, "spot": "player", "amount": 25_00}, "BettingClosed"


def undue_card(pit):
    pit.deal(BANKER_WINS)
    return {"command": "draw", "card": "9D"}, "CardNotDue"


def wrong_payment(pit):
    pit.deal(BANKER_WINS)
    return {"command": "settle", "paid": {"3": 195_00}}, "PaymentDisagrees"


@pytest.mark.parametrize(
    ("come_to", "topic"),
    [
        (late_bet, "coup.late-bet-refused"),
        (undue_card, "shoe.undue-card-refused"),
        (wrong_payment, "coup.payment-disagreed"),
    ],
)
def test_a_recorded_refusal_is_one_event_however_often_it_is_sent(
    pit, another, superuser, come_to, topic
):
    pit.bet(3, "banker", 100_00)
    line, error = come_to(pit)
    line |= {"table": "B01", "id": "twice"}
    before = count(superuser, "events")
    answers = [each.dispatch(line) for each in (pit.dispatcher, another(), pit.dispatcher)]

    assert answers[0].body["error"] == error
    assert len(set(map(str, answers))) == 1
    assert (1, before + 1) == (events(superuser, topic), count(superuser, "events"))


def test_a_seat_that_another_process_just_gave_is_not_empty_here(pit, another):
    pit.say("open")
    bet = {**BET, "seat": 7}
    empty = pit.dispatcher.dispatch(bet).body
    seat = {"command": "table.seat", "table": "B01", "seat": 7, "patron": "P-7"}
    assert another().dispatch(seat).ok

    assert empty["error"] == "SeatEmpty"
    assert pit.dispatcher.dispatch(bet).ok


def test_without_an_id_a_line_sent_twice_counts_twice(pit, superuser):
    assert pit.dispatcher.dispatch(BET).ok
    assert pit.dispatcher.dispatch(BET).ok
    assert events(superuser, "coup.wager-placed") == 2


def kill(superuser, ledger):
    with ledger.connection() as connection:
        superuser.execute("SELECT pg_terminate_backend(%s, 5000)", (connection.info.backend_pid,))


@pytest.mark.parametrize("act", ["append", "flush"])
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("named", [{"id": "one"}, {}], ids=["with an id", "without"])
def test_a_broken_connection_loses_and_duplicates_no_command(
    pit, superuser, monkeypatch, act, when, named
):
    ledger, lost = pit.dispatcher.casino.ledger, []
    real = getattr(ledger, act)

    def breaking(*told):
        if lost:
            return real(*told)
        lost.append(act)
        if when == "before":
            kill(superuser, ledger)
            return real(*told)
        real(*told)
        kill(superuser, ledger)
        raise LedgerLost("the reply did not come")

    monkeypatch.setattr(ledger, act, breaking)
    before = count(superuser, "commands")
    answer = pit.dispatcher.dispatch({**BET, **named})

    assert lost == [act]
    assert answer.ok
    assert count(superuser, "events") == answer.body["position"]
    assert count(superuser, "commands") == before + 1
    assert events(superuser, "coup.wager-placed") == 1


def test_two_dispatchers_at_one_table_overtake_each_other_and_both_succeed(pit, another, superuser):
    dispatchers, overtaken = [pit.dispatcher, another()], []
    for dispatcher in dispatchers:
        spy_on(dispatcher.casino.ledger, overtaken)
    amounts = [100_00, 200_00, 300_00, 400_00, 500_00, 600_00]
    answers = [
        dispatchers[turn % 2].dispatch({**BET, "amount": amount})
        for turn, amount in enumerate(amounts)
    ]
    pit.dispatcher = dispatchers[1]
    settled = pit.deal(BANKER_WINS, settle=True).body["events"][-3]

    assert all(answer.ok for answer in answers)
    assert overtaken == ["conflict"] * 2  # each of them once: from then on they take turns
    assert (settled["stake"], settled["paid"]) == (600_00, 1_200_00)


def test_a_stream_that_a_command_only_read_must_not_have_changed(pit, another):
    """A bet writes to the coup and rests on who sits where; so does its refusal."""
    pit.bet(5, "banker", 100_00)
    other = GamingTable(another())
    other.moment = pit.moment
    other.say("table.leave", seat=3)
    refused = pit.ask("bet", seat=3, spot="banker", amount=100_00)
    other.say("table.seat", seat=3, patron="P-9", at=pit.moment.isoformat())

    assert refused.body["error"] == "SeatEmpty"
    assert pit.ask("bet", seat=3, spot="banker", amount=100_00).ok


def test_the_answer_shows_what_is_due_after_another_dispatcher_wrote(pit, another):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.bet(3, "banker", 100_00)
    another().dispatch({"command": "draw", "table": "B01", "card": "9C", "at": LATE["at"]})
    line = {"command": "commission.collect", "table": "B01", "seat": 3, "amount": 5_00}

    assert pit.dispatcher.dispatch(line).body["due"]["action"] == "draw"


def spy_on(ledger, overtaken):
    """Notes every append that came too late."""
    real = ledger.append

    def append(*told):
        try:
            return real(*told)
        except NotAppended as error:
            overtaken.append(error.outcome)
            raise

    ledger.append = append


def always_overtaken(monkeypatch, ledger, others):
    """Before each append somebody else bets; how often that was."""
    real, turns = ledger.append, []

    def append(*told):
        turns.append(len(turns) + 1)
        assert others.dispatch({**BET, "seat": 5, "amount": 100_00 * len(turns)}).ok
        return real(*told)

    monkeypatch.setattr(ledger, "append", append)
    return turns


def test_a_command_that_is_overtaken_five_times_is_a_conflict_and_may_be_sent_again(
    pit, another, superuser, monkeypatch
):
    pit.bet(3, "banker", 50_00)
    with monkeypatch.context() as patched:
        turns = always_overtaken(patched, pit.dispatcher.casino.ledger, another())
        refused = pit.dispatcher.dispatch({**BET, "id": "one"})

    assert refused.body["error"] == "Conflict"
    assert len(turns) == 5
    assert count(superuser, "commands WHERE command_id = 'one'") == 0
    assert pit.dispatcher.dispatch({**BET, "id": "one"}).ok


@pytest.fixture
def nowhere():
    """The address of a server that is not there."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"postgresql://127.0.0.1:{taken.getsockname()[1]}/sabot"  # bound, and not listening


def test_a_ledger_that_stays_lost_is_given_up_after_the_patience(nowhere):
    pauses = []
    casino = Casino(Ledger(Database(nowhere)))
    dispatcher = Dispatcher(casino, "test", patience=0.6, sleep=pauses.append)

    with pytest.raises(LedgerLost, match="send it again with the same id"):
        dispatcher.dispatch(BET)
    assert pauses == [0.05, 0.1, 0.2, 0.4]


class Clock:
    """A clock that says what it is told to."""

    def __init__(self):
        self.now = BEGINS

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def clocked(database, clock):
    """A table whose lines say no `at`; it stands at 20:30."""
    casino = Casino(Ledger(database), now=clock)
    pit = GamingTable(Dispatcher(casino, "layout")).open().prepare()
    assert pit.dispatcher.dispatch(LATE).ok
    yield pit.dispatcher
    casino.close()


HALF_PAST = datetime(2026, 11, 21, 20, 30, tzinfo=UTC)


@pytest.mark.parametrize("minutes", [-45, -1, 0, 1, 45])
def test_moments_that_nobody_stated_never_run_backwards(clocked, clock, superuser, minutes):
    clock.now = HALF_PAST + timedelta(minutes=minutes)
    assert clocked.dispatch({**BET, "id": "one"}).ok
    at, metadata = known(superuser, "one")

    assert max(clock.now, HALF_PAST) == at
    assert minutes < 0 or "clock_behind" not in metadata


def test_a_slow_clock_is_recorded_whichever_stream_was_ahead(clocked, clock, superuser):
    clock.now = HALF_PAST - timedelta(minutes=1)
    assert clocked.dispatch({"command": "draw", "table": "B01", "card": "9C", "id": "one"}).ok
    assert clocked.dispatch({"command": "draw", "table": "B01", "card": "9S", "id": "two"}).ok

    assert known(superuser, "one")[1]["clock_behind"] == "60.000"
    assert known(superuser, "two")[1]["clock_behind"] == "60.000"


def test_a_stated_moment_before_the_record_needs_late(clocked, superuser):
    earlier = {**BET, "at": "2026-11-21T20:29:59Z"}
    refused = clocked.dispatch(earlier)
    accepted = clocked.dispatch({**earlier, "late": True, "id": "one"})

    assert refused.body["error"] == "BadValue"
    assert "is before the newest entry, of 2026-11-21 20:30:00" in refused.body["message"]
    assert accepted.ok
    assert known(superuser, "one")[0] == HALF_PAST - timedelta(seconds=1)
    assert known(superuser, "one")[1]["late"] is True


def test_a_command_s_metadata_are_stored_beside_its_events(clocked, superuser):
    clocked.dispatch({**LATE, "id": "one", "by": "D-1", "with": "S-11"})
    clocked.dispatch({**LATE, "id": "two"})
    usual = {"app": VERSION, "mouth": "layout", "house": "open"}

    assert known(superuser, "one")[1] == usual | {"with": "S-11"}
    assert known(superuser, "two")[1] == usual
    assert events(superuser, "coup.wager-placed' AND actor = 'D-1") == 1


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"command": None},
        {"command": "bet"},
        {"command": "staff.enrol"},
        {"command": "staff.enrol", "staff": 7, "name": "x", "role": "dealer"},
    ],
    ids=str,
)
def test_an_unreadable_line_is_answered_the_same_again(dispatcher, line):
    first, again = (dispatcher.dispatch({**line, "id": "twice"}).body for _ in range(2))

    assert (first, first["ok"]) == (again, False)
