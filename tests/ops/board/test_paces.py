"""A table's pace beside the one that its rules want, and who is slower or faster for an hour."""

import json
from datetime import timedelta

import pytest

from domain.rules import house_rules
from ops.board.board import Board
from ops.board.folds import fold_words, folds
from ops.web.pages.pit import TableCard
from ops.web.pages.render import part
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import BEGINS, DAY, GamingTable
from tests.worlds.pages_here import words_of

RULES = """
name = "paced@1"
source = "sheet"
based_on = "classic@1"
pace = {slowest = 6, fastest = 12}
"""
TWO = {"with": "S-11"}


@pytest.fixture
def paced(dispatcher):
    """A table that opened at eight o'clock sharp, by rules that want 6 to 12 coups an hour."""
    table = GamingTable(dispatcher)
    table.say("rules.approve", file=RULES, by="A-1", confirmed=True, **TWO)
    table.moment -= timedelta(seconds=2)
    table.open("paced@1").prepare()
    return table


def settled(table, *minutes):
    """Coups that are settled so many minutes into the evening."""
    for each in minutes:
        table.bet(3, "player", 100_00)
        suit = "CDHS"[each // 4 % 4]
        table.deal(" ".join(f"{rank}{suit}" for rank in "K92Q"))  # a natural 9 to 2
        table.moment = BEGINS + timedelta(minutes=each)
        table.say("settle", at=table.moment.isoformat())


def look(database, minutes):
    board = Board(database, now=lambda: BEGINS + timedelta(minutes=minutes))
    try:
        return board.once()
    finally:
        board.close()


def alerts(database, minutes):
    return [each.alert for each in look(database, minutes).alerts if each.kind.startswith("too ")]


SLOW, FAST = f"too-slow/B01/{DAY}", f"too-fast/B01/{DAY}"


def test_the_board_has_the_pace_that_is_wanted_beside_the_real_one(paced, database):
    settled(paced, 5, 10)
    GamingTable(paced.dispatcher, "B02").open("classic@1")
    said = shell(database, "board", "--json")
    rows = {row["table"]: row for row in json.loads(said.stdout)["tables"]}

    assert rows["B01"]["target_pace"] == {"slowest": 6, "fastest": 12}
    assert rows["B02"]["target_pace"] is None


def test_the_card_in_the_pit_has_both(paced, database):
    settled(paced, 5, 10)
    seen = look(database, 10)
    card = TableCard(row=seen.tables[0], now=None, presses=False)
    words = words_of(part("pit_parts.html", "table", card=card, seen=seen))

    assert "hands/h now 12 wanted 6–12" in " ".join(words)


def test_a_table_that_is_too_slow_for_an_hour_is_one_alert_which_ends_by_itself(paced, database):
    settled(paced, *range(13, 66, 13))
    assert alerts(database, 59) == []  # it opened less than an hour ago
    settled(paced, 74)

    seen = [alerts(database, minutes) for minutes in (74, 75, 80)]
    assert seen == [[SLOW], [SLOW], [SLOW]]
    settled(paced, 77, 79, 81, 83)
    assert alerts(database, 83) == []  # 8 in an hour


def test_a_table_that_is_too_fast_is_one_alert_until_it_keeps_the_pace(paced, database):
    settled(paced, *range(4, 64, 4))

    assert alerts(database, 62) == [FAST]
    settled(paced, 70, 80, 90)
    assert alerts(database, 100) == []


def test_what_stood_still_or_is_closed_is_not_judged(paced, database):
    settled(paced, 10, 20, 45, 58, 71)

    assert alerts(database, 71) == []  # 25 minutes without a coup, which was an alert
    settled(paced, 84, 97, 110)
    assert alerts(database, 110) == [SLOW]
    assert alerts(database, 125) == []  # it stands
    paced.end_shoe()
    paced.say("table.close", closer={"10000": 200}, confirmed=True, **TWO)
    assert alerts(database, 111) == []


def test_the_alert_says_how_many_and_comes_last(paced, database):
    settled(paced, *range(13, 79, 13))
    seen = look(database, 78)
    last = seen.alerts[-1]

    assert (last.kind, last.table, last.rank, last.gravity) == ("too slow", "B01", 2, "notable")
    assert not last.acknowledgeable
    expected = "5 coups in the last hour; at least 6 are wanted."
    assert [fold_words(each, seen) for each in folds([last])] == [expected]


def test_nobody_acknowledges_it(paced):
    said = paced.ask("alert.acknowledge", alert=SLOW).body

    assert (said["error"], said["message"]) == (
        "BadValue",
        f"Alert {SLOW} cannot be acknowledged. It leaves the board once the table keeps the pace "
        "that its rules want.",
    )


def test_a_table_that_closed_under_rules_of_the_house_is_on_the_board_of_a_new_program(
    paced, database, monkeypatch
):
    paced.end_shoe()
    paced.say("table.close", closer={"10000": 200}, confirmed=True, **TWO)
    monkeypatch.setattr(house_rules, "_LEARNED", {})  # as in a program that has just started
    (table,) = look(database, 5).tables

    assert (table.rules, table.open, table.target_pace) == ("paced@1", False, None)
