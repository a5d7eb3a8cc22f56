"""Limits and rests where two tables have two gaming days: report and pit as each seat decides.

What is used is counted again here, from what was accepted: cash by gaming day, play by the second.
"""

from collections import defaultdict
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from random import Random

import pytest

from ops.board.board import Board
from ops.commands.rights import OF_OPEN_HOUSE, read_by
from ops.ledger import clock
from ops.reports.ask import ask
from projections import REPORTS
from tests.worlds.gaming_table import BEGINS, PATRONS, GamingTable

WHO, ALIAS = "P-10417", "grey-jacket"
DAYS = {"B01": date(2026, 11, 21), "B02": date(2026, 11, 22)}
TURNS = datetime(2026, 11, 22, 6, tzinfo=UTC)
REACH = {"day": 1, "week": 7}
REST = """
name = "ours"
title = "Ours"
currency = "USD"
adds_to = "united-states"
[[rest]]
after = "40 minutes"
rest = "10 minutes"
source = "ours"
"""


class Floor:
    """B01 still of one gaming day, and B02 of the next one already."""

    def __init__(self, dispatcher, monkeypatch):
        self.database = dispatcher.casino.ledger.database
        self.tables = {code: GamingTable(dispatcher, code) for code in DAYS}
        self.moment = BEGINS
        self._clock = lambda now: monkeypatch.setattr(clock, "wall_clock", lambda: now)

    def open(self, *, seated=True):
        for code, day in DAYS.items():
            self.moment = max(self.moment, TURNS if code == "B02" else BEGINS)
            opened = {"rules": "dragon-bonus@1", "opener": {"10000": 200}, "with": "S-11"}
            assert self.ask(code, "table.open", day=day.isoformat(), **opened).ok
        for seat, patron in PATRONS.items() if seated else ():
            assert self.ask("B01" if seat == 3 else "B02", "table.seat", seat=seat, patron=patron)
        return self

    def ask(self, code, command, **fields):
        table = self.tables[code]
        table.moment = self.moment
        answer = table.ask(command, **fields)
        self.moment = table.moment
        return answer

    def rows(self, **narrowed):
        self._clock(self.moment + timedelta(seconds=1))  # the moment of the next line
        return ask(self.database, REPORTS["limits-used"], **narrowed).rows

    def pauses(self):
        board = Board(self.database, now=lambda: self.moment + timedelta(seconds=1))
        with closing(board), read_by(OF_OPEN_HOUSE):
            return {(each.table, each.seat, each.what): each.at for each in board.once().pauses}

    def also_at_b01(self, seat=3):
        """Who sits at B02 also sits at B01, as is entered late."""
        at = BEGINS + timedelta(hours=1)
        who = {"seat": seat, "patron": WHO, "at": at.isoformat(), "late": True}
        assert self.ask("B01", "table.seat", **who).ok


@pytest.fixture
def floor(dispatcher, monkeypatch):
    return Floor(dispatcher, monkeypatch)


def limit(floor, kind="loss", period="day", who=WHO, whose="house", **most):
    fields = {"patron": who, "kind": kind, "period": period, "whose": whose, **most}
    assert floor.ask("B01", "patron.limit", **fields).ok


def test_each_seat_has_a_row_by_the_gaming_day_of_its_table(floor):
    floor.open(seated=False)
    limit(floor, amount=500_00)
    assert floor.ask("B02", "table.seat", seat=3, patron=WHO).ok
    floor.also_at_b01()
    assert floor.ask("B02", "table.buy-in", seat=3, amount=500_00).ok
    assert floor.ask("B02", "table.buy-in", seat=3, amount=1_00).error == "PlayPaused"

    rows = [(row["table"], row["seat"], row["used"], row["left"]) for row in floor.rows()]
    assert rows == [("B02", 3, 500_00, 0), ("B01", 3, 0, 500_00)]
    assert [row["left"] for row in floor.rows(table="B02", patron=WHO)] == [0]
    assert [*floor.pauses()] == [("B02", 3, "limit-reached")]
    assert floor.ask("B01", "table.buy-in", seat=3, amount=500_00).ok


def test_a_second_seat_under_an_alias_is_there_by_its_table(floor):
    floor.open()
    limit(floor, amount=500_00)
    assert floor.ask("B02", "patron.identify", patron=ALIAS, **{"is": WHO}).ok
    assert floor.ask("B02", "table.buy-in", seat=5, amount=500_00).ok

    (row,) = floor.rows(table="B02")
    assert (row["patron"], row["seat"], row["left"]) == (WHO, 5, 0)
    for code, seat in (("B01", 3), ("B02", 5)):
        assert floor.ask(code, "table.leave", seat=seat).ok
    (nowhere,) = floor.rows()
    assert (nowhere["table"], nowhere["seat"], nowhere["used"]) == (None, None, 500_00)


def test_play_counts_from_when_the_week_begins_at_a_table_of_the_day_before_too(floor):
    opened = {"rules": "dragon-bonus@1", "opener": {"10000": 200}, "with": "S-11"}
    assert floor.ask("B01", "table.open", day="2026-11-21", **opened).ok
    assert floor.ask("B01", "table.seat", seat=3, patron=WHO).ok
    limit(floor, "time", "week", minutes=60)
    floor.moment = TURNS + timedelta(minutes=40)
    assert floor.ask("B01", "table.leave", seat=3).ok
    floor.moment = later = TURNS + timedelta(days=6, hours=2)
    assert floor.ask("B02", "table.open", day="2026-11-28", **opened).ok
    assert floor.ask("B02", "table.seat", seat=3, patron=WHO).ok
    assert [row["minutes_left"] for row in floor.rows()] == [20]

    floor.moment = later + timedelta(minutes=21)
    assert floor.ask("B02", "table.buy-in", seat=3, amount=1_00).error == "PlayPaused"


@pytest.mark.parametrize("seed", range(3))
def test_every_seat_takes_what_a_model_counts_as_left_and_the_report_shows(floor, seed):
    random, seen = Random(seed), set()
    floor.open()
    cash, limits, same = defaultdict(int), {}, {}
    seats = {("B01", 3): WHO, ("B02", 1): "P-10411", ("B02", 5): ALIAS}

    def used(who, kind, days):
        return sum(
            sign * amount
            for (name, day, sign), amount in cash.items()
            if same.get(name, name) == who and day in days and (kind == "loss" or sign > 0)
        )

    for _ in range(45):
        code, seat = place = random.choice([*seats])
        name, day = seats[place], DAYS[code]
        who = same.get(name, name)
        act = random.choice(["in", "in", "in", "out", "limit", "limit", "identify"])
        if act == "limit":
            key = random.choice(["deposit", "loss"]), random.choice([*REACH])
            limits[who, *key] = random.randrange(200_00, 800_00)
            limit(floor, *key, who=name, amount=limits[who, *key])
        elif act == "identify" and not same:
            if not limits.keys() & {(ALIAS, k, p) for k in ("deposit", "loss") for p in REACH}:
                assert floor.ask("B02", "patron.identify", patron=ALIAS, **{"is": WHO}).ok
                same[ALIAS] = WHO
        elif act == "out":
            assert floor.ask(code, "table.cash-out", seat=seat, amount=100_00).ok
            cash[name, day, -1] += 100_00
        else:
            left = [
                most - used(who, kind, [day - timedelta(days=n) for n in range(REACH[period])])
                for (owner, kind, period), most in limits.items()
                if owner == who
            ]
            shown = [row for row in floor.rows(table=code) if row["seat"] == seat]
            assert sorted(row["left"] for row in shown) == sorted(left), (place, who)
            if not left:
                continue
            more = max(min(left), 0) + 1
            assert floor.ask(code, "table.buy-in", seat=seat, amount=more).error == "PlayPaused"
            reached = (code, seat, "limit-reached") in floor.pauses()
            assert reached is (min(left) <= 0)
            seen.add(reached)
            if not reached:
                part = random.choice([min(left), max(min(left) // 2, 1)])
                assert floor.ask(code, "table.buy-in", seat=seat, amount=part).ok
                cash[name, day, 1] += part

    assert seen == {True, False}


class Play:
    """The play of one patron since B02's day began, second by second."""

    def __init__(self, *, law):
        self.law, self.most = law, None  # the limit of the day, in minutes
        self.sat = []

    def is_due(self, now):
        """Whether a limit is reached, or after 40 minutes a rest of ten was not taken yet."""
        seconds = {
            int((since - TURNS).total_seconds()) + n
            for since, until in self.sat
            for n in range(int(((until or now) - since).total_seconds()))
        }
        played = away = 0
        for second in range(int((now - TURNS).total_seconds())):
            played, away = (played + 1, 0) if second in seconds else (played, away + 1)
            played = 0 if away >= 600 else played
        over = self.most is not None and len(seconds) >= 60 * self.most
        return over or (self.law and played >= 2400)


@pytest.mark.parametrize("law", [True, False])
@pytest.mark.parametrize("seed", range(2))
def test_a_seat_refuses_exactly_while_the_pit_shows_that_a_rest_is_due(floor, seed, law):
    random, seen, play, sits = Random(seed), set(), Play(law=law), None
    if law:
        chosen = {"file": REST, "day": DAYS["B01"].isoformat(), "by": "A-1", "with": "S-11"}
        assert floor.ask("B01", "regime.choose", **chosen).ok
    floor.open(seated=False)
    for _ in range(50):
        floor.moment += timedelta(seconds=random.randrange(60, 500))
        now = floor.moment + timedelta(seconds=1)
        act = random.choice(["move", "limit", "ask", "ask", "ask"])
        if act == "limit":
            lifted = {} if play.most is None or random.random() < 0.5 else {"lifted": True}
            play.most = None if lifted else random.randrange(5, 100)
            limit(floor, "time", **(lifted or {"minutes": play.most}))
        elif sits is None:
            code, is_due = random.choice([*DAYS]), play.is_due(now)
            if floor.ask(code, "table.seat", seat=3, patron=WHO).ok is is_due:
                pytest.fail(f"{code} at {now}: due is {is_due}")
            if not is_due:
                sits = code
                play.sat.append((now, None))
        elif act == "move":
            assert floor.ask(sits, "table.leave", seat=3).ok
            play.sat[-1] = (play.sat[-1][0], now)
            assert floor.pauses() == {}
            sits = None
        else:
            is_due, shown = play.is_due(now), floor.pauses()
            assert ((sits, 3, "rest-due") in shown) is is_due
            answer = floor.ask(sits, "table.buy-in", seat=3, amount=1_00)
            assert answer.error == ("PlayPaused" if is_due else "")
            seen.add("due" if is_due else "not")

    assert seen == {"due", "not"}
