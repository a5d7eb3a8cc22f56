"""When things happened: said or not, late or not, and never backwards in a stream."""

import json
import re
from datetime import UTC, datetime, timedelta
from socket import gethostname

import pytest

from ops.commands.casino import Casino
from ops.commands.machine_time import FURTHEST_AHEAD
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger
from tests.acceptance.channels import feed, shell
from tests.worlds.gaming_table import BEGINS, GamingTable

AHEAD = FURTHEST_AHEAD  # as it is before the tests change it
EARLIER = BEGINS - timedelta(minutes=30)


@pytest.fixture
def at(database):
    """A dispatcher whose clock shows this moment."""
    made = []

    def make(moment):
        made.append(Casino(Ledger(database), now=lambda: moment))
        return Dispatcher(made[-1], "test")

    yield make
    for each in made:
        each.close()


def moments(superuser, command_id):
    rows = superuser.execute(
        "SELECT convert_from(state, 'UTF8')::jsonb ->> 'at' FROM ledger.events "
        "WHERE command_id = %s ORDER BY position",
        (command_id,),
    )
    return [datetime.fromisoformat(moment) for (moment,) in rows]


def test_a_command_s_moment_does_not_depend_on_tables_that_it_only_reads(dispatcher):
    GamingTable(dispatcher).open()
    other = GamingTable(dispatcher, "B02")
    other.moment = EARLIER  # the house was founded after this, and its rules adopted
    other.open().prepare().play("KC 9S 2C QD", (3, "banker", 100_00))


def test_a_moment_is_compared_with_the_streams_that_the_command_writes(dispatcher):
    pit = GamingTable(dispatcher).open().prepare()
    pit.bet(3, "banker", 100_00)
    pit.moment += timedelta(hours=1)
    pit.say("table.seat", seat=8, patron="P-8")  # the table's stream is an hour ahead now
    pit.moment -= timedelta(hours=1)
    pit.bet(3, "banker", 150_00)
    refused = pit.ask("table.seat", seat=9, patron="P-9").body

    assert (refused["error"], "is before the newest entry" in refused["message"]) == (
        "BadValue",
        True,
    )
    pit.say("table.seat", seat=9, patron="P-9", late=True)


def test_without_at_the_moment_is_the_clock_s_and_never_before_the_record(at, superuser):
    dispatcher = at(EARLIER)
    GamingTable(dispatcher).open()  # at BEGINS and after, as the lines say
    line = {"command": "table.seat", "table": "B01", "seat": 8, "patron": "P-8", "id": "behind"}
    assert dispatcher.dispatch(line).ok
    seated, account = moments(superuser, "behind")
    (metadata,) = superuser.execute(
        "SELECT DISTINCT metadata::jsonb FROM ledger.events WHERE command_id = 'behind'"
    ).fetchone()

    assert seated > BEGINS  # where the table's own record stood
    assert account == seated  # what one command states is in order
    assert float(metadata["clock_behind"]) == (seated - EARLIER).total_seconds()


def test_a_command_over_several_streams_has_one_moment(at, superuser):
    dispatcher = at(BEGINS + timedelta(minutes=10))
    pit = GamingTable(dispatcher).open().prepare()
    pit.bet(3, "banker", 100_00)
    pit.deal("KC 9S 2C QD")
    late = {"seat": 5, "spot": "player", "amount": 25_00}
    pit.ask("bet", **late, at=(BEGINS + timedelta(hours=1)).isoformat())  # the coup stands there
    line = {"command": "settle", "table": "B01", "id": "unstated"}
    assert dispatcher.dispatch(line).ok
    settled = set(moments(superuser, "unstated"))

    assert settled == {BEGINS + timedelta(hours=1)}


OPEN = {"command": "table.open", "table": "B01", "rules": "classic@1", "opener": {}}


@pytest.fixture
def in_earnest(monkeypatch):
    """Moments may lie as far ahead as in a house, and not as the evening of the tests does."""
    monkeypatch.setattr("ops.commands.machine_time.FURTHEST_AHEAD", AHEAD)


@pytest.mark.usefixtures("in_earnest")
@pytest.mark.parametrize(
    ("ahead", "words"),
    [
        (AHEAD, ""),
        (AHEAD + timedelta(seconds=1), "The entry is dated 5 minutes 1 second in the future."),
        (timedelta(days=28), "The entry is dated 28 days in the future."),
    ],
)
@pytest.mark.parametrize("late", [{}, {"late": True}])
def test_a_moment_in_the_future_is_refused(at, ahead, words, late):
    said = {"at": (BEGINS + ahead).isoformat(), **late}
    answer = at(BEGINS).dispatch({**OPEN, **said}).body

    assert answer["ok"] == (not words)
    assert words in answer.get("message", "")
    assert words == "" or answer["error"] == "BadValue"


@pytest.mark.usefixtures("in_earnest")
def test_whether_a_moment_is_in_the_future_is_decided_by_the_server_s_clock(
    machine, dispatcher, monkeypatch
):
    """The machine believes that it is an hour later than it is."""
    monkeypatch.setattr("ops.ledger.clock.wall_clock", machine(timedelta(hours=1)))
    said = (datetime.now(UTC) + timedelta(minutes=30)).isoformat()

    assert dispatcher.dispatch({**OPEN, "at": said}).body["error"] == "BadValue"


@pytest.mark.usefixtures("in_earnest")
@pytest.mark.parametrize("channel", ["feed", "shell"])
def test_every_channel_refuses_a_moment_in_the_future(database, monkeypatch, channel):
    monkeypatch.setattr("ops.ledger.clock.wall_clock", lambda: BEGINS)
    moment = (BEGINS + timedelta(days=28)).isoformat()
    if channel == "feed":
        status, [answer] = feed(database, [{**OPEN, "at": moment}])
        said = answer["message"]
    else:
        words = f"table open B01 classic@1 --opener 100=1 --at {moment}"
        result = shell(database, *words.split())
        status, said = result.exit_code, result.stderr

    assert status == 1
    assert "28 days in the future" in said


@pytest.mark.usefixtures("in_earnest")
def test_a_feed_with_made_up_days_must_say_so(database, monkeypatch):
    monkeypatch.setattr("ops.ledger.clock.wall_clock", lambda: BEGINS)
    line = {**OPEN, "at": (BEGINS + timedelta(days=28)).isoformat()}

    assert feed(database, [line])[0] == 1
    assert feed(database, [line], "--replayed-days")[0] == 0


@pytest.fixture
def machine(monkeypatch):
    """A machine whose clock is off by so much; and that clock."""

    def make(off):
        monkeypatch.setattr("ops.ledger.fit.machine_clock", lambda: datetime.now(UTC) + off)
        monkeypatch.setattr("ops.ledger.recorder.machine_clock", lambda: datetime.now(UTC) + off)
        return lambda: datetime.now(UTC) + off

    return make


@pytest.mark.parametrize(
    ("off", "words"),
    [
        (timedelta(minutes=3, seconds=20), r"is 3 minutes (19|20) seconds ahead of the ledger's"),
        (-timedelta(hours=2, seconds=30), r"is 2 hours behind the ledger's"),
    ],
)
def test_a_machine_whose_clock_is_wrong_cannot_command_but_can_read(
    machine, dispatcher, another, database, superuser, off, words
):
    GamingTable(dispatcher).open()
    machine(off)
    refused = another().dispatch({**OPEN, "table": "B02", "id": "one"}).body

    assert refused["error"] == "ClockOff"
    assert re.search(words, refused["message"])
    assert shell(database, "report", "commission").exit_code == 0
    assert superuser.execute(
        "SELECT count(*) FROM ledger.commands WHERE command_id = 'one'"
    ).fetchone() == (0,)


def test_a_machine_whose_clock_is_set_right_can_command_again(machine, dispatcher, another):
    GamingTable(dispatcher).open()
    machine(timedelta(minutes=3))
    hand = another()
    assert hand.dispatch({**OPEN, "table": "B02"}).body["error"] == "ClockOff"
    machine(timedelta(0))

    assert hand.dispatch({**OPEN, "table": "B02"}).ok


def test_a_machine_whose_clock_goes_wrong_during_work_is_refused(machine, dispatcher):
    GamingTable(dispatcher).open()
    machine(timedelta(minutes=3))
    assert dispatcher.dispatch({**OPEN, "table": "B02"}).ok  # as the server was asked last
    assert dispatcher.dispatch({**OPEN, "table": "B03"}).body["error"] == "ClockOff"


def test_a_command_that_states_its_moment_needs_no_clock(machine, dispatcher, another):
    GamingTable(dispatcher).open()
    machine(timedelta(minutes=3))

    assert another().dispatch({**OPEN, "table": "B02", "at": BEGINS.isoformat()}).ok


@pytest.mark.parametrize(("minutes", "off"), [(1.5, 0.0), (0.0, -1.5), (0.0, 0.0)])
def test_a_wrong_clock_is_recorded_for_its_machine_not_for_the_next_one(
    machine, dispatcher, another, database, monkeypatch, minutes, off
):
    """First one whose clock is ahead; then one that is right, or behind."""
    GamingTable(dispatcher).open()
    for table, by in (("B02", minutes), ("B03", off)):
        clock = machine(timedelta(minutes=by))
        monkeypatch.setattr("ops.ledger.clock.wall_clock", clock)
        line = {**OPEN, "table": table, "day": "2026-11-21"}
        assert another().dispatch(line).ok
        assert (
            another()
            .dispatch({"command": "table.seat", "table": table, "seat": 1, "patron": "P-1"})
            .ok
        )
    machine(timedelta(0))
    found = shell(database, "report", "exceptions", "--json")
    noted = {
        (row["table"], row["kind"], row["detail"].get("machine"))
        for row in json.loads(found.stdout)["rows"]
        if row["kind"].startswith("clock")
    }
    expected = {("B02", "clock ahead", gethostname())} if minutes else set()

    assert noted == expected


def test_events_are_in_the_ledger_in_the_order_in_which_they_happened(dispatcher, superuser):
    pit = GamingTable(dispatcher).open().prepare()
    pit.bet(3, "banker", 100_00)
    first_card = pit.say("draw", card="KC")
    pit.deal("9S 2C QD", settle=True)
    pit.say("commission.collect", seat=3, amount=5_00)
    ended, closed = pit.end_shoe(), pit.say("table.close", closer={})
    topics = [
        topic
        for answer in (first_card, ended, closed)
        for (topic,) in superuser.execute(
            "SELECT topic FROM ledger.events WHERE position > %s AND position <= %s "
            "ORDER BY position",
            (
                answer.body["position"] - len(answer.body["events"]),
                answer.body["position"],
            ),
        )
    ]

    assert topics == [
        *("coup.betting-closed", "shoe.card-drawn", "coup.card-dealt"),
        *("shoe.ended", "table-day.shoe-taken-off"),
        *["table-day.patron-left"] * 3,
        *("table-day.table-closed", "table.day-closed"),
    ]
