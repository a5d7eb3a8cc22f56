"""`yield`: what a table and a taken seat is worth in an hour of play."""

from datetime import timedelta

import pytest

from projections import REPORTS
from tests.acceptance.channels import rows_of
from tests.worlds.gaming_table import DAY, PLAYER_WINS, GamingTable

REPORT = REPORTS["yield"]
PLAYER_EDGE = 0.012351  # of the stake, published to six places for eight decks
HANDLE = 2 * 2_000_00


@pytest.fixture
def played(pit):
    """Two coups, with half an hour between them."""
    pit.play(PLAYER_WINS, (3, "player", 2_000_00))
    pit.moment += timedelta(minutes=30)
    pit.play(PLAYER_WINS, (3, "player", 2_000_00))
    return pit


def test_an_hour_is_worth_the_edge_of_what_an_hour_wagers(played, database):
    [(hours, seats, handle, won, table, seat)] = rows_of(
        database,
        *("hours_of_play", "seat_hours", "handle", "theoretical_win", "table_hour", "seat_hour"),
        report=REPORT,
    )

    assert handle == HANDLE
    assert won == pytest.approx(HANDLE * PLAYER_EDGE, abs=1)
    assert table == pytest.approx(HANDLE * PLAYER_EDGE / float(hours), rel=0.01)
    assert seat == pytest.approx(HANDLE * PLAYER_EDGE / float(seats), rel=0.01)
    assert float(seats) == pytest.approx(3 * float(hours), rel=0.02)  # three were seated all along


def test_a_seat_that_was_given_up_counts_until_then(played, database):
    played.say("table.leave", seat=1)
    before = rows_of(database, "seat_hours", report=REPORT)
    played.moment += timedelta(minutes=30)
    played.play(PLAYER_WINS, (3, "player", 2_000_00))
    [(after,)] = rows_of(database, "seat_hours", report=REPORT)

    assert float(after) - float(before[0][0]) == pytest.approx(2 * 0.5, abs=0.02)


def test_ten_minutes_are_too_short_for_an_hours_worth(pit, database):
    pit.play(PLAYER_WINS, (3, "player", 2_000_00))

    assert rows_of(database, "table_hour", "seat_hour", report=REPORT) == [(None, None)]


def test_the_use_of_its_seats_and_its_pace_stand_beside_the_minimum(played, database):
    [(minimum, hands, occupancy, coups, hours)] = rows_of(
        database,
        *("minimum", "hands_per_hour", "occupancy", "coups", "hours_of_play"),
        report=REPORT,
    )

    assert minimum == 25_00
    assert float(hands) == pytest.approx(coups / float(hours), rel=0.02)
    assert float(occupancy) == pytest.approx(3 / 9, abs=0.001)  # three were seated all along


def test_an_open_table_without_patrons_may_close_if_another_is_open(played, database):
    assert rows_of(database, "advice", report=REPORT) == [(None,)]
    other = GamingTable(played.dispatcher, "B02")
    opening = {"rules": "dragon-bonus@1", "opener": {"10000": 200}, "day": DAY}
    other.say("table.open", at=played.moment.isoformat(), **opening, **{"with": "S-11"})
    advice = dict(rows_of(database, "table", "advice", report=REPORT))

    assert advice["B01"] is None
    assert (advice["B02"]["act"], advice["B02"]["at"]) == ("close", ["B01"])


def test_a_closed_table_has_no_minimum_and_no_advice(played, database):
    played.end_shoe()
    played.say("table.close", closer={"10000": 200}, **{"with": "S-11"})

    assert rows_of(database, "minimum", "advice", report=REPORT) == [(None, None)]
