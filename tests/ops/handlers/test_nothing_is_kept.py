"""Nobody fills the record: what is kept of a refused line, and what is not."""

import pytest

from ops.handlers.several import dispatch_several
from ops.ledger import machine
from tests.worlds.closed_house import LIMITS, OPEN, ClosedHouse
from tests.worlds.electronic_table import ElectronicTable

PEOPLE = {"N-1": "administrator", "N-2": "dealer"}


def kept(database):
    """How many commands, and how many events, are on record."""
    with database.connect("sabot_auditor") as connection:
        return connection.execute(
            "SELECT (SELECT count(*) FROM ledger.commands), (SELECT count(*) FROM ledger.events)"
        ).fetchone()


def errors(answers):
    return [answer.body["error"] for answer in answers]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ({}, "MissingField"),
        ({"command": "nonsense"}, "UnknownCommand"),
        ({**OPEN, "colour": "red"}, "UnknownField"),
        ({"command": "table.open"}, "MissingField"),
        ({**OPEN, "table": "B 01"}, "BadValue"),
        ({**OPEN, "id": ""}, "BadValue"),
    ],
)
@pytest.mark.parametrize("named", [{}, {"id": "n-1"}])
def test_nothing_is_kept_of_a_line_that_cannot_be_understood(
    dispatcher, database, line, error, named
):
    before = kept(database)
    together = list(dispatch_several(dispatcher, [{**named, **line}] * 3))

    assert errors([*together, dispatcher.dispatch({**named, **line})]) == [error] * 4
    assert kept(database) == before


def test_a_refusal_of_which_nothing_is_kept_is_decided_again_under_its_id(dispatcher, database):
    """It says nothing about the record; the mended line may have the same id."""
    refused = dispatcher.dispatch({**OPEN, "id": "n-1", "colour": "red"})
    mended = dispatcher.dispatch({**OPEN, "id": "n-1"})
    again = dispatcher.dispatch({**OPEN, "id": "n-1"})
    late = dispatcher.dispatch({**OPEN, "id": "n-1", "colour": "red"})

    assert errors([refused, late]) == ["UnknownField", "IdReused"]
    assert mended.ok
    assert again.body == mended.body


def test_a_refusal_worth_knowing_is_kept(dispatcher, database):
    before, _ = kept(database)
    refused = dispatcher.dispatch({**LIMITS, "id": "n-1"})
    dispatcher.dispatch(OPEN)
    again = dispatcher.dispatch({**LIMITS, "id": "n-1"})

    assert again.body == refused.body
    assert kept(database)[0] == before + 2


def test_nothing_is_kept_of_nobody(database, another):
    house = ClosedHouse(database, PEOPLE)
    before, nobody = kept(database), another()
    answers = [*dispatch_several(nobody, [LIMITS] * 3), nobody.dispatch({**LIMITS, "id": "n-1"})]
    house.casino.close()

    assert errors(answers) == ["NotSignedOn"] * 4
    assert kept(database) == before


def test_of_what_somebody_may_not_do_the_first_try_of_a_sign_on_is_kept(database):
    house = ClosedHouse(database, PEOPLE)
    dealer = house.dispatchers["N-2"]
    before = kept(database)
    approve = {"command": "rules.approve", "file": "x", "with": "N-1"}
    once = [dealer.dispatch({**approve, "id": f"n-{n}"}) for n in range(3)]
    together = list(dispatch_several(dealer, [approve] * 3))
    other = dealer.dispatch({"command": "staff.retire", "staff": "N-1", "reason": "x"})
    commands, events = kept(database)

    assert errors([*once, *together, other]) == ["NotPermitted"] * 7
    assert ["events" in answer.body for answer in [*once, other]] == [True, False, False, True]
    assert (commands - before[0], events - before[1]) == (2, 2)
    house.sign_off("N-2")
    assert house.sign_on("N-2")["ok"]
    anew = [dealer.dispatch(approve) for _ in range(2)]
    house.casino.close()

    assert ["events" in answer.body for answer in anew] == [True, False]


@pytest.fixture
def position(dispatcher, database, another, monkeypatch):
    """The terminal of E01/3 in a closed house, with a coup open for bets."""
    table = ElectronicTable(dispatcher).begin((3, 200_00))
    coup = table.say("open").body["coup"]
    house = ClosedHouse(database, {"A-1": "administrator", "N-2": "dealer"})
    key = "98BB-CEFA-88A6-387D"
    assert house.ask("A-1", "staff.approve-terminal", terminal=key, name="E01/3")["ok"]
    at_position = another()

    def click(many, stakes, **fields):
        line = {"command": "account.bet", "table": "E01", "seat": 3, "coup": coup, "stakes": stakes}
        with monkeypatch.context() as patch:
            patch.setattr(machine, "terminal", lambda: key)
            together = list(dispatch_several(at_position, [line | fields] * many))
            return [*together, at_position.dispatch(line | fields)]

    click.house = house
    yield click
    house.casino.close()


@pytest.mark.parametrize(
    ("stakes", "error"),
    [({"banker": 900_00}, "AccountShort"), ({"tie": 1}, "NotAnIncrement"), ({}, "BadValue")],
)
def test_nothing_is_kept_of_a_click_that_a_rule_refuses(position, database, stakes, error):
    before = kept(database)

    assert errors(position(3, stakes)) == [error] * 4
    assert kept(database) == before


def test_of_clicks_that_come_too_late_the_first_at_each_spot_of_a_coup_is_kept(position, database):
    assert position(0, {"tie": 5_00})[0].ok
    assert position.house.ask("N-2", "no-more-bets", table="E01")["ok"]
    before = kept(database)
    late = [
        *position(50, {"banker": 1_00}),
        *position(50, {"tie": 0}),
        *position(50, {"tie": 5_00}),
    ]
    commands, events = kept(database)

    assert set(errors(late)) == {"BettingClosed"}
    assert (commands - before[0], events - before[1]) == (3, 3)
