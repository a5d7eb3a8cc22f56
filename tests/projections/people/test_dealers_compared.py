"""`dealers-compared`: the counts are those of the coups, and who errs more is named."""

from collections import Counter
from datetime import timedelta

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from domain.review.protection.compared import all_named
from domain.review.protection.pace import Stretches
from domain.rules.protection_levels import COMPARED, ONE_OF_THE_NAMED, TRAY_SHORT
from ops.reports import beside
from ops.reports.ask import ask
from ops.reports.beside import TOGETHER
from ops.simulation.run import Plan, dispatch_all
from projections import REPORTS
from projections.people.dealers_compared import OF_THE_DEALER
from tests.worlds.gaming_table import PLAYER_WINS, TIE, GamingTable

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

    monkeypatch.setattr(beside, "all_named", named)
    dispatch_all(dispatcher.dispatch, Plan(tables=1, coups=2, seed=3).lines([1]), lambda _: None)
    line = {"command": "property.level", "question": COMPARED, "level": 1_000, "id": "level"}
    ask(database, REPORTS["dealers-compared"])
    assert dispatcher.dispatch({**line, "by": "SV-1", "with": "AU-1"}).ok
    ask(database, REPORTS["dealers-compared"])

    assert asked == [ONE_OF_THE_NAMED] * 2 + [1_000] * 2  # for what went wrong, and for results


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


SIGNALS = "D-201"


def test_a_dealer_whose_patron_wins_by_signs_is_named_and_so_is_the_pair(dispatcher, database):
    plan = Plan(tables=3, coups=110, seed=1, cheat="signals-ties", trouble=0.0)
    for number in (1, 2, 3):
        evening = plan.evening(number, plan.day)
        first = replace(evening.patrons[0], learns_ties=float(number == 1))
        evening.patrons = (replace(first, stakes=(*[10_00] * 3, 100_00)), *evening.patrons[1:])
        dispatch_all(dispatcher.dispatch, evening.lines(), lambda _: None)
    dealers = {
        row["staff"]: row["results"] for row in ask(database, REPORTS["dealers-compared"]).rows
    }
    pairs = {
        (row["patron"], row["dealer"]): row["results"]
        for row in ask(database, REPORTS["patrons-compared"]).rows
    }
    told = plan.evening(1, plan.day).patrons[0].patron

    assert [pair for pair, each in pairs.items() if each["named"]] == [(told, SIGNALS)]
    assert float(pairs[told, SIGNALS]["deviations"]) > 4
    for dealer, each in dealers.items():
        theirs = [one for (_, whose), one in pairs.items() if whose == dealer]
        for what in ("handle", "won", "theory"):
            assert each[what] == pytest.approx(sum(one[what] for one in theirs), abs=len(theirs))


def test_results_are_those_of_ratings(pit, database):
    """An own reading: of one patron with one dealer the luck is that of their stay."""
    for _ in range(3):
        pit.play(TIE, (3, "tie", 25_00), (3, "player", 100_00))
    pit.play(PLAYER_WINS, (3, "player", 100_00))
    [row] = ask(database, REPORTS["dealers-compared"]).rows
    [stay] = [each for each in ask(database, REPORTS["ratings"]).rows if each["coups"]]
    results = row["results"]

    assert results["won"] == stay["win_loss"] == 3 * 200_00 + 100_00
    assert results["handle"] == sum(stay["handle"].values())
    assert -results["theory"] == pytest.approx(sum(stay["theoretical_win"].values()), abs=2)
    assert float(results["deviations"]) == pytest.approx(float(stay["luck"]), abs=0.1)


def test_the_pace_of_a_dealer_is_beside_that_of_others_with_as_many_patrons(dispatcher, database):
    """D-202 takes twice as long between two coups as the others, each with one patron."""
    for number, slow in ((1, 20), (2, 60), (3, 20)):
        pit = GamingTable(dispatcher, f"B0{number}").open()
        pit.say("table.dealer", staff=f"D-20{number}", by="S-11")
        pit.prepare()
        for n in range(12):
            suit = "CDHS"[n % 4]
            pit.play(f"9{suit} 2{suit} K{suit} Q{suit}", (3, "tie", 25_00))
            pit.moment += timedelta(seconds=slow)
    paces = {row["staff"]: row["pace"] for row in ask(database, REPORTS["dealers-compared"]).rows}

    assert float(paces["D-202"]["an_hour"]) < float(paces["D-201"]["an_hour"])
    assert paces["D-202"]["others"] == paces["D-201"]["an_hour"] == paces["D-203"]["an_hour"]
    assert not any(each["named"] for each in paces.values())  # one shoe each


def test_who_deals_slower_in_shoe_after_shoe_is_named():
    slow, fast = Stretches(20, 1_200, "72000", "60000", "3.6", "0.66"), None
    others = [Stretches(20, 1_200, "60000", "60000", "0.1", "0.2")] * 5
    asked = [{"one_in": 100, "of": each} for each in (slow, *others, fast)]
    first, *rest = TOGETHER["pace"](to_builtins(asked), lambda _: None)

    assert (first["an_hour"], first["others"], first["named"]) == ("60.0", "72.0", True)
    assert 60 < float(first["expected"]) < 72
    assert [each and each["named"] for each in rest] == [False] * 5 + [None]
