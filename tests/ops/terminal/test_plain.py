"""The plain face: a line in, a line out, and everything that the screen shows can be asked for."""

import io

import pytest

from ops.terminal.outcome import Outcome
from ops.terminal.plain import Plain, table_lines
from tests.ops.terminal import typed


@pytest.fixture
def spoken(terminal, monkeypatch):
    """What is said to these lines; the table's own first lines are left out."""

    def speak(*lines, training=False):
        told = []
        session = terminal(training=training)
        face = Plain(session, told.append)
        monkeypatch.setattr(session, "open", lambda: None)
        before = len(list(table_lines(session.now)))
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        status = face.run()
        return status, told[before:]

    return speak


def test_every_line_is_answered_by_one_line(spoken):
    lines = [*typed.preparation(), "3 b 500 t 25", "9c5s7cqd", "9s", "s"]
    status, told = spoken(*lines)

    assert status == 0
    assert len(told) == len(lines)
    assert told[-4].endswith("Next: Bets are open (R-DEAL-2).")
    assert told[-3].endswith("Next: Banker draws (R-DRAW-3). Banker draws on 5: Player stood.")
    assert "Player wins, 6 to 4" in told[-2]
    assert told[-1].endswith("Next: Place your bets (R-BET-1). Coup 1 settled: Player won, 6 to 4.")


def test_a_refusal_says_what_is_still_to_be_said(spoken):
    status, told = spoken(*typed.preparation(), "3 b 500", "9c5s7cqd9s2h", "nonsense")

    assert status == 1
    assert (
        told[-2].endswith("(R-DEAL-2) Still to be said: 2h") or "Still to be said: 2h" in told[-2]
    )
    assert "nonsense" in told[-1]


def test_the_table_is_told_in_lines(spoken):
    _, told = spoken(*typed.preparation(), "3 b 500 t 25", "9c5s7cqd", "look")

    assert told[-9:] == [
        "B01, dragon-bonus@1, USD 25.00 to 10,000.00.",
        "Dealer D-204, supervisor S-11.",
        "Shoe 1, coup 1, 408 cards left, 394 to the cut card.",
        "Seat 1 P-10411: no wager.",
        "Seat 3 P-10417: banker 500.00, tie 25.00.",
        "Seat 5 grey-jacket: no wager.",
        "Seat 8 王小明: no wager.",
        "Player 9♣ 7♣, 6. Banker 5♠ Q♦, 5.",
        "Next: Banker draws (R-DRAW-3). Banker draws on 5: Player stood.",
    ]


def test_what_takes_two_asks_for_the_second_person(spoken):
    status, told = spoken(*typed.preparation(), "3 b 500", "void a torn card", "S-11", "look")

    assert status == 0
    assert any("The coup is void" in line for line in told)


def test_nobody_beside_leaves_the_line_undone(spoken):
    status, told = spoken(*typed.preparation(), "3 b 500", "void a torn card", "", "look")

    assert status == 1
    assert "Seat 3 P-10417: banker 500.00." in told


def test_in_training_every_line_says_so(spoken):
    _, told = spoken("look", "?", "3 b 500", training=True)

    assert told
    assert all(line.startswith("TRAINING ") for line in told)


def test_what_was_cut_off_is_told_first(terminal, monkeypatch):
    session = terminal()
    session.draft, session.unsent = "3 b 5", ("5 p 100",)
    told = []
    face = Plain(session, told.append)
    monkeypatch.setattr(session, "open", lambda: None)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    face.run()

    assert "Not sent: 5 p 100" in told
    assert "Half typed: 3 b 5" in told


def test_a_lost_ledger_ends_with_status_3(terminal, monkeypatch):
    session = terminal()
    told = []
    face = Plain(session, told.append)
    monkeypatch.setattr(session, "open", lambda: None)
    monkeypatch.setattr(session, "say", lambda line: Outcome("lost", ("Nothing was sent.",)))
    monkeypatch.setattr("sys.stdin", io.StringIO("3 b 500\n"))

    assert face.run() == 3
    assert told[-1] == "Nothing was sent."
