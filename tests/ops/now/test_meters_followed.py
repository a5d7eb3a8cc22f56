"""Each table shows what is in its meter as soon as any table moves it (R-PROG-1)."""

import queue

from ops.now.follow import Follower
from ops.now.listener import Listener
from ops.web.pages.beside import meters_of
from ops.web.pages.wall import limits_of
from tests.worlds.gaming_table import PLAYER_WINS, GamingTable
from tests.worlds.progressive_sheets import BY_NINE, sheet
from tests.worlds.terms_of_sheets import COUP, TWO, approve


def test_a_table_shows_what_another_one_put_into_the_meter_or_won(dispatcher, database):
    approve(dispatcher, sheet())
    first, _ = (
        GamingTable(dispatcher, each).open("riverside@1").prepare() for each in ("B01", "B02")
    )
    with database.session("sabot_auditor") as connection:
        follower = Follower(connection, "B02")
        shown = [dict(follower.now.meters)]
        for cards in (PLAYER_WINS, BY_NINE):
            first.play(cards, (3, "fortune", 100_00))
            follower.catch_up()
            shown.append(dict(follower.now.meters))
        first.say("void", coup=COUP, reason="misread", **TWO)
        follower.catch_up()
        now, anew = follower.now, Follower(connection, "B02").now

    assert [1_000_00, 1_015_00, 1_000_00] == [each["fortune"] for each in shown]
    assert now.meters == anew.meters
    assert [("Fortune", "1,000.00")] == meters_of(now)
    assert any("meter of the house" in text for _, text in limits_of(now))


def test_a_table_without_a_meter_takes_no_event_of_one(dispatcher, database):
    approve(dispatcher, sheet())
    first = GamingTable(dispatcher, "B01").open("riverside@1").prepare()
    GamingTable(dispatcher, "B02").open("dragon-bonus@1")
    with database.session("sabot_auditor") as connection:
        follower = Follower(connection, "B02")
        before = follower.now
        first.play(BY_NINE, (3, "fortune", 100_00))
        follower.catch_up()

    assert (before, {}) == (follower.now, follower.now.meters)


class Screen:
    """What a listener has a screen show of the meters."""

    def __init__(self):
        self.shown = queue.Queue()

    def saw(self, now, read, news):
        if now is not None:
            self.shown.put(now.meters.get("fortune"))

    def reached(self):
        pass

    def lost(self, why):
        self.shown.put(why)


def test_a_screen_of_another_table_is_shown_the_meter_as_soon_as_it_moves(dispatcher, database):
    approve(dispatcher, sheet())
    first = GamingTable(dispatcher, "B01").open("riverside@1").prepare()
    GamingTable(dispatcher, "B02").open("riverside@1").prepare()
    screen = Screen()
    listener = Listener(database, "B02", screen)
    listener.start()
    try:
        before = screen.shown.get(timeout=20)
        first.play(PLAYER_WINS, (3, "fortune", 100_00))
        after = screen.shown.get(timeout=20)
    finally:
        listener.end(patience=10)

    assert (1_000_00, 1_015_00) == (before, after)
