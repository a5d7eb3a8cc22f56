"""Master: the day, the month and the year, and whether what was won lies where it should."""

from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from math import floor, isqrt

import pytest

from projections import REPORTS
from tests.acceptance.channels import json_of, rows_of, shell
from tests.data import published
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, TIE, GamingTable

REPORT = REPORTS["master"]
FIELDS = "table rules period handle drop win hold theoretical_win same_period_last_year outside_95"
FIELDS += " from to win_low win_high coups"
rows = partial(rows_of, report=REPORT)
COUNTS = published("eight_deck_counts.json")
PLAYER, BANKER = (Fraction(COUNTS[spot], COUNTS["total"]) for spot in ("player", "banker"))
# What the house should win of 1, and how it varies, from the published counts alone.
ON_PLAYER, ON_BANKER = BANKER - PLAYER, PLAYER - Fraction(95, 100) * BANKER
OF_PLAYER = PLAYER + BANKER - ON_PLAYER**2
OF_BANKER = PLAYER + Fraction(95, 100) ** 2 * BANKER - ON_BANKER**2
TOGETHER = -PLAYER - Fraction(95, 100) * BANKER - ON_PLAYER * ON_BANKER


def at(dispatcher, day, table="B01"):
    """A pit that opens on that day."""
    pit = GamingTable(dispatcher, table)
    pit.moment = datetime.fromisoformat(f"{day}T20:00:00+00:00").astimezone(UTC)
    return pit


def evening(dispatcher, day, *coups, won, table="B01", rules="classic@1"):
    """A table day, of which the box is counted so that it won so much."""
    pit = at(dispatcher, day, table).open(rules, day).prepare()
    for cards, *bets in coups:
        pit.play(cards, *bets)
    return close(pit, won)


def close(pit, won):
    """Opener and closer are alike, unless more was lost than the box has."""
    pit.end_shoe()
    missing = max(0, -(won // 100_00))
    pit.say("table.close", closer={"10000": 200 - missing}, **{"with": "S-11"})
    pit.say("table.drop", amount=won + missing * 100_00, **{"with": "S-11"})
    return pit


def test_three_rows_a_table_tell_the_day_the_month_and_the_year(dispatcher, database):
    bets = (BANKER_WINS, (1, "player", 100_00))
    evening(dispatcher, "2025-11-20", bets, won=70_00)
    evening(dispatcher, "2025-11-21", bets, won=50_00)
    evening(dispatcher, "2025-11-22", bets, won=1_00)  # after the day of which it is asked
    evening(dispatcher, "2026-02-28", bets, bets, won=200_00)
    evening(dispatcher, "2026-11-03", bets, won=-30_00)
    evening(dispatcher, DAY, bets, bets, bets, won=300_00)
    asked = "period", "handle", "drop", "win", "hold", "same_period_last_year"

    # Drops: won, and with -30.00 a closer of 100.00 less: 70.00.
    expected = [
        ("day", 300_00, 300_00, 300_00, "1.0000", 50_00),
        ("month", 400_00, 370_00, 270_00, "0.7297", 120_00),
        ("year", 600_00, 570_00, 470_00, "0.8246", 120_00),
    ]
    assert rows(database, *asked) == expected
    assert rows(database, *asked, day=DAY) == expected
    # 100.00 x 1.2351% for each coup
    assert rows(database, "theoretical_win") == [(3_71,), (4_94,), (7_41,)]
    assert rows(database, "win", day="2026-11-20") == [(None,), (-30_00,), (170_00,)]
    assert rows(database, "win", day="2025-11-21") == [(50_00,), (120_00,), (120_00,)]


def test_the_days_that_each_period_covers_are_said(dispatcher, database):
    evening(dispatcher, DAY, won=1_00)
    named = partial(rows, database, "from", "to")

    assert named() == [(DAY, DAY), ("2026-11-01", DAY), ("2026-01-01", DAY)]
    assert named(**{"from": "2026-11-20"})[0] == ("2026-11-20", DAY)


def test_a_range_is_the_days_asked_for_and_month_and_year_end_with_it(dispatcher, database):
    for day, won in (("2026-10-30", 1_00), ("2026-11-02", 2_00), (DAY, 4_00)):
        evening(dispatcher, day, won=won)
    asked = partial(rows, database, "win")

    assert asked(**{"from": "2026-10-30"}) == [(7_00,), (6_00,), (7_00,)]
    assert asked(**{"from": "2026-10-30", "to": "2026-11-02"}) == [(3_00,), (2_00,), (3_00,)]
    assert asked(to="2026-11-02") == [(2_00,), (2_00,), (3_00,)]
    assert asked(day="2026-10-29") == []


def test_the_same_days_of_a_leap_year_and_of_the_year_before(dispatcher, database):
    evening(dispatcher, "2023-02-28", won=3_00)
    evening(dispatcher, "2023-03-01", won=5_00)
    evening(dispatcher, "2024-02-29", won=7_00)

    assert rows(database, "same_period_last_year") == [(3_00,)] * 3


def test_a_day_that_is_not_counted_is_in_no_win_and_in_nothing_that_it_is_held_against(
    dispatcher, database
):
    """100.00 on Player brings 1.24, give or take 186.42; with the next day's bets 268 or so."""
    evening(dispatcher, "2026-11-20", (BANKER_WINS, (1, "player", 100_00)), won=190_00)
    pit = at(dispatcher, DAY).open("tie-eight@1").prepare()
    pit.play(TIE, (1, "player", 100_00), (1, "tie", 10_00))
    asked = "handle", "drop", "win", "hold", "theoretical_win", "outside_95"
    unknown = 110_00, None, None, None, None, None
    alone = 100_00, 190_00, 190_00, "1.0000", 1_24, True

    assert rows(database, *asked) == [unknown, alone, alone]
    pit.say("table.drop", amount=9_00, **{"with": "S-11"})  # the box alone does not tell it
    assert rows(database, *asked) == [unknown, alone, alone]
    close(pit, 20_00)
    both = 210_00, 210_00, 210_00, "1.0000", 3_91, False  # the Tie: 1.44 more
    assert rows(database, *asked) == [(110_00, 20_00, 20_00, "1.0000", 2_67, False), both, both]


def test_tables_are_apart_and_their_rule_sets_are_named(dispatcher, database):
    evening(dispatcher, "2026-11-20", won=1_00, rules="tie-eight@1")
    evening(dispatcher, "2026-11-21", won=2_00, table="B02")
    evening(dispatcher, "2026-11-21", won=4_00)

    assert rows(database, "table", "rules", "period", "win") == [
        ("B01", "classic@1", "day", 4_00),
        ("B01", "classic@1, tie-eight@1", "month", 5_00),
        ("B01", "classic@1, tie-eight@1", "year", 5_00),
        *(("B02", "classic@1", period, 2_00) for period in ("day", "month", "year")),
    ]
    assert rows(database, "win", table="B02") == [(2_00,)] * 3
    assert rows(database, "win", table="B03") == []


def outside(database, **narrowed):
    return rows(database, "outside_95", **narrowed)[0][0]


def bounds(expected, variance):
    """The least and the most, in cents, that a win may be off and lie inside."""
    far = Fraction(196, 100) ** 2 * variance
    root = Fraction(isqrt(floor(far * 10**12)), 10**6)
    return -floor(root - expected), floor(root + expected)


@pytest.mark.parametrize("beside", [0, 1])
def test_wagers_of_one_coup_count_together_and_the_bound_holds_to_the_cent(
    dispatcher, database, beside
):
    """300.00 on Banker from two patrons, 50.00 on Player; then 100.00 on Banker alone."""
    lie = (1, "banker", 100_00), (3, "banker", 200_00), (5, "player", 50_00)
    coups = (BANKER_WINS, *lie), (PLAYER_WINS, (3, "banker", 100_00))
    expected = 400_00 * ON_BANKER + 50_00 * ON_PLAYER
    variance = (300_00**2 + 100_00**2) * OF_BANKER + 50_00**2 * OF_PLAYER
    variance += 2 * 300_00 * 50_00 * TOGETHER
    least, most = bounds(expected, variance)
    evening(dispatcher, "2026-11-20", *coups, won=most + beside)
    evening(dispatcher, "2026-11-21", *coups, won=least - beside)

    assert (least, most) == (-482_40, 492_10)
    assert rows(database, "win_low", "win_high", "coups", day="2026-11-21")[0] == (least, most, 2)
    assert outside(database, day="2026-11-20") is bool(beside)
    assert outside(database, day="2026-11-21") is bool(beside)


def products(database):
    """Of each shoe, by both spots."""
    json_of(database, "report", "master")
    with database.connect("sabot_auditor") as connection:
        found = connection.execute(
            "SELECT spot, other, product FROM projections.stake_products ORDER BY shoe, spot, other"
        ).fetchall()
    return {(spot, other): int(product) for spot, other, product in found}


def test_a_coup_is_multiplied_once_it_is_settled_and_never_if_it_is_void(pit, database):
    two = {"with": "S-11"}
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 50_00), (1, "banker", 25_00))
    first = {
        ("banker", "banker"): 125_00**2,
        ("banker", "player"): 125_00 * 50_00,
        ("player", "player"): 50_00**2,
    }
    assert products(database) == first

    pit.bet(3, "player", 100_00)
    pit.bet(3, "tie", 10_00)
    assert products(database) == first
    pit.deal(TIE, settle=True)
    second = first | {
        ("player", "player"): 50_00**2 + 100_00**2,
        ("player", "tie"): 100_00 * 10_00,
        ("tie", "tie"): 10_00**2,
    }
    assert products(database) == second

    paid = {"to": 190_00, "reason": "misread", **two}
    pit.say("correct", coup=f"B01/{DAY}/1/1", seat=3, spot="banker", **paid)
    assert products(database) == second  # whatever is paid, the stake was that

    pit.say("void", coup=f"B01/{DAY}/1/1", reason="a card fell", **two)
    assert products(database) == {
        ("banker", "banker"): 0,
        ("banker", "player"): 0,
        ("player", "player"): 100_00**2,
        ("player", "tie"): 100_00 * 10_00,
        ("tie", "tie"): 10_00**2,
    }
    pit.bet(3, "player", 500_00)
    pit.say("draw", card="KC")
    void = products(database)
    pit.say("void", coup=f"B01/{DAY}/1/3", reason="a card fell", **two)
    assert products(database) == void  # it was never settled


def test_with_nothing_staked_any_win_is_one_too_many(dispatcher, database):
    evening(dispatcher, "2026-11-20", won=0)
    evening(dispatcher, DAY, won=1)

    assert outside(database, day="2026-11-20") is False
    assert outside(database, day=DAY) is True


def test_under_rules_that_nobody_knows_the_theoretical_win_is_null(
    dispatcher, database, monkeypatch
):
    evening(dispatcher, DAY, (BANKER_WINS, (1, "player", 100_00)), won=5_00)
    monkeypatch.setattr("ops.commands.rule_book.dealt_by", lambda *_: None)

    assert rows(database, "win", "theoretical_win", "outside_95") == [(5_00, None, None)] * 3


def test_the_fields_are_the_contract_s_and_fit_a_terminal(dispatcher, database):
    evening(dispatcher, DAY, (BANKER_WINS, (1, "player", 5_000_00)), won=12_345_678_90)
    lines = shell(database, "report", "master", env={"COLUMNS": "80"}).stdout.splitlines()
    as_csv = shell(database, "report", "master", "--csv").stdout.splitlines()

    assert FIELDS.split() == list(json_of(database, "report", "master")["rows"][0])
    assert [*FIELDS.split(), "currency"] == as_csv[0].split(",")
    assert max(map(len, lines)) <= 80
    periods = {"day", "month", "year"}
    assert [periods & set(line.split()) for line in lines if line.startswith("B01")] == [
        {"day"},
        {"month"},
        {"year"},
    ]
    assert all("yes" in line.split() for line in lines if line.startswith("B01"))
    assert lines[1] == f"Day {DAY}, month from 2026-11-01, year from 2026-01-01."
