"""Regimes for cash: what is due from which amount, by the law of the gaming day (R-CASH-1)."""

from datetime import date

import pytest
from msgspec.structs import replace

from domain.rules.play_cards import at_table
from domain.rules.play_time import Rest
from domain.rules.refusals import BadValue
from domain.rules.regimes import known, of_amount, programs, read, stated

SATURDAY = date(2026, 11, 21)
BEFORE_REFORM, REFORM = date(2026, 3, 30), date(2026, 3, 31)
# fmt: off
BROUGHT = [
    # regime            day            direction  before      amount       what it brings about
    ("united-states",   SATURDAY,      "in",      0,          3_000_00,    []),
    ("united-states",   SATURDAY,      "in",      0,          3_000_01,    ["mtl"]),
    ("united-states",   SATURDAY,      "in",      7_000_00,   3_000_00,    []),
    ("united-states",   SATURDAY,      "in",      7_000_00,   3_000_01,    ["ctr"]),
    ("united-states",   SATURDAY,      "out",     0,          10_000_01,   ["ctr", "mtl"]),
    ("united-states",   SATURDAY,      "in",      10_000_01,  90_000_00,   []),
    ("new-jersey",      SATURDAY,      "in",      0,          2_500_01,    ["mtl"]),
    ("australia",       SATURDAY,      "in",      6_000_00,   4_999_99,    []),
    ("australia",       SATURDAY,      "in",      6_000_00,   5_000_00,    ["cdd"]),
    ("australia",       SATURDAY,      "in",      50_000_00,  10_000_00,   ["ttr", "cdd"]),
    ("australia",       BEFORE_REFORM, "out",     0,          9_999_99,    []),
    ("australia",       REFORM,        "out",     0,          9_999_99,    ["cdd"]),
    ("macau",           SATURDAY,      "in",      499_000_00, 1_000_00,    ["large"]),
    ("singapore",       SATURDAY,      "in",      6_000_00,   4_000_00,    ["ctr"]),
    ("singapore",       SATURDAY,      "in",      0,          10_000_00,   ["ctr", "cdd"]),
    ("united-kingdom",  SATURDAY,      "in",      1_000_00,   700_00,      ["cdd"]),
    ("united-kingdom",  date(2017, 6, 25), "in",  0,          9_000_00,    []),
]
# fmt: on


@pytest.mark.parametrize(("name", "day", "direction", "before", "amount", "brings"), BROUGHT)
def test_cash_brings_about_what_the_law_of_its_day_says(
    name, day, direction, before, amount, brings
):
    brought = programs()[name].on(day).brought(direction, before, amount)

    assert brings == [each.name for each in brought]


@pytest.mark.parametrize("regime", programs().values(), ids=programs())
def test_a_regime_on_record_is_read_as_it_was_chosen(regime):
    assert regime == known(stated(regime))


@pytest.mark.parametrize("regime", programs().values(), ids=programs())
def test_every_amount_names_its_source_and_whether_that_was_read(regime):
    for each in regime.thresholds:
        text = f"{each.source} {each.note}"
        assert any(mark in text for mark in ("read", "reported")), each.name
    for each in (*regime.rests, *regime.carded):
        assert "reported" in each.source or "read" in each.source


# fmt: off
TERMS = [
    ("15 days",         date(2026, 11, 21), date(2026, 12, 6)),
    ("10 working days", date(2026, 11, 20), date(2026, 12, 4)),   # a Friday
    ("10 working days", date(2026, 11, 21), date(2026, 12, 4)),   # Saturday
    ("1 working day",   date(2026, 11, 22), date(2026, 11, 23)),  # Sunday
    ("",                date(2026, 11, 21), None),
]
# fmt: on


@pytest.mark.parametrize(("within", "day", "last"), TERMS)
def test_the_last_day_leaves_out_weekends_where_only_working_days_count(within, day, last):
    (report,) = of_amount(1).thresholds

    assert last == replace(report, within=within).last_day_due(day)


OWN = """
name = "riverside"
title = "Riverside"
currency = "USD"
[[threshold]]
name = "log"
paper = "log"
amount = "2,500"
over = true
counts = "day"
directions = ["in"]
due = ["log"]
source = "the house"
"""
REST = """
[[rest]]
after = "3 hours"
rest = "15 minutes"
source = "the law"
"""
CARDED = """
[[carded]]
above = "1,000"
tables = ["B01"]
first_day = 2026-11-22
source = "the law"
"""
ADDED = OWN.replace('currency = "USD"', 'currency = "AUD"\nadds_to = "australia"') + REST


def test_a_file_that_adds_to_a_regime_has_all_of_it_and_its_own():
    base, added = programs()["australia"], read(ADDED.encode())

    assert [each.name for each in added.thresholds] == ["ttr", "cdd", "cdd", "log"]
    assert added.rests == (Rest(after="3 hours", rest="15 minutes", source="the law"),)
    ours = {"name": "riverside", "title": "Riverside", "currency": "AUD"}
    assert added == replace(base, thresholds=added.thresholds, rests=added.rests, **ours)


def test_carded_play_holds_from_its_day_on_at_its_tables():
    regime = read((ADDED + CARDED + CARDED.replace('tables = ["B01"]', "")).encode())
    elsewhere, here = at_table(regime.carded, "B02"), at_table(regime.carded, "B01")

    assert regime.on(SATURDAY).carded == ()
    assert regime.on(date(2026, 11, 22)).carded == regime.carded
    assert (here.above, here.tables, elsewhere.tables) == (1_000_00, ("B01",), ())
    assert programs()["victoria"].on(date(2025, 11, 30)).carded == ()
    assert programs()["victoria"].on(date(2025, 12, 1)).carded[0].asks_at_the_seat


def test_a_house_writes_a_regime_of_its_own():
    regime = read(OWN.encode())

    assert [("log", 2_500_00)] == [(each.name, each.amount) for each in regime.thresholds]
    assert regime.at_the_table == "say"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (OWN.replace('"USD"', '"DOLLARS"'), "three letters"),
        (OWN.replace('"2,500"', '"lots"'), "write an amount"),
        (OWN.replace('"2,500"', '"0"'), "write an amount"),
        (OWN.replace('["in"]', "[]"), "each threshold states it"),
        (OWN.replace('counts = "day"', 'counts = "week"'), "week"),
        (OWN + 'within = "soon"\n', "15 days"),
        (OWN + 'whithin = "15 days"\n', "whithin"),
        (OWN + OWN[OWN.index("[[") :], "a name of its own"),
        ("name = ", "Invalid"),
        (OWN[: OWN.index("[[")], "threshold"),
        (OWN + REST.replace("3 hours", "soon"), "write `15 minutes`"),
        (OWN + REST.replace("3 hours", ""), "write `15 minutes`"),
        (OWN + REST.replace('source = "the law"', 'source = ""'), "its `source`"),
        (OWN + REST.replace('rest = "15 minutes"', ""), "`within`, `rest` or both"),
        (OWN + REST + 'whithin = "1 day"', "whithin"),
        (OWN + REST + 'within = "2 hours"', "nobody plays that long"),
        (OWN + CARDED.replace("1,000", "a lot"), "write an amount in major units"),
        (OWN + CARDED.replace("1,000", "-5"), "write an amount in major units"),
        (OWN + CARDED.replace('source = "the law"', 'source = ""'), "its `source`"),
        (OWN + CARDED.replace("above", "over"), "over"),
        (ADDED.replace("australia", "atlantis"), "sabot regime list"),
        (ADDED.replace("australia", "../regimes/australia"), "sabot regime list"),
        (ADDED.replace("australia", "a" * 300), "sabot regime list"),
        (ADDED.replace("AUD", "USD"), "is in AUD"),
        (
            ADDED.replace('name = "log"', 'name = "ttr"').replace('"day"', '"one"'),
            "a name of its own",
        ),
        (OWN + '[suspicion]\npaper = "SAR"\nsource = "us"\nwhithin = "3 days"', "whithin"),
    ],
)
def test_a_file_that_cannot_be_a_regime_is_refused_with_its_reason(wrong, why):
    with pytest.raises(BadValue) as refused:
        read(wrong.encode())

    assert why in str(refused.value)
