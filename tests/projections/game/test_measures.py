"""Measures: hours, hands an hour, seats taken and hold of each table day."""

from datetime import timedelta
from functools import partial

import pytest

from projections import REPORTS
from tests.acceptance.channels import json_of, rows_of, shell
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, DAY, GamingTable

REPORT = REPORTS["measures"]
FIELDS = (
    "table day opened_at closed_at hours coups hands_per_hour seats occupancy handle drop win hold"
)
TWO = {"with": "S-11"}
rows = partial(rows_of, report=REPORT)


@pytest.fixture
def evening(dispatcher):
    """From 20:00 to 22:30 at a table of seven seats; `say` is minutes after eight."""
    pit = GamingTable(dispatcher)

    def say(minutes, command, **fields):
        pit.moment = BEGINS + timedelta(minutes=minutes, seconds=-1)
        return pit.say(command, **fields)

    say(0, "table.open", rules="classic@1", opener={"10000": 200}, day=DAY, **TWO)
    say(0, "table.seat", seat=1, patron="P-1")
    pit.say("table.buy-in", seat=1, amount=400_00)
    pit.prepare(seat=1)
    say(30, "table.seat", seat=2, patron="P-2")
    say(30, "table.seat", seat=3, patron="P-2", **TWO)  # two chairs are two seats taken
    say(40, "bet", seat=1, spot="player", amount=100_00)  # the first coup is opened
    say(44, "draw", card="9C")
    pit.deal("5S 7C QD 9S", settle=True)
    say(45, "table.move", seat=1, to=7)
    pit.play(BANKER_WINS, (7, "banker", 100_00))
    say(61, "table.leave", seat=3)
    say(70, "bet", seat=2, spot="banker", amount=50_00)
    for card in ("9C", "5S", "7C", "QD", "9S"):
        pit.say("draw", card=card)
    say(90, "settle")
    say(120, "table.leave", seat=7)
    say(149, "shoe.end", reason="end of play", **TWO)
    return say


def test_a_table_day_is_measured_from_its_opening_to_its_close(evening, database):
    evening(150, "table.close", closer={"10000": 198}, **TWO)
    evening(155, "table.drop", amount=400_00, **TWO)

    # Three coups in 50 minutes. Seat 1 then 7: 120 min; seat 2: 30 to 150; seat 3: 30 to 61.
    # 271 of 7 x 150 minutes. Drop 400, tray 200 less: won 200.
    assert rows(database, *FIELDS.split()) == [
        (
            *("B01", DAY, f"{DAY}T20:00:00+00:00", f"{DAY}T22:30:00+00:00", "2.50", 3, "3.6"),
            *(7, "0.2581", 250_00, 400_00, 200_00, "0.5000"),
        )
    ]


def test_of_a_table_that_is_open_the_pace_is_known_and_the_hours_are_not(evening, database):
    names = "closed_at", "hours", "coups", "hands_per_hour", "seats", "occupancy", "handle", "win"

    assert rows(database, *names) == [(None, None, 3, "3.6", 7, None, 250_00, None)]


def test_a_table_at_which_nothing_happened(dispatcher, database):
    GamingTable(dispatcher).say("table.open", rules="dragon-bonus@1", opener={}, day=DAY, **TWO)
    names = "coups", "hands_per_hour", "seats", "handle", "drop", "hold"

    assert rows(database, *names) == [(0, None, 9, 0, None, None)]


def test_a_void_coup_was_dealt_and_nothing_was_staked_on_it(pit, database):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("void", coup=f"B01/{DAY}/1/1", reason="a card fell", **TWO)

    assert rows(database, "coups", "handle") == [(1, 0)]


def test_under_rules_that_nobody_knows_the_seats_are_null(evening, database, monkeypatch):
    evening(150, "table.close", closer={"10000": 198}, **TWO)
    monkeypatch.setattr("ops.commands.rule_book.dealt_by", lambda *_: None)

    assert rows(database, "hours", "seats", "occupancy") == [("2.50", None, None)]


def test_tables_and_days_are_asked_for_alone(dispatcher, database):
    for table in ("B01", "B02"):
        GamingTable(dispatcher, table).open()

    assert rows(database, "table", table="B02") == [("B02",)]
    assert rows(database, "table", day=DAY) == [("B01",), ("B02",)]
    assert rows(database, "table", day="2026-11-22") == []


def test_the_fields_are_as_documented_and_fit_a_terminal(evening, database):
    evening(150, "table.close", closer={"10000": 198}, **TWO)
    evening(155, "table.drop", amount=1_234_567_89, **TWO)
    lines = shell(database, "report", "measures", env={"COLUMNS": "80"}).stdout.splitlines()
    as_csv = shell(database, "report", "measures", "--csv").stdout.splitlines()

    assert FIELDS.split() == list(json_of(database, "report", "measures")["rows"][0])
    assert [*FIELDS.split(), "currency"] == as_csv[0].split(",")
    assert max(map(len, lines)) <= 80
    assert "1,234,567.89" in lines[-3]
