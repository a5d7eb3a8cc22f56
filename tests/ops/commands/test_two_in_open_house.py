"""Open house believes whoever is named; what takes two people takes somebody, and another one."""

import pytest

from ops.commands.vocabulary import PERMISSIONS
from tests.worlds.gaming_table import mouth_on
from tests.worlds.two_people import BY_ROLE, TAKES_TWO, house_of_two, needs_second, speak

# fmt: off
ONLY_WHEN_CLOSED = {"staff.new-secret", "alert.acknowledge"}
PEOPLE = {
    "nobody":           {},
    "nobody else":      {"by": "D-204"},
    "nobody first":     {"with": "S-11"},
    "the same again":   {"by": "S-11", "with": "S-11"},
}
# fmt: on


@pytest.fixture(scope="module")
def pit(server):
    """Open house: B01 has a coup, a case and a slip; B02 a fresh shoe; B03 deals a coup."""
    with server.database() as database, mouth_on(database) as dispatcher:
        yield house_of_two(dispatcher)


def test_every_command_that_may_take_two_people_is_in_this_list():
    must = {name for name, each in PERMISSIONS.items() if each.must}
    game = {name for name, each in PERMISSIONS.items() if each.two_in_open_house}

    assert must | game == TAKES_TWO.keys() | BY_ROLE.keys() | ONLY_WHEN_CLOSED
    assert TAKES_TWO.keys() | {"alert.acknowledge"} == game


@pytest.mark.parametrize("people", PEOPLE.values(), ids=PEOPLE)
@pytest.mark.parametrize("command", TAKES_TWO)
def test_a_command_of_two_people_is_refused_without_either(pit, command, people):
    answer = speak(pit, command, **TAKES_TWO[command], **people)

    assert (answer["ok"], answer.get("error")) == (False, "SecondPersonNeeded"), answer
    assert not answer.get("events")


@pytest.mark.parametrize("command", TAKES_TWO)
def test_a_terminal_asks_for_the_second_person_of_the_command(pit, command):
    line = {"command": command, **TAKES_TWO[command], "by": "PB-9"}
    moment = {} if "at" in line else {"at": pit.moment.isoformat()}

    assert needs_second(pit.dispatcher, {**line, **moment})


@pytest.mark.parametrize("command", ["commission.waive", "commission.walked"])
def test_two_people_waive_commission_and_both_are_on_record(pit, command):
    answer = speak(pit, command, **TAKES_TWO[command], by="PB-2", **{"with": "S-11"})
    event = answer["events"][0]

    assert (event["by"], event["approved_by"]) == ("PB-2", "S-11")
