"""`worth`: what each spot of a shoe in play is worth, for surveillance and auditors only."""

from datetime import date

import pytest

from domain.review.protection.worth import worth
from domain.rules.house_rules import named
from domain.rules.permissions import ROLES, WATCH
from ops.reports.ask import ask
from ops.reports.rebuild import check
from ops.simulation.run import Plan, dispatch_all
from projections import PROJECTIONS, REPORTS

SHOE = f"S01/{date(2026, 11, 21)}/1"


@pytest.fixture
def dealt(dispatcher):
    """Fourteen coups of a shoe that is not over yet."""
    plan = Plan(tables=1, coups=14, seed=5)
    lines = [*plan.lines([1])]
    over = next(n for n, line in enumerate(lines) if line["command"] == "shoe.end")
    dispatch_all(dispatcher.dispatch, lines[:over], lambda _: None)
    return lines[over]


@pytest.mark.usefixtures("dealt")
def test_the_shoe_in_play_has_the_exact_edge_of_every_spot(database):
    [row] = ask(database, REPORTS["worth"], table="S01").rows
    [cards] = database_cards(database)
    spots = worth(named(row["rules"]), 8, *cards)

    assert row["shoe"] == SHOE
    assert row["unseen"] == 416 - row["dealt"] + row["face_down"]
    assert {each["spot"]: each["edge_exact"] for each in row["edges"]} == {
        each.spot: str(each.now) for each in spots
    }
    assert row["best"] == max(spots, key=lambda each: each.now).spot
    assert ask(database, REPORTS["worth"], table="S02").rows == []


def database_cards(database):
    with database.session("sabot_projector") as connection:
        return connection.execute(
            "SELECT cards, numbers FROM projections.protected_shoes"
        ).fetchall()


def test_a_shoe_that_is_over_is_shown_if_it_is_named(dispatcher, dealt, database):
    dispatch_all(dispatcher.dispatch, [dealt], lambda _: None)

    assert ask(database, REPORTS["worth"]).rows == []
    assert ask(database, REPORTS["worth"], shoe=SHOE).rows[0]["dealt"] > 50
    with database.session("sabot_projector") as connection:
        assert check(connection, PROJECTIONS["protection"]).equal


@pytest.mark.parametrize("role", ROLES)
def test_nobody_reads_it_but_who_watches(role):
    assert REPORTS["worth"].read_by.grants(role, "S01", "S01") == (role in WATCH)
