"""Who has more of something than the others, and how often that is said of nobody special."""

from fractions import Fraction
from math import comb
from random import Random

import pytest

from domain.review.protection.compared import Count, Rate, _tail, all_named, compared

DEALERS = 60


def floor(rng, *, rate=0.002, shoes=(5, 400), odd=None):
    """Counts of a floor of dealers, each with some shoes; `odd`: the rate of the first of them."""
    coups = [80 * rng.randint(*shoes) for _ in range(DEALERS)]
    rates = [odd or rate, *[rate] * (DEALERS - 1)]
    return [Count(sum_of(rng, n, p), n) for n, p in zip(coups, rates, strict=True)]


def sum_of(rng, n, p):
    """How often something happens in `n` coups: by the time until it happens again."""
    times, at = 0, rng.expovariate(p)
    while at < n:
        times, at = times + 1, at + rng.expovariate(p)
    return times


@pytest.mark.parametrize(("times", "expected"), [(1, 3), (3, 3), (9, 3), (40, 4), (2, 0.1)])
def test_the_tail_is_that_of_a_binomial_of_very_many_trials(times, expected):
    """Exact, in fractions; the difference to Poisson's is in the order of 1 in 20,000 trials."""
    trials = 20_000
    p = Fraction(expected) / trials if expected >= 1 else Fraction(1, 10 * trials)
    below = sum(comb(trials, n) * p**n * (1 - p) ** (trials - n) for n in range(times))
    exact = float(1 - below)

    assert _tail(Count(times, trials), float(p)) == pytest.approx(exact, rel=0.05)


def test_a_floor_on_which_all_are_alike_is_rarely_accused():
    """At most one floor in a hundred, by what is asked for; 300 floors of three kinds here."""
    rng = Random(20261128)
    accused = 0
    for _ in range(300):
        counts = {kind: floor(rng) for kind in ("misdraw", "payment corrected", "moved")}
        accused += any(each.named for every in compared(counts).values() for each in every)

    assert accused <= 9


def test_one_who_errs_thrice_as_often_is_named_and_nobody_else():
    rng = Random(4)
    named = [
        [n for n, each in enumerate(compared({"misdraw": counts})["misdraw"]) if each.named]
        for counts in (floor(rng, odd=0.006, shoes=(150, 400)) for _ in range(40))
    ]

    assert sum(0 in each for each in named) >= 36
    assert sum(each not in ([], [0]) for each in named) <= 3


def test_a_dealer_of_ten_shoes_is_not_ranked_above_one_with_a_record():
    """Two misdraws in ten shoes are twice the rate of all; forty in 200 shoes are so, too."""
    counts = [Count(2, 800), Count(40, 16_000), *[Count(16, 12_800)] * 20]
    new, old, *others = compared({"misdraw": counts})["misdraw"]

    assert others[0].shrunk < new.shrunk < old.shrunk
    assert (new.named, old.named) == (False, True)
    assert new.chance > 0.2


def test_the_more_coups_the_less_a_rate_is_drawn_to_that_of_all():
    every = [*[Count(10, 10_000)] * 10, *[Count(30, 10_000)] * 10]
    short, long = (
        compared({"misdraw": [*every, Count(n, n * 200)]})["misdraw"][-1].shrunk for n in (2, 2_000)
    )

    assert 2 < short < long < 5.01
    assert long == pytest.approx(5, abs=0.05)


def test_nothing_went_wrong_for_anybody():
    [one, another] = compared({"misdraw": [Count(0, 0), Count(0, 500)]})["misdraw"]

    assert (one.shrunk, another.named) == (0.0, False)


def test_the_more_seldom_chance_may_be_among_those_who_are_named_the_fewer_are():
    kinds = {"misdraw": [Rate(30.0, 1e-4), Rate(3.0, 0.5)]}

    assert [all_named(kinds, one_in)["misdraw"][0].named for one_in in (100, 5_000, 5_001)] == [
        True,
        True,
        False,
    ]
