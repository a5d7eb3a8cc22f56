"""R-COM-3: rounding is money. And amounts as people write them."""

import runpy
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.rules.money import (
    LARGEST_AMOUNT,
    Rounding,
    decimal_string,
    digits,
    is_currency,
    major,
    minor,
    share,
)
from tests import VERIFY

AMOUNTS = st.integers(0, LARGEST_AMOUNT)
RATES = st.tuples(st.integers(1, 20), st.just(100))

# fmt: off
CHARGES = [
    # mode      unit  minimum  exact      charge
    ("exact",   1,    0,       "0",       0),
    ("exact",   1,    0,       "5",       5),
    ("exact",   1,    0,       "5.05",    6),       # what is not whole goes to the house
    ("exact",   1,    0,       "5.95",    6),
    ("up",      1,    0,       "5.05",    6),
    ("up",      25,   0,       "125",     125),
    ("up",      25,   0,       "125.05",  150),
    ("up",      1_00, 0,       "125",     2_00),
    ("up",      1_00, 0,       "200",     2_00),
    ("nearest", 1,    0,       "5.4",     5),
    ("nearest", 1,    0,       "5.5",     6),
    ("nearest", 1_00, 0,       "149.95",  1_00),
    ("nearest", 1_00, 0,       "150",     2_00),
    ("nearest", 25,   0,       "137",     125),
    ("nearest", 25,   0,       "137.5",   150),
    ("nearest", 1_00, 0,       "49",      0),
    ("down",    1,    0,       "5.95",    5),
    ("down",    25,   0,       "124.95",  1_00),
    ("down",    1_00, 0,       "200",     2_00),
    ("down",    1_00, 0,       "99.95",   0),
    ("down",    1_00, 50,      "99.95",   50),
    ("down",    25,   1_00,    "0",       0),
    ("exact",   1,    1_00,    "5.05",    1_00),
    ("up",      25,   1_00,    "125",     125),
    ("nearest", 1_00, 50,      "49",      50),
    ("up",      25,   1_00,    "0",       0),       # nothing won, nothing charged
]
# fmt: on


@pytest.mark.parametrize(("mode", "unit", "minimum", "exact", "charge"), CHARGES)
def test_r_com_3_the_charge_is_rounded_as_the_rule_set_says(mode, unit, minimum, exact, charge):
    rounding = Rounding(mode=mode, unit=unit, minimum=minimum)

    assert charge == rounding.charge(Fraction(exact))


@given(AMOUNTS, RATES, st.integers(1, 10_000))
def test_r_com_3_rounding_up_takes_less_than_one_unit_more_and_never_less(amount, rate, unit):
    exact = share(amount, rate)
    charge = Rounding(mode="up", unit=unit).charge(exact)

    assert 0 <= charge - exact < unit
    assert charge % unit == 0


@given(AMOUNTS, RATES, st.integers(1, 10_000))
def test_r_com_3_rounding_to_the_nearest_is_never_off_by_more_than_half(amount, rate, unit):
    exact = share(amount, rate)
    charge = Rounding(mode="nearest", unit=unit).charge(exact)

    assert abs(charge - exact) * 2 <= unit
    assert charge % unit == 0


@given(AMOUNTS, RATES, st.integers(1, 10_000))
def test_r_com_3_rounding_down_takes_less_than_one_unit_less_and_never_more(amount, rate, unit):
    exact = share(amount, rate)
    charge = Rounding(mode="down", unit=unit).charge(exact)

    assert 0 <= exact - charge < unit
    assert charge % unit == 0


@given(AMOUNTS, RATES)
def test_r_com_3_the_exact_accrual_loses_nothing_as_text(amount, rate):
    exact = share(amount, rate)

    assert exact == Fraction(decimal_string(exact))


@pytest.mark.parametrize(
    ("exact", "text"),
    [("0", "0"), ("500", "500"), ("5/4", "1.25"), ("101/20", "5.05"), ("1000000", "1000000")],
)
def test_an_exact_amount_is_a_plain_decimal_number(exact, text):
    assert text == decimal_string(Fraction(exact))


def test_a_third_has_no_finite_decimal_form():
    with pytest.raises(ValueError, match="1/3 has no finite decimal form"):
        decimal_string(Fraction(1, 3))


# fmt: off
WRITTEN = [
    # minor       currency  major
    (0,           "USD",    "0.00"),
    (5,           "USD",    "0.05"),
    (12_50,       "USD",    "12.50"),
    (1_000_00,    "USD",    "1,000.00"),
    (250_000_00,  "EUR",    "250,000.00"),
    (1_000,       "JPY",    "1,000"),
    (1_234_567,   "KWD",    "1,234.567"),
    (-5_00,       "USD",    "-5.00"),
]
# fmt: on


@pytest.mark.parametrize(("units", "currency", "text"), WRITTEN)
def test_an_amount_is_said_in_major_units_and_read_back(units, currency, text):
    assert text == major(units, currency)
    assert units == minor(text, currency)


@pytest.mark.parametrize(("currency", "places"), [("USD", 2), ("JPY", 0), ("KWD", 3), ("MOP", 2)])
def test_a_currency_has_its_own_places(currency, places):
    assert places == digits(currency)


@pytest.mark.parametrize(("currency", "places"), [("RWF", 0), ("VUV", 0), ("CLF", 4), ("MGA", 0)])
def test_minor_digits_are_those_of_a_kept_source(currency, places):
    assert places == digits(currency)


def test_what_is_at_hand_and_what_a_stranger_reckons_by_is_what_the_source_has():
    from babel.core import get_global

    fractions = get_global("currency_fractions")
    script = runpy.run_path(str(VERIFY))["CURRENCIES"]
    expected = {
        code: fractions.get(code, fractions["DEFAULT"])[0] for code in get_global("all_currencies")
    }

    assert expected == {code: digits(code) for code in expected}
    assert expected == {code: script.get(code, 2) for code in expected}


def test_a_code_that_nobody_gave_is_no_currency():
    codes = ("USD", "JPY", "CLF", "QQQ", "usd", "", "US")

    assert [True, True, True, False, False, False, False] == [is_currency(each) for each in codes]


@given(AMOUNTS, st.sampled_from(["USD", "JPY", "KWD", "MOP"]))
def test_every_amount_is_read_back_as_it_was_said(units, currency):
    assert units == minor(major(units, currency), currency)


@pytest.mark.parametrize(("text", "units"), [("12.5", 12_50), ("100", 100_00), ("1,000", 1_000_00)])
def test_zeros_and_commas_may_be_left_out(text, units):
    assert units == minor(text, "USD")


@pytest.mark.parametrize(
    ("text", "currency"), [("12.505", "USD"), ("0.5", "JPY"), ("1.2345", "KWD"), ("NaN", "USD")]
)
def test_more_places_than_the_currency_has_are_no_amount(text, currency):
    with pytest.raises(ValueError, match=f"{text}' is no amount of {currency}"):
        minor(text, currency)
