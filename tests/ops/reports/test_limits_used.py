"""How much of each limit is used: the report beside what the seat decides on random evenings."""

from datetime import timedelta
from random import Random

import pytest

from ops.ledger import clock
from ops.reports.ask import ask
from projections import REPORTS
from tests.worlds.gaming_table import BEGINS, GamingTable

WHO, SEAT = "P-10417", 3
SEATS = {"P-10411": 1, WHO: SEAT, "grey-jacket": 5}


@pytest.fixture
def pit(dispatcher):
    return GamingTable(dispatcher).open()


@pytest.fixture
def used(pit, monkeypatch):
    """The report's rows at the moment of the next line."""

    def rows(at=None, **narrowed):
        moment = at or pit.moment + timedelta(seconds=1)
        monkeypatch.setattr(clock, "wall_clock", lambda: moment)
        return ask(pit.dispatcher.casino.ledger.database, REPORTS["limits-used"], **narrowed).rows

    return rows


def limited(pit, amount, kind="deposit", period="day", patron=WHO, **fields):
    return pit.say("patron.limit", patron=patron, kind=kind, period=period, amount=amount, **fields)


def bought(pit, amount, seat=SEAT):
    return pit.ask("table.buy-in", seat=seat, amount=amount)


def test_the_fullest_limit_comes_first_with_what_is_left_and_until_when_it_counts(pit, used):
    limited(pit, 500_00)
    limited(pit, 800_00, "loss", "week", whose="house")
    pit.say("table.buy-in", seat=SEAT, amount=450_00)
    pit.say("table.cash-out", seat=SEAT, amount=50_00)
    deposit, loss = used()

    assert deposit == {
        "patron": WHO,
        "table": "B01",
        "seat": SEAT,
        "item": "deposit",
        "whose": "patron",
        "counts_over": "day",
        "amount": 500_00,
        "used": 450_00,
        "left": 50_00,
        "minutes": None,
        "minutes_used": None,
        "minutes_left": None,
        "full": "0.900",
        "counts_from": "2026-11-21T06:00:00+00:00",
        "counts_until": "2026-11-22T06:00:00+00:00",
    }
    assert (loss["item"], loss["used"], loss["left"], loss["full"]) == (
        "loss", 400_00, 400_00, "0.500",
    )  # fmt: skip
    assert loss["counts_from"] == "2026-11-15T06:00:00+00:00"
    assert [row["patron"] for row in used(patron="P-10411")] == []
    assert len(used(table="B01")) == 2
    assert used(table="B02") == []


def test_the_share_is_rounded_and_full_only_where_nothing_is_left(pit, used):
    limited(pit, 7_000_00)
    pit.say("table.buy-in", seat=SEAT, amount=6_000_00)
    assert [row["full"] for row in used()] == ["0.857"]
    pit.say("table.buy-in", seat=SEAT, amount=999_00)
    assert [row["full"] for row in used()] == ["0.999"]


def test_minutes_at_tables_count_up_to_the_moment_of_the_question(pit, used):
    pit.say("patron.limit", patron=WHO, kind="time", period="day", minutes=240)
    (two_hours,) = used(at=BEGINS + timedelta(hours=2, minutes=1))
    (over,) = used(at=BEGINS + timedelta(hours=5, minutes=1))

    assert [two_hours[each] for each in ("minutes", "minutes_used", "minutes_left", "full")] == [
        240, 120, 120, "0.500",
    ]  # fmt: skip
    assert (over["minutes_left"], over["full"]) == (-60, "1.250")
    assert (over["amount"], over["used"]) == (None, None)


def test_a_lifted_limit_is_no_longer_there_once_the_lifting_holds(pit, used):
    limited(pit, 500_00)
    pit.say("patron.limit", patron=WHO, kind="deposit", period="day", lifted=True)

    assert [row["amount"] for row in used()] == [500_00]
    assert used(at=pit.moment + timedelta(hours=24)) == []


def test_what_an_alias_brought_counts_once_it_is_identified_and_no_longer_once_separated(pit, used):
    limited(pit, 500_00)
    pit.say("table.buy-in", seat=5, amount=200_00)
    pit.say("table.buy-in", seat=SEAT, amount=100_00)
    assert [row["used"] for row in used()] == [100_00]
    pit.say("patron.identify", patron="grey-jacket", **{"is": WHO})
    both = [(row["patron"], row["seat"], row["used"]) for row in used(patron="grey-jacket")]
    assert both == [(WHO, SEAT, 300_00), (WHO, 5, 300_00)]

    pit.say("patron.separate", patron="grey-jacket", reason="it was not", **{"with": "S-12"})
    assert [row["used"] for row in used()] == [100_00]


def test_a_seat_takes_exactly_what_the_report_shows_as_left_on_random_evenings(pit, used):
    random, seen = Random(4511), set()
    for _ in range(60):
        pit.moment += timedelta(minutes=random.randrange(1, 9))
        patron = random.choice(list(SEATS))
        act = random.choice(["in", "in", "in", "out", "limit", "limit", "identify"])
        if act == "limit":
            kind, period = random.choice(["deposit", "loss"]), random.choice(["day", "week"])
            amount = random.choice([400_00, 900_00, 1_500_00])
            pit.ask("patron.limit", patron=patron, kind=kind, period=period, amount=amount)
        elif act == "out":
            pit.say("table.cash-out", seat=SEATS[patron], amount=random.randrange(1, 3) * 100_00)
        elif act == "identify":
            who = {"patron": "grey-jacket"}
            if not pit.ask("patron.identify", **who, **{"is": "P-10411"}).ok:
                pit.say("patron.separate", **who, reason="no", **{"with": "S-12"})
        else:
            left = [row["left"] for row in used(patron=patron) if row["item"] != "time"]
            if not left or min(left) <= 0:
                seen.add("full" if left else "none")
                answer = bought(pit, 100_00, SEATS[patron])
                assert answer.ok is (not left), (patron, left)
                continue
            refused = bought(pit, min(left) + 1, SEATS[patron])
            assert refused.error == "PlayPaused", (patron, left)
            part = min(left) if random.random() < 0.3 else max(min(left) // 3, 1)
            assert bought(pit, part, SEATS[patron]).ok
            seen.add("left")

    assert seen == {"full", "none", "left"}


def test_play_pauses_at_the_minute_at_which_none_is_left(pit, used):
    pit.say("table.buy-in", seat=SEAT, amount=100_00)
    pit.say("patron.limit", patron=WHO, kind="time", period="week", minutes=90)
    pit.say("table.leave", seat=SEAT)
    pit.moment += timedelta(minutes=35)
    pit.say("table.seat", seat=SEAT, patron=WHO)
    (row,) = used()
    last = pit.moment + timedelta(minutes=row["minutes_left"])

    pit.moment = last - timedelta(seconds=60)
    assert [row["minutes_left"] for row in used()] == [1]
    assert bought(pit, 100_00).ok
    pit.moment = last
    assert [row["minutes_left"] for row in used()] == [0]
    assert bought(pit, 100_00).error == "PlayPaused"
