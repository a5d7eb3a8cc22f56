"""Opening a table: for which gaming day, and with which chips."""

from datetime import timedelta

import pytest

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger
from tests.worlds.gaming_table import BEGINS

OPEN = {"command": "table.open", "table": "B01", "rules": "dragon-bonus@1", "by": "D-204"}


@pytest.fixture
def at(database, monkeypatch):
    """A dispatcher whose clock is at that moment, and stays there."""
    monkeypatch.setattr("ops.commands.machine_time.FURTHEST_AHEAD", timedelta(minutes=5))
    made = []

    def make(moment=BEGINS, **casino):
        made.append(Casino(Ledger(database), lambda: moment, **casino))
        return Dispatcher(made[-1], "test")

    yield make
    for each in made:
        each.close()


def opened(dispatcher, day, **fields):
    line = {**OPEN, "opener": {"10000": 2}, "day": day, "with": "S-11", **fields}
    return dispatcher.dispatch(line).body


@pytest.mark.parametrize("day", ["2026-11-20", "2026-11-21", "2026-11-22"])
def test_a_table_is_opened_for_today_s_gaming_day_or_tomorrow_s(at, day):
    assert opened(at(), day)["ok"]


@pytest.mark.parametrize("day", ["2026-11-23", "2027-11-21", "2062-11-21"])
def test_a_gaming_day_further_ahead_is_refused(at, day):
    answer = opened(at(), day)

    assert answer["error"] == "BadValue"
    assert "A table opens for today, 2026-11-21, or tomorrow." in answer["message"]


def test_simulated_days_may_be_any_day(at):
    assert opened(at(made_up=True), "2062-11-21")["ok"]


def test_before_the_gaming_day_begins_its_date_is_tomorrow(at):
    early = BEGINS.replace(hour=3)  # of the gaming day of the 20th

    assert opened(at(early), "2026-11-21")["ok"]
    assert opened(at(early), "2026-11-22", table="B02")["error"] == "BadValue"


@pytest.mark.parametrize("chip", ["1", "5000", "12345"])
def test_an_opener_has_only_chips_of_the_rule_set(at, chip):
    answer = opened(at(), "2026-11-21", opener={"10000": 2, chip: 1})

    assert answer["error"] == "BadValue"
    assert "all are 0.25, 0.50, 1, 5, " in answer["message"]
    assert opened(at(), "2026-11-21", opener={"10000": 2, "25": 3})["ok"]
