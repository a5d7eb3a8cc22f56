"""What reading commands promise: true, on disk, and in words when something is wrong."""

import json
from uuid import uuid4
from zoneinfo import ZoneInfo

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from domain.rules.addresses import Coup
from ops.cli.audit import verify as audit
from ops.ledger.database import Database, LedgerLost, NotFit, RoleDenied, SchemaBehind
from ops.replay.page import Page
from ops.replay.story import find
from ops.reports import ask as reports
from ops.reports import runner
from ops.verify import verification
from ops.words import show
from projections import REPORTS
from tests.acceptance.channels import feed, shell
from tests.worlds.gaming_table import BANKER_WINS, GamingTable

pytestmark = pytest.mark.usefixtures("held")

COUP = "B01/2026-11-21/1/1"
READERS = ("report commission", f"replay {COUP}", "audit verify", "projections status")


@pytest.fixture
def played(dispatcher, database):
    """A ledger in which a coup was dealt, and P-10417 owes 5.00."""
    GamingTable(dispatcher).open().prepare().play(BANKER_WINS, (3, "banker", 100_00))
    return database


@pytest.fixture
def tampered(played, superuser):
    """A superuser changes what was written once."""

    def change(sql):
        superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER ALL")
        superuser.execute(sql)

    return change


@pytest.fixture
def auditor(played, superuser):
    """The same ledger, for a login that may only read."""
    name = f"auditor_{uuid4().hex}"
    superuser.execute(f"CREATE ROLE {name} LOGIN; GRANT sabot_auditor TO {name}")
    yield Database(make_conninfo(played.url, user=name))
    superuser.execute(f"DROP ROLE {name}")


@pytest.mark.parametrize(
    ("flushes", "words"),
    [
        ("ops.ledger.recorder.flush", READERS[0]),
        ("ops.ledger.recorder.flush", READERS[1]),
        ("ops.verify.verification.flush", READERS[2]),
    ],
    ids=READERS[:3],
)
def test_what_was_read_is_flushed_before_it_is_shown(played, monkeypatch, flushes, words):
    flushed = []

    def dies(connection):
        flushed.append(connection)
        raise psycopg.OperationalError("the server went before it could flush")

    monkeypatch.setattr(flushes, dies)
    result = shell(played, *words.split())

    assert (result.exit_code, result.stdout, len(flushed)) == (3, "", 1)


@pytest.mark.parametrize("words", READERS)
def test_a_server_that_stops_during_a_read_is_a_lost_ledger(played, superuser, monkeypatch, words):
    connect = Database.connect

    def doomed(self, *role):
        connection = connect(self, *role)
        pid = connection.info.backend_pid
        superuser.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
        return connection

    monkeypatch.setattr(Database, "connect", doomed)
    result = shell(played, *words.split())

    assert (result.exit_code, result.stdout) == (3, "")
    assert "The ledger cannot be reached" in result.stderr
    assert "Traceback" not in result.stderr


def test_an_auditor_reads_reports_that_the_runner_keeps_up_to_date(played, auditor):
    with pytest.raises(NotFit, match=r"commission_owed is \d+ events behind"):
        reports.ask(auditor, REPORTS["commission"])
    for report in REPORTS.values():
        expected = reports.ask(played, report).as_dict()

        assert expected == reports.ask(auditor, report).as_dict()
    for words in READERS:
        assert shell(auditor, *words.split()).exit_code == 0
    with pytest.raises(RoleDenied):
        auditor.connect("sabot_app")


def test_every_command_says_in_words_that_the_schema_is_newer(played, superuser):
    superuser.execute(
        "UPDATE public.schema_version SET version_num = '9999_later', serves = '9999' "
        "WHERE version_num = (SELECT max(version_num) FROM public.schema_version)"
    )
    for words in (*READERS, "bet B01 3 banker 100", "db upgrade"):
        result = shell(played, *words.split())

        assert result.exit_code == 3
        assert "made by a newer Sabot" in result.stderr
        assert "pgrade this program." in result.stderr
    with pytest.raises(NotFit) as newer:
        played.connect("sabot_app")
    assert not isinstance(newer.value, SchemaBehind)


MOMENTS = {
    "an endless moment": ("recorded_at", "'infinity'"),
    "a moment before time": ("recorded_at", "'-infinity'"),
    "a moment before our era": ("recorded_at", "'0044-03-15 12:00 BC'"),
    "a day without end": ("gaming_day", "'infinity'"),
    "a day before our era": ("gaming_day", "'0044-03-15 BC'"),
    "a day too far": ("gaming_day", "'20000-01-01'"),
}


@pytest.mark.parametrize("which", MOMENTS)
@pytest.mark.parametrize(
    ("topic", "report"), [("table-day.opened", "inventory"), ("coup.resulted", "coup")]
)
def test_an_impossible_date_is_reported_with_its_position(
    played, tampered, superuser, which, topic, report
):
    column, value = MOMENTS[which]
    tampered(f"UPDATE ledger.events SET {column} = {value} WHERE topic = '{topic}'")
    (bad,) = superuser.execute(
        "SELECT position FROM ledger.events WHERE topic = %s", (topic,)
    ).fetchone()
    found = audit.walk(played)
    verified, reported, replayed = (shell(played, *words.split()) for words in (
        "audit verify", f"report {report}", f"replay {COUP}"))  # fmt: skip

    assert (found.ok, found.first_bad) == (False, bad)
    assert (verified.exit_code, f"position {bad}" in verified.stdout) == (1, True)
    assert (reported.exit_code, f"position {bad}" in reported.stderr) == (1, True)
    assert replayed.exit_code == (1 if topic == "coup.resulted" else 0)
    assert "Traceback" not in verified.stderr + reported.stderr + replayed.stderr


@pytest.mark.parametrize("position", [3, 4, 8])
def test_a_duplicated_event_is_detected(played, tampered, monkeypatch, position):
    monkeypatch.setattr(verification, "PIECE", 4)
    tampered(
        "DROP INDEX ledger.events_position;"
        "ALTER TABLE ledger.event_rows DROP CONSTRAINT events_pkey CASCADE;"
        f"INSERT INTO ledger.events SELECT * FROM ledger.events WHERE position = {position}"
    )
    found = audit.walk(played)

    assert (found.ok, found.gapless, found.first_bad) == (False, False, position)


def test_an_event_without_a_position_is_detected_and_is_in_no_replay(played, tampered):
    before = shell(played, "replay", COUP).stdout
    tampered(
        "ALTER TABLE ledger.event_rows ALTER COLUMN position DROP NOT NULL;"
        "INSERT INTO ledger.events SELECT originator_id, 99, topic, state, NULL, recorded_at, "
        "gaming_day, table_code, actor, command_id, metadata, hash FROM ledger.events "
        "WHERE topic = 'coup.card-dealt' LIMIT 1"
    )
    found = audit.walk(played)

    assert (found.ok, found.gapless, found.first_bad) == (False, False, 0)
    assert before == shell(played, "replay", COUP).stdout


@pytest.mark.parametrize(
    "newer",
    [
        "topic = 'shoe.card-blessed'",
        "topic = 'os:getcwd'",
        """state = convert_to(replace(convert_from(state, 'UTF8'), '"shoe"',
           '"class_version":9,"shoe"'), 'UTF8')""",
    ],
    ids=["another event", "a module's name", "a later version"],
)
def test_an_event_of_a_newer_sabot_stops_commands_that_depend_on_it(played, tampered, newer):
    tampered(
        f"UPDATE ledger.events SET {newer} WHERE position = "
        "(SELECT max(position) FROM ledger.events WHERE topic = 'shoe.card-drawn')"
    )
    line = {"command": "draw", "table": "B01", "card": "9C"}
    result = shell(played, "feed", input=json.dumps(line))

    assert (result.exit_code, result.stdout) == (3, "")
    assert "which this Sabot does not know" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_wager_whose_event_is_unreadable_can_still_be_taken_back(dispatcher, database, tampered):
    GamingTable(dispatcher, "B02").open().prepare()
    pit = GamingTable(dispatcher, "B02")
    pit.moment = pit.moment.replace(hour=21)
    pit.bet(3, "banker", 100_00)
    pit.say("withdraw", seat=3, spot="banker")
    tampered(
        "UPDATE ledger.events SET topic = 'coup.wager-lost' WHERE table_code = 'B02' "
        "AND topic = 'coup.wager-placed'"
    )
    result = shell(database, "replay", "B02/2026-11-21/1/1")

    assert result.exit_code == 1
    assert "coup.wager-lost" in result.stdout


def test_the_page_shows_the_house_s_date(played, capsys):
    with played.session("sabot_auditor") as connection:
        found = find(connection, Coup.parse(COUP))
    Page(found, found.replay, show.console(), ZoneInfo("Pacific/Auckland")).print()
    told = capsys.readouterr().out

    assert "settled 09:00:" in told
    assert "on 2026-11-22" in told


def test_a_session_that_breaks_raises_ledger_lost(played, superuser):
    def read():
        with played.session("sabot_auditor") as connection:
            pid = connection.info.backend_pid
            superuser.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
            runner.head_of(connection)

    with pytest.raises(LedgerLost):
        read()


def test_a_late_line_by_feed_keeps_its_true_moment(played):
    moment = "2026-11-21T19:30:00+00:00"
    line = {"command": "table.seat", "table": "B01", "seat": 8, "patron": "P-8", "at": moment}
    refused = feed(played, [line])
    taken = feed(played, [{**line, "late": True}])

    assert (refused[0], refused[1][0]["error"]) == (1, "BadValue")
    assert taken[0] == 0
