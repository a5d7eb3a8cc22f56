"""A patron who counts is on the report `protection`, by what was settled and what was dealt."""

from datetime import date

import pytest

from domain.review.protection.counting import all_after
from domain.rules.permissions import WATCH
from ops.reports.ask import ask
from ops.reports.rebuild import check
from ops.simulation.run import Plan, dispatch_all
from projections import PROJECTIONS, REPORTS
from projections.attention.questions import answers
from projections.attention.questions.bets import Bet
from projections.attention.questions.counting import ProtectedCounter


@pytest.fixture
def soon(monkeypatch):
    """A row comes much sooner, so that an evening of a few coups has it."""
    monkeypatch.setattr(answers, "SELDOM", 2)
    monkeypatch.setattr(answers, "LEAST", 2)


@pytest.mark.usefixtures("soon")
def test_a_counter_has_a_row_and_the_same_one_when_it_is_counted_anew(dispatcher, database):
    plan = Plan(tables=1, coups=130, seed=2, cheat="counts-dragon-7")
    dispatch_all(dispatcher.dispatch, plan.lines([1]), lambda _: None)
    counter = plan.evening(1, plan.day).patrons[0].patron
    rows = ask(database, REPORTS["protection"]).rows
    [row] = [
        each for each in rows if (each["question"], each["patron"]) == ("patron counts", counter)
    ]

    assert row["detail"]["spot"] == "dragon-7"
    assert row["detail"]["favoured"] > 0.9 * row["detail"]["much"] > 0
    with database.session("sabot_projector") as connection:
        assert check(connection, PROJECTIONS["protection"]).equal
    assert REPORTS["protection"].read_by.roles == WATCH


@pytest.mark.parametrize("read_again", [False, True])
def test_a_spot_has_the_place_at_which_it_was_first_bet_on(read_again):
    """Also if a patron's row is read again between two wagers of a coup: PostgreSQL sorts names."""
    row = ProtectedCounter(
        patron="P-1", coup="c", staked={}, before={}, after={}, gaming_day=date(2026, 11, 21)
    )
    for spot in ("player", "dragon-7", "tie", "player"):
        row.bets([Bet(3, spot, "P-1", 100, "lose", -100.0)])
        row.after = all_after(row.before, row.staked, {})
        if read_again:
            row.staked = dict(sorted(row.staked.items(), key=lambda each: (len(each[0]), each[0])))

    assert {spot: each.place for spot, each in row.after.items()} == {
        "player": 1,
        "dragon-7": 2,
        "tie": 3,
    }
    assert row.staked["player"] == 200
