"""A dealer's session at a terminal without a database: whatever it asks goes through the door."""

import signal
from contextlib import closing

import pytest

from ops.commands.signed_on import NOBODY
from ops.handlers.questions import Send, SignOn, WhoIsHere
from ops.kit.outcome import Second
from ops.ledger.database import OutcomeUnknown
from ops.terminal.dealer.house_there import HouseThere
from ops.terminal.dealer.session import Session
from tests.ops.terminal import typed
from tests.worlds.closed_house import PIN
from tests.worlds.house_server import Prepared, house_server

WRONG = "558107"


@pytest.fixture(scope="module")
def prepared(server, tmp_path_factory):
    """A closed house: D-204 and S-11 know their PINs, pit-2 is approved, B01's shoe is ready."""
    home = tmp_path_factory.mktemp("tables") / "house"
    with server.database() as database:
        with house_server(database, home) as house:
            boss, pit = house.terminal("pit-1"), house.terminal("pit-2")
            at_table = closing(session_at(house, "pit-1", by="D-204"))
            with at_table as session:
                assert session.open() is None
                for line in typed.preparation():
                    assert session.say(line).kind == "done", line
            boss.run("staff", "approve-terminal", boss.key, "pit 1")
            boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
            pit.approved_by(boss)
            for number, role in (("S-11", "supervisor"), ("D-204", "dealer")):
                pit.sign_on(number, boss.ask("staff", "enrol", number, "Any", role)["code"])
                pit.run("staff", "sign-off", number)
            house.stop()
        yield Prepared(database, home)


def session_at(house, name, by=""):
    """A session at a terminal of this name; in this process, with the terminal's key."""
    with pytest.MonkeyPatch.context() as patch:
        for key, value in house.terminal(name).env.items():
            patch.setenv(key, value)
        return Session(HouseThere(house.address, by=by), "B01", by=by)


@pytest.fixture
def house(prepared, server, tmp_path):
    with prepared.copy(server, tmp_path / "house") as house:
        yield house


@pytest.fixture
def session(house, monkeypatch):
    """D-204 is signed on at pit-2."""
    for key, value in house.terminal("pit-2").env.items():
        monkeypatch.setenv(key, value)
    with closing(session_at(house, "pit-2")) as session:
        session.open()
        assert session.sign_on("D-204", PIN).kind == "done"
        yield session


def dealt(session):
    """A coup that Player won, settled."""
    for line in ("3b100 5p500", "9c5s7cqd9s", "s"):
        assert session.say(line).kind == "done", line


def recorded(database, topic):
    with database.connect("sabot_auditor") as connection:
        asked = "SELECT count(*) FROM ledger.events WHERE topic = %s"
        return connection.execute(asked, [topic]).fetchone()[0]


def test_a_coup_is_dealt_and_the_table_is_followed(session):
    dealt(session)

    assert session.now.coup.phase == "settled"
    assert session.now.seat(5).paid == 1_000_00
    assert session.now.seat(5).patron == "grey-jacket"


def test_a_second_person_signs_what_they_were_shown(session, house):
    dealt(session)
    asked = session.say("void 1 'wrong cards'")
    wrong = session.say(asked.left, Second("S-11", WRONG))
    right = session.say(wrong.left, Second("S-11", PIN))

    assert (asked.kind, wrong.kind, right.kind) == ("second", "second", "done")
    assert any("100.00" in words for words in asked.words)
    assert "PIN" in wrong.words[0]
    assert recorded(house.database, "coup.voided") == 1


def test_what_changed_meanwhile_is_shown_anew(session, house):
    dealt(session)
    asked = session.say("void 1 'wrong cards'")
    leaves = {"command": "table.leave", "table": "B01", "seat": 5, "id": "leaves"}
    changed = session._house.ask(Send([leaves]))
    anew = session.say(asked.left, Second("S-11", PIN))

    assert changed[0].ok
    assert (anew.kind, recorded(house.database, "coup.voided")) == ("second", 0)
    assert anew.asks != asked.words
    assert session.say(anew.left, Second("S-11", PIN)).kind == "done"


def test_what_is_refused_has_the_words_of_a_terminal_at_the_record(session):
    refused = session.say("9c")

    assert refused.kind == "refused"
    assert refused.left == "9c"
    assert "`misdraw`" in refused.words[0]


def test_a_line_right_after_a_sign_on_is_sent(session):
    assert session.say("3b100").kind == "done"


def test_whoever_signs_off_leaves_no_name_on_the_screen(session):
    assert session.say("off").kind == "sign-on"

    assert session.must_sign_on
    assert {seat.patron for seat in session.now.seats} == {"taken"}


def test_while_the_server_is_away_nothing_is_sent_and_afterwards_it_goes_on(session, house):
    house.stop(signal.SIGKILL)
    assert session.followed.wait_until(lambda: not session.link.up, 10)
    assert session.say("3b100").kind == "unsent"
    house.start()
    assert session.followed.wait_until(lambda: session.link.up, 30)

    assert session.say("3b100").kind == "done"
    assert recorded(house.database, "coup.wager-placed") == 1


def test_a_lost_answer_of_a_recording_question_is_an_unknown_outcome(house, monkeypatch):
    for key, value in house.terminal("pit-2").env.items():
        monkeypatch.setenv(key, value)
    with closing(HouseThere(house.address)) as there:
        assert there.ask(WhoIsHere()).closed
        house.process.send_signal(signal.SIGSTOP)
        there._connection._patience = 0
        monkeypatch.setattr("ops.door.connection.ANSWER", 0.5)
        there._connection.close()
        there._connection._compared = True
        with pytest.raises(OutcomeUnknown):
            there.ask(SignOn("D-204", PIN, None, "B01", "D-204:secret", NOBODY.text))
        house.process.send_signal(signal.SIGCONT)
