"""`dealers-compared`: the counts are those of the coups, and who errs more is named."""

from collections import Counter

from domain.review.protection.compared import all_named
from domain.rules.protection_levels import COMPARED, ONE_OF_THE_NAMED, TRAY_SHORT
from ops.reports import computed
from ops.reports.ask import ask
from ops.simulation.run import Plan, dispatch_all
from projections import REPORTS
from projections.people.dealers_compared import OF_THE_DEALER
from tests.worlds.gaming_table import TIE, GamingTable

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


def test_of_those_who_are_named_as_many_are_chance_as_the_house_says(
    dispatcher, database, monkeypatch
):
    asked = []

    def named(kinds, one_in):
        asked.append(one_in)
        return all_named(kinds, one_in)

    monkeypatch.setattr(computed, "all_named", named)
    dispatch_all(dispatcher.dispatch, Plan(tables=1, coups=2, seed=3).lines([1]), lambda _: None)
    line = {"command": "property.level", "question": COMPARED, "level": 1_000, "id": "level"}
    ask(database, REPORTS["dealers-compared"])
    assert dispatcher.dispatch({**line, "by": "SV-1", "with": "AU-1"}).ok
    ask(database, REPORTS["dealers-compared"])

    assert asked == [ONE_OF_THE_NAMED, 1_000]


def counted(database, staff):
    """Each kind at the coups of a dealer, by the report of coups."""
    coups = [row for row in ask(database, REPORTS["coup"]).rows if row["dealer"] == staff]
    every = Counter(noted["kind"] for row in coups for noted in row["exceptions"])
    return {kind: times for kind, times in every.items() if kind in OF_THE_DEALER}


def test_a_house_that_dealt_nothing_has_no_rows(pit, database):
    assert ask(database, REPORTS["dealers-compared"]).rows == []


def test_a_tray_belongs_to_those_who_dealt_since_it_was_counted_last(dispatcher, database):
    """D-204 deals three coups and D-205 one before the first count; then one of them alone."""
    pit = GamingTable(dispatcher).open().prepare()
    fives = 20

    def deal(coups, by=None):
        if by:
            pit.say("table.dealer", staff=by, by="PB-1")
        for _ in range(coups):
            pit.say("open")
            pit.play(TIE)

    def count(more):
        nonlocal fives
        fives += more
        chips = {"10000": 199, "500": fives}
        pit.say("table.shift-count", chips=chips, **{"with": "S-12"})

    deal(3)
    deal(1, by="D-205")
    count(-4)
    deal(2)
    count(-10)
    count(-1)  # nobody dealt
    deal(1, by="D-204")
    count(3)
    rows = {row["staff"]: row for row in ask(database, REPORTS["dealers-compared"]).rows}
    trays = {staff: (row["counts"], row["tray"]) for staff, row in rows.items()}

    assert trays == {"D-204": (2, 0), "D-205": (2, -55_00)}
    short = {each["kind"]: each["times"] for each in rows["D-205"]["compared"]}
    assert short[TRAY_SHORT] == 2
