"""What a terminal asks, answered on the record: whoever signs, signs what they were shown."""

from contextlib import closing
from uuid import uuid4

import pytest

from ops.handlers.questions import Send, Sheets, Signed, WhoIsHere
from ops.terminal.dealer.house import HouseHere
from tests.worlds.closed_house import OPEN, OTHER, PIN, ClosedHouse

DEALER, BOSS, ANOTHER = "D-204", "S-11", "S-12"
PEOPLE = {"A-1": "administrator", BOSS: "supervisor", ANOTHER: "supervisor", DEALER: "dealer"}


@pytest.fixture
def house(database):
    with closing(ClosedHouse(database, PEOPLE)) as closed:
        here = HouseHere(database, token=closed.token(DEALER))
        yield here
        here.close()


def signed(house, typed, staff, pin=PIN):
    """The answers to a line as it was typed, shown to a second person, and signed by them."""
    (sheet,) = house.ask(Sheets([typed]))
    line = {**typed, "with": staff, "id": f"test:{uuid4()}"}
    return house.ask(Send([line], Signed(staff, pin, (sheet.mark,))))


@pytest.mark.parametrize("names", [{}, {"with": BOSS}], ids=["nobody named", "named"])
def test_whoever_signs_signs_what_they_were_shown(house, names):
    (answer,) = signed(house, OPEN | names, BOSS)

    assert answer.ok, answer.reason


def test_who_signs_in_place_of_another_is_shown_their_own(house):
    (answer,) = signed(house, OPEN | {"with": BOSS}, ANOTHER)

    assert answer.body["error"] == "ChangedSince"


def test_a_wrong_pin_signs_nothing(house):
    (answer,) = signed(house, OPEN, BOSS, OTHER)

    assert answer.body["error"] == "WrongPin"


def test_what_was_not_shown_is_not_signed(house):
    line = {**OPEN, "with": BOSS, "id": "test:1"}
    (answer,) = house.ask(Send([line], Signed(BOSS, PIN, ("another mark",))))

    assert answer.body["error"] == "ChangedSince"


def test_a_line_that_is_sent_again_is_not_shown_again(house):
    (sheet,) = house.ask(Sheets([OPEN]))
    send = Send([{**OPEN, "with": BOSS, "id": "test:1"}], Signed(BOSS, PIN, (sheet.mark,)))
    first, again = (house.ask(send)[0].body for _ in range(2))

    assert first == again


def test_who_is_here(house):
    here = house.ask(WhoIsHere())

    assert (here.closed, here.staff) == (True, DEALER)
