"""The plain face: a line in, a line out, and everything that the screen shows can be asked for."""

import io

import pytest

from ops.terminal.outcome import Link, Outcome
from ops.terminal.plain import Plain
from tests.ops.terminal import typed


@pytest.fixture
def spoken(terminal, monkeypatch):
    """The exit status, and what these lines are answered; `spoken.aside`: what else was told."""

    def speak(*lines, training=False, tty=False):
        told, speak.aside = [], []
        session = terminal(training=training)
        face = Plain(session, told.append, speak.aside.append)
        monkeypatch.setattr(session, "open", lambda: None)
        heard = io.StringIO("".join(f"{line}\n" for line in lines))
        heard.isatty = lambda: tty
        monkeypatch.setattr("sys.stdin", heard)
        return face.run(), told

    return speak


def test_every_line_is_answered_by_one_line(spoken):
    lines = [*typed.preparation(), "3 b 500 t 25", "9c5s7cqd", "9s", "s", "?", "look", "c"]
    status, told = spoken(*lines)

    assert status == 0
    assert len(told) == len(lines)
    assert told[-7].endswith("Next: Bets are open (R-DEAL-2).")
    assert told[-6].endswith("Next: Banker draws (R-DRAW-3). Banker draws on 5: Player stood.")
    assert "Player wins, 6 to 4" in told[-5]
    assert told[-4].endswith("Next: Place your bets (R-BET-1). Coup 1 settled: Player won, 6 to 4.")


def test_a_refusal_says_what_is_still_to_be_said(spoken):
    status, told = spoken(*typed.preparation(), "3 b 500", "9c5s7cqd9s2h", "nonsense")

    assert status == 1
    assert told[-2].endswith("Still to be said: 2h")
    assert told[-1].endswith("Still to be said: nonsense")


def test_the_table_is_told_before_the_first_line_and_when_it_is_asked_for(spoken):
    spoken(*typed.preparation(), "3 b 500 t 25", "9c5s7cqd")
    _, told = spoken("look")

    assert spoken.aside == [
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
    assert told == [" ".join(spoken.aside)]


def test_a_table_that_never_opened_says_so(spoken):
    _, told = spoken("look")

    assert told[0].startswith("B01: Not opened yet.")


def test_what_takes_two_asks_for_the_second_person(spoken):
    lines = [*typed.preparation(), "3 b 500", "void a torn card", "S-11"]
    status, told = spoken(*lines, tty=True)

    assert status == 0
    assert "The coup is void" in told[-1]


def test_nobody_beside_leaves_the_line_undone(spoken):
    lines = [*typed.preparation(), "3 b 500", "void a torn card", "", "look"]
    status, told = spoken(*lines, tty=True)

    assert status == 1
    assert "Seat 3 P-10417: banker 500.00." in told[-1]


def test_no_line_of_a_script_is_taken_for_the_second_person(spoken):
    status, told = spoken(*typed.preparation(), "3 b 500", "void a torn card", "n")

    assert status == 1
    assert told[-2].endswith("Still to be said: void a torn card")
    assert "No more bets" in told[-1]


def test_in_training_every_line_says_so(spoken):
    _, told = spoken("look", "?", "3 b 500", training=True)

    assert len(told) == 3
    assert all(line.startswith("TRAINING ") for line in (*told, *spoken.aside))


def faces(session, monkeypatch, *lines):
    told = []
    face = Plain(session, told.append, told.append)
    monkeypatch.setattr(session, "open", lambda: None)
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return face, told


def test_what_was_cut_off_is_told_first(terminal, monkeypatch):
    session = terminal()
    session.draft, session.unsent = "3 b 5", ("5 p 100",)
    face, told = faces(session, monkeypatch)
    face.run()

    assert told[:2] == ["Not sent: 5 p 100", "Half typed: 3 b 5"]


@pytest.mark.parametrize("kind", ["lost", "unsent"])
def test_a_lost_ledger_ends_with_status_3(terminal, monkeypatch, kind):
    session = terminal()
    monkeypatch.setattr(session, "say", lambda line: Outcome(kind, ("Nobody knows.",)))
    face, told = faces(session, monkeypatch, "3 b 500")

    assert face.run() == 3
    assert told[-1] == "Nobody knows."


def test_that_the_ledger_is_lost_and_back_is_told_once(terminal, monkeypatch):
    session = terminal()
    face, told = faces(session, monkeypatch)
    session.on_change = face.link_changed
    for link in (Link(up=False, why="it is away"), Link(up=False, why="still"), Link()):
        session._show(link=link)

    assert told == [
        "Nothing is sent; what is typed stays. Hold the coup and call the pit boss. "
        "The ledger cannot be reached: it is away.",
        "The ledger is back.",
    ]
