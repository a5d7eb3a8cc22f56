"""Nobody but the program itself holds the house up: its locks are none that a login could take."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.errors import InsufficientPrivilege

from ops.ledger.database import LedgerHeld, LedgerLost, OutcomeUnknown
from ops.reports.ask import ask
from ops.reports.follow import follow
from ops.reports.rebuild import BeingRebuilt, rebuild
from ops.reports.runner import standings
from projections import PROJECTIONS, REPORTS
from tests.acceptance.channels import shell
from tests.waiting import until
from tests.worlds.gaming_table import GamingTable

OWED = PROJECTIONS["commission_owed"]
READERS = ("sabot_analyst", "sabot_auditor")
ROLES = ("sabot_app", "sabot_projector", *READERS)
# By their old names: every lock of the program once was one of these, which anybody may take.
ADVISORY = """
    SELECT unnest(ARRAY[
        hashtextextended('sabot.ledger', 0), hashtextextended('sabot.schema', 0), 371463,
        hashtextextended('sabot.rebuild.commission_owed', 0)])
     UNION ALL
    SELECT hashtextextended(oid::text, 0) FROM pg_class WHERE relname = 'progress'
"""
OPEN = {
    "command": "table.open",
    "table": "B01",
    "day": "2026-11-21",
    "rules": "dragon-bonus@1",
    "opener": {},
}


@pytest.fixture(params=READERS)
def reader(request, database, superuser):
    """The same ledger, for a login that may only read."""
    name = f"reader_{uuid4().hex}"
    superuser.execute(f"CREATE ROLE {name} LOGIN; GRANT {request.param} TO {name}")
    with psycopg.connect(make_conninfo(database.url, user=name), autocommit=True) as connection:
        yield connection
    superuser.execute(f"DROP ROLE {name}")


def within(seconds, work, *asked):
    """What came of it; and it did not wait for whoever holds something."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(work, *asked).result(seconds)
    finally:
        pool.shutdown(wait=False)


# Where the owner could not take it from everybody, as on a server of somebody else's.
AS_BEFORE = "GRANT EXECUTE ON FUNCTION pg_advisory_lock(bigint), pg_advisory_unlock_all() TO PUBLIC"


def test_a_reader_with_advisory_locks_blocks_nobody(
    reader, dispatcher, database, projector, superuser, request
):
    GamingTable(dispatcher).open()
    superuser.execute(AS_BEFORE)
    reader.execute("SET lock_timeout = '1s'")
    keys = [key for (key,) in superuser.execute(ADVISORY)]
    reader.execute("SELECT pg_advisory_lock(key) FROM unnest(%s::bigint[]) AS key", (keys,))
    request.addfinalizer(reader.close)  # so that a thread that waits for it ends too

    assert within(20, dispatcher.dispatch, {**OPEN, "table": "B02"}).ok
    assert within(20, ask, database, REPORTS["commission"]).position > 0
    assert within(20, rebuild, projector, OWED) > 0
    assert within(60, database.upgrade)


def test_the_runner_is_recognised_and_a_reader_is_not_taken_for_it(
    reader, database, projector, superuser
):
    superuser.execute(AS_BEFORE)
    reader.execute("SELECT pg_advisory_lock(371463)")
    reader.execute("SELECT set_config('application_name', 'sabot runner', false)")
    stop = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        before = standings(projector)[0]
        following = pool.submit(follow, database, [OWED], stop)
        try:
            end = time.monotonic() + 10
            while not standings(projector)[0] and time.monotonic() < end:
                stop.wait(0.05)
            during = standings(projector)[0]
        finally:
            stop.set()
            reader.execute("SELECT pg_advisory_unlock_all()")
            following.result(10)

    assert (before, during) == (False, True)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("table", ["ledger", "turns"])
@pytest.mark.parametrize(
    "statement",
    [
        "LOCK TABLE locks.{0} IN ACCESS SHARE MODE",
        "PREPARE held AS DELETE FROM locks.{0}",  # would lock it, were it only not to be executed
        "SELECT 'locks.{0}'::regclass",
        "COMMENT ON TABLE locks.{0} IS ''",
    ],
    ids=["lock", "prepare", "look up", "comment"],
)
def test_no_role_may_use_the_lock_tables(database, role, table, statement):
    with (
        database.connect(role) as connection,
        connection.transaction(force_rollback=True),
        pytest.raises(InsufficientPrivilege, match="permission denied for schema locks"),
    ):
        connection.execute(statement.format(table))


def test_a_statement_that_an_auditor_prepares_does_not_block_the_runner(dispatcher, database):
    GamingTable(dispatcher).open()
    tables = "ledger.event_rows", "ledger.command_rows", "projections.progress"
    with database.connect("sabot_auditor") as holder, holder.transaction(force_rollback=True):
        for n, table in enumerate(tables):
            holder.execute(f"PREPARE held_{n} AS DELETE FROM {table}")

        assert within(20, dispatcher.dispatch, {**OPEN, "table": "B02"}).ok
        assert within(20, ask, database, REPORTS["commission"]).position > 0


@pytest.fixture
def held(superuser):
    """A superuser holds the ledger's lock, and an append is less patient than it is elsewhere."""
    [(append,)] = superuser.execute(
        "SELECT 'ledger.append_by_forms'::regproc::oid::regprocedure::text"
    )
    superuser.execute(f"ALTER FUNCTION {append} SET lock_timeout = '200ms'")
    superuser.execute("BEGIN; LOCK TABLE locks.ledger IN SHARE UPDATE EXCLUSIVE MODE")
    yield superuser
    superuser.execute("ROLLBACK")


HELD = (
    "Another process has locked the ledger, and nothing was recorded. Send the command again; if "
    "it happens again, have the database's administrator end that process."
)


def test_nothing_is_recorded_while_somebody_else_holds_the_ledger_s_lock(held, dispatcher):
    dispatcher.patience = 0.5
    with pytest.raises(LedgerHeld) as caught:
        within(20, dispatcher.dispatch, {**OPEN, "id": "one"})
    recorded = held.execute("SELECT count(*) FROM ledger.commands").fetchone()
    held.execute("ROLLBACK")

    assert str(caught.value) == HELD
    assert recorded == (0,)
    assert dispatcher.dispatch({**OPEN, "id": "one"}).ok


def test_at_the_shell_a_locked_ledger_is_exit_status_3(held, database):
    words = "table open B01 dragon-bonus@1 --day 2026-11-21 --opener 100=1"
    result = within(30, shell, database, *words.split())

    assert (result.exit_code, result.stdout, result.stderr.strip()) == (3, "", HELD)


def test_after_a_lost_reply_it_is_unknown_whether_a_line_was_recorded(held, dispatcher):
    """Then the ledger that is held says nothing of what was sent before."""
    dispatcher.patience = 0.5
    asked, heard = dispatcher.casino.ledger.append, []

    def append(events, decision):
        heard.append(decision)
        if len(heard) == 1:
            raise LedgerLost("the reply was lost")
        return asked(events, decision)

    dispatcher.casino.ledger.append = append
    with pytest.raises(OutcomeUnknown, match="may be recorded or not") as caught:
        within(20, dispatcher.dispatch, OPEN)

    assert len(heard) > 1
    assert not isinstance(caught.value, LedgerHeld)


@pytest.mark.parametrize("statement", ["pg_cancel_backend(pid)", "pg_terminate_backend(pid)"])
def test_a_command_that_an_administrator_stops_is_recorded_once(
    dispatcher, database, superuser, statement
):
    """As a time-out would, while it waits for the lock of the ledger; then it is sent again."""
    with database.connect_as_is() as other:
        other.execute("BEGIN; LOCK TABLE locks.ledger IN SHARE UPDATE EXCLUSIVE MODE")
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(dispatcher.dispatch, OPEN)
            asked = (
                f"SELECT {statement} FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            until(lambda: superuser.execute(asked).fetchone())
            other.execute("COMMIT")

            assert answer.result(60).ok
    opened = "SELECT count(*) FROM ledger.events WHERE topic = 'table-day.opened'"
    assert superuser.execute(opened).fetchone() == (1,)


def test_an_interrupted_rebuild_does_not_block_the_next(dispatcher, database, projector, superuser):
    GamingTable(dispatcher).open()

    def broken_off(_):
        superuser.execute("SELECT pg_terminate_backend(%s, 5000)", (other.info.backend_pid,))

    other = database.connect("sabot_projector")
    with pytest.raises(Exception, match="terminating connection"):
        rebuild(other, OWED, broken_off)

    assert superuser.execute("SELECT count(*) FROM beside.rebuilding").fetchone() == (1,)
    assert rebuild(projector, OWED) > 0
    assert superuser.execute("SELECT count(*) FROM beside.rebuilding").fetchone() == (0,)


def test_a_rebuild_in_another_session_blocks_this_one(dispatcher, database, projector):
    GamingTable(dispatcher).open()
    with database.connect("sabot_projector") as other:
        other.execute(
            "SELECT set_config('application_name', 'sabot rebuild commission_owed', false)"
        )
        other.execute("INSERT INTO beside.rebuilding VALUES ('commission_owed', pg_backend_pid())")
        (pid,) = other.execute("SELECT pg_backend_pid()").fetchone()
        with pytest.raises(BeingRebuilt):
            rebuild(projector, OWED)
    gone = "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = %s)"
    while not projector.execute(gone, (pid,)).fetchone()[0]:
        projector.rollback()
    assert rebuild(projector, OWED) > 0
