"""After so much play a patron rests: counted over tables, names and gaming days (R-PLAY-4)."""

from datetime import timedelta
from random import Random

import pytest

from domain.aggregates.patron import Patron
from ops.commands.casino import Casino
from ops.reports.ask import ask
from ops.words.events import sentences
from projections import REPORTS
from tests.worlds.gaming_table import BEGINS, DAY, PLAYER_WINS, GamingTable

WHO, SEAT = "P-10417", 3
RESTS = """
name = "ours"
title = "Ours"
currency = "USD"
adds_to = "united-states"
at_the_seat = "{at_the_seat}"
[[rest]]
after = "3 hours"
rest = "15 minutes"
source = "ours"
[[rest]]
after = "6 hours"
within = "24 hours"
source = "ours"
"""


def resting(dispatcher, at_the_seat="refuse", table="B01"):
    """A table with a shoe, in a house with rests, of which nobody has played yet."""
    pit = GamingTable(dispatcher, table)
    chosen = {"by": "A-1", "with": "S-11", "file": RESTS.format(at_the_seat=at_the_seat)}
    pit.say("regime.choose", day=DAY, **chosen)
    return pit.open().prepare()


def at(pit, hours=0, minutes=0):
    pit.moment = BEGINS + timedelta(hours=hours, minutes=minutes)
    return pit


def bets(pit, seat=SEAT, amount=100_00):
    return pit.ask("bet", seat=seat, spot="player", amount=amount)


def test_after_three_hours_neither_bet_nor_chips_until_a_rest_is_over(dispatcher):
    pit = resting(dispatcher)
    assert bets(at(pit, 2, 59)).ok
    pit.deal(PLAYER_WINS, settle=True)
    refused = [bets(at(pit, 3, 1)), pit.ask("table.buy-in", seat=SEAT, amount=100_00)]

    assert [(each.error, each.rule) for each in refused] == [("PlayPaused", "R-PLAY-3")] * 2
    assert refused[0].reason == "Seat 3 takes a break until 23:16."
    assert pit.say("table.leave", seat=SEAT).ok
    assert pit.ask("table.seat", seat=SEAT, patron=WHO).error == "PlayPaused"
    assert at(pit, 3, 17).say("table.seat", seat=SEAT, patron=WHO).ok
    assert bets(pit).ok


def test_a_bet_of_a_coup_that_runs_is_paid_though_a_rest_is_due(dispatcher):
    pit = resting(dispatcher)
    assert bets(at(pit, 2, 59)).ok
    at(pit, 3, 5).say("draw", card="9C")

    assert pit.deal("5S 7C QD 9S", settle=True).ok


def test_shortly_before_the_dealer_is_shown_when_it_is_due_once_a_sitting(dispatcher):
    pit = resting(dispatcher)

    def shown(minutes, amount):
        events = bets(at(pit, 2, minutes), amount=amount).body["events"]
        return [str(each) for each in sentences(events, "USD")]

    announced = "Seat 3: a rest is due in 10 minutes."
    assert announced not in shown(44, 100_00)
    assert announced in shown(50, 200_00)
    assert not any("a rest is due" in each for each in shown(55, 300_00))
    rows = ask(dispatcher.casino.ledger.database, REPORTS["limits"], patron=WHO).rows
    assert [row["item"] for row in rows] == ["rest-announced"]


def test_play_at_another_table_and_under_another_name_counts(dispatcher):
    pit = resting(dispatcher)
    pit.say("table.leave", seat=5)
    other = at(GamingTable(dispatcher, "B02"), 0, 1).open()
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-9"})
    at(other, 0, 50).say("table.leave", seat=5)
    at(pit, 1).say("table.seat", seat=5, patron="P-9")
    assert bets(at(pit, 3, 5), seat=5).ok
    pit.deal(PLAYER_WINS, settle=True)

    assert bets(at(pit, 3, 20), seat=5).reason == "Seat 5 takes a break until 23:35."
    pit.say("patron.separate", patron="grey-jacket", reason="it was not", **{"with": "S-12"})
    assert bets(pit, seat=5).ok  # they sat for two hours and twenty minutes themselves


def test_play_of_the_gaming_day_before_counts(dispatcher):
    at(resting(dispatcher), 9, 50).say("table.leave", seat=SEAT)
    tomorrow = at(GamingTable(dispatcher, "B02"), 14)
    opened = {"rules": "dragon-bonus@1", "opener": {"10000": 200}, "with": "S-11"}
    tomorrow.say("table.open", day="2026-11-22", **opened)
    refused = tomorrow.ask("table.seat", seat=4, patron=WHO)

    assert refused.reason == "Seat 4 takes a break until 23:50."  # six hours in 24 again
    assert at(tomorrow, 27, 51).say("table.seat", seat=4, patron=WHO).ok


def test_what_is_entered_late_is_entered_as_it_was_and_counts(dispatcher):
    pit = resting(dispatcher)
    pit.say("table.leave", seat=SEAT)
    at(pit, 3, 10)
    seated = (BEGINS + timedelta(minutes=5)).isoformat()
    assert pit.say("table.seat", seat=SEAT, patron=WHO, at=seated, late=True).ok

    assert bets(pit).error == "PlayPaused"


def test_where_it_is_only_shown_that_they_played_on_is_on_record_once_a_sitting(dispatcher):
    pit = resting(dispatcher, "say")
    shown = [bets(at(pit, 3, 1 + n), amount=(n + 1) * 100_00) for n in range(3)]
    pit.deal(PLAYER_WINS, settle=True)
    pit.say("table.leave", seat=SEAT)
    again = at(pit, 3, 10).say("table.seat", seat=SEAT, patron=WHO)

    noted = [sum(e["type"] == "PlayedOn" for e in each.body["events"]) for each in (*shown, again)]
    assert noted == [1, 0, 0, 1]
    rows = ask(dispatcher.casino.ledger.database, REPORTS["limits"], patron=WHO).rows
    assert [row["item"] for row in rows] == ["played-on"] * 2


def test_a_bet_relies_on_no_record_of_another_patron(dispatcher, monkeypatch):
    pit = resting(dispatcher)
    other = GamingTable(dispatcher, "B02").open().prepare()
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-9"})
    asked = []
    find = Casino.find

    def noting(casino, kind, stream, **more):
        asked.append((kind, stream))
        return find(casino, kind, stream, **more)

    monkeypatch.setattr(Casino, "find", noting)
    assert bets(at(other, 1)).ok
    assert {stream for kind, stream in asked if kind is Patron} == {Patron.stream(WHO)}


def test_gaming_days_that_nobody_asks_about_are_forgotten_and_read_again_when_asked(dispatcher):
    pit = GamingTable(dispatcher).open()
    GamingTable(dispatcher, "B02").open()
    clock, here = dispatcher.desk.play_clock, dispatcher.desk.last_table_day(pit.table)
    today = BEGINS.date()
    asked = [today, today + timedelta(days=30), today + timedelta(days=90), today]

    found = [
        dispatcher.casino.ask(lambda day=each: len(clock.sittings(WHO, here, day)))
        for each in asked
    ]
    assert found == [2, 1, 1, 2]  # here, and at the other table


def limited(pit, minutes, period="day", **fields):
    asked = {"minutes": minutes} if minutes else {"lifted": True}
    return pit.ask("patron.limit", patron=WHO, kind="time", period=period, **asked, **fields)


def test_over_a_limit_of_time_play_pauses_until_the_gaming_day_ends(dispatcher):
    pit = GamingTable(dispatcher).open().prepare()
    stated = limited(pit, 120)
    assert [str(each) for each in sentences(stated.body["events"], "USD")] == [
        "P-10417 plays at most 2 hours in a day, from 2026-11-21 20:00:10 on."
    ]
    assert bets(at(pit, 1, 59)).ok
    pit.deal(PLAYER_WINS, settle=True)
    ends = "2026-11-22 06:00"

    assert bets(at(pit, 2, 1)).reason == f"Seat {SEAT} takes a break until {ends}."
    assert bets(pit, seat=1).ok
    assert limited(pit, 180).ok  # their own higher one holds tomorrow
    assert bets(pit).error == "PlayPaused"
    rows = ask(dispatcher.casino.ledger.database, REPORTS["limits"], patron=WHO).rows
    assert [(each["item"], each["amount"], each["minutes"]) for each in rows] == [
        ("time", None, 120),
        ("rest-announced", None, None),  # a minute before
        ("time", None, 180),
    ]


def test_a_limit_of_a_week_counts_the_days_before(dispatcher):
    monday = at(GamingTable(dispatcher), 0).open()
    assert limited(monday, 180, "week").ok
    at(monday, 2).say("table.leave", seat=SEAT)
    tuesday = at(GamingTable(dispatcher, "B02"), 24).open(day="2026-11-22").prepare()
    assert bets(at(tuesday, 24, 50)).ok
    tuesday.deal(PLAYER_WINS, settle=True)
    assert bets(at(tuesday, 25, 1)).error == "PlayPaused"
    assert tuesday.say("table.leave", seat=SEAT).ok
    later = at(GamingTable(dispatcher, "B03"), 24 * 7)
    opened = {"rules": "dragon-bonus@1", "opener": {"10000": 200}, "with": "S-11"}
    later.say("table.open", day="2026-11-28", **opened)  # the Saturday after: monday's are over
    assert later.say("table.seat", seat=4, patron=WHO).ok


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "time"}, "How long? Give `minutes`, or `lifted` for no limit."),
        ({"kind": "time", "amount": 100_00}, "Give `minutes` with a limit of time"),
        ({"kind": "loss", "minutes": 60}, "Give `minutes` with a limit of time"),
        ({"kind": "time", "minutes": 60, "lifted": True}, "and not both"),
        ({"kind": "time", "lifted": True}, "has no such limit"),
        ({"kind": "time", "minutes": 0}, "write minutes, as in 240"),
    ],
)
def test_a_limit_of_time_that_cannot_be_is_refused_in_words(dispatcher, fields, words):
    pit = GamingTable(dispatcher).open()

    assert words in pit.ask("patron.limit", patron=WHO, period="day", **fields).reason


class Model:
    """Who may play, minute by minute, without the program."""

    def __init__(self):
        self.played = set()  # minutes

    def sits(self, since, until):
        self.played |= set(range(since, until))

    def may_play(self, now):
        """Not after three hours without a quarter of an hour off, nor after six in a day."""
        streak = away = 0
        paused = False
        for minute in range(min(self.played, default=now), now):
            away = 0 if minute in self.played else away + 1
            streak += minute in self.played
            if away == 15:
                streak = 0
            paused = streak >= 180
        return not paused and len([each for each in self.played if each >= now - 1440]) < 360


@pytest.mark.parametrize("seed", range(3))
def test_a_model_of_its_own_lets_the_same_patrons_play_on_random_nights(dispatcher, seed):
    random = Random(seed)
    pit = resting(dispatcher)
    tables = [pit, GamingTable(dispatcher, "B02"), GamingTable(dispatcher, "B03")]
    for each in tables[1:]:
        each.moment = pit.moment
        each.say(
            "table.open", rules="dragon-bonus@1", opener={"10000": 200}, day=DAY, **{"with": "S-11"}
        )
    for seat in (1, 3, 5):
        pit.say("table.leave", seat=seat)
    models = {f"P-{n}": Model() for n in range(3)}
    sitting = {}  # patron: table, seat, since which minute
    minute, seen = 1, set()
    while minute < 9 * 60:
        minute += random.randrange(1, 12)
        who = random.choice(list(models))
        may = models[who].may_play(minute)
        if who in sitting:
            table, seat, since = sitting[who]
            models[who].sits(since, minute)
            may = models[who].may_play(minute)
            table.moment = BEGINS + timedelta(minutes=minute, seconds=-1)
            if random.random() < 0.25:
                table.say("table.leave", seat=seat)
                del sitting[who]
            else:
                taken = table.ask("table.buy-in", seat=seat, amount=100_00)
                assert taken.ok is may, (who, minute)
                seen.add(("plays", may))
            continue
        table, seat = random.choice(tables), int(who[-1]) + 1
        table.moment = BEGINS + timedelta(minutes=minute, seconds=-1)
        answer = table.ask("table.seat", seat=seat, patron=who)
        assert answer.ok is may, (who, minute)
        seen.add(("sits", may))
        if may:
            sitting[who] = table, seat, minute

    assert seen == {("plays", True), ("plays", False), ("sits", True), ("sits", False)}
