"""Cash of one gaming day: in and out apart, and the floor told before and at the amount."""

from datetime import date

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.aggregates.cash import CashDay
from domain.rules.regimes import of_amount
from tests.domain.floor import EVENING
from tests.scenario import given, replayed

SATURDAY = date(2026, 11, 21)
REPORTED = 10_000_00


def day():
    return CashDay.begin_day("P-10417", SATURDAY, EVENING)


def cash(direction, amount, reporting=REPORTED):
    return lambda each: each.count(direction, amount, of_amount(reporting), table="B01")


def events(aggregate):
    return [type(event).__name__ for event in aggregate.pending_events][1:]


# fmt: off
ALERTS = [
    # amounts in                            what is told
    ([7_999_99],                            []),
    ([8_000_00],                            ["ReportingAmountNear"]),
    ([10_000_00],                           ["ReportingAmountNear"]),
    ([10_000_01],                           ["ReportingAmountPassed"]),
    ([4_000_00, 3_500_00, 2_600_00],        ["ReportingAmountPassed"]),
    ([4_000_00, 4_000_00, 2_000_00, 1],     ["ReportingAmountNear", "ReportingAmountPassed"]),
    ([9_000_00, 500_00, 600_00, 5_000_00],  ["ReportingAmountNear", "ReportingAmountPassed"]),
]
# fmt: on


@pytest.mark.parametrize(("amounts", "told"), ALERTS)
@pytest.mark.parametrize("direction", ["in", "out"])
def test_the_floor_is_told_once_before_and_once_over_the_amount(direction, amounts, told):
    each = day()
    for amount in amounts:
        cash(direction, amount)(each)

    assert told == [name for name in events(each) if name != "CashCounted"]
    assert replayed(each) == each


def test_in_and_out_are_never_netted():
    given(day(), cash("in", 9_900_00)).when(cash("out", 9_900_00)).then(
        (
            "CashCounted",
            {
                "direction": "out",
                "amount": 9_900_00,
                "total": 9_900_00,
                "table": "B01",
                "name": "P-10417",
            },
        ),
        (
            "ReportingAmountNear",
            {"direction": "out", "total": 9_900_00, "reporting_amount": REPORTED},
        ),
    )


def test_an_amount_that_was_set_lower_is_passed_by_what_is_there_already():
    given(day(), cash("in", 5_000_00)).when(cash("in", 1, reporting=4_000_00)).then(
        "CashCounted", "ReportingAmountPassed"
    )


@for_all(st.lists(st.tuples(st.sampled_from(["in", "out"]), st.integers(1, 5_000_00)), max_size=20))
def test_the_totals_are_the_sums_and_each_alert_comes_once(acts):
    each = day()
    for direction, amount in acts:
        cash(direction, amount)(each)
    sums = {way: sum(amount for said, amount in acts if said == way) for way in ("in", "out")}
    over = sum(total > REPORTED for total in sums.values())

    assert sums == each.totals
    assert over == events(each).count("ReportingAmountPassed")
    assert events(each).count("ReportingAmountNear") <= 2
    assert replayed(each) == each


def corrected(more, direction="in"):
    return lambda each: each.correct(direction, more, of_amount(REPORTED), table="B01")


def test_an_alert_that_is_not_true_any_more_may_come_again():
    each = day()
    cash("in", 50_000_00)(each)
    corrected(-49_500_00)(each)
    assert (each.totals["in"], each.alerts) == (500_00, set())

    cash("in", 8_000_00)(each)
    cash("in", 2_000_00)(each)
    told = [name for name in events(each) if name.startswith("Reporting")]
    assert told == ["ReportingAmountPassed", "ReportingAmountNear", "ReportingAmountPassed"]


def test_cash_that_is_over_the_amount_still_is_alerted_once():
    each = day()
    cash("in", 50_000_00)(each)
    corrected(-30_000_00)(each)

    assert [name for name in events(each) if name.startswith("Reporting")] == [
        "ReportingAmountPassed"
    ]
    assert replayed(each) == each


def test_a_correction_upwards_is_alerted_too():
    given(day(), cash("in", 500_00)).when(corrected(11_000_00)).then(
        "CashChanged", "ReportingAmountPassed"
    )
