"""On a full disk rows cannot be caught up: they are read as they are, and say how far they are."""

import psycopg
import pytest

from ops.ledger.database import LedgerLost, NotFit
from ops.reports import ask as asking
from ops.reports import follow, together
from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import json_of, shell
from tests.worlds.gaming_table import BANKER_WINS, GamingTable

FULL = "The disk of the database is full: counted up to "


@pytest.fixture
def behind(dispatcher, database):
    """A table whose second coup is in no report yet."""
    table = GamingTable(dispatcher).open().prepare()
    table.play(BANKER_WINS, (3, "banker", 100_00))
    for name in ("coup", "wagers"):
        ask(database, REPORTS[name])
    ask(database, REPORTS["ratings"])
    shell(database, "board", "--once")
    table.play(BANKER_WINS, (3, "banker", 200_00))
    return database


@pytest.fixture(autouse=True)
def full(behind, monkeypatch):
    def no_room(*_, **__):
        raise psycopg.errors.DiskFull("could not extend file: No space left on device")

    for room in (asking, follow, together):
        monkeypatch.setattr(room, "bring_up", no_room)


def test_a_report_has_the_rows_that_there_are_and_says_so(behind):
    shown, read = shell(behind, "report", "wagers"), json_of(behind, "report", "wagers")

    assert (shown.exit_code, len(read["rows"])) == (0, 1)
    assert FULL in shown.stdout
    assert read["counted_up_to"]


def test_several_reports_at_once_do(behind):
    reports = [REPORTS[name] for name in ("coup", "wagers")]
    with together.together(behind, reports, None) as session:
        answers = [ask(behind, each, session=session, or_behind=True) for each in reports]

    assert [(len(each.rows), each.counted.disk_full) for each in answers] == [(1, True)] * 2


def test_rows_that_are_apart_are_refused_in_words(behind, superuser):
    superuser.execute("UPDATE projections.progress SET position = 1 WHERE projection = 'wagers'")

    with pytest.raises(NotFit, match="the disk of the database is full; free space there"):
        ask(behind, REPORTS["wagers"], or_behind=True)


def test_what_is_kept_or_decided_by_has_all_rows_or_is_refused(behind, tmp_path):
    for line in (f"export report wagers --into {tmp_path / 'rows'}", "report wagers --csv"):
        asked = shell(behind, *line.split())

        assert (asked.exit_code, asked.stdout) == (3, "")
        assert "No space left on device" in asked.stderr
    with pytest.raises(LedgerLost):
        ask(behind, REPORTS["ctr"])


def test_who_has_no_rows_yet_is_not_called_unknown(behind):
    shown = shell(behind, "report", "wagers", "--patron", "P-77")

    assert (shown.exit_code, shown.stderr) == (0, "")


def test_the_board_shows_what_there_is_and_says_so(behind):
    shown = shell(behind, "board", "--once")

    assert shown.exit_code == 0
    assert FULL in " ".join(shown.stdout.split())
    assert "B01" in shown.stdout
