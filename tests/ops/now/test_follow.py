"""A table followed event by event is the table read anew; and what a terminal shows of it."""

from contextlib import contextmanager
from datetime import timedelta

import pytest
from msgspec.structs import replace

from ops.ledger.reading import UnreadableEvent, read_events
from ops.now.follow import Follower
from ops.terminal.dealer.due import task
from ops.terminal.dealer.table_words import table_lines
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, GamingTable, trouble

pytestmark = pytest.mark.usefixtures("held")

TWO = {"with": "S-11"}


@contextmanager
def following(database, table="B01"):
    with database.session("sabot_projector") as connection:
        yield Follower(connection, table)


class Watched(GamingTable):
    """A pit beside which one terminal follows all the time; every line is compared.

    And another one that is given all events of the house, each of them again and again.
    """

    def __init__(self, dispatcher, database, follower, given):
        super().__init__(dispatcher)
        self.database, self.follower, self.given = database, follower, given

    def ask(self, command, **fields):
        answer = super().ask(command, **fields)
        self.follower.catch_up()
        with self.database.session("sabot_auditor") as connection:
            events = read_events(connection, max(0, self.given.read - 20), 1_000)
        self.given.take(events, events[-1].position)
        with following(self.database) as fresh:
            expected = fresh.now

        assert replace(expected, position=0) == replace(self.now, position=0)
        assert fresh.read == self.follower.read == self.given.read
        assert self.given.now == self.now
        return answer

    @property
    def now(self):
        return self.follower.now


@pytest.fixture
def watched(dispatcher, database):
    with following(database) as follower, following(database) as given:
        yield Watched(dispatcher, database, follower, given)


def test_a_table_that_never_opened_is_closed(database):
    with following(database) as follower:
        assert follower.now.closed
        assert follower.now.seats == ()
        assert follower.now.due is None


def test_whoever_follows_shows_what_whoever_comes_later_reads(watched):
    trouble(watched.open().prepare())
    watched.say("void", coup=f"B01/{DAY}/1/3", reason="a card fell", **TWO)
    watched.play(BANKER_WINS, (3, "banker", 100_00))
    watched.say("table.move", seat=3, to=4)
    watched.say("commission.collect", seat=4, amount=5_00)
    watched.say("table.leave", seat=4)
    watched.end_shoe()
    watched.say("table.roll-over", closer={"10000": 190}, **TWO)
    watched.prepare(seat=5)
    watched.play(PLAYER_WINS, (5, "player", 100_00))

    assert watched.now.day == "2026-11-22"
    assert [seat.patron for seat in watched.now.seats] == ["P-10411", "grey-jacket"]


def test_a_shoe_in_play_and_its_road_are_shown_after_a_roll_over(watched):
    watched.open().prepare()
    watched.play(BANKER_WINS, (3, "banker", 100_00))
    watched.say("commission.collect", seat=3, amount=5_00)
    watched.say("table.roll-over", closer={"10000": 199}, **TWO)
    rolled_over = watched.now
    watched.play(PLAYER_WINS, (5, "player", 100_00))

    assert str(rolled_over.shoe.address) == f"B01/{DAY}/1"
    assert (rolled_over.day, rolled_over.coup.address) == ("2026-11-22", f"B01/{DAY}/1/1")
    assert watched.now.coup.address == f"B01/{DAY}/1/2"
    assert [each.outcome for each in watched.now.beads] == ["banker", "player"]


def test_a_fill_is_shown_until_it_is_received_and_a_credit_until_it_is_void(watched):
    watched.open().prepare()
    elsewhere = GamingTable(watched.dispatcher, "B02").open()
    for_b02 = elsewhere.say("slip.request", kind="fill", chips={"10000": 1}).body["slip"]
    fill, credit = (
        watched.say("slip.request", kind=kind, chips={"10000": 5}, by="S-11").body["slip"]
        for kind in ("fill", "credit")
    )
    steps = [{each: slip.step for each, slip in watched.now.slips.items()}]
    for command, by in (("slip.issue", "C-1"), ("slip.carry", "R-1")):
        line = {"command": command, "slip": fill, "by": by, "at": watched.moment.isoformat()}
        assert watched.dispatcher.dispatch(line).ok
        assert watched.dispatcher.dispatch({**line, "slip": for_b02}).ok
        watched.follower.catch_up()
        steps.append({each: slip.step for each, slip in watched.now.slips.items()})
    carried = watched.now.slips[fill]
    on_slip = {"at": watched.moment.isoformat(), "by": "D-204", "with": "S-11"}
    for line in ({"command": "slip.receive", "slip": fill},
                 {"command": "slip.void", "slip": credit, "reason": "not needed"}):  # fmt: skip
        assert watched.dispatcher.dispatch({**line, **on_slip}).ok
    heard = [event.topic for event in watched.follower.catch_up()]

    assert [
        {fill: "requested", credit: "requested"},
        {fill: "issued", credit: "requested"},
        {fill: "carried", credit: "requested"},
    ] == steps
    assert {"requested": "S-11", "issued": "C-1", "carried": "R-1"} == carried.people
    assert {} == watched.now.slips
    assert ["slip-book.slip-received", "table-day.filled", "slip-book.slip-voided"] == heard
    watched.bet(3, "banker", 100_00)  # and whoever comes now reads the same


def test_what_is_to_be_paid_is_shown_before_it_is_settled(watched):
    watched.open().prepare()
    watched.bet(3, "banker", 100_00)
    watched.bet(5, "player", 500_00)
    watched.deal(BANKER_WINS)

    assert [seat.paid for seat in watched.now.seats] == [None, 200_00, 0]
    assert watched.now.coup.phase == "resulted"
    assert watched.now.due.action == "settle"

    watched.say("settle")

    assert [seat.paid for seat in watched.now.seats] == [None, 200_00, 0]
    assert watched.now.owed == 5_00


def test_a_void_coup_pays_nobody_and_leaves_no_bead(watched):
    watched.open().prepare().play(BANKER_WINS, (3, "banker", 100_00))

    assert len(watched.now.beads) == 1

    watched.say("void", coup=f"B01/{DAY}/1/1", reason="a card fell", **TWO)

    assert watched.now.beads == ()
    assert watched.now.owed == 0


def test_what_a_seat_bet_last_is_told_for_whoever_sits_there_still(watched):
    watched.open().prepare().play(BANKER_WINS, (3, "banker", 100_00), (3, "tie", 25_00))
    watched.play(BANKER_WINS, (5, "player", 50_00))
    watched.bet(5, "tie", 10_00)

    assert watched.now.seat(3).last == (("banker", 100_00), ("tie", 25_00))
    assert watched.now.seat(5).last == (("player", 50_00),)

    watched.say("withdraw", seat=5, spot="tie")
    watched.say("table.leave", seat=1)
    watched.say("table.seat", seat=1, patron="P-77")

    assert watched.now.seat(1).last == ()


def test_what_has_face_down_no_terminal_shows(watched):
    watched.open("big-table@1").prepare()
    watched.bet(3, "player", 100_00)
    watched.deal(BANKER_WINS)
    shown = watched.now.coup

    assert shown.player.cards == (None, None)
    assert shown.player.total is None
    assert shown.outcome is None
    assert shown.face_down == ("player", "banker")
    assert watched.now.seat(3).paid is None
    assert watched.now.beads == ()

    watched.say("reveal", hand="player")

    assert watched.now.coup.player.total == 2
    assert watched.now.coup.outcome is None

    watched.say("reveal", hand="banker")

    assert watched.now.coup.outcome == "banker"
    assert watched.now.seat(3).paid == 0


def test_what_is_owed_of_several_chairs_is_told_once(watched):
    watched.open().prepare()
    watched.say("table.seat", seat=4, patron="P-10417", **TWO)
    watched.play(BANKER_WINS, (3, "banker", 100_00), (4, "banker", 100_00))

    assert [seat.owed for seat in watched.now.seats] == [0, 10_00, 10_00, 0]
    assert watched.now.owed == 10_00


def test_a_event_that_somebody_altered_is_told_and_not_shown(watched, superuser, database):
    watched.open().prepare().bet(3, "banker", 100_00)
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
    superuser.execute("UPDATE ledger.events SET state = '{}' WHERE topic = 'coup.wager-placed'")

    with pytest.raises(UnreadableEvent), following(database):
        pass


def test_in_a_void_coup_nothing_lies_any_more_and_what_went_back_is_known(watched):
    watched.open().prepare()
    watched.say("bet", seat=3, spot="banker", amount=500_00)
    watched.say("bet", seat=3, spot="tie", amount=25_00)
    assert watched.now.seat(3).back is None
    watched.say("void", coup=watched.now.coup.address, reason="a card fell", **TWO)
    now = watched.now

    assert now.seat(3).wagers == ()
    assert now.seat(3).last == ()
    assert (now.seat(3).back, now.coup.gave_back, now.coup.took_back) == (525_00, 525_00, 0)
    assert task(now).why == ("Coup 1 is void: 525.00 is returned.",)
    assert "Seat 3 P-10417: no bet; gets 525.00 back." in list(table_lines(now))


def test_whoever_was_paid_in_a_void_coup_gives_it_back_and_is_shown(watched):
    watched.open().prepare()
    for seat, spot in ((1, "tie"), (3, "banker"), (5, "player")):
        watched.say("bet", seat=seat, spot=spot, amount=100_00)
    for card in PLAYER_WINS.split():
        watched.say("draw", card=card)
    watched.say("settle")
    watched.say("void", coup=watched.now.coup.address, reason="a bet came late", **TWO)
    now = watched.now

    assert [seat.back for seat in now.seats if seat.back is not None] == [100_00, 100_00, -100_00]
    assert task(now).why == ("Coup 1 is void: 200.00 is returned, 100.00 is taken back.",)
    assert "Seat 5 grey-jacket: no bet; gives 100.00 back." in list(table_lines(now))
    assert "The coup is void." in list(table_lines(now))


def test_the_win_of_the_evening_is_one_figure_for_each_ten_minutes(watched):
    watched.open().prepare()
    watched.play(PLAYER_WINS, (1, "banker", 100_00))
    begun = watched.now.tray.wins
    watched.moment += timedelta(minutes=25)
    watched.play(PLAYER_WINS, (1, "player", 300_00))

    assert (100_00,) == begun
    assert (100_00, 100_00, -200_00) == watched.now.tray.wins
