"""Trays that come short: Chernoff's bound beside every way in which coins fall."""

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.review.protection.trays import OnShort, TrayCount, chance_of_short

counts = st.builds(
    lambda coups, others, off: TrayCount(off, coups, coups + others),
    st.integers(1, 40),
    st.integers(0, 40),
    st.integers(-20_00, 20_00),
)


@given(st.lists(counts, max_size=9))
def test_chance_is_never_said_to_be_rarer_than_it_is(every):
    """Each count that is off falls short or over, like a coin."""
    off = [each for each in every if each.off]
    had = sum(each.share if each.off < 0 else -each.share for each in off)
    falls = [
        sum(side * each.share for side, each in zip(sides, off, strict=True))
        for sides in product((1, -1), repeat=len(off))
    ]
    exactly = sum(each >= had - 1e-9 for each in falls) / len(falls)

    assert exactly <= chance_of_short(every) + 1e-9
    assert chance_of_short(every) <= 1


@given(st.integers(1, 200), counts)
def test_it_is_exact_when_every_count_is_short(times, count):
    short = TrayCount(-1, count.coups, count.all_coups)

    assert chance_of_short([short] * times) == pytest.approx(0.5**times)


@given(st.lists(counts, max_size=30), counts)
def test_a_count_that_is_right_changes_nothing(every, count):
    right = TrayCount(0, count.coups, count.all_coups)

    assert chance_of_short([*every, right]) == chance_of_short(every)
    assert OnShort().after(right) == OnShort()


def held_after(offs):
    beside = OnShort()
    for off in offs:
        beside = beside.after(TrayCount(off, 40, 40))
    return beside.held


def test_eighteen_short_counts_in_a_row_are_beyond_chance_whatever_one_slip_was_worth():
    assert held_after([-5_00] * 18) > 10_000 > held_after([-5_00] * 15)
    assert held_after([100_000_00] + [-5_00] * 22) > 10_000


def test_a_dealer_who_errs_as_often_for_the_house_as_against_is_not_named():
    random = Random(1)
    taken = 0
    for _ in range(1_000):
        beside = OnShort()
        for _ in range(60):
            beside = beside.after(TrayCount(random.choice((5_00, -5_00)), 40, 40))
            taken += beside.held >= 10_000

    assert taken == 0


def test_who_deals_a_little_beside_one_who_overpays_is_not_named():
    little = OnShort()
    for _ in range(100):
        little = little.after(TrayCount(-5_00, 20, 40))

    assert little == OnShort()
