"""The dealer reads what cash brings about before the line is sent (R-CASH-2)."""

import pytest

CTR = "a Currency Transaction Report (FinCEN Form 112) is due by 2026-12-06"


@pytest.fixture
def cashier(session, dispatcher):
    """Returns a function: the terminal of B01, where such cash is held, or only shown."""

    def under(at_the_table):
        line = {"command": "regime.choose", "file": "united-states", "day": "2026-11-21"}
        two = {"by": "A-1", "with": "S-11", "at_the_table": at_the_table}
        answer = dispatcher.dispatch({**line, **two})
        assert answer.ok, str(answer)
        return session

    return under


def test_held_cash_is_taken_when_the_dealer_types_that_the_id_was_seen(cashier):
    session = cashier("hold")
    assert session.say("buy-in 3 9000").kind == "done"
    asked = session.say("buy-in 3 4000")
    done = session.say("y")

    assert (asked.kind, asked.left) == ("refused", "buy-in 3 4000")
    assert asked.words[-1] == (
        f"With this 4,000.00 P-10417 passes 10,000.00 of cash in today: ID is due and {CTR}; "
        "no ID is on file. Type `y` when the ID was seen."
    )
    assert done.kind == "done"
    assert "The ID of P-10417 was seen." in done.words


def test_what_is_due_is_shown_once_before_cash_that_is_not_held(cashier):
    session = cashier("say")
    first = session.say("buy-in 3 12000")
    assert (first.kind, first.left) == ("refused", "buy-in 3 12000")
    assert first.words[0].startswith(
        "With this 12,000.00 P-10417 passes 10,000.00 of cash in today"
    )
    assert first.words[-1] == "Enter it again to go on."

    second = session.say("buy-in 3 12000")
    assert second.kind == "done"
    assert session.say("buy-in 3 100").kind == "done"
