"""What a terminal keeps: of a line's whole way, through kills, full disks and strange hands."""

import os

import msgspec
import pytest

from ops.ledger.database import Database, NotFit
from ops.terminal.dealer.journal import Journal, Sent
from ops.terminal.dealer.journal import _Content as Content

SENT = Sent("3 b 500", [{"command": "bet", "id": "k-1"}])


@pytest.fixture
def place(tmp_path):
    return tmp_path / "terminal"


def journal(table="B01"):
    return Journal.at(Database("postgresql://somewhere/sabot"), table)


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
    assert Journal.at(Database("postgresql://elsewhere/sabot"), "B01").draft == ""


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
