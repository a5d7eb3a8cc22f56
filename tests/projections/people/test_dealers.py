"""Dealers: one row a stint, with the pace and what went wrong at its coups."""

from datetime import timedelta
from functools import partial

from projections import REPORTS
from tests.acceptance.channels import json_of, rows_of, shell
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, GamingTable

REPORT = REPORTS["dealers"]
FIELDS = "staff table from to coups coups_per_hour exceptions corrections slips_of_the_keys"
TWO = {"with": "S-11"}
OPENED = f"{DAY}T20:00:01+00:00"
rows = partial(rows_of, report=REPORT)


def later(pit, **passed):
    pit.moment += timedelta(**passed)


def relieve(pit, staff):
    """The moment at which somebody else deals."""
    pit.say("table.dealer", staff=staff, by="S-11")
    return pit.moment.isoformat()


def test_a_stint_lasts_from_the_opening_or_the_relief_to_the_next_or_the_close(pit, database):
    pit.play(PLAYER_WINS, (3, "player", 25_00))
    pit.play(PLAYER_WINS, (3, "player", 25_00))
    later(pit, minutes=30)
    first = relieve(pit, "D-205")
    second = relieve(pit, "D-204")
    pit.play(PLAYER_WINS, (3, "player", 25_00))
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 200}, **TWO)
    closed = pit.moment.isoformat()

    # 2 in 30 min 21 s; none in a second; 1 in 8 s
    assert rows(database, *FIELDS.split()) == [
        ("D-204", "B01", OPENED, first, 2, "4.0", 0, 0, 0),
        ("D-205", "B01", first, second, 0, None, 0, 0, 0),
        ("D-204", "B01", second, closed, 1, None, 0, 0, 0),
    ]


def test_the_pace_of_who_is_still_there_is_that_up_to_the_last_coup(pit, database):
    assert rows(database, "to", "coups", "coups_per_hour") == [(None, 0, None)]

    later(pit, minutes=10)
    pit.play(PLAYER_WINS, (3, "player", 25_00))
    expected = [(None, 1, "5.9")]  # in 10 min 14 s
    assert rows(database, "to", "coups", "coups_per_hour") == expected
    later(pit, hours=1)
    pit.bet(3, "player", 25_00)
    assert rows(database, "to", "coups", "coups_per_hour") == expected


def test_a_coup_is_whose_it_was_opened_by(pit, database):
    pit.bet(3, "player", 25_00)
    relieve(pit, "D-205")
    pit.deal(PLAYER_WINS, settle=True)

    assert rows(database, "staff", "coups") == [("D-204", 1), ("D-205", 0)]


def test_exceptions_and_corrections_are_those_of_the_stint_s_coups_whenever_they_came(
    pit, database
):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    relieve(pit, "D-205")
    pit.bet(3, "player", 25_00)
    pit.say("draw", card="KC")
    pit.ask("bet", seat=1, spot="player", amount=25_00)  # late
    first, second = (f"B01/{DAY}/1/{number}" for number in (1, 2))
    pit.say("correct", coup=first, seat=3, spot="banker", to=0, reason="misread", **TWO)
    pit.say("correct", coup=first, seat=3, spot="banker", reason="no", **TWO)
    pit.say("void", coup=second, reason="a card fell", **TWO)

    assert rows(database, "staff", "coups", "exceptions", "corrections") == [
        ("D-204", 2, 3, 2),
        ("D-205", 0, 1, 0),
    ]


def test_a_dummy_coup_was_dealt_like_any_other(pit, database):
    pit.play(PLAYER_WINS, (3, "player", 50_00))
    pit.say("shoe.misdraw", card="KC", disposition="dummy")
    pit.deal("9S 2C QD", settle=True)

    assert rows(database, "coups") == [(2,)]


def test_two_tables_are_apart_and_each_is_asked_for_alone(dispatcher, database):
    for table in ("B01", "B02"):
        GamingTable(dispatcher, table).open()

    assert rows(database, "table") == [("B01",), ("B02",)]
    assert rows(database, "table", table="B02") == [("B02",)]
    assert len(rows(database, "table", day=DAY)) == 2
    assert rows(database, "table", **{"from": "2026-11-22"}) == []


def test_the_fields_are_the_contract_s_and_fit_a_terminal(pit, database):
    lines = shell(database, "report", "dealers", env={"COLUMNS": "80"}).stdout.splitlines()
    as_csv = shell(database, "report", "dealers", "--csv").stdout.splitlines()

    assert FIELDS.split() == list(json_of(database, "report", "dealers")["rows"][0])
    assert [*FIELDS.split(), "currency"] == as_csv[0].split(",")
    assert max(map(len, lines)) <= 80
    assert lines[-1].split() == ["D-204", "B01", "11-21", "20:00", "·", "0", "·", "0", "0", "0"]
