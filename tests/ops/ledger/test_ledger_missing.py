"""The embedded ledger's directory is gone: everybody says so, and nobody makes an empty one."""

from contextlib import closing, contextmanager

import pytest
from click.testing import CliRunner

from ops.board.board import Board
from ops.cli import cli
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database, LedgerLost
from ops.ledger.embedded import Embedded
from ops.ledger.recorder import Ledger
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.session import Session
from tests.worlds.gaming_table import GamingTable

ASKING = (
    "board --once",
    "db up",
    "db status",
    "db upgrade",
    "report commission",
    "audit verify",
    "rules list",
    "odds --rules of-the-house@1",
    "bet B01 3 banker 500",
)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A house with a table that is open, on a server of its own."""
    place = Embedded(tmp_path_factory.mktemp("missing") / "home")
    casino = Casino(Ledger(Database(home=place)))
    GamingTable(Dispatcher(casino, "test")).open().prepare()
    casino.close()
    yield place
    place.destroy()


@pytest.fixture
def home(played, monkeypatch):
    """That is what commands and terminals look into."""
    monkeypatch.delenv("SABOT_DATABASE_URL", raising=False)
    monkeypatch.setenv("SABOT_HOME", str(played.mark.path.parent))
    return played


@contextmanager
def away(home):
    """Somebody takes the directory away, and puts it back."""
    home.stop("immediate")
    elsewhere = home.cluster.rename(home.cluster.with_name(f"{home.cluster.name}-away"))
    try:
        yield
        assert not home.cluster.exists()
    finally:
        elsewhere.rename(home.cluster)


def test_every_command_says_what_is_missing_and_what_to_do_and_ends_with_status_3(home):
    with away(home):
        answers = {asked: CliRunner().invoke(cli, asked.split()) for asked in ASKING}

    assert dict.fromkeys(ASKING, 3) == {asked: each.exit_code for asked, each in answers.items()}
    for answer in answers.values():
        assert "The ledger cannot be reached: its directory" in answer.stderr
        assert "is missing: mount its disk, or put the directory back." in answer.stderr
        assert str(home.mark.path) in answer.stderr
        assert "" == answer.stdout


def test_a_missing_ledger_is_not_up_and_has_its_events_when_it_is_back(home):
    with away(home):
        assert "was not running" in CliRunner().invoke(cli, ["db", "down"]).stderr

    assert "B01" in CliRunner().invoke(cli, ["board", "--once"]).stdout


def test_an_open_terminal_shows_that_the_ledger_is_lost_and_goes_on_when_it_is_back(home):
    with closing(Session(HouseHere(Database()), "B01", by="D-204")) as session:
        session.open()
        before = session.now
        with away(home):
            assert session.followed.wait_until(lambda: "is missing: mount" in session.link.why, 10)
            assert session.say("3 b 500").kind == "unsent"
            assert before == session.now
        assert session.followed.wait_until(lambda: session.link.up, 30)

        assert session.say("3 b 500").kind == "done"


def test_the_board_shows_that_the_ledger_is_lost_until_it_is_back(home, monkeypatch):
    monkeypatch.setattr("ops.board.board.POLL", 0.01)
    with closing(Board(Database())) as board, closing(board.follow()) as seen:
        before = next(seen)
        with away(home):
            lost = [next(seen), next(seen)]
        again = next(each for each in seen if not isinstance(each, LedgerLost))

    assert "is missing: mount" in lost[-1].why
    assert [each.table for each in before.tables] == [each.table for each in again.tables]


@pytest.fixture
def mistyped(monkeypatch, tmp_path):
    """A home in which no house ever was."""
    monkeypatch.delenv("SABOT_DATABASE_URL", raising=False)
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "sabto"))
    yield Embedded()
    Embedded().destroy()


@pytest.mark.parametrize(
    "asked",
    [
        *("board --once", "report commission", "replay B01/2026-11-21/1/1", "db status"),
        *("audit verify", "projections status", "projections check", "find B01"),
    ],
)
def test_what_only_reads_begins_no_house_where_none_was(mistyped, asked):
    answer = CliRunner().invoke(cli, asked.split())

    assert (3, False) == (answer.exit_code, mistyped.cluster.exists()), answer.output
    assert f"there is no house in {mistyped.mark.path.parent}. Set SABOT_HOME" in answer.stderr


def test_what_records_says_that_a_new_house_begins_and_where(mistyped):
    words = ["property", "set", "name", "Riverside", "--by", "S-11"]
    said = [CliRunner().invoke(cli, words).stderr for _ in range(2)]

    begins = f"A new house begins in {mistyped.mark.path.parent}: its ledger is empty."
    assert [True, False] == [begins in each for each in said]
