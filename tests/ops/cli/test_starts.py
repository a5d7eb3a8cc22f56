"""Each part that runs until it is stopped records its start; what ends by itself records none."""

import json
import signal
import subprocess

from ops import VERSION
from ops.ledger.installed import installed
from projections import REPORTS
from tests.acceptance.channels import feed, rows_of, shell
from tests.ops.terminal.real import Terminal
from tests.worlds.programs import Program, run

ENROL = {"command": "staff.enrol", "staff": "D-204", "name": "Ann", "role": "dealer"}


def started(database):
    """The part and the table of each start; all of them run what is installed here."""
    rows = rows_of(database, "part", "table", "version", "digest", report=REPORTS["programs"])
    assert {(VERSION, installed().digest)} >= {row[2:] for row in rows}
    return [row[:2] for row in rows]


def ran(database, *words, lines=()):
    """What a process prints that reads these lines from a pipe until it ends."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return run(["--database", database.url, *words], input=text).stdout


def test_a_feed_that_stays_open_records_its_start_before_its_first_line(database):
    first, _ = ran(database, "feed", lines=[ENROL, {**ENROL, "staff": "D-205"}]).splitlines()
    answer = json.loads(first)

    assert answer["ok"]
    assert "PropertyFounded" == answer["events"][0]["type"]
    assert [("feed", None)] == started(database)


def test_a_file_of_lines_is_no_part_that_runs(database):
    feed(database, [ENROL])

    assert [] == started(database)


def test_the_dealers_lines_record_their_start_with_the_table(database):
    for _ in range(2):  # each of them a terminal that was restarted
        ran(database, "dealer", "B01", "--plain")

    assert [("dealer", "B01"), ("dealer", "B01")] == started(database)


def test_a_board_that_follows_records_its_start(database):
    with Terminal("board", surroundings={"SABOT_DATABASE_URL": database.url}) as terminal:
        terminal.wait_for(lambda lines: any(each.strip() for each in lines))

    assert [("board", None)] == started(database)


def test_a_board_that_is_printed_once_records_nothing(database):
    shell(database, "board", "--once")

    assert [] == started(database)


def test_the_follower_of_the_reports_records_its_start(database):
    words = ["--database", database.url, "projections", "run"]
    with Program(words, stderr=subprocess.PIPE, text=True) as running:
        running.stderr.readline()
        running.send_signal(signal.SIGINT)

    assert [("projections", None)] == started(database)
