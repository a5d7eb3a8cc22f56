"""When things happened: said or not, late or not, and never backwards in a stream."""

from datetime import UTC, datetime, timedelta

import pytest

from ops.casino import FURTHEST_AHEAD, Casino
from ops.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger
from tests.projections import BEGINS, Pit

EARLIER = BEGINS - timedelta(minutes=30)


@pytest.fixture
def at(database):
    """A mouth whose clock stands at a moment."""
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


def test_what_one_table_says_is_no_later_for_having_read_another(dispatcher):
    Pit(dispatcher).open()
    other = Pit(dispatcher, "B02")
    other.moment = EARLIER  # the house was founded after this, and its rules adopted
    other.open().prepare().play("KC 9S 2C QD", (3, "banker", 100_00))


def test_a_moment_is_compared_with_the_streams_that_the_command_writes(dispatcher):
    pit = Pit(dispatcher).open().prepare()
    pit.bet(3, "banker", 100_00)
    pit.moment += timedelta(hours=1)
    pit.say("table.seat", seat=8, patron="P-8")  # the table's stream is an hour ahead now
    pit.moment -= timedelta(hours=1)
    pit.bet(3, "banker", 150_00)
    refused = pit.ask("table.seat", seat=9, patron="P-9").body

    assert (refused["error"], "the record stands at" in refused["message"]) == ("BadValue", True)
    pit.say("table.seat", seat=9, patron="P-9", late=True)


def test_a_moment_that_nobody_stated_is_the_clocks_and_never_before_the_record(at, superuser):
    dispatcher = at(EARLIER)
    Pit(dispatcher).open()  # at BEGINS and after, as the lines say
    line = {"command": "table.seat", "table": "B01", "seat": 8, "patron": "P-8", "id": "behind"}
    assert dispatcher.dispatch(line).ok
    seated, account = moments(superuser, "behind")
    (metadata,) = superuser.execute(
        "SELECT DISTINCT metadata::jsonb FROM ledger.events WHERE command_id = 'behind'"
    ).fetchone()

    assert seated > BEGINS  # where the table's own record stood
    assert account == seated  # what one command states is in order
    assert float(metadata["clock_behind"]) == (seated - EARLIER).total_seconds()


def test_one_command_over_streams_that_stand_apart_has_one_moment(at, superuser):
    dispatcher = at(BEGINS + timedelta(minutes=10))
    pit = Pit(dispatcher).open().prepare()
    pit.bet(3, "banker", 100_00)
    pit.deal("KC 9S 2C QD")
    late = {"seat": 5, "spot": "player", "amount": 25_00}
    pit.ask("bet", **late, at=(BEGINS + timedelta(hours=1)).isoformat())  # the coup stands there
    line = {"command": "settle", "table": "B01", "id": "unstated"}
    assert dispatcher.dispatch(line).ok
    settled = set(moments(superuser, "unstated"))

    assert settled == {BEGINS + timedelta(hours=1)}


@pytest.mark.parametrize(("ahead", "ok"), [(FURTHEST_AHEAD, True), (timedelta(days=32), False)])
@pytest.mark.parametrize("late", [{}, {"late": True}])
def test_a_slip_of_months_is_refused_before_everything_after_it_needs_late(at, ahead, ok, late):
    now = datetime.now(UTC)
    said = {"at": (now + ahead).isoformat(), **late}
    line = {"command": "table.open", "table": "B01", "rules": "classic@1", "opener": {}, **said}
    answer = at(now).dispatch(line).body

    assert ok == answer["ok"]
    assert ok or "more than 31 days ahead" in answer["message"]


def test_facts_stand_in_the_ledger_in_the_order_in_which_they_were_stated(dispatcher, superuser):
    pit = Pit(dispatcher).open().prepare()
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
