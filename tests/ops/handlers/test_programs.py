"""The start of a long-running part is an event, and never keeps the part from starting."""

import io
import json
import time
from datetime import date
from uuid import uuid4

import pytest
from psycopg.conninfo import make_conninfo
from pypdf import PdfReader

from ops import VERSION
from ops.cli import starts as starting
from ops.cli.starts import record_start
from ops.commands.programs import PARTS
from ops.commands.signed_on import Token
from ops.commands.vocabulary import COMMANDS, OWN_COMMANDS
from ops.ledger import starts as ledger_starts
from ops.ledger.database import Database
from ops.ledger.installed import Installed, installed, label
from projections import REPORTS
from tests.acceptance.channels import json_of, recorded, rows_of, shell
from tests.worlds.closed_house import EVERY_ROLE, ClosedHouse, number
from tests.worlds.gaming_table import DAY

TODAY = date(2026, 11, 21)


def starts(database, day=TODAY):
    with database.session("sabot_auditor") as connection:
        return ledger_starts.starts_of(connection, day)


def report(database, *names):
    return rows_of(database, *names, report=REPORTS["programs"])


@pytest.fixture
def again(monkeypatch):
    """Goes on as another process."""
    return lambda name: monkeypatch.setattr(starting, "_PROCESS", name)


# What is recorded.
def test_a_start_has_its_part_its_machine_and_the_program(database):
    record_start(database, "dealer", table="B01", by="D-204")
    [start] = starts(database)

    assert ("dealer", "B01", "pit-1") == (start.part, start.table, start.machine)
    assert (VERSION, installed().digest) == (start.version, start.digest)
    assert [("dealer", "B01", "pit-1", VERSION, installed().digest, "D-204")] == report(
        database, "part", "table", "machine", "version", "digest", "by"
    )


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_recorded_once_a_process(database, again, part):
    record_start(database, part)
    record_start(database, part)
    again("another")
    record_start(database, part)

    assert [part, part] == [each.part for each in starts(database)]


def test_a_start_before_anything_else_does_not_found_the_house(database):
    record_start(database, "board")

    topics = [each[3] for each in recorded(database)]
    assert ["program-day.begun", "program-day.program-started"] == topics


def test_a_start_belongs_to_no_table_and_changes_nothing_there(pit, database):
    before = shell(database, "board", "--once", "--json").output
    record_start(database, "dealer", table="B01")
    after = shell(database, "board", "--once", "--json").output

    assert _without_position(before) == _without_position(after)
    assert (TODAY, "") == recorded(database)[-1][5:7]


def _without_position(board):
    return {name: each for name, each in json.loads(board).items() if name != "position"}


# Who may.
def test_nobody_can_send_one(dispatcher):
    line = {"command": "house.program-started", "part": "board"}
    answer = dispatcher.dispatch(line)

    assert "UnknownCommand" == answer.body["error"]
    assert line["command"] in OWN_COMMANDS
    assert not OWN_COMMANDS.keys() & COMMANDS.keys()


def test_in_a_closed_house_it_needs_nobody_signed_on_and_believes_no_number(server):
    with server.database() as database:
        house = ClosedHouse(database, EVERY_ROLE)
        record_start(database, "board", by="S-11")
        record_start(database, "feed", token=house.token(number("dealer")))
        record_start(database, "dealer", token=Token(number("dealer"), "guessed"))
        house.close()

        assert [("board", ""), ("feed", number("dealer")), ("dealer", "")] == report(
            database, "part", "by"
        )


def test_a_number_that_cannot_be_one_is_left_out(database):
    record_start(database, "board", by="not a number")

    assert [("board", "")] == report(database, "part", "by")


# Nothing hinders a start.
def test_without_a_ledger_the_part_starts_at_once(monkeypatch):
    began = time.monotonic()
    record_start(Database("postgresql://nobody@127.0.0.1:1/none"), "board")

    assert time.monotonic() - began < 2


def test_a_ledger_that_does_not_answer_is_not_waited_for(database, superuser, monkeypatch):
    monkeypatch.setattr(starting, "PATIENCE", 0.3)
    superuser.autocommit = False
    superuser.execute("LOCK TABLE locks.ledger IN ACCESS EXCLUSIVE MODE")
    began = time.monotonic()
    record_start(database, "board")
    took = time.monotonic() - began
    superuser.rollback()

    assert took < 2


def test_a_login_that_may_only_read_starts_without_a_record(database, superuser):
    name = f"auditor_{uuid4().hex}"
    superuser.execute(f"CREATE ROLE {name} LOGIN; GRANT sabot_auditor TO {name}")
    auditor = Database(make_conninfo(database.url, user=name))
    record_start(auditor, "board")
    checked = json_of(auditor, "audit", "program")
    superuser.execute(f"DROP ROLE {name}")

    assert ([], True) == (checked["starts"], checked["ok"])


def test_made_up_play_may_follow_a_start(database):
    record_start(database, "board")
    made = shell(database, "simulate", "--tables", "1", "--coups", "1")

    assert 0 == made.exit_code


# `sabot audit program`.
def test_the_files_are_those_of_the_last_start(database):
    record_start(database, "board")
    checked = json_of(database, "audit", "program", "--day", DAY)

    assert checked["ok"]
    assert (VERSION, installed().digest) == (checked["version"], checked["digest"])
    assert len(installed().files) == checked["files"]
    assert checked["recorded"]["digest"] == checked["digest"]
    assert ["board"] == [each["part"] for each in checked["starts"]]


def test_other_files_than_those_of_the_last_start_are_found(database, monkeypatch):
    record_start(database, "board")
    files = {**installed().files, "ops/__init__.py": "00" * 32}
    monkeypatch.setattr("ops.cli.audit.program.installed", lambda: Installed(files))
    shown = shell(database, "audit", "program", "--day", DAY)

    assert 1 == shown.exit_code
    assert f"#2: OTHER FILES: {installed().digest}" in shown.output


def test_a_start_of_another_version_is_not_compared(database, monkeypatch):
    record_start(database, "board")
    monkeypatch.setattr("ops.cli.audit.program.VERSION", "0.2.0")
    checked = json_of(database, "audit", "program")

    assert (True, None) == (checked["ok"], checked["recorded"])
    assert "No start of version 0.2.0 is on record" in checked["not_checked"][-1]


def test_a_file_that_is_not_as_the_installer_listed_it_is_named(database, monkeypatch):
    released = Installed({**installed().files, "ops/gone.py": "00" * 32})
    monkeypatch.setattr("ops.cli.audit.program.as_released", lambda: released)
    shown = shell(database, "audit", "program")

    assert 1 == shown.exit_code
    assert "BAD   ops/gone.py: missing" in shown.output.splitlines()


def test_the_digest_is_shown_without_a_ledger():
    lost = Database("postgresql://nobody@127.0.0.1:1/none")
    shown = shell(lost, "audit", "program")

    assert 3 == shown.exit_code
    assert f"SHA-256 {installed().digest}" in shown.output.splitlines()
    assert "The recorded starts were not read: The ledger cannot be reached" in shown.output


# On paper.
def test_the_foot_of_a_report_names_the_program(pit, database, tmp_path):
    file = tmp_path / "commission.pdf"
    shell(database, "report", "commission", "--pdf", str(file))
    [page] = PdfReader(io.BytesIO(file.read_bytes())).pages

    assert label() in page.extract_text()
