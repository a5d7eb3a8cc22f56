"""Through a pooler: everything works where a session is kept; where it is shared, words say so."""

import threading
from contextlib import ExitStack, suppress

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from ops.ledger.connection import pooled, shared
from ops.ledger.database import Database, NotFit
from ops.ledger.schema import head
from ops.reports.follow import follow
from projections import PROJECTIONS
from tests.acceptance.channels import feed, json_of, shell
from tests.waiting import until
from tests.worlds.gaming_table import BANKER_WINS, PLAYER_WINS, TIE, GamingTable, mouth_on
from tests.worlds.poolers import through_pooler

SHARING = ("transaction", "statement")
ROLES = ("sabot_app", "sabot_projector", "sabot_auditor")
COMMANDS = {
    "status": ("db", "status"),
    "upgrade": ("db", "upgrade"),
    "views": ("db", "views"),
    "shell": ("bet", "B01", "3", "banker", "100"),
    "feed": ("feed",),
    "report": ("report", "wagers"),
    "board": ("board", "--once"),
    "runner": ("projections", "run"),
    "server": ("serve", "--port", "0"),
    "verify": ("audit", "verify"),
    "replay": ("replay", "B01"),
}


@pytest.fixture(scope="module", params=SHARING)
def sharing(server, request):
    """A pooler with one session for everybody."""
    with (
        server.database() as database,
        through_pooler(database, request.param, sessions=1) as pooler,
    ):
        yield pooler


@pytest.mark.parametrize("role", [*ROLES, None])
def test_a_pooler_that_shares_sessions_is_refused_by_the_first_connection(sharing, role):
    fresh = Database(sharing.url)
    with pytest.raises(NotFit, match="pool_mode = session"):
        fresh.connect(role) if role else fresh.connect_as_is()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_that_the_pooler_shares_sessions(sharing, command):
    result = shell(sharing, *COMMANDS[command], input='{"command": "shoe.inspect"}\n')

    assert result.exit_code == 3
    assert "pool_mode = session" in result.stderr
    assert "Traceback" not in result.output


def test_a_pooler_that_shares_many_sessions_is_found_as_well(database):
    with (
        through_pooler(database, "transaction", sessions=5, server_round_robin="1") as pooler,
        ExitStack() as others,
    ):
        address = make_conninfo(pooler.url)
        busy = [others.enter_context(psycopg.connect(address, autocommit=True)) for _ in range(5)]
        for each in busy:
            each.execute("BEGIN")
        for each in busy:
            each.execute("COMMIT")
        for _ in range(5):
            with pytest.raises(NotFit, match="pool_mode = session"):
                Database(pooler.url).connect("sabot_app")


def test_a_session_that_others_keep_busy_is_found_to_be_shared(database):
    """It is never idle, so it does not end: a session of its own would."""
    ended = threading.Event()

    def keep_busy(address):
        while not ended.is_set():
            with (
                suppress(psycopg.OperationalError),
                psycopg.connect(address, autocommit=True) as other,
            ):
                while not ended.is_set():
                    other.execute("SET idle_session_timeout = 0")

    with through_pooler(database, "transaction", sessions=1) as pooler:
        thread = threading.Thread(target=keep_busy, args=(pooler.url,))
        thread.start()
        try:
            assert shared(conninfo_to_dict(pooler.url), ends_after=(20, 20))
        finally:
            ended.set()
            thread.join()


def test_without_a_pooler_the_server_answers_for_itself(database):
    with psycopg.connect(database.url, autocommit=True) as connection:
        assert not pooled(connection)


def test_looking_leaves_no_setting_behind(database):
    """The session may be another program's a moment later."""
    with through_pooler(database, "transaction", sessions=1) as pooler:
        asked = (
            "SELECT array_agg(name) FROM pg_settings"
            " WHERE source = 'session' AND name <> 'application_name'"  # the pooler's own
        )
        with psycopg.connect(pooler.url, autocommit=True) as other:
            before = other.execute(asked).fetchone()
            with pytest.raises(NotFit):
                Database(pooler.url).connect("sabot_app")

            assert before == other.execute(asked).fetchone()


@pytest.fixture
def session(database):
    """A pooler that keeps sessions, on an empty ledger."""
    with through_pooler(database, "session") as pooler:
        yield pooler


def played(database):
    """Three coups, so that statements are prepared and used again."""
    with mouth_on(database) as mouth:
        table = GamingTable(mouth).open().prepare()
        table.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 50_00))
        table.play(PLAYER_WINS, (3, "banker", 100_00), (5, "tie", 25_00))
        table.play(TIE, (1, "tie", 25_00))


def test_through_a_pooler_that_keeps_sessions_a_table_is_dealt_and_read(session, database):
    played(session)
    line = {"command": "bet", "table": "B01", "seat": 3, "spot": "banker", "amount": 100_00}
    status, answers = feed(session, [{**line, "by": "D-204"}])

    assert (0, [True]) == (status, [answer["ok"] for answer in answers])
    assert json_of(session, "db", "status")["ok"]
    assert json_of(session, "audit", "verify")["ok"]
    assert json_of(session, "board", "--once")["tables"]
    for words in (("report", "wagers"), ("report", "commission")):
        assert json_of(session, *words)["rows"] == json_of(database, *words)["rows"] != []
    for words in (("projections", "rebuild", "coups"), ("projections", "check", "coups")):
        assert shell(session, *words).exit_code == 0
    assert shell(session, "replay", "B01/2026-11-21/1/1").exit_code == 0


def test_through_a_pooler_the_schema_is_upgraded(server):
    with server.database() as database, through_pooler(database, "session") as pooler:
        server.run(f"ALTER DATABASE {database.url.split('dbname=')[1].split()[0]} SET role = ''")

        assert head() == pooler.upgrade()


def test_through_a_pooler_the_runner_hears_the_news(session, dispatcher):
    stop, caught_up = threading.Event(), threading.Event()
    chosen = [PROJECTIONS["coups"]]
    runner = threading.Thread(
        target=follow, args=(session, chosen, stop), kwargs={"caught_up": caught_up.set}
    )
    runner.start()
    try:
        until(caught_up.is_set)
        played(session)
        until(lambda: len(rows_behind(session)) == 0)
    finally:
        stop.set()
        runner.join()


def rows_behind(database):
    """What the runner has not read yet."""
    with database.connect("sabot_auditor") as connection:
        return connection.execute(
            "SELECT FROM projections.progress WHERE projection = 'coups'"
            " AND position < (SELECT max(position) FROM ledger.events)"
        ).fetchall()


def test_what_the_last_client_left_in_a_session_does_no_harm(database):
    """A pooler that resets nothing between two clients, with one session for all."""
    with through_pooler(database, "session", sessions=1, server_reset_query="") as pooler:
        with psycopg.connect(pooler.url, autocommit=True) as other:
            other.execute("CREATE TEMP TABLE progress (n int)")
            other.execute("SET ROLE sabot_auditor")
            other.execute("SET search_path = nowhere")
            other.execute("SET datestyle = 'German'")
            other.execute("SET default_transaction_read_only = on")
            other.execute("LISTEN sabot_ledger")
            for n in range(9):
                other.execute(f"PREPARE _pg3_{n} AS SELECT 1")
            other.execute("PREPARE append_and_flush AS SELECT 1")
        played(pooler)

        assert json_of(pooler, "report", "wagers")["rows"]


def test_settings_in_the_address_are_refused_in_words(session):
    given = Database(make_conninfo(session.url, options="-c datestyle=German"))
    for call in (given.connect_as_is, given.status):
        with pytest.raises(NotFit, match="Take `options` out of the database's address"):
            call()


def test_a_pooler_without_a_free_session_says_so(database):
    with through_pooler(database, "session", sessions=1, query_wait_timeout="1") as pooler:
        taken = pooler.connect("sabot_app")
        with pytest.raises(NotFit, match="Every session of the pooler is taken"):
            pooler.connect("sabot_auditor")
        taken.close()
