"""`dealers-compared`: the counts are those of the coups, and who errs more is named."""

from collections import Counter

from ops.reports.ask import ask
from ops.simulation.run import Plan, dispatch_all
from projections import REPORTS
from projections.people.dealers_compared import OF_THE_DEALER

HASTY = "D-202"


def test_a_dealer_who_errs_more_than_the_others_is_named(dispatcher, database):
    plan = Plan(tables=4, coups=40, seed=3)
    for number in range(1, 5):
        evening = plan.evening(number, plan.day)
        evening.trouble = 0.8 if evening.dealer == HASTY else 0.02
        dispatch_all(dispatcher.dispatch, evening.lines(), lambda _: None)
    rows = {row["staff"]: row for row in ask(database, REPORTS["dealers-compared"]).rows}

    assert {row["coups"] for row in rows.values()} == {40}
    for staff, row in rows.items():
        assert {each["kind"]: each["times"] for each in row["compared"]} == counted(database, staff)
        assert [each["kind"] for each in row["compared"] if each["named"]] == (
            ["undue card"] if staff == HASTY else []
        )
    assert rows[HASTY]["compared"][0]["power"] >= 8
    assert ask(database, REPORTS["dealers-compared"], table="S03").rows[0]["staff"] == "D-203"


def counted(database, staff):
    """Each kind at the coups of a dealer, by the report of coups."""
    coups = [row for row in ask(database, REPORTS["coup"]).rows if row["dealer"] == staff]
    every = Counter(noted["kind"] for row in coups for noted in row["exceptions"])
    return {kind: times for kind, times in every.items() if kind in OF_THE_DEALER}


def test_a_house_that_dealt_nothing_has_no_rows(pit, database):
    assert ask(database, REPORTS["dealers-compared"]).rows == []
