"""What some reports say, over time: the same as the reports themselves say at its end."""

from decimal import Decimal

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from projections.money.curves import CURVES
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, GamingTable

TWO = {"with": "S-11"}


def points(database, name, **narrowed):
    return [(each["at"], each["value"]) for each in ask(database, CURVES[name], **narrowed).rows]


@pytest.fixture
def three_days(dispatcher):
    """A table on three days, closed and counted, a Banker win a day more than on the one before."""
    pit = GamingTable(dispatcher)
    for n, day in enumerate((21, 22, 23)):
        pit.moment = pit.moment.replace(day=day, hour=20, minute=0)
        pit.open(day=f"2026-11-{day}").prepare()
        for _ in range(n + 1):
            pit.play(BANKER_WINS, (3, "banker", 1_000_00))
            pit.say("commission.collect", seat=3, amount=50_00)
        pit.end_shoe()
        pit.say("table.close", closer={"10000": 200 - 10 * n}, **TWO)
        pit.say("table.drop", amount=500_00)
    return pit


def test_win_by_day_is_that_of_the_reports_with_the_same_band(three_days, database):
    by_day = {row["day"]: row["win"] for row in ask(database, REPORTS["table-win"]).rows}
    last = ask(database, REPORTS["master"], day="2026-11-23").rows[0]
    curve = ask(database, CURVES["master"]).rows
    band = ("theoretical_win", "win_low", "win_high")

    assert [(each["at"], each["value"]) for each in curve] == sorted(by_day.items())
    assert [curve[-1][name] for name in band] == [last[name] for name in band]
    assert len(points(database, "master", day="2026-11-22")) == 1
    assert points(database, "master", table="B99") == []


def test_several_tables_have_one_band_that_is_wider(three_days, dispatcher, database):
    other = GamingTable(dispatcher, "B02")
    other.moment = three_days.moment.replace(hour=21)
    other.open(day="2026-11-23").prepare()
    other.play(PLAYER_WINS, (3, "banker", 1_000_00))
    other.end_shoe()
    other.say("table.close", closer={"10000": 210}, **TWO)
    other.say("table.drop", amount=500_00)
    one = ask(database, CURVES["master"], table="B01").rows[-1]
    both = ask(database, CURVES["master"]).rows[-1]

    assert both["value"] > one["value"]
    assert both["win_high"] - both["win_low"] > one["win_high"] - one["win_low"]


def test_pace_is_the_coups_of_each_hour_by_each_table_that_dealt(pit, dispatcher, database):
    other = GamingTable(dispatcher, "B02").open().prepare()
    for table, coups in ((pit, 3), (other, 1)):
        for _ in range(coups):
            table.play(PLAYER_WINS, (3, "player", 100_00))
    pit.moment = pit.moment.replace(hour=22)
    pit.play(PLAYER_WINS, (3, "player", 100_00))

    assert [value for _, value in points(database, "measures")] == ["2.0", "1.0"]
    assert [value for _, value in points(database, "measures", table="B02")] == ["1.0"]


def test_what_is_owed_rises_with_each_win_and_falls_with_each_payment(pit, database):
    owed = []
    for minute in (5, 25, 45):
        pit.moment = pit.moment.replace(minute=minute)
        pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "banker", 300_00))
        owed.append(20_00 * (len(owed) + 1))
    pit.moment = pit.moment.replace(minute=55)
    pit.say("commission.collect", seat=5, amount=45_00)
    pit.say("void", coup=f"B01/{DAY}/1/1", reason="a torn card", **TWO)
    (outstanding,) = {sum(row["outstanding"] for row in ask(database, REPORTS["commission"]).rows)}
    curve = [value for _, value in points(database, "commission")]

    assert curve[:3] == owed
    assert curve[-1] == outstanding
    assert [value for _, value in points(database, "commission", day="2026-11-20")] == []


def test_the_wagers_of_each_hour_bring_together_what_the_tables_won_by_wagers(pit, database):
    """Those of a void coup are not among them, and those put right count as they are now."""
    for hour in (20, 21, 22):
        pit.moment = pit.moment.replace(hour=hour, minute=10)
        pit.play(BANKER_WINS, (3, "player", 100_00), (5, "tie", 20_00))
        pit.play(PLAYER_WINS, (3, "player", 100_00), (5, "banker", 300_00))
    pit.say("void", coup=f"B01/{DAY}/1/3", reason="a torn card", **TWO)
    correct = {"spot": "banker", "seat": 5, "to": 300_00, "reason": "goodwill"}
    pit.say("correct", coup=f"B01/{DAY}/1/6", **correct, **TWO)
    (row,) = ask(database, REPORTS["table-win"]).rows
    curve = ask(database, CURVES["yield"]).rows

    assert len(curve) == 3
    assert sum(each["value"] for each in curve) == row["win_by_wagers"]
    assert sum(Decimal(each["theoretical_win"]) for each in curve) == pytest.approx(
        Decimal(row["theoretical_win"]), abs=3
    )
    assert curve == ask(database, CURVES["yield"], table="B01", day=DAY).rows
    assert points(database, "yield", table="B99") == points(database, "yield", day="2026-11-20")
