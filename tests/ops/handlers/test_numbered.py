"""The lines of a device: each number is taken once, and a number that is missing is an alert."""

import json

import pytest

from ops.handlers.dispatcher import Dispatcher
from ops.handlers.numbered import taken
from projections import REPORTS
from tests.acceptance.channels import rows_of
from tests.worlds.closed_house import EVERY_ROLE, ClosedHouse, number
from tests.worlds.devices import KEY, token_of

pytestmark = pytest.mark.usefixtures("held")

OTHER_KEY = KEY.replace("3q2", "4q2")


@pytest.fixture
def house(database):
    """B01 is ready to deal; DEV-1 is enrolled with its key."""
    closed = ClosedHouse(database, EVERY_ROLE)
    closed.enrol("DEV-1", "device")
    table = closed.table(number("dealer"), number("supervisor")).open().prepare()
    table.bet(3, "player", 100_00)
    closed.device = Dispatcher(closed.casino, "feed", token=token_of("DEV-1"))
    yield closed
    closed.close()


def bet(n, amount=100_00, **more):
    line = {"command": "bet", "table": "B01", "seat": 3, "spot": "player", "amount": amount}
    return {**line, **({"device_n": n} if n is not None else {}), **more}


def bodies(house, *lines, until_refused=False):
    return [each.body for each in taken(house.device, list(lines), until_refused=until_refused)]


def errors(answers):
    return [each.get("error", "ok") for each in answers]


def missing(database):
    """The numbers of lines that the record calls missing."""
    with database.connect("sabot_auditor") as connection:
        rows = connection.execute(
            "SELECT convert_from(state, 'UTF8')::jsonb FROM ledger.events"
            " WHERE topic = 'staff-member.lines-missing' ORDER BY position"
        )
        return [(each["first"], each["last"], each["table"]) for (each,) in rows]


def test_lines_in_their_order_are_taken_and_nothing_is_missing(house, database):
    answers = bodies(house, bet(1), bet(2, 200_00)) + bodies(house, bet(3, 300_00))

    assert errors(answers) == ["ok"] * 3
    assert missing(database) == []


def test_a_gap_is_an_alert_once_and_the_lines_after_it_are_taken(house, database):
    bodies(house, bet(1))
    (answer,) = bodies(house, bet(5, 200_00))
    bodies(house, bet(5, 200_00))
    bodies(house, bet(6), bet(8, 300_00))
    alerts = rows_of(database, "kind", "table", report=REPORTS["alerts"])

    assert answer["ok"]
    assert missing(database) == [(2, 4, "B01"), (7, 7, "B01")]
    assert alerts.count(("device gap", "B01")) == 2


def test_a_line_that_comes_again_is_answered_as_it_was(house):
    first, other = bodies(house, bet(1, 100_00)), bodies(house, bet(2, 200_00))

    assert bodies(house, bet(2, 200_00)) == other
    assert bodies(house, bet(1, 100_00)) == first


def test_lines_that_come_again_together_are_answered_as_they_were(house):
    """As after an answer that was lost: also those that are refused."""
    lines = [bet(1), bet(2, 17), bet(3, 200_00)]

    assert bodies(house, *lines) == bodies(house, *lines)


def test_a_number_that_was_used_for_another_line_is_refused(house):
    bodies(house, bet(1), bet(2, 200_00))
    (refused,) = bodies(house, bet(1, 300_00))

    assert refused["error"] == "NumberReused"
    assert refused["message"] == "Number 1 of DEV-1 was used for another line. Go on with 3."


def test_an_id_counts_once_under_another_number(house, database):
    first = bodies(house, bet(1, id="card-7"))
    again = bodies(house, bet(2, id="card-7"))

    assert first == again
    assert missing(database) == []


@pytest.mark.parametrize(
    ("n", "error"), [(None, "MissingField"), (0, "BadValue"), ("1", "BadValue"), (True, "BadValue")]
)
def test_a_line_without_a_number_is_refused(house, n, error):
    assert errors(bodies(house, bet(n), bet(1))) == [error, "ok"]


def test_nothing_after_a_refusal_is_taken_where_that_was_asked(house):
    answers = bodies(house, bet(1), bet(2, 17), bet(3), until_refused=True)

    assert len(errors(answers)) == 2
    assert errors(answers)[0] == "ok"


def test_a_new_key_begins_with_one_again_and_the_one_before_is_worth_nothing(house, database):
    bodies(house, bet(1), bet(2, 200_00))
    house.enrol("DEV-1", "device", public_key=OTHER_KEY)
    (stolen,) = bodies(house, bet(3, 300_00))
    house.device = Dispatcher(house.casino, "feed", token=token_of("DEV-1", OTHER_KEY))

    assert stolen["error"] == "NotSignedOn"
    assert errors(bodies(house, bet(1, 300_00))) == ["ok"]
    assert missing(database) == []


def test_the_record_names_device_and_number(house, database):
    bodies(house, bet(1))
    with database.connect("sabot_auditor") as connection:
        row = connection.execute(
            "SELECT metadata FROM ledger.events WHERE topic LIKE 'coup.wager%'"
            " ORDER BY position DESC LIMIT 1"
        ).fetchone()
    known = row[0] if isinstance(row[0], dict) else json.loads(row[0])

    assert (known["device"], known["device_n"]) == ("DEV-1", 1)


def test_who_is_no_device_needs_no_numbers(house):
    dealer = house.dispatchers[number("dealer")]

    assert errors(each.body for each in taken(dealer, [bet(None), bet(7, 200_00)])) == ["ok", "ok"]


def test_nobody_types_that_lines_are_missing(house):
    line = {"command": "device.lines-missing", "of": "DEV-1", "first": 1, "last": 2}

    assert house.boss.dispatch(line).body["error"] == "UnknownCommand"
