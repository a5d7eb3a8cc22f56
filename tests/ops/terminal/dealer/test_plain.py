"""The plain face: a line in, a line out, and everything that the screen shows can be asked for."""

import io

import pytest

from ops.kit.outcome import Link, Outcome
from ops.terminal.dealer.plain import Plain
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
    assert "Player wins, 6 to 4. Next: Settle (R-WIN-1). " in told[-5]
    assert told[-4].endswith(" 0.00 paid. Next: Place your bets (R-BET-1).")


def test_nothing_is_told_twice_in_one_answer(spoken):
    _, told = spoken(*typed.preparation(), "3 b 500", "9c5s7cqd9s s", "look")

    assert told[6] == "The shoe is inspected. Next: Shuffle the shoe (R-SHOE-1)."
    assert told[7] == "The shoe is shuffled by machine. Next: Cut the shoe (R-SHOE-1)."
    assert all(answer.count("6 to 4") == 1 for answer in told[-2:])


def test_one_hears_where_each_line_of_the_help_ends(spoken):
    _, told = spoken(*typed.preparation(), "?")

    assert "u: takes back all of the last bet entered. n: no more bets; the first card" in told[-1]
    assert told[-1].endswith(". ? topics: what else there is help about.")


def test_where_every_card_is_face_up_none_is_turned(spoken):
    first, *ready = typed.preparation()
    lines = [first.replace("dragon-bonus@1", "ez@1"), *ready, "3 b 500", "9c5s7cqd", "r p"]
    _, told = spoken(*lines)

    why = "No card is face down: ez@1 deals face up (R-DEAL-3)."
    assert told[-1] == f"Refused: `r p`: {why} Not done: r p"


def test_a_refusal_says_what_is_still_to_be_said(spoken):
    status, told = spoken(*typed.preparation(), "3 b 500", "9c5s7cqd9s2h", "nonsense")

    assert status == 1
    assert told[-2].startswith("Done in part: No more bets. 9♣ to Player (R-DEAL-1). ")
    assert " Player wins, 6 to 4. Refused: 2H is not due: " in told[-2]
    assert told[-2].endswith(" (R-IRR-1). Not done: 2h")
    assert told[-1] == (
        "Refused: `nonsense`: This is not a line of this terminal. Type `?` for help. Not "
        "done: nonsense"
    )


def test_the_table_is_told_before_the_first_line_and_when_it_is_asked_for(spoken):
    spoken(*typed.preparation(), "3 b 500 t 25", "9c5s7cqd")
    _, told = spoken("look")

    assert spoken.aside == [
        "B01, dragon-bonus@1, USD 25.00 to 10,000.00.",
        "Dealer D-204, supervisor S-11.",
        "The tray should hold 22,000.00.",
        "Shoe 1, coup 1, 408 cards left, 394 to the cut card.",
        "Seat 1 P-10411: no bet.",
        "Seat 3 P-10417: Banker 500.00, Tie 25.00.",
        "Seat 5 grey-jacket: no bet.",
        "Seat 8 王小明: no bet.",
        "Player 9♣ 7♣, 6. Banker 5♠ Q♦, 5.",
        "Next: Banker draws (R-DRAW-3). Banker draws on 5: Player stood.",
    ]
    assert told == [" ".join(spoken.aside)]


def test_what_the_tray_should_hold_is_asked_by_a_word(spoken):
    spoken(*typed.preparation())
    _, told = spoken("tray")

    assert told == ["The tray should hold 22,000.00."]


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
    assert "Seat 3 P-10417: Banker 500.00." in told[-1]


def test_no_line_of_a_script_is_taken_for_the_second_person(spoken):
    status, told = spoken(*typed.preparation(), "3 b 500", "void a torn card", "n")

    assert status == 1
    assert told[-2] == (
        "Refused: It takes a second person, who types a PIN at a terminal and not in a "
        "script. Not done: void a torn card"
    )
    assert "No more bets" in told[-1]


def test_in_training_every_line_says_so(spoken):
    _, told = spoken("look", "?", "3 b 500", training=True)

    assert len(told) == 3
    assert all(line.startswith("TRAINING ") for line in (*told, *spoken.aside))


def faces(session, monkeypatch, *lines, tty=False):
    told = []
    face = Plain(session, told.append, told.append)
    monkeypatch.setattr(session, "open", lambda: None)
    heard = io.StringIO("".join(f"{line}\n" for line in lines))
    heard.isatty = lambda: tty
    monkeypatch.setattr("sys.stdin", heard)
    return face, told


def test_what_was_cut_off_is_told_first(terminal, monkeypatch):
    session = terminal()
    session.draft, session.unsent = "3 b 5", ("5 p 100",)
    face, told = faces(session, monkeypatch, tty=True)
    face.run()

    assert told[:2] == ["Not sent: 5 p 100", "Half typed: 3 b 5"]


def test_a_refused_line_that_was_cut_off_is_told_as_not_done(terminal, monkeypatch):
    session = terminal()
    session.draft, session.draft_refused = "3 b 5", True
    face, told = faces(session, monkeypatch, tty=True)
    face.run()

    assert told[0] == "Not done: 3 b 5"


def test_a_refused_line_is_one_after_a_script_has_had_the_table(terminal, monkeypatch):
    session = terminal()
    session.keep("3 b 5", refused=True)
    session.close()
    session = terminal()
    face, _ = faces(session, monkeypatch, "nonsense", "c")
    face.run()
    session.close()
    again = terminal()

    assert (again.draft, again.draft_refused) == ("3 b 5", True)


def drafts(terminal):
    """What the next terminal finds half typed."""
    session = terminal()
    draft = session.draft
    session.close()
    return draft


def test_a_line_that_was_refused_is_no_draft(terminal, monkeypatch):
    for tty in (False, True):
        session = terminal()
        face, told = faces(session, monkeypatch, "nonsense", tty=tty)
        face.run()
        session.close()

        assert told[-1].endswith("Not done: nonsense")
        assert drafts(terminal) == ""


def test_no_script_takes_what_a_person_typed_half(terminal, monkeypatch):
    session = terminal()
    session.keep("3 b 5")
    session.close()
    session, kept = terminal(), []
    say = session.say

    def while_it_is_said(line):
        kept.append(session._journal.draft)  # what a kill would leave
        return say(line)

    monkeypatch.setattr(session, "say", while_it_is_said)
    face, told = faces(session, monkeypatch, "nonsense", "c")
    face.run()
    session.close()

    assert kept == ["3 b 5"] * 2
    assert not any(line.startswith("Half typed") for line in told)
    assert drafts(terminal) == "3 b 5"


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
        session.followed.change(link=link)

    assert told == [
        (
            "Nothing is sent; what you type is kept. Hold the coup, call the pit boss. "
            "The ledger cannot be reached: it is away."
        ),
        "The ledger is back.",
    ]


@pytest.mark.parametrize("tty", [True, False], ids=["at a terminal", "in a script"])
def test_what_was_typed_and_answered_is_there_after_a_restart(terminal, monkeypatch, tty):
    first = terminal()
    faces(first, monkeypatch, *typed.preparation(), "3 b 500", "5 b 1")[0].run()
    first.close()
    second = terminal()
    kinds = {words: kind for kind, words in second.past}
    face, aside = faces(second, monkeypatch, tty=tty)
    face.run()
    seen = [each for each in aside if "Banker 500.00" in each or each.startswith("› 3 b 500")]

    assert kinds["3 b 500"] == "typed"
    assert [kind for words, kind in kinds.items() if "Banker 500.00" in words] == ["done"]
    assert [kind for words, kind in kinds.items() if "1.00" in words] == ["refused"]
    assert (seen[:1] == ["› 3 b 500"]) is tty
    assert any("Until here" in each for each in aside) is tty
