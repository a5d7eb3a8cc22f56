"""A place at an electronic table is one terminal: a second one waits until the first is retired."""

import pytest

from tests.worlds.closed_house import ClosedHouse

FIRST, SECOND = "98BB-CEFA-88A6-387D", "6668-7AAD-F862-BD77"


@pytest.fixture
def house(database):
    house = ClosedHouse(database, {"A-1": "administrator"})
    yield house
    house.close()


def approved(house, terminal, name):
    return house.ask("A-1", "staff.approve-terminal", terminal=terminal, name=name)


def test_a_second_terminal_for_a_place_is_refused_with_the_name_of_the_first(house):
    assert approved(house, FIRST, "E01/3")["ok"]
    refused = approved(house, SECOND, "E01/3")

    assert refused["error"] == "BadValue"
    assert f"E01/3 is the place of {FIRST}" in refused["message"]
    assert f"sabot staff retire-terminal {FIRST}" in refused["message"]


def test_once_the_first_is_retired_another_has_the_place(house):
    approved(house, FIRST, "E01/3")
    house.ask("A-1", "staff.retire-terminal", terminal=FIRST, reason="broken")

    assert approved(house, SECOND, "E01/3")["ok"]
    assert approved(house, "1111-2222-3333-4444", "E01/3")["error"] == "BadValue"


@pytest.mark.parametrize("name", ["E01/4", "E02/3", "pit 1"])
def test_another_place_is_free_and_a_name_that_is_no_place_is_for_several(house, name):
    approved(house, FIRST, "pit 1" if name == "pit 1" else "E01/3")

    assert approved(house, SECOND, name)["ok"]
