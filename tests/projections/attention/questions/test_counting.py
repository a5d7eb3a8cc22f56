"""A patron who counts is on the report `protection`, by what was settled and what was dealt."""

import pytest

from domain.rules.permissions import WATCH
from ops.reports.ask import ask
from ops.reports.rebuild import check
from ops.simulation.run import Plan, dispatch_all
from projections import PROJECTIONS, REPORTS
from projections.attention.questions import answers


@pytest.fixture
def soon(monkeypatch):
    """A row comes much sooner, so that an evening of a few coups has it."""
    monkeypatch.setattr(answers, "SELDOM", 2)


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
