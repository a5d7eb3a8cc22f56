"""A night by seed: everything happens at once, and nothing is lost, doubled or wrong."""

import pytest

from tests.faults import FULL as IN_FULL
from tests.faults import SEED, times
from tests.faults.night.evening import night
from tests.faults.night.schedule import FULL, KINDS, NIGHTS, QUICK, schedule_of


@pytest.mark.parametrize("seed", range(SEED, SEED + times(1, 20)))
def test_a_night_loses_doubles_and_gets_wrong_nothing(seed: int) -> None:
    outcome = night(schedule_of(seed, FULL if IN_FULL else QUICK))
    print(outcome)

    assert (outcome.lost, outcome.doubled) == (0, 0)
    assert outcome.done.total() == len(outcome.schedule.acts)


def test_the_same_seed_is_the_same_night_and_another_one_is_another():
    first, again, other = (schedule_of(seed, FULL) for seed in (7, 7, 8))

    assert str(first) == str(again)
    assert str(first) != str(other)


def test_every_kind_of_act_and_night_comes_in_a_few_nights():
    nights = [schedule_of(seed, FULL) for seed in range(12)]

    assert set(KINDS) <= {act.kind for each in nights for act in each.acts}
    assert {each.day for each in nights} == set(NIGHTS)
