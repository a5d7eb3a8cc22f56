"""Chips do not come or go between sessions and days: the opener is the last closer."""

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from tests.worlds.gaming_table import DAY, GamingTable
from tests.worlds.twin_tables import TWO

NEXT = "2026-11-22"
CLOSER = {"10000": 100}
OTHERS = [({"10000": 90}, -1_000_00), ({"10000": 101}, 100_00), ({"500": 2_000}, 0)]


@pytest.fixture
def closed(dispatcher):
    """A table that closed with 10,000.00."""
    pit = GamingTable(dispatcher)
    pit.say("table.open", rules="dragon-bonus@1", opener=CLOSER, day=DAY, **TWO)
    pit.say("table.close", closer=CLOSER, **TWO)
    return pit


@pytest.fixture
def noted(database):
    """The exceptions about openers: the difference, and who explained it."""

    def ask_for():
        return [
            (row["detail"]["difference"], row["acknowledged_by"])
            for row in ask(database, REPORTS["exceptions"]).rows
            if row["kind"] == "opener differs"
        ]

    return ask_for


def opens(pit, how, opener, **fields):
    if how == "the next day":
        line = {"rules": "dragon-bonus@1", "day": NEXT}
        return pit.ask("table.open", opener=opener, **line, **{**TWO, **fields})
    return pit.ask("table.reopen", opener=opener, reason="opens again", **{**TWO, **fields})


@pytest.mark.parametrize("how", ["the next day", "the same day"])
@pytest.mark.parametrize(("opener", "off"), OTHERS)
def test_an_opener_that_is_not_the_last_closer_is_asked_about(closed, noted, how, opener, off):
    refused = opens(closed, how, opener, confirmed=False).body

    assert "ConfirmationNeeded" == refused["error"]
    assert f"B01/{DAY} closed with 10,000.00" in refused["message"]
    alone = opens(closed, how, opener, confirmed=True, **{"with": None}).body
    assert "SecondPersonNeeded" == alone["error"]
    opened = opens(closed, how, opener, confirmed=True).body
    assert "OpenerDiffered" in [event["type"] for event in opened["events"]]
    assert [(off, None)] == noted()


@pytest.mark.parametrize("how", ["the next day", "the same day"])
def test_the_last_closer_opens_without_a_question(closed, noted, how):
    assert opens(closed, how, CLOSER, confirmed=False).ok
    assert [] == noted()


def test_it_is_an_exception_until_it_is_explained(closed, noted):
    position = opens(closed, "the next day", {"10000": 90}, confirmed=True).body["position"]
    events = closed.dispatcher.casino.ledger
    assert events is not None
    (row,) = [position]
    alert = f"opener-differs/{_position_of(closed, row)}"
    without = closed.ask("alert.acknowledge", alert=alert, by="S-11").body

    assert "MissingField" == without["error"]
    closed.say("alert.acknowledge", alert=alert, by="S-11", text="the cage had ten for the night")
    assert [(-1_000_00, "S-11")] == noted()


def _position_of(pit, last):
    """The position of the event about the opener, in the command that ends at `last`."""
    from ops.ledger.reading import read_command_at

    with pit.dispatcher.casino.ledger.connection() as connection:
        rows = read_command_at(connection, last)
    return next(row.position for row in rows if row.topic == "table-day.opener-differed")


def test_an_opener_or_a_closer_put_right_is_compared_again(closed, noted):
    opened = opens(closed, "the next day", CLOSER).body["position"]
    two = {"reason": "typed wrong", **TWO}
    closed.say("money.correct", position=opened, chips={"10000": 95}, **two)
    assert [(-500_00, None)] == noted()
    closed.say("table.recount", closer={"10000": 97}, day=DAY, **two)
    assert [(-500_00, None), (-200_00, None)] == noted()
