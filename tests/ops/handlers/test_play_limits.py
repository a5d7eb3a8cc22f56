"""Limits of play and breaks: what is refused at the seat, and what is only shown (R-PLAY-3)."""

from datetime import timedelta
from random import Random

import pytest

from ops.reports.ask import ask
from ops.words.events import sentences
from projections import REPORTS
from tests.worlds.gaming_table import BEGINS, GamingTable

WHO, SEAT = "P-10417", 3
SEATS = {"P-10411": 1, WHO: SEAT}
BREAK = f"Seat {SEAT} takes a break until 21:40."
NEAR = f"Seat {SEAT} soon takes no further chips for cash."
ENOUGH = f"Seat {SEAT} takes no further chips for cash today."
ONLY_SHOWN = """
name = "ours"
title = "Ours"
currency = "USD"
at_the_seat = "say"
raise_after = 7
[[threshold]]
name = "large"
paper = "report"
amount = "10,000"
over = true
counts = "day"
directions = ["in", "out"]
due = ["report"]
source = "ours"
"""


@pytest.fixture
def pit(dispatcher):
    return GamingTable(dispatcher).open()


def limited(pit, amount, kind="deposit", period="day", patron=WHO, **fields):
    amount = {"amount": amount} if amount else {"lifted": True}
    return pit.ask("patron.limit", patron=patron, kind=kind, period=period, **amount, **fields)


def on_break(pit, hours=1, minutes=40, patron=WHO):
    ends = BEGINS + timedelta(hours=hours, minutes=minutes)
    return pit.ask("patron.break", patron=patron, ends=ends.isoformat())


def bought(pit, amount, seat=SEAT):
    return pit.ask("table.buy-in", seat=seat, amount=amount)


def test_over_a_limit_no_chips_are_sold_and_the_line_has_neither_name_nor_amount(pit):
    assert limited(pit, 500_00).ok
    assert bought(pit, 500_00).ok
    refused = bought(pit, 1_00)

    assert (refused.error, refused.rule, refused.reason) == ("PlayPaused", "R-PLAY-3", ENOUGH)
    assert bought(pit, 900_00, seat=1).ok
    assert pit.ask("table.cash-out", seat=SEAT, amount=100_00).ok
    assert bought(pit, 1_00).reason == ENOUGH  # a deposit is not undone by what is paid out


def test_near_a_limit_the_dealer_is_shown_one_line_once_a_sitting(pit):
    assert limited(pit, 500_00, kind="loss", period="week").ok

    def shown(amount):
        answer = pit.say("table.buy-in", seat=SEAT, amount=amount)
        return [str(each) for each in sentences(answer.body["events"], "USD")]

    assert NEAR not in shown(399_00)
    assert NEAR in shown(1_00)  # 80 per cent
    assert NEAR not in shown(50_00)
    pit.say("table.leave", seat=SEAT)
    pit.say("table.seat", seat=SEAT, patron=WHO)
    assert NEAR in shown(10_00)

    rows = ask(pit.dispatcher.casino.ledger.database, REPORTS["limits"]).rows
    near = [(row["item"], row["counts_over"]) for row in rows if row["item"] == "limit-near"]
    assert near == [("limit-near", "week")] * 2


def test_what_is_entered_late_is_not_announced(pit):
    assert limited(pit, 500_00).ok
    answer = pit.say("table.buy-in", seat=SEAT, amount=450_00, late=True)

    assert "LimitNear" not in {each["type"] for each in answer.body["events"]}


def test_a_limit_counts_what_came_under_every_name_of_the_patron(pit):
    pit.say("patron.identify", patron="grey-jacket", **{"is": WHO})
    assert limited(pit, 500_00, patron="grey-jacket").ok
    assert bought(pit, 300_00).ok

    assert bought(pit, 300_00, seat=5).reason == "Seat 5 takes no further chips for cash today."
    assert bought(pit, 200_00, seat=5).ok


def test_limits_and_breaks_of_an_alias_hold_for_the_patron_once_they_are_identified(pit):
    assert limited(pit, 500_00, patron="grey-jacket").ok
    assert limited(pit, 900_00, period="week").ok
    assert limited(pit, 2_000_00, period="week", patron="grey-jacket").ok  # their own is lower
    assert on_break(pit, minutes=0, patron="grey-jacket").ok
    assert bought(pit, 600_00).ok
    pit.say("patron.identify", patron="grey-jacket", **{"is": WHO})
    assert bought(pit, 1_00).reason == f"Seat {SEAT} takes a break until 21:00."

    pit.moment = BEGINS + timedelta(hours=1)
    assert bought(pit, 1_00).reason == ENOUGH
    rows = ask(pit.dispatcher.casino.ledger.database, REPORTS["limits"]).rows
    amounts = [(row["counts_over"], row["amount"]) for row in rows if row["item"] == "deposit"]
    assert amounts == [("day", 500_00), ("week", 900_00), ("week", 2_000_00), ("day", 500_00)]


def test_what_was_taken_over_from_an_alias_ends_under_both_names(pit):
    assert limited(pit, 100_00, patron="grey-jacket", whose="house").ok
    pit.say("patron.bar", patron="grey-jacket", reason="counts cards")
    pit.say("patron.identify", patron="grey-jacket", **{"is": WHO})
    pit.say(
        "patron.unbar", patron="grey-jacket", reason="a mistake", **{"by": "S-12", "with": "S-11"}
    )
    assert limited(pit, None, whose="house").ok

    assert bought(pit, 200_00).ok
    assert bought(pit, 200_00, seat=5).ok
    assert pit.ask("table.leave", seat=5).ok
    assert pit.ask("table.seat", seat=5, patron="grey-jacket").error == "SeatTaken"  # not barred


def test_a_week_counts_what_an_alias_brought_days_before_it_was_identified(dispatcher):
    monday, tuesday = GamingTable(dispatcher, "T01").open(), GamingTable(dispatcher, "T02")
    monday.say("table.buy-in", seat=5, amount=700_00)
    tuesday.moment = BEGINS + timedelta(days=1)
    tuesday.open(day=tuesday.moment.date().isoformat())
    assert limited(tuesday, 1_000_00, period="week").ok
    tuesday.say("patron.identify", patron="grey-jacket", **{"is": WHO})
    assert bought(tuesday, 400_00).reason == ENOUGH
    assert bought(tuesday, 300_00).ok

    tuesday.say("patron.separate", patron="grey-jacket", reason="it was not", **{"with": "S-12"})
    assert bought(tuesday, 700_00).ok


def test_in_a_break_there_is_no_seat_no_chips_and_no_bet_until_it_ends(pit):
    pit.prepare()
    assert on_break(pit).ok
    refused = [
        bought(pit, 100_00),
        pit.ask("bet", seat=SEAT, spot="player", amount=100_00),
        pit.ask("table.seat", seat=4, patron=WHO, **{"with": "S-11"}),
    ]
    assert [each.error for each in refused] == ["PlayPaused"] * 3
    assert refused[1].reason == BREAK
    assert pit.ask("table.cash-out", seat=SEAT, amount=100_00).ok
    assert on_break(pit, hours=1, minutes=30).error == "BadValue"  # never shorter

    pit.moment = BEGINS + timedelta(hours=1, minutes=40)
    assert pit.ask("bet", seat=SEAT, spot="player", amount=100_00).ok


def test_where_it_is_only_shown_play_goes_on_and_that_is_on_record_once_a_break(pit):
    two = {"by": "A-1", "with": "S-11"}
    assert pit.ask("regime.choose", file=ONLY_SHOWN, day="2026-11-21", **two).ok
    pit.prepare()
    assert on_break(pit).ok
    shown = pit.say("bet", seat=SEAT, spot="player", amount=100_00).body["events"]
    again = pit.say("bet", seat=SEAT, spot="player", amount=200_00).body["events"]
    noted = {"table": "B01", "seat": SEAT, "until": "21:40"}

    (played_on,) = [each for each in shown if each["type"] == "PlayedOn"]
    assert noted.items() <= played_on.items()
    assert "PlayedOn" not in {each["type"] for each in again}
    rows = ask(pit.dispatcher.casino.ledger.database, REPORTS["limits"]).rows
    assert [row["item"] for row in rows] == ["break", "played-on"]
    assert limited(pit, 500_00).ok
    assert limited(pit, 900_00).body["events"][-1]["holds_from"].startswith("2026-11-28")


class Model:
    """What a patron may deposit, computed from all that happened, without the program."""

    def __init__(self):
        self.asked = {}  # by kind and period: each amount that was asked for, and when
        self.cash = []  # day, and what came in or went out
        self.until = None

    def state(self, key, amount, at):
        stated = self.asked.setdefault(key, [])
        if (stated[-1][1] if stated else None) == amount:
            return False
        stated.append((at, amount))
        return True

    def in_force(self, key, at):
        now = later = None
        for asked_at, amount in [*self.asked.get(key, ()), (at, "end")]:
            if later and later[0] <= asked_at:
                now, later = later[1], None
            if amount == "end":
                break
            if now is not None and (amount is None or amount > now):
                later = asked_at + timedelta(hours=24), amount
            else:
                now, later = amount, None
        return now

    def takes(self, day, amount, at):
        if self.until and at < self.until:
            return False
        for (kind, period), _ in self.asked.items():
            limit = self.in_force((kind, period), at)
            first = day - {"day": 1, "week": 7, "month": 30}[period]
            counted = sum(
                each for on, each in self.cash if first < on <= day and (each > 0 or kind == "loss")
            )
            if limit is not None and counted + amount > limit:
                return False
        return True


def test_a_model_of_its_own_pauses_the_same_deposits_on_random_days(dispatcher):
    random = Random(45)
    models = {patron: Model() for patron in SEATS}
    seen = set()
    for day in range(12):
        date = BEGINS.date() + timedelta(days=day)
        pit = GamingTable(dispatcher, f"T{day:02}")
        pit.moment = BEGINS + timedelta(days=day)
        pit.until = pit.moment + timedelta(hours=8)
        pit.open(day=date.isoformat())
        for model in models.values():  # nobody sat down in a break
            assert not model.until or model.until <= pit.moment
        for _ in range(14):
            pit.moment += timedelta(minutes=random.randrange(1, 30))
            patron = random.choice(list(SEATS))
            model, at = models[patron], pit.moment + timedelta(seconds=1)
            act = random.choice(["in", "in", "in", "out", "limit", "limit", "break"])
            if act == "in":
                amount = random.randrange(1, 7) * 100_00
                answer = bought(pit, amount, seat=SEATS[patron])
                assert answer.ok is model.takes(day, amount, at), (day, patron, amount)
                if answer.ok:
                    model.cash.append((day, amount))
                seen.add((act, answer.ok))
            elif act == "out":
                amount = random.randrange(1, 4) * 100_00
                pit.say("table.cash-out", seat=SEATS[patron], amount=amount)
                model.cash.append((day, -amount))
            elif act == "limit":
                key = random.choice(["deposit", "loss"]), random.choice(["day", "week", "month"])
                amount = random.choice([500_00, 1_000_00, 2_000_00, 4_000_00, None])
                answer = limited(pit, amount, *key, patron=patron)
                assert answer.ok is model.state(key, amount, at)
            elif day % 3 == 0:  # a break that is over by the next evening
                ends = at + timedelta(minutes=random.randrange(5, 60))
                answer = pit.ask("patron.break", patron=patron, ends=ends.isoformat())
                assert answer.ok is (model.until is None or ends > model.until)
                model.until = max(filter(None, (model.until, ends)))

    assert seen == {("in", True), ("in", False)}
