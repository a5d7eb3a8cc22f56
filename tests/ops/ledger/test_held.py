"""Sessions that a program holds: who connects takes one that another left, clean."""

from contextlib import closing

import psycopg
import pytest
from psycopg.errors import UndefinedTable

from ops.ledger.database import Database
from ops.ledger.held import Sessions
from tests.worlds.browsers import PlainBrowser
from tests.worlds.house_server import house_server
from tests.worlds.poolers import through_pooler


@pytest.fixture
def holding(database):
    """A program that holds at most two sessions."""
    holding = Database(database.url)
    with closing(Sessions(most=2)) as holding.sessions:
        yield holding


def pid(connection):
    return connection.execute("SELECT pg_backend_pid()").fetchone()[0]


def left_by(database, *statements):
    """The session of a connection in which something was done, and that was closed."""
    with database.connect_as_is() if statements else database.connect("sabot_app") as connection:
        for each in statements:
            connection.execute(each)
        return pid(connection)


def test_who_connects_takes_the_session_that_was_left_under_a_role_of_their_own(holding):
    before = left_by(holding)

    with holding.connect("sabot_auditor") as connection:
        assert pid(connection) == before
        assert connection.execute("SELECT current_user").fetchone() == ("sabot_auditor",)


def test_what_was_left_in_a_session_is_gone(holding, database):
    before = left_by(
        holding,
        "CREATE TEMP TABLE mine (n integer)",
        "PREPARE mine AS SELECT 1",
        "LISTEN mine",
        "SELECT pg_advisory_lock(4711)",
        "SET application_name = 'somebody else'",
        "SET timezone = 'Australia/Sydney'",
        "SET work_mem = '99MB'",
    )

    with holding.connect("sabot_projector") as connection, database.connect_as_is() as another:
        assert pid(connection) == before
        assert connection.execute("SELECT name FROM pg_prepared_statements").fetchall() == []
        assert connection.execute("SELECT pg_listening_channels()").fetchall() == []
        settings = ("application_name", "timezone", "work_mem")
        assert [connection.execute(f"SHOW {each}").fetchone()[0] for each in settings] == [
            "sabot",
            "UTC",
            another.execute("SHOW work_mem").fetchone()[0],
        ]
        assert another.execute("SELECT pg_try_advisory_lock(4711)").fetchone() == (True,)
        with pytest.raises(UndefinedTable):
            connection.execute("SELECT * FROM mine")


def test_who_closed_their_connection_uses_the_session_of_nobody_else(holding):
    before = holding.connect("sabot_app")
    before.close()

    with holding.connect("sabot_app"), pytest.raises(psycopg.OperationalError):
        before.execute("SELECT 1")
    assert before.closed


def test_a_session_in_the_middle_of_something_is_left_to_nobody(holding):
    connection = holding.connect("sabot_app")
    connection.execute("BEGIN")
    connection.close()

    assert holding.sessions.pids() == []


def test_a_session_that_the_database_ended_is_not_taken(holding, database):
    before = left_by(holding)
    with database.connect_as_is() as another:
        another.execute("SELECT pg_terminate_backend(%s, 5000)", (before,))

    assert left_by(holding) != before


def test_a_session_that_fails_when_it_is_taken_is_no_failure(holding, database, monkeypatch):
    """It ended, and this machine does not know yet."""
    before = left_by(holding)
    with database.connect_as_is() as another:
        another.execute("SELECT pg_terminate_backend(%s, 5000)", (before,))
    monkeypatch.setattr("ops.ledger.held._has_ended", lambda session: False)

    assert left_by(holding) != before


def test_no_more_wait_than_are_held(holding):
    every = [holding.connect("sabot_app") for _ in range(3)]
    for each in every:
        each.close()

    assert len(holding.sessions.pids()) == 2


def test_a_session_that_nobody_took_for_long_is_closed(holding, monkeypatch):
    before = left_by(holding)
    monkeypatch.setattr(holding.sessions, "_oldest", -1)

    assert left_by(holding) != before


def test_nothing_is_held_any_more_after_the_end(holding):
    left_by(holding)
    holding.sessions.close()
    left_by(holding)

    assert holding.sessions.pids() == []


def test_behind_a_pooler_nothing_is_held(database):
    """It holds them itself, and has a session less for each that waits."""
    with through_pooler(database, "session") as behind, closing(Sessions()) as behind.sessions:
        left_by(behind)

        assert behind.sessions.pids() == []


def test_the_house_server_holds_them_between_pages(server, tmp_path):
    """A session that ends is counted by the database."""
    began = "SELECT sessions FROM pg_stat_database WHERE datname = current_database()"
    with server.database() as database, house_server(database, tmp_path / "house") as house:
        browser = PlainBrowser(house.address)
        with database.connect_as_is() as another:
            (before,) = another.execute(began).fetchone()
            assert {browser.get("/coups")[0] for _ in range(20)} == {200}

            assert another.execute(began).fetchone()[0] - before < 20
