"""What is typed comes to something once, and whoever typed it knows what."""

import threading
from contextlib import ExitStack, contextmanager

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from ops.kit.outcome import Outcome, Second
from ops.ledger.database import LedgerLost, OutcomeUnknown
from ops.ledger.recorder import Ledger
from ops.now.follow import Follower
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.prompts import opening_line
from ops.terminal.dealer.session import Session
from tests.ops.terminal import typed
from tests.ops.terminal.dealer.killed import cut_off, sits_down_again
from tests.worlds.gaming_table import GamingTable

COUP = "9c5s7cqd9s"  # Player wins, 6 to 4


def recorded(database, topic):
    with database.connect("sabot_auditor") as connection:
        return connection.execute(
            "SELECT count(*) FROM ledger.events WHERE topic = %s", (topic,)
        ).fetchone()[0]


class Gone(Exception):
    """The process was killed here."""


def test_what_was_said_is_shown_when_its_outcome_is_told(session):
    outcome = session.say("3 b 500 t 25")

    assert outcome.kind == "done"
    assert outcome.words[1:] == (
        "Seat 3 P-10417: Banker 500.00.",
        "Seat 3 P-10417: Tie 25.00.",
    )
    assert [(each.spot, each.stake) for each in session.now.seat(3).wagers] == [
        ("banker", 500_00),
        ("tie", 25_00),
    ]


def test_a_second_bet_on_a_spot_is_told_to_replace_the_first(session):
    session.say("3 b 500")
    again, others = session.say("3 b 600"), session.say("1b50 3t25")

    assert again.words == (
        "Seat 3 P-10417: Banker 600.00.",
        "Seat 3: this replaces 500.00 on Banker.",
    )
    assert others.words == ("Seat 1 P-10411: Banker 50.00.", "Seat 3 P-10417: Tie 25.00.")
    assert session.now.seat(3).wager("banker").stake == 600_00


def test_a_table_is_opened_as_its_screen_says(terminal):
    session = terminal()
    opened = session.say(f"{opening_line(session.now)} --with S-11")

    assert opened.kind == "done", opened
    assert session.now.rules.name == "dragon-bonus@1"


def test_a_line_that_says_nothing_does_nothing(session):
    before = session.now

    assert session.say("3 q 500").kind == "refused"
    assert session.say("").kind == "refused"
    assert session.say("3 q 500").left == "3 q 500"
    assert before == session.now


def test_no_text_but_a_staff_number_signs_in_open_house(session):
    session.say("3 b 500")
    session.say("9c5s7cqd9s s")
    line = "correct 3 b 500 a chip fell"
    assert session.say(line).kind == "second"
    outcome = session.say(line, Second("correct 5 p as b"))

    assert outcome.kind == "refused"
    assert "write a staff number of plain letters and digits, without blanks" in outcome.words[-1]
    assert session.say(line).kind == "second"
    assert session.say(line, Second("S-11")).kind == "done"


@pytest.mark.parametrize("typed", ["4711", "471108", " 471108 "])
def test_digits_alone_are_sent_and_kept_nowhere(session, database, typed):
    session.keep(typed, (typed,))
    session.take(typed)
    refused = session.say(typed)
    session.keep(typed, (typed,))
    with sits_down_again(session, database) as (again, _):
        kept = again.draft, again.unsent

    assert (refused.kind, refused.left, kept) == ("refused", "", ("", ()))
    assert "4711" not in repr(refused)


def test_nobody_signs_what_they_were_not_shown(session):
    session.say("3 b 500")
    session.say("9c5s7cqd9s s")
    line = "correct 3 b 500 a chip fell"
    asked = session.say(line, Second("S-11"))

    assert asked.kind == "second"
    assert "500.00 goes from the tray to P-10417." in asked.words
    assert session.say(line, Second("S-11")).kind == "done"


def test_what_changed_since_it_was_shown_is_shown_anew(session, terminal):
    session.say("3 b 500")
    session.say("9c5s7cqd9s s")
    line = "void a torn card"
    shown = session.say(line)
    elsewhere = terminal()
    assert elsewhere.say("correct 3 b 500 a chip fell").kind == "second"
    assert elsewhere.say("correct 3 b 500 a chip fell", Second("S-11")).kind == "done"
    anew = session.say(line, Second("S-11"))

    assert "500.00 goes from the tray to P-10417." in shown.words
    assert (anew.kind, anew.signer) == ("second", "S-11")
    assert anew.words[-1].startswith("Nothing was recorded: the record has changed")
    assert not any("goes from" in each for each in anew.asks)
    assert session.say(line, Second("S-11")).kind == "done"


def test_nobody_is_asked_to_sign_for_nothing(session):
    session.say("3 b 500")
    session.say("9c5s7cqd9s s")
    vain = session.say("correct 5 b 100 a chip fell")

    assert vain.kind == "refused"
    assert session.say("end").words[-1].startswith("A shoe whose cut card has not shown")
    assert session.say("end the shift is over").kind == "second"


def test_in_a_squeeze_settling_turns_both_hands_first(terminal):
    session = terminal()
    session.say("table open big-table@1 --opener 100=400 --with S-11")
    for line in ("load 8", "inspect", "shuffle hand", "cut", "burn 3d", "seat 3 P-10417"):
        assert session.say(line).kind == "done", line
    session.say("3 b 5000")
    session.say("9c5s9dqd")  # a natural: no third card is due
    settled = session.say("s")

    assert settled.kind == "done", settled
    assert session.now.coup.phase == "settled"


def test_a_refusal_says_the_rule_and_leaves_the_line(session):
    session.say("3 b 500")
    session.say("9c")
    outcome = session.say("5 b 500")

    assert outcome.kind == "refused"
    assert outcome.rule == "R-DEAL-2"
    assert outcome.left == "5 b 500"


def test_of_cards_only_those_are_left_that_did_not_come(session):
    session.say("3 b 500")
    outcome = session.say("9c5s7cqd9s2h")

    assert outcome.kind == "refused"
    assert outcome.left == "2h"
    assert session.now.coup.outcome == "player"


def test_of_several_who_pay_only_those_are_left_who_did_not(session, monkeypatch):
    session.say("1,3b500")
    for line in ("kc9s2cqd", "s"):
        assert session.say(line).kind == "done"
    dispatch = session._house.dispatcher.dispatch
    answers = iter([dispatch, lambda line, second=None: dispatch({**line, "amount": 1_000_00})])
    monkeypatch.setattr(
        session._house.dispatcher,
        "dispatch",
        lambda line, second: next(answers)(line, second=second),
    )
    outcome = session.say("c 1,3")

    assert outcome.kind == "refused"
    assert outcome.left == "c 3"
    assert [seat.owed for seat in session.now.seats] == [0, 25_00, 0, 0]


def test_questions_are_answered_and_leave_nothing(session):
    assert session.say("c") == Outcome("answered", ("Nobody here owes commission.",))
    assert session.say("?").kind == "answered"
    assert session.say("!").kind == "answered"


def test_what_takes_two_asks_for_the_second_person_before_anything_is_sent(session, database):
    session.say("3 b 500")
    refused = recorded(database, "staff-member.act-refused")
    asked = session.say("void a torn card")

    assert asked.kind == "second"
    assert asked.left == "void a torn card"
    assert session.now.coup.phase == "betting"
    assert refused == recorded(database, "staff-member.act-refused")

    done = session.say(asked.left, Second("S-11"))

    assert done.kind == "done"
    assert session.now.coup.phase == "voided"


def test_what_another_mouth_does_is_shown_and_told(session, another):
    told = threading.Event()
    heard = []
    session.on_news = lambda words: (heard.append(words), told.set())
    another().dispatch(
        {
            "command": "bet",
            "table": "B01",
            "seat": 1,
            "spot": "player",
            "amount": 100_00,
            "by": "L-1",
        }
    )

    assert told.wait(5)
    assert heard == [
        "L-1: Coup B01/2026-11-21/1/1 is open for bets. Seat 1 P-10411: Player 100.00."
    ]
    assert session.now.seat(1).wager("player").stake == 100_00


def test_a_terminal_does_not_tell_itself_what_it_said(session):
    heard = []
    session.on_news = heard.append
    session.say("3 b 500")
    session.say(COUP)

    assert heard == []


def test_two_terminals_of_one_position_show_one_table(session, terminal):
    other = terminal()
    seen = {}
    mismatched = []

    def note():
        for each in (session, other):
            now = each.now
            if seen.setdefault(now.position, now) != now:
                mismatched.append(now.position)

    session.on_change = other.on_change = note
    faces = (session, other)
    for number, line in enumerate(typed.coups(6)):
        faces[number % 2].say(line)
    other.followed.wait_until(lambda: other.now.position == session.now.position, 5)

    assert session.now == other.now
    assert mismatched == []
    assert len(seen) > 20


@pytest.mark.parametrize("line", ["buy-in 3 500", "cash-out 3 100"])
def test_what_ends_in_another_stream_keeps_nobody_waiting(session, monkeypatch, line):
    monkeypatch.setattr("ops.terminal.dealer.followed.SEEN_SOON", 60)
    session.say("buy-in 3 1000")

    assert session.say(line).kind == "done"
    assert session.followed.read >= session.now.position


def test_what_happens_at_other_tables_is_read_once(session, another):
    pit = GamingTable(another(), "B02").open()
    position = pit.prepare().bet(3, "banker", 100_00).body["position"]
    assert session.followed.wait_until(lambda: session.followed.read >= position, 5)

    assert session.now.position < position


def test_what_others_did_while_the_line_was_broken_is_told_once_it_is_not(
    session, another, monkeypatch
):
    heard, told = [], threading.Event()
    session.on_news = lambda words: (heard.append(words), told.set())
    catch_up, others = Follower.catch_up, another()

    def broken(follower):
        monkeypatch.setattr(Follower, "catch_up", catch_up)
        bet = {"command": "bet", "table": "B01", "seat": 1, "spot": "player", "amount": 100_00}
        assert others.dispatch({**bet, "by": "L-1"}).ok
        raise psycopg.OperationalError("the line is broken")

    monkeypatch.setattr(Follower, "catch_up", broken)
    assert told.wait(10)
    wait_for_link(session, up=True)

    assert heard == [
        "L-1: Coup B01/2026-11-21/1/1 is open for bets. Seat 1 P-10411: Player 100.00."
    ]
    assert session.say("3 b 500").kind == "done"
    assert len(heard) == 1


def test_a_face_that_fails_ends_no_listening(session, another):
    def fails(_):
        raise ValueError("the face")

    session.on_news = fails
    bet = {"command": "bet", "table": "B01", "seat": 1, "spot": "player", "amount": 100_00}
    another().dispatch({**bet, "by": "L-1"})
    wait_for_link(session, up=False)
    session.on_news = lambda words: None
    wait_for_link(session, up=True)

    assert session.now.seat(1).wager("player").stake == 100_00


def test_a_question_is_no_half_typed_line(session, terminal):
    session.take("c")
    session.say("c")
    session.close()

    assert terminal().draft == ""


def test_a_session_may_be_closed_before_it_is_opened(database):
    Session(HouseHere(database), "B01").close()


# What is lost on the way.
@pytest.fixture
def cut(session, monkeypatch):
    """The line breaks once, before or after the ledger did what was said."""
    append = Ledger.append

    def break_once(when):
        broken = []

        def appended(ledger, events, decision):
            if broken:
                return append(ledger, events, decision)
            broken.append(when)
            if when == "after":
                append(ledger, events, decision)
            ledger.close()
            raise LedgerLost("the line broke")

        monkeypatch.setattr(Ledger, "append", appended)

    return break_once


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_line_whose_answer_was_lost_is_said_once(session, cut, database, when):
    cut(when)
    outcome = session.say("3 b 500")

    assert outcome.kind == "done"
    assert recorded(database, "coup.wager-placed") == 1


@pytest.mark.parametrize("when", ["before", "after"])
def test_what_nobody_knows_is_told_when_the_ledger_is_back(session, monkeypatch, database, when):
    dispatch = session._house.dispatcher.dispatch

    def lost(line, second=None):
        if when == "after":
            dispatch(line)
        raise OutcomeUnknown("the server is gone")

    monkeypatch.setattr(session._house.dispatcher, "dispatch", lost)
    resolved = []
    session.on_resolved = resolved.append
    outcome = session.say("3 b 500")

    assert outcome.kind == "lost"
    assert session.link.unanswered == "3 b 500"
    assert "shown when the ledger is back" in outcome.words[0]

    monkeypatch.setattr(session._house.dispatcher, "dispatch", dispatch)
    session._resolve()

    assert [each.kind for each in resolved] == ["done" if when == "after" else "unsent"]
    assert resolved[0].left == ("" if when == "after" else "3 b 500")
    assert recorded(database, "coup.wager-placed") == (when == "after")


@contextmanager
def nobody_let_in(server, database):
    """The server is there and takes no connection to this ledger."""
    name = conninfo_to_dict(database.url)["dbname"]
    server.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    server.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
    try:
        yield
    finally:
        server.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


def wait_for_link(session, *, up):
    assert session.followed.wait_until(lambda: session.link.up is up, 10)


def test_while_the_ledger_is_lost_nothing_is_sent_and_it_recovers_by_itself(
    session, server, database
):
    before = session.now
    with nobody_let_in(server, database):
        wait_for_link(session, up=False)
        outcome = session.say("3 b 500")

        assert outcome.kind == "unsent"
        assert outcome.left == "3 b 500"
        assert outcome.words[0].startswith("Nothing was sent. The ledger cannot be reached: ")
        assert session.link.why
        assert before == session.now
        assert session.say("c").kind == "answered"

    wait_for_link(session, up=True)

    assert recorded(database, "coup.wager-placed") == 0
    assert session.say("3 b 500").kind == "done"


def test_a_line_that_was_under_way_is_known_by_itself_when_the_ledger_is_back(
    session, server, database, monkeypatch
):
    append, told, resolved = Ledger.append, threading.Event(), []
    session.on_resolved = lambda outcome: (resolved.append(outcome), told.set())
    with ExitStack() as outage:

        def appended(ledger, events, decision):
            monkeypatch.setattr(Ledger, "append", append)
            append(ledger, events, decision)
            outage.enter_context(nobody_let_in(server, database))
            raise LedgerLost("the reply was lost")

        monkeypatch.setattr(Ledger, "append", appended)
        outcome = session.say("3 b 500")

        assert outcome.kind == "lost"
        assert outcome.words[0].startswith("The outcome of `3 b 500` is shown when the ledger is")
        assert session.link.unanswered == "3 b 500"

    assert told.wait(10)
    assert resolved[0].words[0] == "`3 b 500` is on record:"
    assert recorded(database, "coup.wager-placed") == 1


def test_a_ledger_that_was_lost_for_one_line_only_is_back_by_itself(session, monkeypatch):
    def lost(line, second=None):
        raise OutcomeUnknown("the line broke")

    monkeypatch.setattr(session._house.dispatcher, "dispatch", lost)
    session.say("3 b 500")
    monkeypatch.undo()

    assert not session.link.up
    wait_for_link(session, up=True)
    assert session.say("3 b 500").kind == "done"


def test_a_terminal_that_cannot_keep_what_is_typed_sends_nothing(session, database, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ops.terminal.dealer.journal.os.pwrite", full)
    session.keep("3 b 5")
    session.take("3 b 500")
    outcome = session.say("3 b 500")

    assert outcome.words == (
        "Nothing was sent: this terminal cannot save what is typed (No space left on device).",
    )
    assert outcome.left == "3 b 500"
    assert recorded(database, "coup.wager-placed") == 0


def test_a_mistake_of_the_program_is_told_and_not_hidden(session, monkeypatch):
    def mistaken(_):
        raise KeyError("seat")

    monkeypatch.setattr("ops.now.follow.Follower.catch_up", mistaken)
    wait_for_link(session, up=False)

    assert "the program made a mistake" in session.link.why
    monkeypatch.undo()
    wait_for_link(session, up=True)


# A terminal that was killed.
def test_a_killed_terminal_comes_back_to_its_half_typed_line(session, terminal):
    session.keep("3 b 5", ["5 p 100"])
    cut_off(session)
    again = terminal()

    assert again.draft == "3 b 5"
    assert again.unsent == ("5 p 100",)


def test_a_killed_terminal_comes_back_to_its_refused_line(session, terminal):
    assert session.say("3 b 1").kind == "refused"
    session.keep("3 b 1", refused=True)
    cut_off(session)

    assert terminal().draft_refused


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_killed_terminal_says_what_became_of_its_last_line(session, database, monkeypatch, when):
    dispatch = session._house.dispatcher.dispatch

    def killed(line, second=None):
        if when == "after":
            dispatch(line)
        raise Gone

    monkeypatch.setattr(session._house.dispatcher, "dispatch", killed)
    with pytest.raises(Gone):
        session.say("3 b 500 t 25")
    with sits_down_again(session, database) as (_, resolved):
        (outcome,) = resolved
    if when == "after":
        assert outcome.kind == "done"
        assert outcome.words[0] == "`3 b 500 t 25` is on record:"
    else:
        assert outcome.kind == "unsent"
        assert outcome.left == "3 b 500 t 25"
        assert "is not on record" in outcome.words[0]
    assert recorded(database, "coup.wager-placed") == (2 if when == "after" else 0)


def test_a_line_that_was_entered_and_never_sent_is_told_after_a_kill(session, terminal):
    session.keep("", ["n"])
    session.take("3 b 500")
    cut_off(session)

    assert terminal().unsent == ("3 b 500", "n")


def test_a_line_that_waited_is_not_told_twice(session, terminal):
    session.keep("", ["3 b 500", "n"])
    session.take("3 b 500")
    cut_off(session)

    assert terminal().unsent == ("3 b 500", "n")


def test_of_cards_that_were_cut_off_the_rest_is_on_the_line_again(session, database, monkeypatch):
    session.say("3 b 500")
    dispatch, sent = session._house.dispatcher.dispatch, []

    def killed(line, second=None):
        sent.append(line)
        if len(sent) > 2:
            raise Gone
        return dispatch(line)

    monkeypatch.setattr(session._house.dispatcher, "dispatch", killed)
    with pytest.raises(Gone):
        session.say("9c5s7cqd")
    with sits_down_again(session, database) as (again, resolved):
        assert resolved[0].left == "7cqd"
        assert again.say(resolved[0].left).kind == "done"
        assert again.now.coup.player.cards == ("9C", "7C")


def test_a_terminal_that_was_closed_leaves_nothing_behind(session, database):
    session.say("3 b 500")
    session.close()
    again = Session(HouseHere(database), "B01")
    resolved = []
    again.on_resolved = resolved.append
    again.open()
    again.close()

    assert resolved == []
