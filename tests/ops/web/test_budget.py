"""How many lines of a terminal may be refused in a minute."""

import pytest

from ops.web.budget import MINUTE, MOST, Budget
from ops.web.callers import Caller
from ops.web.turned_away import TooManyRefused

PIT, CAGE = Caller(terminal="6668-7AAD"), Caller(terminal="AD7A-8666")


class Clock:
    def __init__(self):
        self.now = 1_000.0

    def __call__(self):
        return self.now


def test_a_terminal_waits_after_so_many_refused_lines_and_no_other_does():
    clock = Clock()
    budget = Budget(3, clock)
    budget.note(PIT, 2)
    budget.require(PIT)
    clock.now += 20
    budget.note(PIT)

    assert (budget.left(PIT), budget.left(CAGE)) == (0, 3)
    budget.require(CAGE)
    with pytest.raises(TooManyRefused, match="3 lines of this terminal were refused") as refusal:
        budget.require(PIT)
    assert refusal.value.wait == MINUTE - 20


def test_after_a_minute_it_goes_on():
    clock = Clock()
    budget = Budget(3, clock)
    budget.note(PIT, 5)
    clock.now += MINUTE

    budget.require(PIT)
    assert budget.left(PIT) == 3


def test_keys_that_somebody_makes_up_use_no_memory_without_end():
    budget = Budget(3)
    for n in range(MOST + 10):
        budget.note(Caller(terminal=str(n)))

    assert len(budget._minutes) == MOST
