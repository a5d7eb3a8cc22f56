"""What a terminal keeps: of a line's whole way, through kills, full disks and strange hands."""

import os
from contextlib import closing

import msgspec
import pytest

from ops.ledger.database import NotFit
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.journal import Journal, Sent
from ops.terminal.dealer.journal import _Content as Content
from ops.terminal.dealer.session import Session
from tests.ops.terminal.dealer.killed import sits_down_again

SENT = Sent("3 b 500", [{"command": "bet", "id": "k-1"}])


@pytest.fixture
def place(tmp_path):
    return tmp_path / "terminal"


def journal(table="B01"):
    return Journal.at("postgresql://somewhere/sabot", table)


def files(place):
    return sorted(place.glob("*.json"))


def killed(journal):
    """The system lets its files go."""
    journal.release()


def test_a_terminal_that_is_left_leaves_no_file(place):
    for _ in range(3):
        one = journal()
        one.keep("3 b")
        one.keep("")
        one.close()
        one.release()

    assert files(place) == []


def test_a_half_typed_line_outlives_the_terminal(place):
    one = journal()
    one.keep("3 b 5", ["n"])
    one.close()
    one.release()

    assert journal().draft == "3 b 5"


def test_every_table_of_every_ledger_has_its_own(place):
    journal().keep("3 b 5")

    assert journal("B02").draft == ""
    assert Journal.at("postgresql://elsewhere/sabot", "B01").draft == ""


def test_what_is_open_is_nobody_elses(place):
    one = journal()
    one.keep("3 b 5")
    two = journal()

    assert two.draft == ""
    assert len(files(place)) == 2

    killed(one)

    assert journal().draft == "3 b 5"


def test_the_one_that_was_left_behind_comes_before_a_fresh_one(place):
    one, two = journal(), journal()
    two.begin(SENT)
    killed(one)
    killed(two)

    assert journal().last == SENT


def test_a_line_on_its_way_is_in_one_place(place):
    one = journal()
    one.keep("", ["3 b 500", "n"])
    one.take("3 b 500")
    ways = [(one.unsent, one.last)]
    one.begin(SENT)
    ways.append((one.unsent, one.last))

    assert ways == [(("3 b 500", "n"), None), (("n",), SENT)]


def test_what_was_refused_stands_where_it_was_typed(place):
    one = journal()
    one.take("3 x")
    one.let_go("3 x")

    assert (one.draft, one.unsent) == ("3 x", ())
    assert one.draft_refused


def test_a_refused_line_is_one_after_a_kill_until_it_is_mended(place):
    one = journal()
    one.keep("3 x", refused=True)
    killed(one)
    again = journal()

    assert again.draft_refused

    again.keep("3 b")
    killed(again)

    assert not journal().draft_refused


def test_what_is_typed_meanwhile_is_not_written_over(place):
    one = journal()
    one.take("3 x")
    one.keep("5 p")
    one.let_go("3 x")

    assert one.draft == "5 p"


def test_what_a_killed_terminal_had_taken_is_told_once(place):
    one = journal()
    one.take("3 b 500")
    killed(one)
    again = journal()

    assert again.unsent == ("3 b 500",)

    again.keep("")
    killed(again)

    assert journal().unsent == ()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[1]\n",
        b"[" * 100_000,
        b'{"last": 3}\n',
        b'{"last": {"typed": "n", "lines": [{"command": "no-more-bets"}]}}\n',
        b'{"last": {"typed": "n", "lines": [{"id": 3}]}}\n',
        b'{"last": {"typed": "n", "lines": []}}\n',
    ],
)
def test_what_somebody_else_wrote_is_as_good_as_nothing(place, content):
    one = journal()
    killed(one)
    files(place)[0].write_bytes(content)

    assert journal().last is None


def test_a_shorter_state_leaves_nothing_of_a_longer_one(place):
    one = journal()
    one.keep("a long line " * 20)
    one.keep("n")
    killed(one)

    assert journal().draft == "n"


def test_half_a_write_is_no_write(place, monkeypatch):
    one = journal()
    monkeypatch.setattr(os, "pwrite", lambda file, content, at: len(content) - 1)

    with pytest.raises(OSError, match="space"):
        one.begin(SENT)


def test_a_home_that_cannot_be_made_is_told(place, monkeypatch):
    place.parent.mkdir(exist_ok=True)
    place.write_text("no directory")

    with pytest.raises(NotFit, match="What is typed is kept in"):
        journal()


def test_no_more_stands_in_it_than_was_said(place):
    one = journal()
    one.keep("3 b", ["n"])
    one.begin(SENT)

    assert msgspec.json.decode(files(place)[0].read_bytes(), type=Content) == Content(
        draft="3 b", waiting=["n"], last=SENT
    )


# The log.
def test_what_was_answered_outlives_a_kill(place):
    one = journal()
    one.log.write("typed", "3 b 500")
    one.log.write("done", "Seat 3 bets 500.00.")
    killed(one)

    assert journal().log.past == [("typed", "3 b 500"), ("done", "Seat 3 bets 500.00.")]


def test_a_pin_is_never_in_the_log(place):
    one = journal()
    one.log.write("typed", "123456")
    one.log.write("note", "1234")

    assert one.log.past == []
    assert all(b"1234" not in each.read_bytes() for each in place.iterdir())


def test_a_log_keeps_its_last_entries_and_leaves_out_a_torn_one(place):
    one = journal()
    for n in range(450):
        one.log.write("done", f"coup {n}")
    with next(place.glob("*.log")).open("ab") as file:
        file.write(b'["done", "tor')
    one.log.write("done", "coup 450")

    assert [words for _, words in one.log.past][-2:] == ["coup 449", "coup 450"]
    assert len(one.log.past) == 200
    assert next(place.glob("*.log")).read_bytes().count(b"\n") <= 400
    assert next(place.glob("*.log")).stat().st_mode & 0o077 == 0


def test_what_a_session_was_told_is_there_after_a_kill(pit, database):
    session = Session(HouseHere(database), "B01", by="D-204")
    with closing(session):
        session.open()
        session.take("3 b 500")
        session.remember("done", " ".join(session.say("3 b 500").words))
        with sits_down_again(session, database) as (again, _):
            assert again.past[0] == ("typed", "3 b 500")
            assert "500.00" in again.past[1][1]
