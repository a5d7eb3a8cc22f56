"""A table that deals by itself: its pace, what it waits for, and that nothing is dealt twice."""

import itertools
from contextlib import closing, contextmanager
from datetime import timedelta

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from domain.aggregates.due import NextAct
from domain.rules.house_rules import named
from domain.rules.pace import RESULT
from domain.rules.refusals import BadValue, TableClosed
from ops.cli import cli
from ops.commands.casino import Casino
from ops.dealing import runner
from ops.dealing.runner import Runner, require_clock
from ops.dealing.step import next_step
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.mapper import event_of
from ops.ledger.reading import head_of, read_table
from ops.ledger.recorder import Ledger
from ops.now.follow import Follower
from ops.now.table_now import TableNow
from tests.worlds.electronic_table import TWO, ElectronicTable
from tests.worlds.gaming_table import BEGINS, DAY

pytestmark = pytest.mark.usefixtures("held")

PACE = named("electronic@1").clock


class Killed(Exception):
    """The runner's process ended here."""


class Dealing:
    """E01 in a house whose time passes only while the runner waits."""

    def __init__(self, database, connection):
        self.moment = BEGINS
        self.casino = Casino(Ledger(database), now=lambda: self.moment)
        self.dispatcher = Dispatcher(self.casino, "test")
        self.follower = Follower(connection, "E01")
        self.seen = self.follower.now
        self.lines = []
        self.bets = True  # the patron bets a little on each coup
        self.dies_after = None

    def look(self) -> TableNow:
        if self.follower.catch_up():
            self.seen = self.follower.now
        return self.seen

    def say(self, line):
        self.lines.append(line)
        answer = self.dispatcher.dispatch(line)
        if len(self.lines) == self.dies_after:
            raise Killed
        return answer

    def do(self, command, **fields):
        answer = self.dispatcher.dispatch({"command": command, "table": "E01", **fields})
        assert answer.ok, answer
        return answer

    def run(self, until):
        """Deals until this is so of the table."""

        def wait(seconds):
            self.moment += timedelta(seconds=seconds)
            now = self.look()
            if until(now):
                return True
            if self.bets and now.coup and now.coup.phase == "betting" and not now.seat(3).wagers:
                self.do("bet", seat=3, spot="player", amount=1_00)
            return False

        return Runner(self.look, self.say, wait, lambda: self.moment).run()

    def events(self, *topics):
        with self.casino.ledger.connection() as connection:
            asked = "SELECT topic, state, metadata FROM ledger.events WHERE topic = ANY(%s)"
            return connection.execute(f"{asked} ORDER BY position", (list(topics),)).fetchall()

    def events_in_all(self):
        with self.casino.ledger.connection() as connection:
            return connection.execute("SELECT count(*) FROM ledger.events").fetchone()[0]


@pytest.fixture(autouse=True)
def in_long_steps(monkeypatch):
    """Nobody looks at the table every quarter of a second of a made-up evening."""
    monkeypatch.setattr(runner, "LONGEST", 60.0)


@contextmanager
def dealing_on(database):
    with database.connect("sabot_auditor") as connection:
        world = Dealing(database, connection)
        with closing(world.casino):
            world.do("table.open", rules="electronic@1", opener={}, day=DAY)
            world.do("table.seat", seat=3, patron="P-3")
            world.do("account.pay-in", seat=3, amount=100_00)
            yield world


@pytest.fixture
def world(database):
    with dealing_on(database) as world:
        yield world


def moments(world, topic):
    """When each event of a kind happened."""
    with world.casino.ledger.connection() as connection:
        events = read_table(connection, "E01", 0, head_of(connection), ())
    return [event_of(each).timestamp for each in events if each.topic == topic]


def test_a_whole_shoe_is_dealt_by_its_clock_and_the_next_one_begins(world):
    world.run(lambda now: now.shoe is not None and now.shoe.number == 2 and now.coup is not None)
    opened = moments(world, "coup.opened")
    closed = moments(world, "coup.betting-closed")
    settled = moments(world, "coup.settled")
    revealed = world.events("shoe.order-revealed")
    gaps = [later - before for before, later in itertools.pairwise(opened)]

    assert len(settled) > 60
    assert timedelta(hours=1) / PACE.coups_per_hour <= min(gaps)
    shown = moments(world, "shoe.ended")[0] - settled[-1]
    assert RESULT * timedelta(seconds=PACE.card_seconds) <= shown
    assert all(
        timedelta(seconds=PACE.betting_seconds) <= later - before
        for before, later in zip(opened, closed, strict=False)
    )
    assert len(revealed) == 1
    assert not [line for line in world.lines if not line["id"].startswith("run:E01/2026-11-21/")]
    assert len({line["id"] for line in world.lines}) == len(world.lines)


def test_every_line_sent_again_counts_once(world):
    world.run(lambda now: now.coup is not None and now.coup.number == 3)
    before = world.events_in_all()
    for line in world.lines:
        assert world.dispatcher.dispatch(line).ok

    assert before == world.events_in_all()


@pytest.mark.parametrize("nth", range(1, 13))
def test_killed_after_any_line_it_goes_on_there(world, nth):
    world.dies_after = nth
    with pytest.raises(Killed):
        world.run(lambda now: now.coup is not None and now.coup.number == 3)
    world.run(lambda now: now.coup is not None and now.coup.number == 3)
    shuffled = world.events("shoe.shuffled")

    assert len(shuffled) == 1
    assert len(world.events("coup.settled")) == 2
    ElectronicTable(world.dispatcher).require_books()


def test_a_bet_of_a_patron_is_settled(world):
    world.bets = False
    world.run(lambda now: now.coup is not None)
    world.do("bet", seat=3, spot="player", amount=10_00)
    world.run(lambda now: now.coup is not None and now.coup.number == 2)

    assert len(world.events("coup.wager-settled")) == 1
    ElectronicTable(world.dispatcher).require_books()


def test_it_waits_for_the_first_bet_and_then_gives_the_others_their_time(world):
    world.bets = False
    world.run(lambda now: world.moment > BEGINS + timedelta(minutes=10))
    waiting = world.look().coup
    world.do("bet", seat=3, spot="player", amount=10_00)
    placed = world.moment
    world.run(lambda now: now.coup.number == 2)
    (closed,) = moments(world, "coup.betting-closed")

    assert (waiting.number, waiting.phase) == (1, "betting")
    assert closed - placed >= timedelta(seconds=PACE.betting_seconds)
    assert world.events("table-day.locked-up") == []


def test_bets_that_are_taken_back_are_waited_for_again(world):
    world.bets = False
    world.run(lambda now: now.coup is not None)
    world.do("bet", seat=3, spot="player", amount=10_00)
    world.do("withdraw", seat=3)
    world.run(lambda now: world.moment > BEGINS + timedelta(minutes=10))

    assert world.look().coup.phase == "betting"


def test_it_waits_while_nobody_sits(database):
    with database.connect("sabot_auditor") as connection:
        world = Dealing(database, connection)
        with closing(world.casino):
            world.do("table.open", rules="electronic@1", opener={}, day=DAY)
            ends = BEGINS + timedelta(minutes=5)
            world.run(lambda now: world.moment > ends)

    assert "shoe.shuffle" in [line["command"] for line in world.lines]
    assert "open" not in [line["command"] for line in world.lines]


@pytest.mark.parametrize("drawn", [0, 3])
def test_a_dealing_that_stood_still_too_long_locks_the_table_up(world, drawn):
    def is_there(now):
        if now.coup is None:
            return False
        dealt = len(now.coup.player.cards) + len(now.coup.banker.cards)
        return dealt == drawn

    world.run(lambda now: now.coup is not None)
    world.do("bet", seat=3, spot="player", amount=10_00)
    world.run(is_there)
    world.moment += timedelta(seconds=PACE.betting_seconds + PACE.fault_seconds + 5)
    world.run(lambda now: now.locked_up)
    before = world.lines[-1]
    answer = world.do("table.unlock", how="return", reason="the power went", by="D-204", **TWO)
    world.run(lambda now: now.coup.number == 2)

    assert (before["command"], before["why"]) == ("table.lock-up", "gap")
    assert "Unlocked" in [each["type"] for each in answer.body["events"]]
    ElectronicTable(world.dispatcher).require_books()


def test_a_short_stop_locks_nothing_up(world):
    world.run(lambda now: now.coup is not None and now.coup.phase == "dealing")
    world.moment += timedelta(seconds=PACE.fault_seconds - 5)
    world.run(lambda now: now.coup.number == 2)

    assert world.events("table-day.locked-up") == []


@pytest.mark.parametrize(
    "action", ["void", "dispute.decide", "commission.collect", "bet", "table.unlock"]
)
def test_it_leaves_to_people_what_takes_people(world, action):
    world.run(lambda now: now.coup is not None)
    now = replace(world.look(), due=NextAct(action, "R-IRR-4"))

    assert next_step(now, world.moment) is None


def test_a_shoe_that_people_shuffled_is_not_dealt(world):
    world.run(lambda now: now.coup is not None)
    now = world.look()
    shoe = replace(now.shoe, commitment="")

    assert next_step(replace(now, shoe=shoe), world.moment) is None


def test_a_table_that_people_deal_or_that_is_closed_is_refused(world):
    now = world.look()
    with pytest.raises(BadValue, match="the rule set has no clock"):
        require_clock(replace(now, rules=named("classic@1")))
    with pytest.raises(TableClosed):
        require_clock(replace(now, closed=True))


def test_a_refused_line_ends_it_with_the_words(world):
    world.run(lambda now: now.coup is not None)
    world.say = lambda line: world.dispatcher.dispatch({**line, "command": "open"})
    ended = world.run(lambda now: False)

    assert ended.answer.body["error"] == "AlreadyOpen"


def test_the_command_says_that_a_table_is_closed(database):
    env = {"SABOT_DATABASE_URL": database.url}
    done = CliRunner().invoke(cli, ["table", "run", "E09"], env=env)

    assert done.exit_code == 1
    assert "E09 is not open" in done.stderr
