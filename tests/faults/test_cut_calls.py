"""The one call that appends and flushes, broken between its commit and its flush."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from ops.cli.audit.verify import walk
from ops.commands.casino import Casino
from ops.handlers.answer import Answer
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from tests.faults import SEED
from tests.faults.harness import Stand

Superuser = psycopg.Connection[tuple[Any, ...]]
OPEN = {"command": "table.open", "table": "B01", "day": "2026-11-21", "rules": "dragon-bonus@1"}
LINE = {**OPEN, "opener": {"10000": 200}, "by": "D-204", "with": "S-11", "id": "opened"}
WAITS = """
    CREATE OR REPLACE FUNCTION ledger.flush() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$ BEGIN
        IF pg_postmaster_start_time() = '{}' THEN PERFORM pg_sleep(60); END IF;
    END $$
"""
IN_THE_FLUSH = """
    SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event = 'PgSleep' AND query LIKE 'CALL ledger.%'
"""


@contextmanager
def held_before_its_flush(superuser: Superuser) -> Iterator[None]:
    """Who commits within the block waits before the flush, until the server starts again."""
    found = superuser.execute(
        "SELECT pg_get_functiondef('ledger.flush'::regproc), pg_postmaster_start_time()::text"
    ).fetchone()
    assert found
    superuser.execute(WAITS.format(found[1]))
    try:
        yield
    finally:
        if not superuser.broken:
            superuser.execute(found[0])


def until(superuser: Superuser, asked: str) -> int:
    """What a question is answered as soon as it has an answer."""
    ends = time.monotonic() + 20
    while not (found := superuser.execute(asked).fetchone()):
        assert time.monotonic() < ends, asked
        time.sleep(0.01)
    return int(found[0])


def said(database: Database, meanwhile: Callable[[Future[Answer]], None]) -> Answer:
    """The answer to the line; what happens while it is under way happens in `meanwhile`."""
    dispatcher = Dispatcher(Casino(Ledger(database), made_up=True), "faults", patience=60.0)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(dispatcher.dispatch, LINE)
        meanwhile(answer)
        told = answer.result(60)
    dispatcher.casino.close()
    return told


def recorded(superuser: Superuser) -> tuple[Any, ...]:
    """How often the line is on record, and where its last event is."""
    row = superuser.execute(
        "SELECT count(*), max(last_position) FROM ledger.commands WHERE command_id = 'opened'"
    ).fetchone()
    assert row
    return row


@pytest.mark.parametrize("end", ["pg_terminate_backend", "pg_cancel_backend"])
def test_after_a_cut_before_the_flush_the_command_is_found_and_flushed(
    database: Database, superuser: Superuser, end: str
) -> None:
    seen = []

    def break_it(answer: Future[Answer]) -> None:
        with held_before_its_flush(superuser):
            pid = until(superuser, IN_THE_FLUSH)
            seen.append((recorded(superuser), answer.done()))
        superuser.execute(f"SELECT {end}(%s)", (pid,))

    told = said(database, break_it)

    assert told.ok
    assert seen == [((1, told.body["position"]), False)]  # committed, and not told
    assert recorded(superuser) == (1, told.body["position"])
    assert walk(database).ok


def test_when_the_server_dies_before_the_flush_the_command_counts_once(tmp_path: Path) -> None:
    stand = Stand(tmp_path, tables=1, coups=1, seed=SEED)
    try:
        superuser = psycopg.connect(stand.database.url, autocommit=True)

        def kill_it(answer: Future[Answer]) -> None:
            with suppress(psycopg.OperationalError), held_before_its_flush(superuser):
                until(superuser, IN_THE_FLUSH)
                assert not answer.done()
                stand.kill_server()
                superuser.execute("SELECT")  # it is gone

        told = said(stand.database, kill_it)
        with stand.database.connect_as_is() as asked:
            found = recorded(asked)

        assert told.ok
        assert found == (1, told.body["position"])
        assert walk(stand.database).ok
    finally:
        stand.close()
