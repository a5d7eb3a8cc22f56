"""A ledger that lost what was read of it: everything that reads says so, and nothing waits."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ops.board.board import Board
from ops.ledger.database import RoleDenied
from ops.reports import runner
from ops.reports.ask import ask
from ops.reports.follow import follow
from ops.reports.rebuild import check, rebuild
from ops.reports.runner import LedgerNotAsRead, catch_up
from projections import PROJECTIONS, REPORTS
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import BANKER_WINS, GamingTable

EVERY = list(PROJECTIONS.values())
WHAT_TO_DO = (
    "Run `sabot audit verify`, restore the ledger from a backup that is whole, then run "
    "`sabot projections rebuild`."
)


@pytest.fixture
def played(dispatcher, database):
    """A coup was dealt, and every projection has read all of it."""
    GamingTable(dispatcher).open().prepare().play(BANKER_WINS, (3, "banker", 100_00))
    with database.connect("sabot_projector") as connection:
        catch_up(connection, *EVERY)
    return database


def tail_deleted(superuser):
    """The last events are gone, by whoever may do anything."""
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER ALL")
    superuser.execute(
        "DELETE FROM ledger.events WHERE position > (SELECT max(position) - 5 FROM ledger.events)"
    )


def tail_written_anew(superuser):
    """An old backup was restored beside newer rows, and tables dealt on."""
    (before,) = superuser.execute("SELECT max(position) FROM ledger.events").fetchone()
    tail_deleted(superuser)
    superuser.execute(
        """
        INSERT INTO ledger.events
        SELECT gen_random_uuid(), 1, 'test.happened', '{}', n, now(), now(), 'B09', '', n::text,
               '{}', sha256(n::text::bytea)
          FROM generate_series(%s - 4, %s + 3) AS n
        """,
        (before, before),
    )


def progress_set_ahead(superuser):
    """Somebody set it by hand."""
    superuser.execute("UPDATE projections.progress SET position = position + 7")


CUTS = {
    tail_deleted: r"read up to (\d+), and the ledger ends at (\d+)",
    tail_written_anew: r"read up to (\d+), and the event there is not the one that it read",
    progress_set_ahead: r"read up to (\d+), and the ledger ends at (\d+)",
}


@pytest.fixture(params=list(CUTS.items()), ids=lambda each: each[0].__name__)
def cut(request, played, superuser):
    """A ledger that is not the one that was read, and how that is said."""
    make, words = request.param
    make(superuser)
    return played, words


def within(seconds, work, *asked):
    """What came of it in time."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(work, *asked).result(seconds)
    finally:
        pool.shutdown(wait=False)


def test_projections_check_fails_with_a_message_if_the_ledger_was_cut(cut):
    database, _ = cut
    result = within(30, shell, database, "projections", "check", "coups")

    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith("The ledger is not as it was read: coups has ")
    assert result.stderr.strip().endswith(WHAT_TO_DO)


@pytest.mark.parametrize("login", ["sabot_projector", "sabot_auditor"])
def test_a_report_fails_with_a_message_if_the_ledger_was_cut(cut, login, monkeypatch):
    database, words = cut
    if login == "sabot_auditor":
        real = database.session

        def session(role, say=None):
            if role == "sabot_projector":
                raise RoleDenied("not yours")
            return real(role, say)

        monkeypatch.setattr(database, "session", session)
    with pytest.raises(LedgerNotAsRead, match=words):
        within(30, ask, database, REPORTS["commission"])


def test_a_report_whose_projections_are_at_different_positions_fails_too(played, superuser):
    """One of several was set ahead, and never would the others come there."""
    superuser.execute(
        "UPDATE projections.progress SET position = position + 7 WHERE projection = 'coups'"
    )
    report = next(
        each
        for each in REPORTS.values()
        if "coups" in each.projections and len(each.projections) > 1
    )

    with pytest.raises(LedgerNotAsRead, match="coups has read"):
        within(30, ask, played, report)


def test_projections_status_shows_missing_events_and_not_0_behind(cut):
    database, _ = cut
    told = within(30, shell, database, "projections", "status")
    first, *_ = json.loads(shell(database, "projections", "status", "--json").stdout)["rows"]

    assert told.exit_code == 1
    assert " 0 behind" not in told.stdout
    assert "NOT AS THE LEDGER\n  ! The ledger is not as it was read: " in told.stdout
    assert WHAT_TO_DO in told.stdout
    assert first["behind"] is None
    assert "has read up to" in first["missing"]


def test_the_board_shows_a_cut_ledger_above_all_other_alerts(cut):
    database, _ = cut
    board = Board(database)
    try:
        first, *_ = within(30, board.once).alerts
    finally:
        board.close()

    assert (first.kind, first.gravity, first.acknowledgeable) == (
        "ledger cut",
        "pressing",
        False,
    )
    assert first.detail["why"].endswith(WHAT_TO_DO)


def test_the_runner_ends_with_a_message_if_the_ledger_was_cut(cut):
    database, words = cut
    with pytest.raises(LedgerNotAsRead, match=words):
        within(30, follow, database, EVERY, threading.Event())


def test_a_rebuild_uses_the_ledger_that_is_there(played, superuser):
    tail_deleted(superuser)
    with played.connect("sabot_projector") as connection:
        for each in EVERY:
            within(30, rebuild, connection, each)

        assert {catch_up(connection, *EVERY)} == set(
            runner.positions_of(connection, EVERY).values()
        )
        assert check(connection, PROJECTIONS["coups"]).equal
    assert shell(played, "projections", "status").exit_code == 0
